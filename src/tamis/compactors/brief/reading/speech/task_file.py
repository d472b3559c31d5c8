"""What a file demands that the user's request says to carry out: it is told as a long request would be."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.action import Action
from tamis.compactors.brief.reading.edits.seen_files import MOST_REMEMBERED, NUMBERED_LINE
from tamis.compactors.brief.reading.speech.long_request import WHOLE_CHARS, asked_at_length
from tamis.compactors.brief.reading.statement import Statement, request_turns
from tamis.ledger.events import FileChange
from tamis.ledger.files.file_tools import command_line
from tamis.ledger.files.paths import same_file

_DOCUMENT = re.compile(r"\.(?:md|mdx|markdown|txt|rst|adoc|org)\Z", re.IGNORECASE)
_TASK = re.compile(r"(?:\A|[\W_])(?:task|instructions|ticket)(?:[\W_]|\Z)", re.IGNORECASE)
_GUIDE = re.compile(r"(?:README|AGENTS|CLAUDE|GEMINI|CHANGELOG|CONTRIBUTING|SKILL)\b", re.IGNORECASE)
"""Names of files that say what to do, of those that always do, and what is said of one to be carried out."""

_DO = (
    r"(?:implement(?:ing)?|execut(?:e|ing)|follow|carry (?:it |them )?out|work(?:ing)? through"
    r"|complete (?:the|all)|do(?:ing)? (?:it|this|that|what|as))\b"
)
_BEFORE = re.compile(
    rf"(?i)\b(?:{_DO}|according to|as (?:described|specified|outlined) in)(?:(?! and |,)[^.\n]){{0,60}}\Z"
)
_ONLY_READ = re.compile(r"(?i)\bread\W{1,3}\Z")
_BEHIND = re.compile(rf"(?i)\W{{0,4}}(?:\w{{1,30}}\W{{1,2}}){{0,4}}?{_DO}")
_SHOWS_PARTS = re.compile(r"\b(?:[ef]?grep|rg|ag|wc)\b|\bfor \w|[*?]")
"""In a command that shows of a file what it searches for, or other files as well."""

_NO_PATH = re.compile(r"[^\w./~-]")


def with_demands(statements: list[Statement], deed: Action) -> list[Statement]:
    """The statements with what a file demands that a deed shows; without those of a file that it changes."""
    changed = {change.path for change in deed.changes}
    over = {(s.turn, s.place[0]) for s in statements if s.kind == "demanded" and s.key in changed}
    statements = [s for s in statements if s.kind != "demanded" or (s.turn, s.place[0]) not in over]
    read = {e.value.path for e in deed.events if isinstance(e.value, FileChange) and e.value.action == "read"}
    is_whole = not (changed or deed.result.is_error or _SHOWS_PARTS.search(command_line(deed.call) or ""))
    path = read.pop() if len(read) == 1 and is_whole else ""
    if not path or not _is_task(path, statements):
        return statements
    text = NUMBERED_LINE.sub("", deed.printed)[:MOST_REMEMBERED]
    told = deed.told(
        "demanded", f"from {path.rpartition('/')[2]} (read at #{deed.turn}):", key=path, flags=("opens",)
    )
    made: dict[int, Statement] = {}
    is_long = len(text) > WHOLE_CHARS
    pieces = asked_at_length(text, deed.turn, deed.part, len(text), lists=True) if is_long else ()
    for s in (s for s in pieces if "excerpt" not in s.flags):
        leads = tuple(made[id(lead)] for lead in s.leads if id(lead) in made) or (told,)
        made[id(s)] = replace(s, kind="demanded", leads=leads)
    return [*statements, told, *made.values()] if made else statements


def _is_task(path: str, statements: Sequence[Statement]) -> bool:
    """Whether the first or the newest request says to carry out what a file says that the agent found."""
    name = path.rpartition("/")[2]
    known = any(s.key == path and s.kind in ("changed", "demanded") for s in statements)
    if known or not _DOCUMENT.search(name) or _GUIDE.match(name):
        return False
    ends = request_turns(statements)[:1] + request_turns(statements)[-1:]
    words = "\n".join(s.text for s in statements if s.kind == "asked" and s.turn in ends)
    found = re.search(rf"(?<![\w-]){re.escape(name)}", words)
    if not found:
        return False
    named = _NO_PATH.split(words[max(0, found.start() - 200) : found.end()])[-1]
    before = words[: found.end() - len(named)]
    is_task = _TASK.search(name) and not _ONLY_READ.search(before)
    asked_for = is_task or _BEFORE.search(before) or _BEHIND.match(words, found.end())
    return same_file(named.lstrip("./~"), path) and bool(asked_for)
