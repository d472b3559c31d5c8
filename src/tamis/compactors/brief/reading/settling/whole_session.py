"""What only the whole session shows of its statements, gathered before each of them is settled."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from tamis.compactors.brief.reading.deeds.call_text import BREAK, JOINT
from tamis.compactors.brief.reading.edits.announced_edits import announced_edits
from tamis.compactors.brief.reading.edits.file_deeds import PRINTED
from tamis.compactors.brief.reading.edits.renames import renaming
from tamis.compactors.brief.reading.edits.seen_files import LEAST_TEXT
from tamis.compactors.brief.reading.pending_calls import unheard
from tamis.compactors.brief.reading.settling.dead_ends import (
    dead_ends,
    fails,
    flawed,
    given_up,
    reasons,
    refuted,
    tried,
)
from tamis.compactors.brief.reading.settling.disproved import told_anew
from tamis.compactors.brief.reading.settling.installed import NOT_THERE
from tamis.compactors.brief.reading.settling.listed_faults import listed_faults
from tamis.compactors.brief.reading.settling.overtaken import (
    deleted_since,
    mended,
    outdated,
    overtaken,
    passed,
)
from tamis.compactors.brief.reading.settling.proofs import unproved, wanted
from tamis.compactors.brief.reading.settling.put_right import (
    checked_since,
    misdirected,
    progress,
    put_right,
    renumbered,
)
from tamis.compactors.brief.reading.settling.reversals import agreed_and_done, newest_formulas, taken_back
from tamis.compactors.brief.reading.speech.plans import superseded_by_plan
from tamis.compactors.brief.reading.speech.rejections import broken_off, turned_down
from tamis.compactors.brief.reading.speech.utterances import CODE_LINES
from tamis.compactors.brief.reading.statement import DEEDS, Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.reading.talks import is_of_work
from tamis.ledger.files.paths import is_aside, is_temporary, is_trial
from tamis.ledger.tasks.todo_tools import written_list
from tamis.text.cues.courtesy import holds_value, refuses
from tamis.text.terms import terms_of

FEW_REQUESTS = 2
"""With no more, the agent works alone: what it did and saw tells more than what it says to itself."""

SAID_AGAIN = 0.75
"""With so much of its words in what is said behind it, the message of a commit is told by its title."""

FULL_ANSWER = 4
"""Sentences with which the agent tells what its thoughts came to."""

_COMMAND = re.compile(r"/[a-z][\w:.-]{0,60} \S")
_SPOKEN = frozenset({"said", "found"})
_QUOTED = re.compile(r"(?<=['`])\w{4,60}(?=['`])")
_NOTE = f" {PRINTED}"
_PUT_IN = re.compile(r"(?:`([^`]+)` →|added) `([^`]+)`")


class WholeSession:
    """What a session shows as a whole: how it is worked in, what no longer holds, and since when."""

    def __init__(self, reading: StatementReader) -> None:
        statements = reading.statements
        self.last = reading.turns - 1
        self.is_talk = not any(map(is_of_work, statements))
        self.is_alone = len(request_turns(statements)) <= FEW_REQUESTS
        self.newest_asked = max((s.turn for s in statements if s.kind == "asked"), default=-1)
        self.refused = _refusals(statements) if self.is_talk else set()
        self.forms = _of_forms(statements)
        self._take_changes(reading)
        self._take_reports(reading)
        self._take_replaced(statements)
        open_calls = reading.open_calls.values()
        self.since |= unheard(statements, open_calls, reading.cwd, reading.turns - 2)

    def _take_changes(self, reading: StatementReader) -> None:
        """Which files the session made (`born`), and what it edited."""
        made = [e.value for e in reading.state.files if e.value.born or e.value.status == "created"]
        self.born = {path for file in made for path in (file.path, file.renamed_from or file.path)}
        changes = [s for s in reading.statements if s.kind == "changed"]
        self.newest = changes[-1] if changes else None
        self.announced = announced_edits(reading.statements)
        self.printed = printed_by_many(changes)
        self._take_places(reading)
        own = [s for s in changes if self.is_alone and s.key not in self.born]
        self.final = {s.key: id(s) for s in changes if ": " in s.text}
        # Until a file of the work is changed, what the agent tries out is all that there is.
        self.works = not all(is_trial(s.key) for s in own)

    def _take_places(self, reading: StatementReader) -> None:
        """What edits of one place came to (`net`, by the last), the next of each (`steps`; `then`, all)."""
        known = reading.files.own.items() if self.is_alone else ()
        edits = [(path, e) for path, own in known for e in own if len(e.turns | e.passed) > 1]
        many = Counter((path, turn) for path, e in edits for turn in e.turns)
        edits = [(path, e) for path, e in edits if all(many[path, turn] == 1 for turn in e.turns)]
        turns = [(path, e.turns, sorted(e.turns | e.passed)) for path, e in edits]
        self.then = {(path, a): b for path, own, every in turns for a, b in pairwise(every) if a in own}
        edits = [(path, e) for path, e in edits if path not in self.born and len(e.turns) > 1]
        self.net = {(path, max(e.turns)): e for path, e in edits}
        self.steps = {(path, a): b for path, e in edits for a, b in pairwise(sorted(e.turns))}

    def _take_reports(self, reading: StatementReader) -> None:
        """In which turns the agent reports (`spoken` is the last), and what is gone, as that tells it."""
        statements = reading.statements
        closing = _closing_turns(reading)
        said = (s.turn for s in statements if _reports(s, is_talk=self.is_talk))
        self.spoken = max(said, default=self.last)
        self.reports = closing | {self.spoken} if self.is_talk else closing
        late = overtaken(statements, self.born) - _seen_since(reading)
        self._take_dead_ends(statements, late)
        late -= self.dead.keys() | self.tried.keys()
        self.gone = turned_down(statements) | late | taken_back(statements)
        self.gone |= _outcome_told(closing, statements, is_alone=self.is_alone) | renaming(statements)
        made = (p for p in _by_request(statements) if any(s.kind == "changed" for s in p))
        shown = (s for p in made for s in p if s.turn in closing and {s.kind, "code"} <= {*_SPOKEN, *s.flags})
        shown = (s for s in shown if re.search(r"\w", s.text.partition("\n")[0]))  # a brace tells nothing
        self.samples = {id(s) for s in shown if s.text.count("\n") >= CODE_LINES}
        self.gone |= _left_nothing(reading) | (flawed(statements) if self.is_alone else set())
        self.gone |= passed(statements, self.last) - self.reasons.keys() if self.is_alone else set()

    def _take_dead_ends(self, statements: Sequence[Statement], late: Set[int]) -> None:
        """What an agent that works alone tried in vain: a later attempt overtook it, or changed it again."""
        faults = flawed(statements)
        own = [s for s in statements if id(s) not in faults] if self.is_alone else []
        self.dead = dead_ends(own, late)
        gone = late - self.dead.keys()
        supposed, in_vain = refuted(own)
        again, further = tried(own), outdated(own)
        concluded = reasons(own)
        unnamed = (s for s in own if {"guess", "named"} & {*s.flags} == {"guess"})
        spoke = max((s.turn for s in own if s.kind in _SPOKEN), default=-1)
        # At what is not told, or on the way: what it led to is told.
        guesses = (id(s) for s in unnamed if id(concluded.get(id(s))) in gone or s.turn < spoke)
        late |= (supposed := supposed | given_up(own, again) | {*guesses})
        self.reasons = {n: run for n, run in concluded.items() if not {id(run), n} & (gone | supposed)}
        well = {s.key: s.turn for s in own if s.kind in ("ran", "tested") and not fails(s)}
        amid = [s for s in own for e in self.net.values() if min(e.turns) < s.turn < max(e.turns)]
        self.since = {id(s): f"gone at #{well[s.key]}" for s in amid if id(s) in self.dead and s.key in well}
        vain = [s for s in own if id(s) in again.keys() & late and ": added " in s.text]
        told = [(s, name) for s in own if id(s) in self.reasons for name in _QUOTED.findall(s.text)]
        held = {id(s) for s, name in told if any(name in e.text and e.turn < s.turn for e in vain)}
        self.since |= dict.fromkeys(held, "not there now")
        self.since |= {n: f"the fault still stood, #{at}" for n, at in in_vain.items() if n not in late}
        then = {id(s): self.then.get((s.key, s.turn)) for s in statements if s.kind == "changed"}
        further |= {n for n, turn in then.items() if turn}
        self.tried = {n: f"the file edited again, #{turn}" for n, turn in again.items() if n in further}
        new = {id(s) for s in statements if s.key in self.born}
        self.tried |= {n: f"edited again, #{at}" for n, at in then.items() if at and n not in late | new}
        self.tried |= {n: "not there now" for n in again if n in late}
        self.bygone = {(s.key, s.turn) for s in statements if s.kind == "changed" and id(s) in self.tried}

    def _take_replaced(self, statements: Sequence[Statement]) -> None:
        """What no longer holds as it was told, and what holds instead."""
        self.stale = outdated(statements) | (mended(statements) if self.is_alone else set())
        self.stale -= self.reasons.keys() | self.tried.keys()
        self.stale |= {id(s) for s in statements if s.kind == "changed" and (s.key, s.turn) in self.steps}
        tested = max((s.turn for s in statements if s.kind == "tested"), default=-1)
        failed = (s for s in statements if s.kind == "failed" and s.turn < tested)
        self.stale |= {id(s) for s in failed if NOT_THERE.search(s.text)}  # it was tested otherwise
        self.claims = unproved(statements) | broken_off(statements)
        self.wanted = wanted(statements)
        self.mistakes, self.planned = misdirected(statements)
        self.listed = listed_faults(statements)
        self.since |= deleted_since(statements)
        self.renumbered = renumbered(statements)
        over = {
            id(s)
            for s in (*put_right(statements, self.born), *progress(statements), *checked_since(statements))
        }
        over |= {id(s) for s in superseded_by_plan(statements)}
        over |= {*map(id, self.wanted.values())}
        self.gone = (self.gone | over) - self.planned
        anew = [*told_anew([s for s in statements if s.kind in _SPOKEN])]
        self.gone |= {id(old) for old, _ in anew}
        self.anew = {id(new) for _, new in anew}
        self.formulas = newest_formulas(statements)
        self.summed_up = {*_summed_up(statements)}
        self.agreed = agreed_and_done(statements)


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


def _outcome_told(closing: Set[int], statements: Sequence[Statement], *, is_alone: bool) -> set[int]:
    """What the agent thought for a request where it changed something, or answered at length; its guesses."""
    gone: set[int] = set()
    for part in _by_request(statements):
        told = [s.turn for s in part if s.turn in closing and s.kind in _SPOKEN]
        if told and (len(told) >= FULL_ANSWER or any(s.kind in ("changed", "committed") for s in part)):
            gone |= {id(s) for s in part if s.kind == "thought"}
        before = [s for s in part if told and s.turn < told[0] and s.kind in _SPOKEN]
        gone |= {id(s) for s in before if "guess" in s.flags and not is_alone}  # what it came to is told
        if len(told) >= FULL_ANSWER:
            terms = {term for s in part if s.turn in closing for term in terms_of(s.text)}
            acted = max((s.turn for s in part if s.kind in DEEDS and "reads" not in s.flags), default=-1)
            looks = {s.turn for s in part if s.kind in DEEDS and s.turn > acted}
            found = (s for s in before if s.turn in looks and "prose" in s.flags and "`" in s.text)
            own = ((s, {*terms_of(s.text)}) for s in found)
            gone |= {id(s) for s, said in own if 5 * len(said & terms) >= 2 * len(said)}
    return gone


def _by_request(statements: Sequence[Statement]) -> Sequence[Sequence[Statement]]:
    parts: list[list[Statement]] = [[]]
    for s in statements:
        parts += [[]] if s.kind == "asked" and "answer" not in s.flags else []
        parts[-1].append(s)
    return parts


def _summed_up(statements: Sequence[Statement]) -> Iterator[int]:
    """Commits of which what their message says below its title is said again behind them."""
    for part in _by_request(statements):
        said: set[str] = set()
        for s in reversed(part):
            said.update(terms_of(s.text) if s.kind in _SPOKEN else ())
            body = {*terms_of(s.text.partition(BREAK)[2])} if s.kind == "committed" else set()
            if body and len(body & said) >= SAID_AGAIN * len(body):
                yield id(s)


def _seen_since(reading: StatementReader) -> set[int]:
    """The newest edits that put in what was printed behind the last change of the file: it stands there."""
    edits = [s for s in reading.statements if s.kind == "changed" and "outline" not in s.flags]
    last = {s.key: s.turn for s in reading.statements if s.kind == "changed"}
    seen: set[int] = set()
    put_in: dict[str, set[str]] = {}
    for s in reversed(edits):
        pairs = [(JOINT.split(old), JOINT.split(new)) for old, new in _PUT_IN.findall(s.text)]
        new = {line.strip() for old, after in pairs for line in after if line not in old}
        since = put_in.setdefault(s.key, set())
        code = {line for line in new if not any(text in line for text in since)}
        told = (line for line in code if len(line) >= LEAST_TEXT)
        seen |= {id(s)} if any(reading.files.printed.get(line, -1) > last[s.key] for line in told) else set()
        since |= new - {""}
    return seen


def _left_nothing(reading: StatementReader) -> set[int]:
    """Deletions by the call that made it, of backups and the like, and under /tmp of what no call made."""
    own = {
        e.value.path
        for e in reading.state.files
        if e.value.status == "deleted" and (e.value.born or is_temporary(e.value.path))
        if e.first_turn == e.last_turn or (e.value.born and is_aside(e.value.path))
    }
    deeds = (s for s in reading.statements if s.kind == "changed" and s.key in own)
    return {id(s) for s in deeds if s.text.startswith("deleted ")}


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


def _of_forms(statements: Sequence[Statement]) -> set[int]:
    """What need not be told of the text that a command stands for, once a newer request follows.

    It stands right behind the command, or is made again in the same words: of that the first sentence stays.
    """
    own = [s for s in statements if s.kind == "asked" and "retold" not in s.flags]
    words: dict[int, str] = {}
    for s in own:
        words[s.turn] = f"{words.get(s.turn, '')}\n{s.text}"
    many = Counter(words.values())
    behind = {s.turn + 1 for s in own if _COMMAND.match(s.text)}
    newest = max(words, default=-1)
    steps = (s for s in own if many[words[s.turn]] > 1 and not {"first", "whole"} & {*s.flags})
    return {id(s) for s in (*steps, *(s for s in own if s.turn in behind)) if s.turn < newest}


def _reports(statement: Statement, *, is_talk: bool) -> bool:
    """Whether the agent says something; in a talk, something that the rest of it may need."""
    return statement.kind in ("said", "found") and (not is_talk or holds_value(statement.text))


def printed_by_many(statements: Sequence[Statement]) -> dict[str, int]:
    """What several changes printed without being stopped by it, with how many did."""
    notes = Counter(note_of(s.text) for s in statements if s.kind == "changed")
    return {note: many for note, many in notes.items() if note and many > 1}


def without_note(text: str) -> str:
    """A change without what its call printed."""
    return text.partition(_NOTE)[0] if note_of(text) else text


def note_of(text: str) -> str:
    """What the call of a change printed; empty where it is not told."""
    return text.partition(_NOTE)[2][:-1] if text.endswith(")") else ""
