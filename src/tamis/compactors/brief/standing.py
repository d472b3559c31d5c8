"""Where things stand at the end of the span, and what is next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamis.compactors.brief.deeds import _arguments, _short
from tamis.compactors.brief.frame import one_line
from tamis.compactors.brief.reading import Reading
from tamis.compactors.brief.statement import Statement
from tamis.ledger.commands import command_of

_HASH = re.compile(r"^committed(?P<pushed> and pushed)? (?P<hash>[0-9a-f]{7,})")


def state_lines(reading: Reading, statements: Sequence[Statement]) -> list[str]:
    """What is committed, changed, tested; what was in progress; tasks that are open."""
    lines: list[str] = []
    state = reading.state
    commits = [s for s in statements if s.kind == "committed"]
    pushes = [s for s in statements if s.kind == "posted" and "git push" in s.text] + [
        s for s in commits if " and pushed " in s.text[:24]
    ]
    last_commit = commits[-1] if commits else None
    if last_commit and (found := _HASH.match(last_commit.text)):
        pushed = any(p.turn >= last_commit.turn for p in pushes)
        lines.append(
            f"- last commit {found['hash']} (#{last_commit.turn}), "
            + ("pushed" if pushed else "not pushed since" if pushes else "no push seen")
        )
    changed = [e for e in state.files if e.value.status not in ("read",)]
    since = last_commit.turn if last_commit else -1
    dirty = [e for e in changed if e.last_turn > since]
    if changed:
        names = [_file(e.value) for e in sorted(dirty or changed, key=lambda e: -e.last_turn)[:14]]
        what = "changed since that commit" if last_commit and dirty else "changed, all before that commit" if last_commit else "changed files"
        lines.append(f"- {what}: {'; '.join(names)}")
    tested = [s for s in statements if s.kind in ("tested", "failed")]
    if tested:
        newest: dict[str, Statement] = {}
        for s in tested:
            newest[s.key] = s
        last = sorted(newest.values(), key=lambda s: s.turn)[-2:]
        for s in last:
            edits_after = sum(1 for e in statements if e.kind == "changed" and e.turn > s.turn)
            note = f" (before {edits_after} later edit{'s' * (edits_after > 1)})" if edits_after else ""
            lines.append(f"- last check #{s.turn}{note}: {_short(s.text, 220)}")
    open_tasks = [e.value for e in state.tasks if e.value.status in ("open", "in_progress", "deferred")]
    for task in open_tasks[:12]:
        mark = {"open": "[ ]", "in_progress": "[~]", "deferred": "[later]"}[task.status]
        lines.append(f"- {mark} {one_line(task.text)}")
    return lines


def _file(value: object) -> str:
    path, touched, status = value.path, value.touched, value.status  # type: ignore[attr-defined]
    where = f" ({', '.join(touched[-4:])})" if touched else ""
    return f"{path}{where}" + ("" if status == "modified" else f" {status}")


def next_lines(reading: Reading, statements: Sequence[Statement]) -> list[str]:
    """What was under way, and what is to be done."""
    lines: list[str] = []
    asked = [s for s in statements if s.kind == "asked"]
    newest = max((s.turn for s in asked), default=-1)
    for opened in list(reading.open_calls.values())[-2:]:
        what = command_of(opened.call) or _arguments(opened.call)
        lines.append(f"- under way at the end, no result yet (#{opened.turn}): {opened.call.name} {_short(one_line(what), 160)}")
    ended = reading.last_role == "assistant" and not reading.open_calls and _closed(statements, reading.turns)
    if newest >= 0 and not ended:
        lines.append(f"- the newest request (#{newest}) is still being worked on")
    elif newest >= 0 and not lines:
        lines.append(f"- the newest request (#{newest}) was answered; nothing else was announced")
    return lines


def _closed(statements: Sequence[Statement], turns: int) -> bool:
    """Whether the last message is the agent's and only says something."""
    last = turns - 1
    return any(s.turn == last and s.kind in ("said", "found", "concluded") for s in statements) and not any(
        s.turn == last and s.kind not in ("said", "found", "concluded", "thought") for s in statements
    )
