"""Taking up an earlier brief that nothing else speaks for: what it says counts as if it had been read.

What the ledger keeps as state becomes events, whose source is the brief, so that what is newer replaces them.
Names become mentions. What has no place in the state, passages say, is kept as rows and can be said again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from tamis.compactors.ledger.grouping import HEADINGS
from tamis.compactors.ledger.items import READ, Item
from tamis.compactors.ledger.layout import Row
from tamis.compactors.ledger.parsing import Placed, parse_brief
from tamis.compactors.ledger.passages import HALF_LIFE, MAX_PASSAGE_CHARS, WORTH_PER_CHAR
from tamis.ledger.constraints import retold_rule, rule_polarity
from tamis.ledger.decisions import retold_decision
from tamis.ledger.events import (
    CommandRun,
    Decision,
    ErrorSeen,
    EventKind,
    FileAction,
    FileChange,
    NextStep,
    Request,
    Source,
    Task,
    TestRun,
    Value,
)
from tamis.ledger.extract import Draft, ReadContext
from tamis.ledger.facts import retold_fact
from tamis.ledger.failures import error_signature
from tamis.ledger.file_trail import end_subject
from tamis.ledger.mentions import Mentions, Voice
from tamis.ledger.names import NameKind, names_in
from tamis.ledger.programs import run_subject
from tamis.ledger.requests import request_subject
from tamis.ledger.resolution import subject_of_tests
from tamis.ledger.tasks import task_subject
from tamis.ledger.todo_tools import TaskStatus
from tamis.messages import Message, Text

SAID = "said: "
"""Stands before what the agent stated."""

SAID_WORTH = 0.12
"""What a statement is worth beside the names in it, in needed names."""

FIRST_CHANCE = 0.3
"""How likely the first name of a list is needed: the likeliest stood first."""

STEEPNESS = 8
"""How many times less likely the last name of a list is, give or take one: the chances fall fast at first."""

FADE = 60
"""Messages after which a name that only a brief told of is half as likely."""

_CHANGED_IN = re.compile(r"(?:changed|written) in (?P<file>.+)")
_DECISION = re.compile(r"(?P<choice>.+?)(?: \(not: (?P<rejected>.+?)\))?(?: — because (?P<reason>.+))?")
_TASK = re.compile(r"\[(?P<mark> |~|x|later)\] (?P<text>.+)")
_NEXT = "next step: "
_ERROR = re.compile(r"still stands: (?P<message>.+?)(?: at (?P<place>\S*[./]\S*))?")
_RAN = re.compile(r"ran `(?P<command>.+)`")
_FAILED = re.compile(r"`(?P<command>.+)` failed(?: with exit code (?P<code>-?\d+))?")
_COUNT = r"\d+ (?:passed|failed|errors|skipped)"
_TESTS = re.compile(
    r"(?P<runner>\S[\w .-]*?)(?: in `(?P<command>.+?)`)?: "
    rf"(?P<counts>no totals printed|{_COUNT}(?:, {_COUNT})*)(?:: (?P<failing>.+))?"
)
_STATUSES: dict[str, TaskStatus] = {" ": "open", "~": "in_progress", "x": "done", "later": "deferred"}
_KINDS: dict[str, NameKind] = {heading: kind for kind, heading in HEADINGS.items() if heading != "names"}


def brief_in(message: Message) -> tuple[Placed, ...] | None:
    """The rows of a message that is a brief and nothing else."""
    if message.role != "user" or message.origin == "meta" or len(message.parts) != 1:
        return None
    part = message.parts[0]
    return parse_brief(part.text) if isinstance(part, Text) else None


@dataclass(frozen=True, slots=True)
class BriefExtractor:
    """Reads off a brief what the ledger keeps as state. It is an extractor, in the place of all others."""

    rows: Sequence[Placed]

    def __call__(self, message: Message, context: ReadContext) -> Iterator[Draft]:
        """The events that a brief tells of. Details of requests come first, as the newest comes last."""
        for placed in sorted(self.rows, key=lambda p: p.row.section != "detail"):
            source = Source(message_id=message.id, part=0, start=placed.start, end=placed.end)
            yield from _drafts(placed.row, source, context)


def keeps_no_state(row: Row) -> bool:
    """Whether a row says what no state holds: it can only be said again as it is."""
    return row.section in ("excerpts", "noted") or row.text.startswith(("solved since: ", SAID))


def items_again(rows: Sequence[Row], mentions: Mentions) -> Iterator[Item]:
    """What was taken up as rows, to be said again."""
    for at, row in enumerate(rows):
        faded = 0.5 ** ((mentions.messages - row.turn) / HALF_LIFE)
        worth = row.worth or _worth(row)
        yield Item(
            section=row.section,
            text=row.text,
            order=(row.turn, -1, at),
            worth=worth * faded,
            turns=(row.turn,),
        )


def _worth(row: Row) -> float:
    if row.text.startswith(SAID):
        return SAID_WORTH
    if row.section != "excerpts":
        return 0.05 if row.section == "failed" else 0.5
    voice = row.text.partition("\n")[0].rpartition(" ")[2]
    return WORTH_PER_CHAR.get(voice, 0.0) * min(len(row.text), MAX_PASSAGE_CHARS)


def take_up_names(rows: Sequence[Placed], mentions: Mentions) -> dict[str, float]:
    """Count the names of a brief as mentioned; how likely each is to be needed, by its place in its list."""
    chances: dict[str, float] = {}
    for placed in rows:
        row = placed.row
        texts = [row.text] if not row.names else list(row.names)
        heading = _KINDS.get(row.text)
        home = None if heading or not row.names or row.grouped or row.text == "names" else _home(row.text)
        found: dict[str, NameKind] = {}
        for place, text in enumerate(texts):
            chance = _chance(place / max(len(texts) - 1, 1) if row.names else 1.0)
            for name, kind in _named(text, listed=bool(row.names), heading=heading):
                found.setdefault(name, kind)
                chances[name] = max(chances.get(name, 0.0), chance)
        mentions.note(found, _voice(row), home=home)
    return chances


def _chance(place: float) -> float:
    """How likely a name is needed that stands so far down its list, from 0 to 1."""
    return FIRST_CHANCE / (1 + STEEPNESS * place)


def _named(text: str, *, listed: bool, heading: NameKind | None) -> Iterator[tuple[str, NameKind]]:
    kinds: Mapping[str, NameKind] = {n.text: n.kind for n in names_in(text)}
    if listed and text not in kinds:
        yield text, heading or ("path" if "/" in text else "identifier")
    yield from sorted(kinds.items())


def _voice(row: Row) -> Voice:
    match row.section:
        case "asked" | "rules" | "detail":
            return "user"
        case "files":
            return "change"
        case "failed":
            return "error"
        case _:
            return "said"


def _home(heading: str) -> str:
    match = _CHANGED_IN.fullmatch(heading)
    return match["file"] if match else heading


def _drafts(row: Row, source: Source, context: ReadContext) -> Iterator[Draft]:
    """What a row says, as events."""
    if keeps_no_state(row) or row.section == "where":
        return
    if row.names:
        yield from _files(row, source)
        return
    match row.section:
        case "rules":
            yield retold_rule(row.text, source, context, by="user" if row.quote else "assistant")
        case "detail" if rule_polarity(row.text):
            yield retold_rule(row.text, source, context, by="user")
        case "asked" | "detail":
            yield _draft("request", request_subject(row.text), Request(text=row.text), source)
        case "decided":
            yield retold_decision(_decision(row.text), source, context)
        case _:
            yield _told(row.text, source, context)


def _draft(kind: EventKind, subject: str, value: Value, source: Source) -> Draft:
    return Draft(kind=kind, subject=subject, value=value, source=source)


def _decision(text: str) -> Decision:
    match = _DECISION.fullmatch(text)
    if match is None:
        return Decision(choice=text)
    rejected = tuple(match["rejected"].split("; ")) if match["rejected"] else ()
    return Decision(choice=match["choice"], reason=match["reason"], rejected=rejected)


def _files(row: Row, source: Source) -> Iterator[Draft]:
    """The files of a row of the trail, or the one that the names of a row were touched in."""
    if changed := _CHANGED_IN.fullmatch(row.text):
        path, action = changed["file"], "created" if row.text.startswith("written") else "modified"
        change = FileChange(path=path, action=action, touched=row.names)  # type: ignore[arg-type]
        yield _draft("file", end_subject(path), change, source)
        return
    deed = row.text.removeprefix("perhaps ")
    old = deed.removeprefix("renamed from ") if deed.startswith("renamed from ") else None
    action = "renamed" if old else "read" if deed == READ else deed
    if action not in get_args(FileAction):
        return
    for path in row.names:
        change = FileChange(
            path=path,
            action=action,  # type: ignore[arg-type]
            renamed_from=old,
            certain=not row.text.startswith("perhaps "),
        )
        yield _draft("file", end_subject(path), change, source)


def _told(text: str, source: Source, context: ReadContext) -> Draft:
    """What a line of what is known, failed or open tells of."""
    if task := _TASK.fullmatch(text):
        value = Task(text=task["text"], status=_STATUSES[task["mark"]])
        return _draft("task", task_subject(value.text), value, source)
    if text.startswith(_NEXT):
        return _draft("next_step", "next step", NextStep(text=text.removeprefix(_NEXT)), source)
    if error := _ERROR.fullmatch(text):
        seen = ErrorSeen(message=error["message"], place=error["place"])
        return _draft("error", error_signature(seen), seen, source)
    if ran := _RAN.fullmatch(text):
        return _command(CommandRun(command=ran["command"], ok=True), source, context)
    if failed := _FAILED.fullmatch(text):
        code = int(failed["code"]) if failed["code"] else None
        return _command(CommandRun(command=failed["command"], exit_code=code, ok=False), source, context)
    if tests := _TESTS.fullmatch(text):
        return _tests(tests, source)
    return retold_fact(text, source, context)


def _command(run: CommandRun, source: Source, context: ReadContext) -> Draft:
    return _draft("command", run_subject(run.command, context.cwd), run, source)


def _tests(match: re.Match[str], source: Source) -> Draft:
    counts = {
        word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors|skipped)", match["counts"])
    }
    run = TestRun(
        runner=match["runner"],
        command=match["command"],
        failing=tuple(match["failing"].split(", ")) if match["failing"] else (),
        **counts,
    )
    return _draft("test", subject_of_tests(run.runner, run.command or ""), run, source)


def as_told(rows: Sequence[Placed], turn: int) -> list[Row]:
    """The rows as those of an earlier brief: passages with what they are worth, and from when."""
    return [
        replace(p.row, turn=turn, worth=_worth(p.row)) if p.row.section == "excerpts" else p.row for p in rows
    ]
