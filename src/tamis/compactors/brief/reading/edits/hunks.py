"""What a call changes in a file, in its telling lines: old and new told apart."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import groupby

from tamis.compactors.brief.reading.deeds.call_text import (
    LINE_CHARS,
    bare,
    joined,
    picked,
    shortened,
)
from tamis.compactors.brief.reading.edits.code_lines import (
    BRANCH,
    REMARK,
    differing,
    particular,
    shared,
    telling_lines,
)
from tamis.compactors.brief.reading.edits.seen_files import SeenFiles
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import FileChange
from tamis.ledger.files.definitions import definition
from tamis.ledger.files.file_tools import content_of, patch_text, replacements_of
from tamis.ledger.files.paths import same_file
from tamis.ledger.files.python_scripts import part_about
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.messages import ToolCall

SCRATCH_CHARS = 200
SOURCE_CHARS = 420
"""Characters for what is new in a file that the session made, and in one that was there before."""

MOST_PAIRS, LEAST_ALIKE = 3, 2
SAME_CHARS, COMMAND_CHARS = 40, 180
SKIPPED = "…"
"""Stands among lines that are new, or gone, where others stay between them."""

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
_SECTION = re.compile(r"(?m)^(?=\*\*\* (?:Add|Update|Delete) File: |diff --git |--- \S+\n\+\+\+ )")
_PATCHES = re.compile(r"\bpatch\s+-|\bgit apply\b")
_SED_LINES = re.compile(
    r"(?P<q>['\"])(?P<at>\d{1,7}(?:,\d{1,7})?)\s?(?P<what>[aicd])\\{0,2}\s{0,40}"
    r"(?P<text>(?:(?!(?P=q)).){0,600})(?P=q)",
    re.DOTALL,
)
_ENDS = {"^": "before", "$": "behind"}
"""Where `sed` puts what it puts in the place of nothing."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_CONDITION = re.compile(r"\A(?:(?:\}? ?else |el)?if|case|except|\}? ?catch)\b.*[{:]\Z")
_SAYS = re.compile(r"\w")
_JUMP = re.compile(r"(?:return|raise|throw|continue|break)\b")


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
        return _told_pairs(pairs, path, room)
    if patch := patch_text(call):
        files.lose(path)
        return patched(particular(patch, files.printed) if "\n*** Add File" in patch else patch, path, room)
    content = content_of(call)
    return _rewritten(content, path, room, files) if content else ""


def patched(patch: str, path: str, room: int) -> str:
    """What a patch changes in a file."""
    name = path.rpartition("/")[2]
    sections = [own for own in _SECTION.split(patch) if name in own.split("\n@@", 1)[0]]
    lines = "".join(sections or [patch]).splitlines()
    plus = [text[1:] for text in lines if text.startswith("+") and not text.startswith("+++")]
    pairs = changes_of(lines)
    if not pairs and plus:
        return f"moved `{shortened(plus[0].strip(), LINE_CHARS)}`"
    return _told_pairs(pairs, path, room)


def changes_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    """What comes in the place of what in the lines of a diff, but for lines that only moved."""
    lines = [text for text in lines if not text.startswith(("+++", "---"))]
    plus, minus = ({text[1:] for text in lines if text.startswith(sign)} for sign in "+-")
    both = {text for text in plus & minus if text.strip()}
    pairs = []
    for is_change, run in groupby(lines, key=lambda text: text[:1] in ("+", "-") and text[1:] not in both):
        own = [*run] if is_change else []
        old, new = ("\n".join(text[1:] for text in own if text.startswith(sign)) for sign in "-+")
        pairs += [(old, new)] if old.strip() or new.strip() else []
    return pairs


def _told_pairs(pairs: Sequence[tuple[str, str]], path: str, room: int) -> str:
    """What comes in the place of what at each place; of many places those where most is new."""
    a, b = ([line.strip() for pair in pairs for line in pair[side].splitlines()] for side in (0, 1))
    if len(a) == len(b) and (alike := _alike([("replace", 0, len(a), 0, len(b))], a, b, room)):
        return alike
    most = sorted(range(len(pairs)), key=lambda at: -len(pairs[at][1]))[:MOST_PAIRS]
    told = _shared_out([pairs[at] for at in sorted(most)], path, room)
    return " ; ".join(filter(None, [*told, "…" * (len(pairs) > MOST_PAIRS)]))


def _shared_out(pairs: Sequence[tuple[str, str]], path: str, room: int) -> list[str]:
    """What comes in the place of what at each place; what short ones leave of the room, longer ones take."""
    told = [""] * len(pairs)
    for left, at in enumerate(sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))):
        told[at] = compared(*pairs[at], path, room // (len(pairs) - left))
        room -= min(len(told[at]), room // (len(pairs) - left))
    return told


def _by_command(line: str, path: str, room: int, files: SeenFiles) -> str:
    if edit := _LINE_EDIT.match(line):
        lines = [text for text in edit["body"].splitlines() if text.strip() != "end_of_edit"]
        first, last = int(edit["first"]), int(edit["last"] or 0)
        pair = files.put_in(path, first, last, lines) if last else None
        stood = {*map(str.strip, files.shown.get(path, {}).values())}
        new = [SKIPPED if line.strip() in stood else line for line in lines]
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
        parts = (c for c in _TIES.split(line) if path.rpartition("/")[2] in c and c.lstrip()[:1] != "#")
        part = next(parts, line)
        return told or ("" if named else f"`{shortened(one_line(bare(part.strip())), COMMAND_CHARS)}`")
    name = path.rpartition("/")[2]
    if any(name in line[into.start() : into.end() + len(name)] for into in _INTO.finditer(line)):
        return _rewritten(body, path, room, files)
    return _put_in(body, path, room, files=files)


def _put_in(script: str, path: str, room: int, *, files: SeenFiles) -> str:
    r"""What a script that works on a file puts in: what it replaces by what, or its strings that hold code.

    >>> _put_in("line.replace('except (A):',\n    'except (A, B):')", "a.py", 100, files=SeenFiles())
    '`except (A):` → `except (A, B):`'
    """
    script = part_about(script, path)
    pairs = [(_text_of(found["old"]), _text_of(found["new"])) for found in _REPLACED.finditer(script)]
    if told := [compared(old, new, path, room // len(pairs)) for old, new in pairs[:MOST_PAIRS]]:
        return " ; ".join(filter(None, told))
    if strings := [text["body"] for text in _LONG_STRING.finditer(script)]:
        lines = max(strings, key=len).splitlines()
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
    """
    places: dict[tuple[str, str], list[str]] = {}
    for found in _SED.finditer(line):
        where = found["line"] or ""
        if found["to"]:
            where += f"-{found['to']}"
        old, new = (found[name].replace("\\" + found["d"], found["d"]) for name in ("old", "new"))
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
    files.lose(path)
    files.see(path, content)
    if before:
        return compared(before, content, path, SOURCE_CHARS)
    new = telling_lines(particular(content, files.printed).splitlines(), path, room)
    return new or telling_lines(content.splitlines(), path, room)


def compared(old: str, new: str, path: str, room: int) -> str:
    r"""What comes in the place of what, in the lines that tell most of it.

    >>> compared("a = 1\nb = 2", "a = 1\nb = 3", "x.py", 100)
    '`b = 2` → `b = 3`'
    """
    a = [line.strip() for line in old.splitlines() if line.strip()]
    b = [line.strip() for line in new.splitlines() if line.strip()]
    removed: list[str] = []
    added: list[str] = []
    places: list[int] = []
    steps = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    for tag, i, j, k, m in steps:
        if tag != "equal":
            removed += [*([SKIPPED] if removed and i < j else []), *a[i:j]]
            added += [SKIPPED] if added and k < m else []
            added += b[k - 1 : k] if added and k and BRANCH.fullmatch(b[k - 1]) else []
            added += b[k:m]
            places += range(k, m)
        elif added and (
            _CONDITION.match(added[-1]) or BRANCH.fullmatch(added[-1])
        ):  # what was there before is done on another condition
            first = next((line for line in b[k:m] if not REMARK.match(line)), "")
            is_new = not (removed and _CONDITION.match(removed[-1]))
            if _JUMP.match(first) or is_new:
                added[-1] = b[k - 1] = f"{added[-1]} {first}"
                if not is_new:
                    removed[-1] = a[i - 1] = f"{removed[-1]} {first}"
    if not added:
        if removed and b and a == [*b, b[-1]]:
            return f"removed a second `{telling_lines(removed, path, room // 2) or removed[0]}`"
        told = telling_lines(_lost(removed, added, b, path) or removed, path, room // 4) if removed else ""
        return f"removed `{told or shortened(removed[0], room // 2)}`" if removed else ""
    if moved := _moved(removed, b, places):
        return moved
    if alike := _alike(steps, a, b, room):
        return alike
    fresh = Counter(b) - Counter(a)
    if removed and fresh and not Counter(a) - Counter(b):  # what only moved is neither put in nor taken out
        stay = {line for line in a if not (fresh[line] or BRANCH.fullmatch(line))}
        removed, added = [], [SKIPPED if line in stay else line for line in added]
    if removed and (told := _apart(steps, a, b, path, room)):
        return told
    if removed and len(removed) <= 3 and len(added) <= 4:
        before, after = _in_one(removed), _in_one(added)
        same = shared(before, after)
        if len(before) > LINE_CHARS and same > SAME_CHARS:
            start = before.rfind(" ", 0, same - SAME_CHARS // 2) + 1  # what differs is to be seen
            before, after = (f"…{text[start:]}" if start else text for text in (before, after))
        before, after = shortened(before, LINE_CHARS), shortened(after, max(190, room - LINE_CHARS))
        return (
            f"`{before}` → `{after}`"
            if "replace" in {tag for tag, *_ in steps}
            else f"removed `{before}` ; put in `{after}`"
        )
    if gone := _lost(removed, added, b, path):
        put_in = telling_lines([SKIPPED if line in old else line for line in added], path, room)
        return f"removed `{telling_lines(gone, path, room // 2)}`" + f" ; put in `{put_in}`" * bool(put_in)
    if removed:
        before = telling_lines(removed, path, LINE_CHARS) or shortened(removed[0], LINE_CHARS)
        after = telling_lines(added, path, room, beside=a)
        own = {definition(path, line) for line in a} - {None}
        apart = len([step for step in steps if step[0] != "equal"]) > 1
        if apart or len(own | {definition(path, line) for line in b} - {None}) > 1:  # none became the other
            return f"removed `{before}` ; put in `{after}`"
        return f"`{before}` → `{after}`"
    told = telling_lines(added, path, room, beside=a)
    return f"added `{told}`" if told and (a or len(added) == 1) else told


def _alike(
    steps: Sequence[tuple[str, int, int, int, int]], a: Sequence[str], b: Sequence[str], room: int
) -> str:
    """What several lines have in common that changed, told once; empty where they changed otherwise."""
    changed = [step for step in steps if step[0] != "equal"]
    pairs = [pair for _, i, j, k, m in changed if j - i == m - k for pair in zip(a[i:j], b[k:m], strict=True)]
    if len(pairs) < LEAST_ALIKE or len(pairs) < sum(m - k for _, _, _, k, m in changed):
        return ""
    cores = {differing(*pair) for pair in pairs}
    if len(cores) > 1:
        return ""
    if max(map(len, pairs[0])) > LINE_CHARS:  # what differs is to be seen
        pairs[:1] = cores
    before, after = shortened(pairs[0][0], LINE_CHARS), shortened(pairs[0][1], max(190, room - LINE_CHARS))
    change = f"`{before}` → `{after}`" if "……" not in (before, after) else ""
    change = change or (f"put in `{after}`" if before == "……" else f"removed `{before}`")
    return f"{change} (so in {len(pairs)} lines)"


def _apart(
    steps: Sequence[tuple[str, int, int, int, int]], a: Sequence[str], b: Sequence[str], path: str, room: int
) -> str:
    """What came in the place of what, what was taken out and what was put in, each at places of its own."""
    places = [(a[i:j], b[k:m]) for i, j, k, m in _parted(steps, b)]
    swapped = [pair for pair in places if all(pair)]
    gone, fresh = ([t for p in places if not p[1 - side] for t in (*p[side], SKIPPED)] for side in (0, 1))
    moved = any(" " in line for line in {*gone} & {*b} | {*fresh} & {*a})
    long = len(swapped) < 2 and any(len(lines) > MOST_PAIRS for pair in swapped for lines in pair)
    if moved or long or len(swapped) > MOST_PAIRS or len(swapped) + sum(map(bool, (gone, fresh))) < 2:
        return ""
    share = room - SAME_CHARS * len(swapped) if len(swapped) > 1 else room
    told = _shared_out([("\n".join(old), "\n".join(new)) for old, new in swapped], path, share)
    if len(told) > 1 and sum(map(len, told)) > room + 2 * LINE_CHARS:
        return ""
    for verb, lines, most_chars in (("removed", gone, room // 3), ("put in", fresh, room)):
        left = max(most_chars - sum(map(len, told)), LINE_CHARS)
        if any(map(_SAYS.search, lines)):
            beside = a if lines is fresh else ()
            told.append(f"{verb} `{telling_lines(lines, path, left, beside) or shortened(lines[0], left)}`")
    return " ; ".join(told)


def _parted(
    steps: Sequence[tuple[str, int, int, int, int]], lines: Sequence[str]
) -> list[tuple[int, int, int, int]]:
    """Where something changed; places between which no more than brackets stay are one."""
    places: list[tuple[int, int, int, int]] = []
    joins = False
    for tag, i, j, k, m in steps:
        if tag != "equal":
            begins = places.pop() if joins else (i, j, k, m)
            places.append((begins[0], j, begins[2], m))
        joins = tag == "equal" and bool(places) and not any(map(_SAYS.search, lines[k:m]))
    return places


def _in_one(lines: Sequence[str]) -> str:
    return picked(lines, [at for at, line in enumerate(lines) if line != SKIPPED], SOURCE_CHARS)


def _lost(removed: Sequence[str], added: Sequence[str], lines: Sequence[str], path: str) -> list[str]:
    """The lines of definitions that are taken out, with their gaps, where no other comes in their place."""
    if any(definition(path, line) for line in added):
        return []
    left = {definition(path, line) for line in lines}
    gone = [(name := definition(path, line)) and name not in left for line in removed]
    return [line if own else SKIPPED for line, own in zip(removed, gone, strict=True)] if any(gone) else []


def _moved(removed: Sequence[str], lines: Sequence[str], places: Sequence[int]) -> str:
    """Which lines stand behind which others now, where only remarks are new; `places` are the new ones'."""
    told: list[str] = []
    for at in places:
        before = [line for line in lines[:at] if not REMARK.match(line)]
        behind = [line for line in lines[at + 1 :] if not REMARK.match(line)]
        if lines[at] in removed and (before or behind):
            where = f"behind `{shortened(before[-1], LINE_CHARS)}`" if before else f"before `{behind[0]}`"
            told.append(f"moved `{shortened(lines[at], LINE_CHARS)}` {where}")
        elif not REMARK.match(lines[at]):
            return ""
    return " ; ".join(told[:MOST_PAIRS])
