"""Counting what an edit adds and removes, and reading patches of every kind that agents write.

Unified diffs are read with `unidiff`; the `*** Begin Patch` grammar of Codex and SEARCH/REPLACE blocks here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from tamis.ledger.files.definitions import MAX_TOUCHED, touched

MAX_DIFF_CELLS = 4_000_000
"""Above this (old lines times new lines) lines are compared as bags, not in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffStat:
    """How an edit changes a file: lines added and removed, and the definitions that it touches."""

    added: int
    removed: int
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class FilePatch:
    """What a patch does to one file."""

    path: str
    action: Literal["created", "modified", "deleted", "renamed"]
    change: DiffStat
    origin: str | None = None


def compare(path: str, old: str, new: str, context: Sequence[str] = ()) -> DiffStat:
    r"""The change from one text to another; `context` are the lines that stand before it in the file.

    >>> compare("a.py", "def f():\n    return 1\n", "def f():\n    return 2\n")
    DiffStat(added=1, removed=1, touched=('f',))
    """
    before, after = old.splitlines(), new.splitlines()
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    a, b = before[head : len(before) - tail], after[head : len(after) - tail]
    lost = list(range(head, head + len(a)))
    if not a or not b:
        added, removed, changed = len(b), len(a), list(range(head, head + len(b))) or [head]
    elif len(a) * len(b) > MAX_DIFF_CELLS:
        kept = sum((Counter(a) & Counter(b)).values())
        added, removed, changed = len(b) - kept, len(a) - kept, list(range(head, head + len(b)))
    else:
        added = removed = 0
        changed, lost = [], []
        for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            if tag != "equal":
                removed, added = removed + j - i, added + m - k
                changed += range(head + k, head + max(m, k + 1))
                lost += range(head + i, head + j)
    names = touched(path, [*context, *after], [len(context) + i for i in changed])
    if removed:  # what was only taken out is not in the new text
        gone = touched(path, [*context, *before], [len(context) + i for i in lost])
        names = names if names else tuple(dict.fromkeys(names + gone))[:MAX_TOUCHED]
    return DiffStat(added=added, removed=removed, touched=names)


def total(changes: Iterable[DiffStat]) -> DiffStat:
    """Several changes to one file as one."""
    added = removed = 0
    names: dict[str, None] = {}
    for change in changes:
        added, removed = added + change.added, removed + change.removed
        names |= dict.fromkeys(change.touched)
    return DiffStat(added=added, removed=removed, touched=tuple(names)[:MAX_TOUCHED])


def read_structured(path: str, hunks: Sequence[Mapping[str, Any]], original: str | None = None) -> DiffStat:
    """Hunks as Claude Code records them: `oldStart`, `lines` that begin with a space, `+` or `-`."""
    source = original.splitlines() if original else []
    changes = []
    for hunk in hunks:
        lines = [line for line in hunk.get("lines") or () if isinstance(line, str)]
        start = hunk.get("oldStart")
        above = source[: start - 1] if isinstance(start, int) and start > 0 else []
        changes.append(_hunk(path, lines, above=above))
    return total(changes)


def read_patch(text: str) -> list[FilePatch]:
    """Every file in a patch: a unified or git diff, or Codex's own grammar; nothing if it is neither."""
    if "*** Begin Patch" in text or re.search(r"(?m)^\*\*\* (?:Add|Update|Delete) File: ", text):
        return list(_codex(text))
    return list(_unified(text))


def read_replacements(path: str, text: str) -> DiffStat | None:
    """SEARCH/REPLACE blocks, as aider, Cline and Roo write them; None where there is none."""
    changes = [compare(path, old, new) for old, new in _blocks(text)]
    return total(changes) if changes else None


_OPENS = re.compile(r"(?:<{5,9}|-{7,9}) ?(?:SEARCH|ORIGINAL)>?\s*$")
_TURNS = re.compile(r"={5,9}\s*$")
_CLOSES = re.compile(r"(?:>{5,9}|\+{7,9}) ?(?:REPLACE|UPDATED)\s*$")
_ROO_HEAD = re.compile(r"\A(?::(?:start|end)_line:.*\n)+-{3,}\n")


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """The old and new text of each SEARCH/REPLACE block that is whole."""
    old: list[str] | None = None
    new: list[str] | None = None
    for line in text.splitlines(keepends=True):
        if _OPENS.match(line):
            old, new = [], None
        elif old is not None and new is None and _TURNS.match(line):
            new = []
        elif old is not None and new is not None and _CLOSES.match(line):
            yield _ROO_HEAD.sub("", "".join(old)), "".join(new)
            old = new = None
        elif new is not None:
            new.append(line)
        elif old is not None:
            old.append(line)


