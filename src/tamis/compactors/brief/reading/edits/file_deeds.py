"""What was done to files, as statements: each change in outline and in full, by its effect."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.action import Action
from tamis.compactors.brief.reading.deeds.call_text import JOINT, bare, shortened
from tamis.compactors.brief.reading.deeds.own_scripts import runs_one
from tamis.compactors.brief.reading.edits.announced_edits import ATTEMPT
from tamis.compactors.brief.reading.edits.call_hunks import hunk_of
from tamis.compactors.brief.reading.edits.code_lines import is_slight, unfenced
from tamis.compactors.brief.reading.edits.hunks import REWRITTEN
from tamis.compactors.brief.reading.edits.seen_files import NO_RESULT, SeenFiles
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import FileChange
from tamis.ledger.files.definitions import definition
from tamis.ledger.files.diffs import compare
from tamis.ledger.files.file_tools import command_line, content_of, replacements_of
from tamis.ledger.files.paths import is_aside, is_copy_of, is_temporary, is_within, resolve, same_file
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import is_named_check, only_reads, run_subject, version_steps

MOST_CHANGES, PAIR_CHARS = 6, 120
MOST_NAMES, MOST_HEADINGS, FEW_HEADINGS, FEW_NAMES = 4, 12, 2, 3
PRINTED = "(the call printed: "
_ERROR_LINE = re.compile(r"(?m)^(?:\w+\.)*\w*(?:Error|Exception): .+$")
_ORIGIN = re.compile(r'(?m)^ *File "([^"]+)", line')
_NAME = re.compile(r"\w+")
_LEVEL = re.compile(r"(?m)^(#{1,6})[ \t]+(\S[^\n]{0,200}?)[ \t]*$")
_DESCRIBED = re.compile(r"\A---\n(?:(?!---)[^\n]*\n){0,12}?description: ?([^\n]{8,300})")
_TESTS = re.compile(r"(?m)^\s{0,8}describe\([\"'`]([^\"'`\n]{1,80})")
_CHANGES = re.compile(r"(?i)(?:\A|/)change-?log[^/]{0,40}\Z")
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+(\S[^\n]{0,200}?)[ \t]*$")


def file_statements(
    deed: Action, changes: Sequence[FileChange], files: SeenFiles, printed: str
) -> Iterator[Statement]:
    """What was done to each file, in outline and in full; of a script that edits by what it put in."""
    told, line = [*_each_file(deed, changes, files, printed)], command_line(deed.call) or ""
    edits = any(s.text.startswith("edited ") and ": " in s.text for s in told)
    for s in told:
        if not (edits and s.text.startswith("wrote ") and runs_one(line, {s.key.rpartition("/")[2]})):
            yield s
        elif "outline" not in s.flags:
            yield replace(s, text=f"wrote {s.key}")


def _each_file(
    deed: Action, changes: Sequence[FileChange], files: SeenFiles, printed: str
) -> Iterator[Statement]:
    errors = _ERROR_LINE.findall(printed)
    for change in changes:
        files.take_twins(change.path)
        if change.action not in ("modified", "created"):  # what is made anew of its name is no change of it
            files.lose(change.path)
    line, pairs = command_line(deed.call), replacements_of(deed.call)
    changes = [*{(c.path, c.action): c for c in reversed(changes)}.values()][::-1]
    emptied = _emptied(line or "", deed.cwd, [change.path for change in changes])
    for change in [c for at, c in enumerate(changes) if at < MOST_CHANGES or c.action == "deleted"]:
        verb = {"modified": "edited", "created": "wrote"}.get(change.action, change.action)
        if verb == "wrote" and line is not None and _is_aside(line, change):
            continue
        if verb == "deleted" and emptied:
            if change is changes[0]:
                yield deed.told("changed", f"deleted {emptied}", key=change.path, flags=("scratch",))
            continue
        if verb == "edited" and line is not None and _restores(line, change.path):
            verb = "put back"
        if grows := verb == "wrote" and _grows(line or "", change.path, files):
            files.older.add(change.path)
            verb = "edited"
        files.told = None
        hunk = hunk_of(deed.call, line, change, files) if verb in ("edited", "wrote") else ""
        hunk = f"added `{hunk}`" if grows and hunk and "`" not in hunk else hunk
        if verb == "edited" and not hunk:
            files.lose(change.path)  # who knows what became of it
        touched = _standing(change.touched, pairs)
        if files.told:  # not those of definitions that an edit of lines writes again as they were
            own = compare(change.path, *files.told).touched
            touched = [name for name in touched if name in own or name not in files.told[1]]
            touched = touched or [name for name in own if name in files.told[1]]
        parts = [part.strip("` …") for part in JOINT.split(hunk.removeprefix("added "))]
        defined = [name for part in parts if (name := definition(change.path, part)) in touched and name]
        named_all = change.path.endswith(".md") or all(name.lower().startswith("test") for name in defined)
        if len(defined) > 1 and 2 * len(defined) >= len(parts) and named_all:
            hunk = ""  # tests, or sections: the outline names them
        if verb == "wrote":
            text = files.written.get(change.path) or content_of(deed.call) or ""
            hunk, touched = _of_written(change.path, text, hunk, [*touched])
        if hunk.startswith(REWRITTEN) and change.path.endswith(".md"):
            hunk, touched = REWRITTEN, outline_of(files.written.get(change.path, "")) or touched
        most = MOST_HEADINGS if verb == "wrote" and not hunk else MOST_NAMES
        names = [*touched[:most], *(["…"] if len(touched) > most else [])]
        where = f" ({', '.join(names)})" if names else ""
        origin = f" from {change.renamed_from}" if change.renamed_from else ""
        outline = f"{verb} {change.path}{origin}{where}"
        if not hunk and (files.mended or (verb == "wrote" and line is not None and not touched)):
            continue  # it mends what is told with it; or an empty file: the state names it
        named = (
            where if not change.path.endswith(".md") or any(name not in hunk for name in touched[:2]) else ""
        )
        text = f"{verb} {change.path}{origin}{named}: {hunk}" if hunk else outline
        if printed == NO_RESULT:
            text += f" {NO_RESULT}"
        if errors:
            text += f" {printed_note(printed, errors[0])}"
        flags: tuple[str, ...] = ("source",) if verb == "edited" else ("scratch",)
        if verb in ("put back", "reverted"):
            flags = ("restore",)
        elif line is not None and _captures(line, change.path):
            flags = ("scratch", "captured")
        if hunk and not grows and not change.path.endswith(".md") and is_slight(hunk):
            flags = (*flags, "slight")
        if hunk and where and "slight" not in flags:
            outline += _first_pair(hunk)
            yield deed.told("changed", outline, key=change.path, flags=(*flags, "outline"))
        yield deed.told("changed", text, key=change.path, flags=flags)


def _of_written(path: str, text: str, hunk: str, names: list[str]) -> tuple[str, list[str]]:
    """What is told of a file that is written whole, and of its parts: what it says it is for, or their names.

    A list of changes only says again what was done; of many parts, a few lines tell nothing.
    """
    if path.endswith(".md"):
        names = [] if _CHANGES.search(path) else outline_of(text) or names
        if what := _DESCRIBED.match(text):
            return what[1].strip(), []
        return ("" if len(names) > FEW_HEADINGS or not names else hunk), names
    if tests := [*dict.fromkeys(_TESTS.findall(text))]:
        return "", tests
    return ("" if len(names) > FEW_NAMES else hunk), names


def _first_pair(hunk: str) -> str:
    """Of what several places of a file came to, the first that is short."""
    parts = hunk.split(" ; ")
    fits = (p for p in parts if " → " in p and p.count("`") == 4 and len(p) <= PAIR_CHARS)
    return next((f": {pair} ; …" for pair in fits if len(parts) > 1), "")


def outline_of(text: str) -> list[str]:
    r"""The headings of a text in Markdown; of many, those of the levels that are few.

    >>> outline_of("# Plan\n## Task 1\n```sh\n# no heading\n```\n## Task 2\n")
    ['Plan', 'Task 1', 'Task 2']
    """
    found = [(len(level), name) for level, name in _LEVEL.findall("\n".join(filter(None, unfenced(text))))]
    fits = (depth for depth in range(6, 0, -1) if sum(level <= depth for level, _ in found) <= MOST_HEADINGS)
    most = next(fits, 6)
    return [name for level, name in found if level <= most] or [name for _, name in found]


def _standing(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The names that an edit touched and left there: not those of definitions that were renamed."""
    sides = ("\n".join(pair[side] for pair in pairs) for side in (0, 1))
    old, new = ({*_NAME.findall(text), *_HEADING.findall(text)} for text in sides)
    for before, after in pairs:  # a part of a name, wherever it stands
        if _NAME.fullmatch(before) and _NAME.fullmatch(after):
            names = [*dict.fromkeys(name.replace(before, after) for name in names)]
    return [name for name in names if name in new or name not in old] or [*names]


