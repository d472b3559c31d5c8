"""Where things stand at the end of the span, and what is next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.deeds import _arguments, _short, is_check
from tamis.compactors.brief.frame import one_line
from tamis.compactors.brief.reading import Reading
from tamis.compactors.brief.statement import WORDS, Statement
from tamis.ledger.tools import command_line, first_path

MOST_FILES = 40

_TITLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("changed", ("modified",)),
    ("made", ("created",)),
    ("removed or moved", ("deleted", "renamed")),
)
_HASH = re.compile(r"^committed(?P<pushed> and pushed)? (?P<hash>[0-9a-f]{7,})")


def state_lines(reading: Reading, root: str) -> list[str]:
    """What is committed, changed, tested; what was in progress; tasks that are open."""
    lines: list[str] = []
    state, statements = reading.state, reading.statements
    commits = [s for s in statements if s.kind == "committed"]
    pushes = [s for s in statements if s.kind == "posted" and "git push" in s.text] + [
        s for s in commits if " and pushed " in s.text[:24]
    ]
    last_commit = commits[-1] if commits else None
    on = f"on branch {reading.branch}; " if reading.branch else ""
    if not last_commit and on:
        lines.append(f"- {on}no commit made")
    if last_commit and (found := _HASH.match(last_commit.text)):
        pushed = any(p.turn >= last_commit.turn for p in pushes)
        lines.append(
            f"- {on}last commit {found['hash']} (#{last_commit.turn}), "
            + ("pushed" if pushed else "not pushed since" if pushes else "no push seen")
        )
    lines += _changed_files(reading, last_commit.turn if last_commit else -1, root)
    newest: dict[str, Statement] = {}
    for s in statements:
        if s.kind == "tested" or (s.kind == "failed" and s.key and is_check(s.key)):
            newest[s.key] = s
    for s in sorted(newest.values(), key=lambda s: s.turn)[-2:]:
        edits_after = len({e.turn for e in statements if e.kind == "changed" and e.turn > s.turn})
        note = f", {edits_after} edit{'s' * (edits_after > 1)} later" if edits_after else ""
        lines.append(f"- last run (#{s.turn}{note}): {_short(s.text, 200)}")
    edited = [s for s in statements if s.kind == "changed" and "source" in s.flags]
    if edited and not any(s.turn > edited[-1].turn for s in newest.values()):
        lines.append(f"- nothing was tested after the last edit of {edited[-1].key} (#{edited[-1].turn})")
    open_tasks = [e.value for e in state.tasks if e.value.status in ("open", "in_progress", "deferred")]
    for task in open_tasks[:12]:
        mark = {"open": "[ ]", "in_progress": "[~]", "deferred": "[later]"}[task.status]
        lines.append(f"- {mark} {one_line(task.text)}")
    return lines


def _changed_files(reading: Reading, commit: int, root: str) -> Iterator[str]:
    """The files that stand changed, by folder; those that were there before apart from what the agent made."""
    entries = [e for e in reading.state.files if e.value.status != "read" and "$" not in e.value.path]
    changed = sorted(entries, key=lambda e: -e.last_turn)
    if not changed:
        return
    marked = commit >= 0 and any(e.last_turn > commit for e in changed)
    for title, statuses in _TITLES:
        own = [e for e in changed if e.value.status in statuses]
        if title == "removed or moved":
            own = [e for e in own if e.value.certain and not e.value.born]
        if not own:
            if title == "changed" and commit < 0 and not any("agent" in s.flags for s in reading.statements):
                yield "- no file that was there before was changed"
            continue
        folders: dict[str, list[str]] = {}
        for entry in own[:MOST_FILES]:
            folder, _, name = entry.value.path.removeprefix(root + "/").rpartition("/")
            folders.setdefault(folder, []).append(name + ("*" if marked and entry.last_turn > commit else ""))
        told = [f"{folder}/{names[0]}" if folder and len(names) == 1 else f"{folder or '.'}/: {', '.join(names)}" if folder else ", ".join(names) for folder, names in folders.items()]
        more = f" and {len(own) - MOST_FILES} more" if len(own) > MOST_FILES else ""
        yield f"- {title}{' (* = since that commit)' if marked else ''}: {'; '.join(told)}{more}"


def next_lines(reading: Reading) -> list[str]:
    """What was under way when the span ended, and what is to be done."""
    lines: list[str] = []
    statements = reading.statements
    newest = max((s.turn for s in statements if s.kind == "asked"), default=-1)
    waiting = list(reading.open_calls.values())[-2:]
    for opened in waiting:
        what = command_line(opened.call) or _arguments(opened.call)
        lines.append(f"- under way, no result yet (#{opened.turn}): {opened.call.name} {_short(one_line(what), 160)}")
    if not waiting and not _closed(statements, reading.turns) and reading.last_calls:
        turn, call = reading.last_calls[-1].turn, reading.last_calls[-1].call
        done = [s for s in statements if s.turn == turn and s.kind not in WORDS and s.kind != "asked"]
        what = done[-1].text.split(": ")[0] if done else f"{call.name} {command_line(call) or first_path(call) or _arguments(call)}"
        lines.append(f"- last call, with its result there (#{turn}): {_short(one_line(what), 160)}")
    announced = [s for s in statements if s.turn == reading.turns - 1 and "announces" in s.flags]
    if announced:
        lines.append(f"- the agent was about to: {_short(one_line(announced[-1].text), 220)}")
    tasks = any(e.value.status in ("open", "in_progress") for e in reading.state.tasks)
    if newest >= 0 and _closed(statements, reading.turns) and not waiting and not tasks:
        lines.append(f"- the agent has answered the newest request (#{newest}) and waits for the user")
    elif newest >= 0:
        lines.append(f"- the newest request (#{newest}) is not finished" + (": see the open tasks" if tasks else ""))
    return lines


def _closed(statements: Sequence[Statement], turns: int) -> bool:
    """Whether the last message is the agent's and only says something."""
    last = turns - 1
    return any(s.turn == last and s.kind in ("said", "found", "concluded") for s in statements) and not any(
        s.turn == last and s.kind not in ("said", "found", "concluded", "thought") for s in statements
    )
