"""What a call changes in a file, in its telling lines: old and new told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from tamis.compactors.brief.reading.call_text import BREAK, LINE_CHARS, bare, shortened
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import FileChange
from tamis.ledger.files.definitions import definition
from tamis.ledger.files.file_tools import content_of, patch_text, replacements_of
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.messages import ToolCall

SCRATCH_CHARS = 200
SOURCE_CHARS = 420
"""Characters for what is new in a file that the session made, and in one that was there before."""

MOST_REMEMBERED = 20_000
"""Characters of a written file that are remembered, to say what a later rewriting changes."""

MOST_PAIRS = 3
COMMAND_CHARS = 180

_ECHO = re.compile(r"\b(?:echo|printf)\s+(?:-\w+\s+)?[\"']")
_INTO_FILE = re.compile(r"[\"']\s*+>")
LEAST_ECHOED_CHARS = 20
_LINE_EDIT = re.compile(r"\A\s*(?:edit|insert)\s+\d[^\n]*\n(?P<body>.*)", re.DOTALL)
_LONG_STRING = re.compile(r"('''|\"\"\")(?P<body>.*?)\1", re.DOTALL)
_SED = re.compile(
    r"(?P<q>['\"])(?:(?P<line>\d+)(?:,(?P<to>\d+))?)?\s*s(?P<d>[/|#,@])(?P<old>(?:\\.|(?!(?P=d)|(?P=q)).)*)(?P=d)"
    r"(?P<new>(?:\\.|(?!(?P=d)|(?P=q)).)*)(?P=d)[gI\d]*(?P=q)"
)
_TELLS = re.compile(r"\b(?:return|raise|if|elif|assert|throw|func|def|class|fn|type|const)\b|[=(]")
_IMPORTS = re.compile(r"(?:import|from|package|use|#include)\b")
_REMARK = re.compile(r"(?:#|//|\"\"\"|\*)\s*\w")
_WORD = re.compile(r"\w")


def hunk_of(call: ToolCall, line: str | None, change: FileChange, files: dict[str, str]) -> str:
    """What a call changes in a file; empty where it cannot be told from the call.

    Args:
        call: the call.
        line: its command line, if it is told by one.
        change: the file and what was done to it.
        files: what the session last wrote into which file; the call's content is added.
    """
    path = change.path
    room = SOURCE_CHARS if change.action == "modified" else SCRATCH_CHARS
    if line is not None:
        return _by_command(line, path, room, files)
    if pairs := replacements_of(call)[:MOST_PAIRS]:
        told = (_compared(old, new, path, room // len(pairs)) for old, new in pairs)
        return " ; ".join(filter(None, told))
    if patch := patch_text(call):
        lines = patch.splitlines()
        added = [text[1:] for text in lines if text.startswith("+") and not text.startswith("+++")]
        removed = [text[1:] for text in lines if text.startswith("-") and not text.startswith("---")]
        return _compared("\n".join(removed), "\n".join(added), path, room)
    content = content_of(call)
    return _rewritten(content, path, room, files) if content else ""


def _by_command(line: str, path: str, room: int, files: dict[str, str]) -> str:
    if edit := _LINE_EDIT.match(line):
        lines = [text for text in edit["body"].splitlines() if text.strip() != "end_of_edit"]
        return telling_lines(lines, path, room)
    if re.match(r"sed\b[^|]*\s-i", bare(line)) and (told := _substituted(line)):
        return told
    if bodies := cut_heredocs(line)[1]:
        body = bodies[0]
    elif (echo := _ECHO.search(line)) and (end := _INTO_FILE.search(line, echo.end() + LEAST_ECHOED_CHARS)):
        body = line[echo.end() : end.start()]
    else:
        return f"`{shortened(one_line(bare(line)), COMMAND_CHARS)}`"
    if re.search(rf">\s*[\"']?[^\s>]*{re.escape(path.rpartition('/')[2])}", line):
        return _rewritten(body, path, room, files)
    # A script that works on the file: what it puts in stands in its long strings.
    strings = [text["body"] for text in _LONG_STRING.finditer(body)]
    return telling_lines(max(strings, key=len).splitlines(), path, room) if strings else ""


def _substituted(line: str) -> str:
    """What `sed -i` puts in the place of what, and in which lines.

    >>> _substituted("sed -i '7s/one/two/' a.py && sed -i '9s/one/two/' a.py")
    'lines 7, 9: `one` → `two`'
    """
    places: dict[tuple[str, str], list[str]] = {}
    for found in _SED.finditer(line):
        where = found["line"] or ""
        if found["to"]:
            where += f"-{found['to']}"
        old, new = (found[name].replace("\\" + found["d"], found["d"]) for name in ("old", "new"))
        places.setdefault((old, new), []).append(where)
    told = []
    for (old, new), lines in places.items():
        at = f"line{'s' * (len(lines) > 1)} {', '.join(lines)}: " if all(lines) else ""
        change = f"`{old}` → `{new}`" if new else f"removed `{old}`"
        told.append(at + shortened(one_line(change), COMMAND_CHARS))
    return " ; ".join(told[:MOST_PAIRS])


def _rewritten(content: str, path: str, room: int, files: dict[str, str]) -> str:
    """What is new in a file that is written whole, beside what the session last wrote into it."""
    before = files.get(path)
    if len(content) <= MOST_REMEMBERED:
        files[path] = content
    if before:
        return _compared(before, content, path, SOURCE_CHARS)
    return telling_lines(content.splitlines(), path, room)


def _compared(old: str, new: str, path: str, room: int) -> str:
    a = [line.strip() for line in old.splitlines() if line.strip()]
    b = [line.strip() for line in new.splitlines() if line.strip()]
    removed: list[str] = []
    added: list[str] = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += a[i:j]
            added += b[k:m]
    if not added:
        return f"removed `{telling_lines(removed, path, room // 2)}`" if removed else ""
    if removed and len(removed) <= 2 and len(added) <= 3:
        before, after = shortened(BREAK.join(removed), LINE_CHARS), shortened(BREAK.join(added), 190)
        return f"`{before}` → `{after}`"
    return telling_lines(added, path, room)


def telling_lines(lines: Sequence[str], path: str, room: int) -> str:
    """The lines that say most, in their order: definitions, what is asserted, remarks that say why.

    >>> telling_lines(["import re", "def read(path):", "    x", "    return rows"], "a.py", 40)
    'def read(path): ⏎ return rows'
    """
    weighed: list[tuple[float, int, str]] = []
    seen: set[str] = set()
    for at, raw in enumerate(lines):
        line = raw.strip()
        if len(line) < 6 or line in seen or not _WORD.search(line):
            continue
        seen.add(line)
        weighed.append((-_weight(raw, line, path), at, shortened(line, LINE_CHARS)))
    kept: list[tuple[int, str]] = []
    for _, at, line in sorted(weighed):
        if len(line) + 3 <= room:
            room -= len(line) + 3
            kept.append((at, line))
    return BREAK.join(line for _, line in sorted(kept))


def _weight(raw: str, line: str, path: str) -> float:
    if _IMPORTS.match(line):
        return 0.1
    if _REMARK.match(line) and len(line) > 25:
        return 1.3
    if definition(path, raw):
        return 2.0
    if "assert" in line:
        return 1.6
    return 1.0 if _TELLS.search(line) else 0.6