def _emptied(line: str, cwd: str | None, paths: Sequence[str]) -> str:
    """What a command line that only deletes names, where folders of these files are among it."""
    commands = parse_script(line, cwd).commands
    gone = [resolve(w.text, c.cwd) for c in commands for w in c.argv[1:] if not w.text.startswith("-")]
    gone = gone[: MOST_NAMES * MOST_CHANGES]
    within = {folder for folder in gone for path in paths if folder != path and is_within(path, folder)}
    if not within or any(c.name != "rm" for c in commands):
        return ""
    return ", ".join(f"{path}/" if path in within else path for path in gone[:MOST_CHANGES])


def _restores(line: str, path: str) -> bool:
    """Whether a command line puts a file back as it was kept: from a backup, or a stash."""
    if any(step[1:2] == ["stash"] for step in version_steps(line)):
        return True
    copied = [c.argv for c in parse_script(line).commands if c.name in ("cp", "mv")]
    return any(
        same_file(argv[-1].text, path) and is_copy_of(argv[-2].text, path) for argv in copied if len(argv) > 2
    )


def _grows(line: str, path: str, files: SeenFiles) -> bool:
    """Whether a command line adds to the end of a file that was listed before: it was there."""
    seen = path in files.printed or path.rpartition("/")[2] in files.printed
    added = (r for c in parse_script(line).commands for r in c.redirects if r.operator.endswith(">>"))
    return seen and any(same_file(r.target.text, path) for r in added)


