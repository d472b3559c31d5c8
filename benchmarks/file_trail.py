"""Measure the file trail against what others recorded: `python benchmarks/file_trail.py FOLDER_OF_SESSIONS`.

Three kinds of truth, each with what it can and cannot prove:

- SWE-agent: the submitted diff names every file that differs at the end (created ones too, ignored ones not);
  each step's state names the open file, which was therefore read.
- mini-swe-agent: the submitted diff is one that the agent itself put together, as a rule of tracked files only;
  so files that the trail says were created count only if the diff holds them.
- Claude Code with checkpoint metadata: a checkpoint lists the files of the commit that it belongs to. See
  `checkpoint_truth`.

A file counts as changed if the fold over the trail ends in created, modified, renamed, or deleted where the
session did not create it; put back and removed again does not count. Paths outside the repository are left
out of the trail's side, as no diff could hold them. Sessions are split in two halves by a hash of their
instance, so that what was looked at while developing (`seen`) can be told from what was not (`unseen`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis.errors import InputError
from tamis.ledger.events import FileChange, Source
from tamis.ledger.extract import OpenCall, ReadContext
from tamis.ledger.file_trail import fold_change
from tamis.ledger.files import extract_files
from tamis.ledger.paths import is_within, same_file
from tamis.ledger.state import FileState
from tamis.messages import Message, Session, ToolCall, part_text
from tamis.sessions import read_all


@dataclass(slots=True)
class Score:
    """Counts over sessions: files in both, in the trail only, in the truth only."""

    hits: int = 0
    extra: int = 0
    missed: int = 0
    sessions: int = 0

    def add(self, found: set[str], truth: set[str]) -> tuple[set[str], set[str]]:
        """Count one session; returns what was extra and what was missed."""
        extra = {f for f in found if not any(same_file(f, t) for t in truth)}
        missed = {t for t in truth if not any(same_file(f, t) for f in found)}
        self.hits += len(truth) - len(missed)
        self.extra += len(extra)
        self.missed += len(missed)
        self.sessions += 1
        return extra, missed

    def row(self) -> str:
        """Precision, recall and F1 with the counts behind them."""
        precision = self.hits / (self.hits + self.extra) if self.hits + self.extra else float("nan")
        recall = self.hits / (self.hits + self.missed) if self.hits + self.missed else float("nan")
        f1 = 2 * self.hits / (2 * self.hits + self.extra + self.missed) if self.hits else float("nan")
        counts = f"{self.hits:5d} hit {self.extra:4d} extra {self.missed:4d} missed"
        return f"{self.sessions:4d} sessions  P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}   {counts}"


@dataclass(slots=True)
class Board:
    """Scores by name, in the order in which they were first asked for."""

    scores: dict[str, Score] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Score:
        return self.scores.setdefault(name, Score())


def trail(messages: Iterable[Message], cwd: str | None = None) -> Iterator[FileChange]:
    """The file changes of a message list, in order."""
    context = ReadContext(cwd=cwd)
    for turn, message in enumerate(messages):
        context.turn = turn
        context.cwd = message.cwd or context.cwd
        yield from (draft.value for draft in extract_files(message, context) if isinstance(draft.value, FileChange))
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                source = Source(message_id=message.id, part=index, start=0, end=len(part_text(part)))
                context.calls[part.id] = OpenCall(call=part, source=source)


def fold(changes: Iterable[FileChange]) -> dict[str, FileState]:
    """The last state of every file."""
    states: dict[str, FileState] = {}
    for change in changes:
        before = states.pop(change.renamed_from, None) if change.renamed_from else states.get(change.path)
        states[change.path] = fold_change(before, change)
    return states


def changed_files(states: Mapping[str, FileState], root: str | None) -> dict[str, FileState]:
    """The files that differ from what was there at the beginning, below the root."""
    found = {}
    for path, state in states.items():
        differs = state.status in ("created", "modified", "renamed") or (state.status == "deleted" and not state.born)
        if differs and (root is None or not posixpath.isabs(path) or is_within(path, root)):
            found[path] = state
        if state.renamed_from and not state.born and differs:
            found[state.renamed_from] = state
    return found


@dataclass(frozen=True, slots=True)
class DiffTruth:
    """The files of a diff: those that were there before it, and those that it makes."""

    tracked: set[str]
    new: set[str]


def read_truth(diff: str, root: str | None) -> DiffTruth:
    """The files of a git diff, below the root. Files without a hunk (binary, empty) count too."""
    tracked, new = set[str](), set[str]()
    for part in re.split(r"(?m)^(?=diff --git )", diff):
        match = re.match(r"diff --git a/(.+?) b/(.+)", part)
        if match:
            made = re.search(r"(?m)^(?:new file mode|--- /dev/null)", part)
            (new if made else tracked).update(posixpath.join(root or "", name) for name in match.groups())
    return DiffTruth(tracked=tracked, new=new)


def named_in_calls(files: set[str], messages: Iterable[Message]) -> set[str]:
    """The files whose names stand in some call: a call that runs a program does not name what that makes."""
    calls = "\n".join(part_text(call) for message in messages for call in message.calls)
    return {file for file in files if posixpath.basename(file) in calls}


def half(name: str) -> str:
    """Which half an instance belongs to."""
    return "seen" if hashlib.sha256(name.split('.')[0].encode()).digest()[0] % 2 == 0 else "unseen"


def sessions(folder: Path) -> Iterator[Session]:
    """Every session below a folder; what cannot be read is reported, not skipped silently."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                yield from read_all(path)
            except InputError as error:
                print(f"not read: {error}", file=sys.stderr)


