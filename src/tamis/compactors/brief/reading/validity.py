"""What only the whole session shows of its statements: which close a turn, and which no longer hold.

What the user took back goes, with the answer to it; so does what was corrected, the run that a later one of
the same command overtakes, the change that a later change takes out again, and what was only announced.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from tamis.compactors.brief.reading.call_text import shortened
from tamis.compactors.brief.reading.overtaken import mended, outdated, overtaken, passed
from tamis.compactors.brief.reading.proofs import unproved
from tamis.compactors.brief.reading.referents import with_referents
from tamis.compactors.brief.reading.rejections import turned_down
from tamis.compactors.brief.reading.renames import renaming
from tamis.compactors.brief.reading.reversals import (
    as_settled,
    refuted,
    renamed_since,
    replaced_formulas,
    replaced_values,
    settled_since,
    taken_back,
    with_new_values,
    with_replacements,
)
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, request_turns, tells_nothing
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.ledger.files.paths import is_trial
from tamis.ledger.state import State
from tamis.ledger.tasks.todo_tools import written_list
from tamis.text.cues.courtesy import holds_value, refuses
from tamis.text.cues.discourse_cues import is_progress, points_back

LEAST_OLD = 12
"""A corrected text that is shorter may stand for something else elsewhere."""

AGAIN_CHARS = 90
LONG_CHARS = 200
"""A request that is made again is told in full where it was made last, and else by its beginning."""

TRIAL_CHARS = 230
"""Of what the agent tries out its beginning is told: the file is there to be read, what it printed is not."""

FEW_REQUESTS = 2
"""With no more, the agent works alone: what it did and saw tells more than what it says to itself."""

_OF_TRIALS = re.compile(
    r"\b(?:script|reproduc\w{1,6}|test (?:case|file|setup)|debug(?:ging)? (?:print|output|message)"
    r"|print statement|indentation|mock)",
    re.IGNORECASE,
)
_OF_THEN = re.compile(
    r"\b(?:currently|current (?:code|implementation|logic|behaviou?r|approach))\b", re.IGNORECASE
)
"""Says how the code is, which the agent may change later."""
_TICKED_OFF = re.compile(r"✅|☑|[-*] \[[xX]\] |\bDONE\b")
_PLACE = re.compile(r"(?<![\w.])[\w.-]{1,60}\.\w{1,8}(?=:\d)")
"""The file of a line that is named: `rows.py:7`."""

_NOTE = " (the call printed: "
_EMPTY = frozenset({"announces", "heading", "opens", "vague", "question", "code"})

_ASKS = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|but|also|then|well|now|hm+)\W{1,3}){0,4}(?:do|does|did|is|are|was|were|can|could|should"
    r"|would|will|what|which|why|how|when|where|who)\b",
    re.IGNORECASE,
)
"""Begins a question: what is answered first is the verdict."""

_LACKS_WORD = re.compile(
    r"\bI(?:['’]ll| will)?(?: also| just| first)? need (?:your|you to (?:tell|give|confirm))\b"
)
_SAYS_NOTHING = frozenset({"announces", "courtesy"})
_WORDS = re.compile(r"[^\s`'\"(),;:]+")


def settled(reading: StatementReader, root: str = "") -> list[Statement]:
    """The statements with what only the whole shows: which close a turn, and which files the agent made."""
    closing = _closing_turns(reading)
    last = reading.turns - 1
    is_talk = not any(map(_is_of_work, reading.statements))
    spoken = max((s.turn for s in reading.statements if _reports(s, is_talk=is_talk)), default=last)
    newest_asked = max((s.turn for s in reading.statements if s.kind == "asked"), default=-1)
    reports = closing | {spoken} if is_talk else closing
    printed = printed_by_many(reading.statements)
    made_files = [e.value for e in reading.state.files if e.value.born or e.value.status == "created"]
    born = {path for file in made_files for path in (file.path, file.renamed_from or file.path)}
    again = _asked_again(reading.statements)
    gone = turned_down(reading.statements) | overtaken(reading.statements)
    gone |= taken_back(reading.statements) | _outcome_told(closing, reading.statements)
    gone |= refuted(reading.statements) | renaming(reading.statements)
    values = replaced_values(reading.statements)
    since = settled_since(reading.statements)
    formulas = replaced_formulas(reading.statements)
    renamed = renamed_since(reading.statements)
    newest = next((s for s in reversed(reading.statements) if s.kind == "changed"), None)
    changed = {s.key.rpartition("/")[2]: s.turn for s in reading.statements if s.kind == "changed"}
    made: dict[int, Statement] = {}
    deed: Statement | None = None
    is_question = False
    replies: set[int] = set()
    retold: set[int] = set()
    refused = _refusals(reading.statements) if is_talk else set()
    edited: dict[str, int] = {}
    corrected = Corrections(reading.state)
    alone: set[str] = {"alone"} if len(request_turns(reading.statements)) <= FEW_REQUESTS else set()
    gone |= passed(reading.statements, last) if alone else set()
    stale = outdated(reading.statements) | (mended(reading.statements) if alone else set())
    claims = unproved(reading.statements)
    edits = (
        s for s in reading.statements if s.kind == "changed" and "source" in s.flags and s.key not in born
    )
    first_edit = next((s.turn for s in edits if alone), -1)
    # Until a file of the work is changed, what the agent tries out is all that there is.
    works = bool(alone) and any(
        s.kind == "changed" and s.key not in born and not is_trial(s.key) for s in reading.statements
    )
    for s in reading.statements:
        if id(s) in gone:
            continue
        kind, flags, text = s.kind, {*s.flags, *alone}, corrected(s)
        if s.kind == "asked" and s.turn in again:
            if s.turn in retold or {"boilerplate", "opens"} & flags:
                continue
            retold.add(s.turn)
            text, flags = f"{shortened(text, AGAIN_CHARS)} (the same as #{again[s.turn]})", {"first", "final"}
        if id(s) in since and not flags & {"heading", "question"}:
            before, is_told = since[id(s)]
            text = as_settled(text, before, is_told=is_told)
        if not text:
            continue
        if printed and kind == "changed" and _note_of(text) in printed:
            text = without_note(text)
        text += claims.get(id(s), "")
        if kind in ("said", "found") and s.turn in reports and "announces" not in flags:
            kind = "concluded"
        if "boilerplate" not in flags and s.turn in (last, spoken):
            flags.add("last")
        if kind == "changed" and s.key in born and (works or not alone or s is not newest):
            flags = (flags - {"source"}) | {"scratch"}
        if works and (is_trial(s.key) if kind == "changed" else kind in WORDS and _OF_TRIALS.search(text)):
            flags.add("trial")
        if alone and kind == "changed" and s.key in born and is_trial(s.key) and s is not newest:
            text = _of_trial(text)
        if id(s) in stale or (text.startswith("edited ") and ": " not in text and "outline" not in flags):
            flags.add("stale")
        if kind == "concluded" and "change" not in flags and "(before #" not in text:
            text = "\n".join(_dated(line, changed, s.turn) for line in text.split("\n"))
        if kind in WORDS and s.turn < first_edit and "\n" not in text and _OF_THEN.search(text):
            text += f" (before #{first_edit})"
        text += renamed.get(id(s), "")
        shown = "code" in flags and any({"opens", "prose"} <= {*lead.flags} for lead in s.leads)
        if kind == "concluded" and s.turn not in replies and (shown or not _EMPTY.intersection(flags)):
            replies.add(s.turn)
            flags |= {"reply", "verdict"} if is_question else {"reply"}
        if tells_nothing(s, text) and (s.kind != "asked" or s.turn < newest_asked):
            flags.add("vague")
        leads = tuple(made[id(n)] for n in s.leads if id(n) in made)
        if s.kind in DEEDS or s.kind == "asked":
            deed = s
            is_question = _ASKS.match(text) is not None if s.kind == "asked" else is_question
        elif kind in WORDS and not s.leads and deed and deed.kind != "asked" and points_back(text):
            if _note_of(deed.text) in printed:
                continue  # it is of what every edit printed
            if deed.kind != "changed" or _note_of(deed.text):  # else the run that it is of is not told
                leads, flags = ((made[id(deed)],), flags) if id(deed) in made else (leads, flags | {"stale"})
        if kind == "ran" and "reads" in flags and _looks_at(text, edited, s.turn):
            flags.add("review")
        if kind == "changed" and "source" in flags:
            edited[s.key.rpartition("/")[2]] = s.turn
        if kind == "asked" and _TICKED_OFF.search(text):
            flags.add("stale")
        if kind == "asked" and corrected.tells_fact(text):
            flags.add("fact")
        if is_talk and (kind in WORDS or kind == "asked") and holds_value(text):
            flags.add("value")
        if is_talk and kind in WORDS and "question" in flags and s.turn < newest_asked:
            flags.add("stale")  # it was answered
        if is_talk and kind in WORDS and s.turn < newest_asked and _LACKS_WORD.search(text):
            continue  # it was given
        if id(s) in refused:
            flags |= {"last", "value"}
        if root and kind != "asked":
            head, colon, hunk = text.partition(": ") if kind == "changed" else (text, "", "")
            text = _told_from(root, head) + colon + _told_from(root, hunk)
        if formulas and kind in WORDS:
            text = with_replacements(text, s.turn, formulas)
        if values and kind in WORDS:
            text = with_new_values(replace(s, text=text), values)
        passes = kind in WORDS and s.turn != last and not flags & {"item", "opens"}
        if passes and (_SAYS_NOTHING & flags or is_progress(text)):
            continue  # what it announced, or waited for, was done, or stands with what was not
        new = s
        if (kind, text, leads) != (s.kind, s.text, s.leads) or flags != {*s.flags}:
            new = replace(s, kind=kind, text=text, flags=tuple(sorted(flags)), leads=leads)
        made[id(s)] = new
    return with_referents(list(made.values()))


def _of_trial(text: str) -> str:
    """The change of a file that is only there to try something out, shortened to what it begins to put in.

    >>> _of_trial("edited t.py: removed `a` ; put in `b`")
    'edited t.py: removed `a` ; put in `b`'
    """
    head, _, hunk = text.partition(": ")
    put_in = hunk.partition(" ; put in ")[2].strip("`")
    return text if len(text) <= TRIAL_CHARS else shortened(f"{head}: {put_in or hunk}", TRIAL_CHARS)


def _dated(line: str, changed: Mapping[str, int], turn: int) -> str:
    """A line with a note, where a file of the places that it names was changed since."""
    later = any(changed.get(name, -1) > turn for name in _PLACE.findall(line))
    return f"{line} (changed since)" if later else line


def _outcome_told(closing: Set[int], statements: Sequence[Statement]) -> set[int]:
    """What the agent thought where it changed something and told in the end what it had done."""
    gone: set[int] = set()
    thoughts: list[int] = []
    told = changed = False
    for s in reversed(statements):
        if s.kind == "asked":
            thoughts, told, changed = [], False, False
        told = told or s.turn in closing
        changed = changed or s.kind in ("changed", "committed")
        thoughts += [id(s)] if told and s.kind == "thought" else []
        if told and changed:
            gone.update(thoughts)
            thoughts = []
    return gone


def _refusals(statements: Sequence[Statement]) -> set[int]:
    """What the agent last refused in each turn of the user's: what came of a request, as much as a deed."""
    found: dict[int, int] = {}
    asked = -1
    for s in statements:
        if s.kind == "asked":
            asked = s.turn
        elif s.kind in ("said", "found") and "\n" not in s.text and refuses(s.text):
            found[asked] = id(s)
    return set(found.values())