def _is_aside(line: str, change: FileChange) -> bool:
    """Whether a file that a command line makes is nothing to tell: a backup, output, what a trial wrote."""
    plain = cut_heredocs(line)[0]
    if change.path.rpartition("/")[2] not in plain and any(map(ATTEMPT.search, plain.split())):
        return True
    commands = parse_script(line).commands
    into = [c for c in commands if any(same_file(r.target.text, change.path) for r in c.redirects)]
    output = bool(into) and not any(c.stdin or c.name in ("echo", "printf") for c in into)
    copies = any(c.name == "cp" for c in commands)
    return (copies and is_aside(change.path)) or (is_temporary(change.path) and (output or copies))


def _captures(line: str, path: str) -> bool:
    """Whether a file only holds what a check, or a look at the versions, printed: `git diff > all.patch`."""
    name = re.escape(path.rpartition("/")[2])
    subject = run_subject(line, None)
    kept = re.search(rf">>?[|]? ?['\"]?[^\s'\"<>]*{name}", line) and not cut_heredocs(line)[1]
    return bool(kept) and (is_named_check(line) or bare(subject).startswith("git ") or only_reads(line, None))


def printed_note(printed: str, error: str) -> str:
    """What a call that did its work printed all the same, and which program it came from."""
    origins = _ORIGIN.findall(printed)
    origin = f", from {origins[-1]}" if origins else ""
    return f"{PRINTED}{shortened(one_line(error), 120)}{origin})"