def diff_score(session: Session, board: Board, errors: list[str]) -> None:
    """SWE-agent and mini-swe-agent: the trail against the submitted diff, and reads against open files."""
    diff = session.meta.get("final_diff")
    if not diff:
        board[f"{session.format}: no diff, left out"].sessions += 1
        return
    changes = list(trail(session.messages, session.cwd))
    states = fold(changes)
    found = changed_files(states, session.cwd)
    truth = read_truth(diff, session.cwd)
    made = {path for path, state in found.items() if state.born}
    edited = set(found) - made
    part = half(str(session.meta.get("instance_id") or session.id))
    rows = [("modified", edited - truth.new, truth.tracked - made)]
    if session.format == "swe-agent":  # its diff holds all that is new; elsewhere new files are left out
        named = named_in_calls(truth.new, session.messages)
        rows += [("created, named in a call", made, named), ("created or modified, all", set(found), truth.tracked | truth.new)]
    for title, ours, theirs in rows:
        extra, missed = board[f"{session.format} {title}, {part}"].add(ours, theirs)
        errors.extend(
            f"{part} {title}: extra {session.id} {path} ({found[path].status}, certain={found[path].certain})"
            for path in sorted(extra)
        )
        errors.extend(f"{part} {title}: missed {session.id} {path}" for path in sorted(missed))
    opened = {name for name in session.meta.get("open_files") or () if name}
    if opened:
        used = {change.path for change in changes} & opened
        _, unread = board[f"{session.format} opened, {part}"].add(used, opened)
        errors.extend(f"{part} opened: missed {session.id} {path}" for path in sorted(unread))


def main() -> None:
    """Measure every set below the folder for which there is a truth."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--errors", choices=("seen", "all"), help="list every error, of the seen half or of all")
    options = parser.parse_args()
    board, errors = Board(), list[str]()
    for session in sessions(options.folder):
        if "final_diff" in session.meta:
            diff_score(session, board, errors)
    for name, score in board.scores.items():
        print(f"{name:46s} {score.row()}")
    if options.errors:
        print("\n".join(e for e in errors if options.errors == "all" or e.startswith("seen")))


if __name__ == "__main__":
    main()
