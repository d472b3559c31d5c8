"""Measure the file trail against what others recorded: `python benchmarks/file_trail.py FOLDER_OF_SESSIONS`.

Three kinds of truth, each with what it can and cannot prove:

- SWE-agent: the submitted diff names every file that differs at the end (created ones too, ignored ones not);
  each step's state names the open file, which was therefore read.
- mini-swe-agent: the agent itself puts the submitted diff together, of tracked files as a rule, and leaves
  out what it thinks does not belong; created files do not count, and an `extra` file may well have changed.
- Claude Code with checkpoint metadata: a checkpoint lists what was touched up to a commit, by whomever. See
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from tamis.errors import InputError
from tamis.ledger.events import FileChange
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.files.file_tools import shape_of
from tamis.ledger.files.paths import is_within, same_file
from tamis.ledger.files.trail import fold_change
from tamis.ledger.reader import LedgerReader
from tamis.ledger.state import FileState
from tamis.messages import Message, Session, part_text
from tamis.sessions import Document, read_all


@dataclass(slots=True)
class Score:
    """Counts over sessions: what was found and what of it was wrong, what was true and what was missed."""

    found: int = 0
    extra: int = 0
    truth: int = 0
    missed: int = 0
    sessions: int = 0

    def add(
        self, found: set[str], truth: set[str], known: set[str] | None = None
    ) -> tuple[set[str], set[str]]:
        """Count one session; returns what was extra and what was missed.

        `known` is what recall is measured on, where that is more than what precision is.
        """
        known = found if known is None else known
        extra = {f for f in found if not any(same_file(f, t) for t in truth)}
        missed = {t for t in truth if not any(same_file(f, t) for f in known)}
        self.found += len(found)
        self.extra += len(extra)
        self.truth += len(truth)
        self.missed += len(missed)
        self.sessions += 1
        return extra, missed

    def row(self) -> str:
        """Precision, recall and F1 with the counts behind them."""
        precision = (self.found - self.extra) / self.found if self.found else float("nan")
        recall = (self.truth - self.missed) / self.truth if self.truth else float("nan")
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else float("nan")
        counts = (
            f"{self.extra} of {self.found} found are extra, {self.missed} of {self.truth} true are missed"
        )
        return f"{self.sessions:4d} sessions  P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}   {counts}"


@dataclass(slots=True)
class Board:
    """Scores by name, in the order in which they were first asked for."""

    scores: dict[str, Score] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Score:
        return self.scores.setdefault(name, Score())


def trail(session: Session) -> Iterator[tuple[FileChange, str]]:
    """The file changes of a session in order, each with the id of the message that made it."""
    reader = LedgerReader(cwd=session.cwd, extractors=(extract_files,))
    for message in session.messages:
        for event in reader.read(message):
            if isinstance(event.value, FileChange):
                yield event.value, event.source.message_id


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
        differs = state.status in ("created", "modified", "renamed") or (
            state.status == "deleted" and not state.born
        )
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


def named_in_calls(files: set[str], messages: Sequence[Message], root: str | None = None) -> set[str]:
    """The files that some call names which may change files and was not turned down.

    Told by the last two parts of the path below the root. A call that runs a program does not name what that
    program makes; what a person or a sub-agent changed is not named by any call.
    """
    failed = {result.call_id for message in messages for result in message.results if result.is_error}
    calls = "\n".join(
        part_text(call)
        for message in messages
        for call in message.calls
        if call.id not in failed and shape_of(call) not in (None, "read")
    )
    ends = {file: "/".join(posixpath.relpath(file, root or "").split("/")[-2:]) for file in files}
    return {file for file, end in ends.items() if end in calls}


def half(name: str) -> str:
    """Which half an instance belongs to."""
    return "seen" if hashlib.sha256(name.split(".")[0].encode()).digest()[0] % 2 == 0 else "unseen"


def sessions(folder: Path) -> Iterator[Session]:
    """Every session below a folder; what cannot be read is reported, not skipped silently."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("README.md", "checkpoint_metadata.jsonl"):
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
    changes = [change for change, _ in trail(session)]
    states = fold(changes)
    found = changed_files(states, session.cwd)
    truth = read_truth(diff, session.cwd)
    made = {path for path, state in found.items() if state.born}
    edited = set(found) - made
    part = half(str(session.meta.get("instance_id") or session.id))
    rows = [("modified", edited - truth.new, truth.tracked - made)]
    if session.format == "swe-agent":  # its diff holds all that is new; elsewhere new files are left out
        named = named_in_calls(truth.new, session.messages, session.cwd)
        rows += [
            ("created, named in a call", made - (truth.new - named), named),
            ("created or modified, all", set(found), truth.tracked | truth.new),
        ]
        named = named_in_calls(truth.tracked, session.messages, session.cwd)
        rows += [("modified, named in a call", edited - truth.new - (truth.tracked - named), named - made)]
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


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a checkpoint says of one session: the files, and between which times it was collected."""

    files: set[str]
    begins: datetime | None
    ends: datetime


def checkpoint_truth(folder: Path) -> dict[str, Checkpoint]:
    """The checkpoint of each session in a folder with a `checkpoint_metadata.jsonl`, by session id.

    Taken are the records of one session (`metadata.session_id`), not those of a whole commit. Where
    such a record begins is told by the id or the number of a line of the transcript
    (`transcript_identifier_at_start`, `transcript_lines_at_start`), and it ends at `created_at`. A record
    without a start is taken from the beginning of the session.
    """
    path = folder / "checkpoint_metadata.jsonl"
    found: dict[str, Checkpoint] = {}
    if not path.exists():
        return found
    for line in path.read_text("utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        metadata = record.get("metadata") or {}
        transcript = folder / "raw" / f"{record.get('session_id')}.jsonl.xz"
        if "session_id" in metadata and metadata.get("files_touched") and transcript.exists():
            found[record["session_id"]] = Checkpoint(
                files=set(metadata["files_touched"]),
                begins=_begin(metadata, transcript),
                ends=datetime.fromisoformat(metadata["created_at"]),
            )
    return found


def _begin(metadata: Mapping[str, Any], transcript: Path) -> datetime | None:
    mark = metadata.get("transcript_identifier_at_start") or metadata.get("transcript_uuid_at_start")
    number = metadata.get("checkpoint_transcript_start") or metadata.get("transcript_lines_at_start") or 0
    if not mark and not number:
        return None
    stamp = None
    for line in islice(Document(transcript).lines(), None if mark else number):
        if match := re.search(r'"timestamp":"([^"]+)"', line.text or ""):
            stamp = match[1]
        if mark and f'"uuid":"{mark}"' in (line.text or ""):
            break
    return datetime.fromisoformat(stamp) if stamp else None


def checkpoint_score(session: Session, checkpoint: Checkpoint, board: Board, errors: list[str]) -> None:
    """Claude Code: what the trail says was changed, against the files of the checkpoint.

    The list of files goes back further than the marked line (it holds whatever was not committed yet), so
    recall is measured on the session from its beginning and on all that was touched, precision on what stands
    behind the mark and still differs; both end with the checkpoint.
    """
    whole, behind = list[FileChange](), list[FileChange]()
    times = {message.id: message.timestamp for message in session.messages}
    for change, message_id in trail(session):
        stamp = times.get(message_id)
        when = datetime.fromisoformat(stamp) if stamp else None
        if when is None or when > checkpoint.ends:
            continue
        whole.append(change)
        if checkpoint.begins is None or when > checkpoint.begins:
            behind.append(change)
    part = half(session.id)
    found = set(changed_files(fold(behind), session.cwd))
    known = {c.path for c in whole if c.action != "read"} | {c.renamed_from for c in whole if c.renamed_from}
    titles = {
        "all": checkpoint.files,
        "named in a call": named_in_calls(checkpoint.files, session.messages),
    }
    for title, files in titles.items():
        board[f"claude-code checkpoint, {title}, {part}"].add(
            {f for f in found if not any(same_file(f, t) for t in checkpoint.files - files)}, files, known
        )
    extra, missed = Score().add(found, titles["named in a call"], known)
    errors.extend(f"{part} checkpoint: extra {session.id} {path}" for path in sorted(extra))
    errors.extend(f"{part} checkpoint: missed {session.id} {path}" for path in sorted(missed))


def main() -> None:
    """Measure every set below the folder for which there is a truth."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--errors", choices=("seen", "all"), help="list every error, of the seen half or of all"
    )
    options = parser.parse_args()
    board, errors = Board(), list[str]()
    checkpoints: dict[str, Checkpoint] = {}
    for path in sorted(options.folder.rglob("checkpoint_metadata.jsonl")):
        checkpoints |= checkpoint_truth(path.parent)
    for session in sessions(options.folder):
        if session.id in checkpoints:
            checkpoint_score(session, checkpoints[session.id], board, errors)
        elif "final_diff" in session.meta:
            diff_score(session, board, errors)
    for name, score in board.scores.items():
        print(f"{name:46s} {score.row()}")
    if options.errors:
        print("\n".join(e for e in errors if options.errors == "all" or e.startswith("seen")))


if __name__ == "__main__":
    main()
