"""What a call changes in a file: by its arguments, its patch, or the command and script that it runs."""

import re
from functools import partial

from tamis.compactors.brief.reading.deeds.call_text import bare, joined, shortened
from tamis.compactors.brief.reading.edits.code_lines import REMARK, particular, telling_lines
from tamis.compactors.brief.reading.edits.hunks import (
    COMMAND_CHARS,
    MOST_PAIRS,
    SCRATCH_CHARS,
    SKIPPED,
    SOURCE_CHARS,
    compared,
    patched,
    put_in_by,
    rewritten,
    told_pairs,
)
from tamis.compactors.brief.reading.edits.seen_files import SeenFiles
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import FileChange
from tamis.ledger.files.file_tools import content_of, patch_text, replacements_of
from tamis.ledger.files.paths import is_aside, same_file
from tamis.ledger.files.python_scripts import part_about
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.messages import ToolCall

_TIES = re.compile(r"\n| && |; ")
_COPIES = frozenset({"cat", "cp", "mv", "head", "tail", "tee", "rm"})
"""Programs that run no script which they name."""
_ECHO = re.compile(r"\b(?:echo|printf)\s+(?:-\w+\s+)?[\"']")
_INTO_FILE = re.compile(r"[\"']\s*+>")
_INTO = re.compile(r">\s*[\"']?[^\s>]*")
_LINE_EDIT = re.compile(
    r"\A\s*(?:edit|insert)\s+(?P<first>\d++)(?::(?P<last>\d++))?[^\n]*+\n(?P<body>.*)", re.DOTALL
)
_LONG_STRING = re.compile(r"('''|\"\"\")(?P<body>.*?)\1", re.DOTALL)
_SED = re.compile(
    r"(?P<q>['\"])(?:(?P<line>\d+)(?:,(?P<to>\d+))?)?\s*s(?P<d>[/|#,@])(?P<old>(?:\\.|(?!(?P=d)|(?P=q)).)*)(?P=d)"
    r"(?P<new>(?:\\.|(?!(?P=d)|(?P=q)).)*)(?P=d)[gI\d]*(?P=q)"
)
_STRING = r"(?:'(?:\\[^\n]|[^'\\\n]){0,600}'|\"(?:\\[^\n]|[^\"\\\n]){0,600}\")"
_REPLACED = re.compile(rf"\.replace\(\s{{0,80}}(?P<old>{_STRING})\s{{0,80}},\s{{0,80}}(?P<new>{_STRING})")
_CODE_STRING = re.compile(rf"{_STRING}")
_SET_IN = re.compile(
    rf"(?:\w\[[^\]\n]{{1,30}}\]\s?=|\.(?:insert|append)\((?:[^,()\n]{{1,30}},)?)\s{{0,3}}(?P<text>{_STRING})"
)
"""A line that a script puts among the lines of a file."""
_PATCHES = re.compile(r"\bpatch\s+-|\bgit apply\b")
_SED_LINES = re.compile(
    r"(?P<q>['\"])(?P<at>\d{1,7}(?:,\d{1,7})?)\s?(?P<what>[aicd])\\{0,2}\s{0,40}"
    r"(?P<text>(?:(?!(?P=q)).){0,600})(?P=q)",
    re.DOTALL,
)
_ENDS = {"^": "before", "$": "behind"}
"""Where `sed` puts what it puts in the place of nothing."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_ASKS = re.compile(r"\s{0,9}(?:!\s{1,3}|if\s{1,3}|while\s{1,3})?(?:test|\[{1,2})\s")
"""Only asks whether a file is there."""


def hunk_of(call: ToolCall, line: str | None, change: FileChange, files: SeenFiles) -> str:
    """What a call changes in a file; empty where it cannot be told from the call.

    Args:
        call: the call.
        line: its command line, if it is told by one.
        change: the file and what was done to it.
        files: what is known of the files' text; the call's content is added.
    """
    path = change.path
    room = SOURCE_CHARS if change.action == "modified" else SCRATCH_CHARS
    if line is not None:
        return _by_command(line, path, room, files)
    if pairs := replacements_of(call):
        files.edit(path, pairs)
        return told_pairs(pairs, path, room)
    patch = patch_text(call)
    if patch and change.action != "created":
        files.lose(path)
        return patched(patch, path, room)
    content = put_in_by(patch, path) if patch else content_of(call)
    return _rewritten(content, path, room, files) if content else ""


def _by_command(line: str, path: str, room: int, files: SeenFiles) -> str:
    if edit := _LINE_EDIT.match(line):
        lines = [text for text in edit["body"].splitlines() if text.strip() != "end_of_edit"]
        first, last = int(edit["first"]), int(edit["last"] or 0)
        whole = first == 1 and last >= max(files.shown.get(path, {}), default=0)
        pair = files.put_in(path, first, last, lines) if last else None
        stood = {*map(str.strip, files.shown.get(path, {}).values())}
        new = [SKIPPED if line.strip() in stood else line for line in lines]
        if pair and whole:
            return rewritten(*pair, path, files.about)
        return compared(*pair, path, room) if pair else telling_lines(new, path, room)
    if re.search(r"(?m)(?:^|&& )\s{0,20}sed\b[^|\n]*\s-i", line) and (told := _substituted(line)):
        files.lose(path)
        return told
    echo = _ECHO.search(line)
    end = _INTO_FILE.search(line, echo.end()) if echo else None
    if bodies := cut_heredocs(line)[1]:
        commands = (c for c in parse_script(line).commands if c.stdin)
        own = (c.stdin for c in commands if any(same_file(r.target.text, path) for r in c.redirects))
        body = next(own, None) or bodies[0]
    elif echo and end and path.rpartition("/")[2] in line[end.end() :].split(";")[0].split("&&")[0]:
        body = line[echo.end() : end.start()]
    else:
        files.lose(path)
        moved = {
            w.text.rpartition("/")[2]
            for c in parse_script(line).commands
            if c.name in _COPIES
            for w in c.argv
        }
        scripts = ((name.rpartition("/")[2], text) for name, text in files.written.items())
        script = next((text for name, text in scripts if name in line and name not in moved), "")
        told = (patched if _PATCHES.search(line) else partial(_put_in, files=files))(script, path, room)
        named = re.fullmatch(r"\s*(?:create|touch)\s+\S+\s*", line)
        parts = [c for c in _TIES.split(line) if path.rpartition("/")[2] in c and c.lstrip()[:1] != "#"]
        part = next((c for c in parts if not _ASKS.match(c)), (parts or [line])[0])
        return told or ("" if named else f"`{shortened(one_line(bare(part.strip())), COMMAND_CHARS)}`")
    name = path.rpartition("/")[2]
    into_it = re.compile(rf"(?<![\w.-]){re.escape(name)}")  # `fix_rows.py` is not `rows.py`
    if any(into_it.search(line, at.start(), at.end() + len(name)) for at in _INTO.finditer(line)):
        return _rewritten(body, path, room, files)
    return _put_in(body, path, room, files=files)


def _put_in(script: str, path: str, room: int, *, files: SeenFiles) -> str:
    r"""What a script that works on a file puts in: what it replaces by what, or its strings that hold code.

    >>> _put_in("line.replace('except (A):',\n    'except (A, B):')", "a.py", 100, files=SeenFiles())
    '`except (A):` → `except (A, B):`'
    >>> _put_in("lines[3] = 'rows = []'\nlines.insert(4, 'cells = rows')", "a.py", 100, files=SeenFiles())
    'rows = [] ⏎ cells = rows'
    """
    script = part_about(script, path)
    pairs = [(_text_of(found["old"]), _text_of(found["new"])) for found in _REPLACED.finditer(script)]
    if told := [compared(old, new, path, room // len(pairs)) for old, new in pairs[:MOST_PAIRS]]:
        return " ; ".join(filter(None, told))
    if strings := [text["body"] for text in _LONG_STRING.finditer(script)]:
        lines = max(strings, key=len).splitlines()
    elif lines := [_text_of(found["text"]).rstrip("\n") for found in _SET_IN.finditer(script)]:
        lines = [line for line in lines if line.strip()]
    else:
        texts = map(_text_of, _CODE_STRING.findall(script))
        lines = "".join(text for text in texts if text.endswith("\n")).splitlines()
    new = [SKIPPED if line.strip() and line.strip() in files.printed else line for line in lines]
    only_remarks = all(REMARK.match(line.strip()) for line in new if line.strip(f" {SKIPPED}"))
    return telling_lines(lines if only_remarks else new, path, room)


def _text_of(literal: str) -> str:
    """What a string that stands in a script in quotes says."""
    return _ESCAPED.sub(lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), literal[1:-1])


def _substituted(line: str) -> str:
    """What `sed -i` puts in the place of what, and in which lines.

    >>> _substituted("sed -i '7s/one/two/' a.py && sed -i '9s/one/two/' a.py")
    'lines 7, 9: `one` → `two`'
    >>> _substituted("sed -i '7s/one/one/' a.py")
    ''
    """
    places: dict[tuple[str, str], list[str]] = {}
    for found in _SED.finditer(line):
        where = found["line"] or ""
        if found["to"]:
            where += f"-{found['to']}"
        old, new = (found[name].replace("\\" + found["d"], found["d"]) for name in ("old", "new"))
        if old != new:
            places.setdefault((_anchored(old), new), []).append(where)
    told = []
    for found in _SED_LINES.finditer(line):
        verb = {"a": "behind", "i": "before", "c": "in the place of", "d": "removed"}[found["what"]]
        text = f": `{joined(_text_of('.' + found['text'] + '.'))}`" if found["what"] != "d" else ""
        told.append(f"{verb} line {found['at'].replace(',', '-')}{text}")
    for (old, new), lines in places.items():
        at = f"line{'s' * (len(lines) > 1)} {', '.join(lines)}" if all(lines) else ""
        change = f"`{old}` → `{new}`" if new else f"removed `{old}`"
        if at and old in _ENDS and new:
            at, change = f"{_ENDS[old]} {at}", f"`{joined(_text_of('.' + new + '.'))}`"
        told.append((at and f"{at}: ") + shortened(one_line(change), COMMAND_CHARS))
    return " ; ".join(told[:MOST_PAIRS])


def _anchored(pattern: str) -> str:
    """A pattern as the text that it finds: without the signs for where a line begins and ends."""
    return pattern.removeprefix("^").removesuffix("" if pattern.endswith("\\$") else "$") or pattern


def _rewritten(content: str, path: str, room: int, files: SeenFiles) -> str:
    """What is new in a file that is written whole, beside what it last held."""
    before = files.written.get(path)
    about = frozenset() if is_aside(path) else files.about
    files.lose(path)
    files.see(path, content)
    if before:
        files.told = before, content
        return rewritten(before, content, path, about)
    new = particular(content, files.printed.keys()).splitlines()
    told = telling_lines(new, path, room, about=about)
    return told or telling_lines(content.splitlines(), path, room, about=about)