def _asked_again(statements: Sequence[Statement]) -> dict[int, int]:
    """The turns of long requests that the user made again in the same words, and where last."""
    asked: dict[int, list[str]] = {}
    for s in statements:
        if s.kind == "asked" and "retold" not in s.flags:
            asked.setdefault(s.turn, []).append(s.text)
    last = {"\n".join(texts): turn for turn, texts in asked.items()}
    words = {turn: "\n".join(texts) for turn, texts in asked.items()}
    return {turn: last[text] for turn, text in words.items() if len(text) > LONG_CHARS and last[text] > turn}


def _told_from(root: str, text: str) -> str:
    """A text with its paths told from a folder; as it is where two of them would become one.

    >>> _told_from("/repo", "cp /repo/.env .env; cat /repo/a.md"), _told_from("/repo", "cat /repo/a.md")
    ('cp /repo/.env .env; cat /repo/a.md', 'cat a.md')
    """
    told = text.replace(root + "/", "")
    return text if len({*_WORDS.findall(told)}) < len({*_WORDS.findall(text)}) else told


def _is_of_work(statement: Statement) -> bool:
    """Whether a statement tells of work on files, as against talk and looking things up."""
    if statement.kind in ("ran", "failed"):
        return bool(statement.key) and "record" not in statement.flags
    return statement.kind in ("changed", "committed", "tested")