def _hunk(path: str, lines: Sequence[str], header: str = "", above: Sequence[str] = ()) -> DiffStat:
    after: list[str] = list(above)
    before: list[str] = list(above)
    added: list[int] = []
    removed: list[int] = []
    for line in lines:
        sign, text = line[:1], line[1:]
        if sign == "+":
            added.append(len(after))
        elif sign == "-":
            removed.append(len(before))
        if sign not in ("-", "\\"):
            after.append(text)
        if sign not in ("+", "\\"):
            before.append(text)
    names = dict.fromkeys((*touched(path, after, added, header), *touched(path, before, removed, header)))
    return DiffStat(added=len(added), removed=len(removed), touched=tuple(names)[:MAX_TOUCHED])


def _unified(text: str) -> Iterator[FilePatch]:
    start = re.search(r"(?m)^(?:diff --git |--- )", text)
    if start is None:
        return
    try:
        files = list(PatchSet(_ending_in_newline(text[start.start() :])))
    except UnidiffParseError:
        yield from _headers_only(text)
        return
    for file in files:
        change = total(_unified_hunk(file, hunk) for hunk in file)
        path, origin = _side(file.target_file), _side(file.source_file)
        if file.is_removed_file:
            yield FilePatch(path=origin, action="deleted", change=change)
        elif file.is_added_file:
            yield FilePatch(path=path, action="created", change=change)
        elif file.is_rename:
            yield FilePatch(path=path, action="renamed", change=change, origin=origin)
        else:
            yield FilePatch(path=path, action="modified", change=change)


def _unified_hunk(file: PatchedFile, hunk: Hunk) -> DiffStat:
    lines = [f"{line.line_type}{line.value}".rstrip("\n") for line in hunk]
    return _hunk(file.path, lines, header=hunk.section_header or "")


def _headers_only(text: str) -> Iterator[FilePatch]:
    """A diff whose line counts are wrong still says which files it is about."""
    for old, new in re.findall(r"(?m)^--- (\S++).*+\n\+\+\+ (\S+)", text):
        action: Literal["created", "modified", "deleted"] = "modified"
        action = "created" if old == "/dev/null" else "deleted" if new == "/dev/null" else action
        path = _side(old if new == "/dev/null" else new)
        yield FilePatch(path=path, action=action, change=DiffStat(added=0, removed=0))


def _side(name: str) -> str:
    name = name.split("\t")[0].strip('"')
    return name[2:] if name[:2] in ("a/", "b/") else name


def _ending_in_newline(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _codex(text: str) -> Iterator[FilePatch]:
    for match in _CODEX_FILE.finditer(text):
        verb, path, body = match[1], match[2].strip(), match[3]
        lines = body.splitlines()
        if verb == "Delete":
            yield FilePatch(path=path, action="deleted", change=DiffStat(added=0, removed=0))
        elif verb == "Add":
            added = sum(line.startswith("+") for line in lines)
            yield FilePatch(path=path, action="created", change=DiffStat(added=added, removed=0))
        else:
            moved = re.match(r"\*\*\* Move to: (.+)", body)
            change = total(_codex_hunks(path, lines))
            if moved:
                yield FilePatch(path=moved[1].strip(), action="renamed", change=change, origin=path)
            else:
                yield FilePatch(path=path, action="modified", change=change)


_CODEX_FILE = re.compile(
    r"^\*\*\* (Add|Update|Delete) File: (.+)\n?"
    r"((?:(?!\*\*\* (?:(?:Add|Update|Delete) File: |End Patch)).*\n?)*)",
    re.MULTILINE,
)


def _codex_hunks(path: str, lines: Sequence[str]) -> Iterator[DiffStat]:
    header, hunk = "", list[str]()
    for line in lines:
        if line.startswith("@@"):
            yield _hunk(path, hunk, header)
            header, hunk = line[2:].strip().strip("@").strip(), []
        elif not line.startswith("***"):
            hunk.append(line)
    yield _hunk(path, hunk, header)