def _reports(statement: Statement, *, is_talk: bool) -> bool:
    """Whether the agent says something; in a talk, something that the rest of it may need."""
    return statement.kind in ("said", "found") and (not is_talk or holds_value(statement.text))


def printed_by_many(statements: Sequence[Statement]) -> dict[str, int]:
    """What several changes printed without being stopped by it, with how many did."""
    notes = Counter(_note_of(s.text) for s in statements if s.kind == "changed")
    return {note: many for note, many in notes.items() if note and many > 1}


def without_note(text: str) -> str:
    """A change without what its call printed."""
    return text.partition(_NOTE)[0] if _note_of(text) else text


def _note_of(text: str) -> str:
    """What the call of a change printed; empty where it is not told."""
    return text.partition(_NOTE)[2][:-1] if text.endswith(")") else ""


class Corrections:
    """What the user corrected: the old words stand nowhere any more."""

    def __init__(self, state: State) -> None:
        olds = [e.value.old.split() for e in state.corrections]
        self._old = [
            (max(old, key=len), re.compile(r"\s+".join(map(re.escape, old))))
            for old in olds
            if len(" ".join(old)) >= LEAST_OLD
        ]
        facts = [*(e.value.text for e in state.facts), *(e.value.text for e in state.entities)]
        self._facts = [" ".join(text.split()) for text in facts if text]

    def __call__(self, statement: Statement) -> str:
        """The statement's text without what was corrected since."""
        text = statement.text
        for word, old in self._old:
            if word in text and old.search(text):
                text = old.sub("", text).strip()
                text = (
                    text if re.search(r"[^\W\d]", text.removeprefix("(reported)")) else ""
                )  # the mark of a list item
        return text

    def tells_fact(self, text: str) -> bool:
        """Whether a text holds a fact that stands."""
        told = " ".join(text.split())
        return any(map(told.__contains__, self._facts))


def _looks_at(text: str, edited: Mapping[str, int], turn: int) -> bool:
    """Whether a deed looks at a file of the work behind a change of it: what it shows is how things are."""
    words = text.partition(" → ")[0]
    return "git diff" in words or any(name in words and at < turn for name, at in edited.items())


def _closing_turns(reading: StatementReader) -> set[int]:
    """Of each turn of the user's, the last message in which the agent says something.

    In the newest it may say so in the midst of its work, before a call: that closes nothing. A list of tasks
    that it ticks off is no work.
    """
    spoken = sorted({s.turn for s in reading.statements if s.kind in ("said", "found")})
    asked = request_turns(reading.statements)
    closing = set()
    for start, end in zip([-1, *asked], [*asked, reading.turns], strict=True):
        within = [turn for turn in spoken if start < turn < end]
        works = (o.turn for o in reading.last_calls if written_list(o.call) is None)
        called = max(works, default=-1)
        if within and not (end == reading.turns and called >= within[-1]):
            closing.add(within[-1])
    return closing
