"""What only the whole session shows of its statements: which close a turn, and which no longer hold.

What the user took back goes, with the answer to it; so does what was corrected, the run that a later one of
the same command overtakes, the change that a later change takes out again, and what was only announced.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.reading.deeds.call_text import BREAK, shortened
from tamis.compactors.brief.reading.deeds.taken_up import leans_on_deed
from tamis.compactors.brief.reading.edits.net_words import labelled, of_all, of_trial
from tamis.compactors.brief.reading.edits.twins import twins_together
from tamis.compactors.brief.reading.settling.corrected import Corrections
from tamis.compactors.brief.reading.settling.disproved import RULES_OUT
from tamis.compactors.brief.reading.settling.listed_faults import with_notes
from tamis.compactors.brief.reading.settling.proofs import noted
from tamis.compactors.brief.reading.settling.put_right import without_lines
from tamis.compactors.brief.reading.settling.reversals import without_forecasts, without_replaced
from tamis.compactors.brief.reading.settling.told_paths import told_from
from tamis.compactors.brief.reading.settling.whole_session import WholeSession, note_of, without_note
from tamis.compactors.brief.reading.speech.pieces import ABOUT_IT
from tamis.compactors.brief.reading.speech.referents import with_referents
from tamis.compactors.brief.reading.statement import (
    DEEDS,
    STOPPED,
    WORDS,
    Statement,
    StatementKind,
    tells_nothing,
)
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.ledger.files.paths import is_trial
from tamis.text.cues.courtesy import holds_value, is_small_talk
from tamis.text.cues.discourse_cues import is_announcement, is_progress, points_back

RUN_CHARS, SHORT_CHARS = 60, 60
NEXT = 3
"""Messages from a run to what is said of it, where nothing was done in between."""

_STILL = re.compile(r"\bstill (?:imported|needed|required|there|used)\b")
"""Says that there is nothing to do about something."""

_OF_TRIALS = re.compile(
    r"\b(?:script|reproduc\w{1,6}|test (?:case|file|setup)|debug(?:ging)? (?:print|output|message)"
    r"|print statement|indentation|mock)",
    re.IGNORECASE,
)

_TICKED_OFF = re.compile(r"✅|☑|[-*] \[[xX]\] |\bDONE\b")

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
_WONDERS = ({"alone", "question"}, {"item"})  # a thought asks itself, or counts up what leads it on
_SUMS_UP = re.compile(
    r"(?:now,? )?(?:let['’]?s|let me|let us|here(?:['’]s| is)(?: an?| the)?) (?:\w{1,12} )?"
    r"(?:address|go over|recap|review|summar(?:y|i[sz]e)|overview)\b[^`\n]{0,80}:\Z",
    re.IGNORECASE,
)
"""Opens a list and says nothing of it."""
_SEEKS = re.compile(
    r"\W{0,3}lines? \d|(?:so |but |now )?look(?:ing)? at\b[^,;:]{1,110}\Z|that(?:'s| is) not right\b"
    r"|(?:but |hmm,? |oh,? )?wait[,.!]|actually,? (?:no\b|i (?:think i )?need\b)|i (?:think i )?need to\b"
    r"|(?:i|we)(?:'ve| have)? (?:now |also |successfully )?(?:found|opened|located|created)\b[^,;:]{1,110}\Z"
    r"|(?:it|this|that|the (?:one|main|file|method|class|function|`)[^,;:]{0,70}?)"
    r"(?:'s| is| (?:sh|c|w)ould be| might be) (?:likely|probably|named|called|located)\b[^,;:]{0,110}\Z"
    r"|now that\b[^,]{0,110}, (?:we|i|let)\b"
    r"|(?:(?:ah|oh|oops)[,!.]? |it (?:seems|looks like|appears)(?: that| like)? )"
    r"(?:we|i) (?:also |still |now )?need to\b"
    r"|(?:this|that) (?:should|will|would|might) (?:help|allow|give|let|address|resolve|fix|ensure)\b"
    r"[^;:]{0,160}\Z"
    r"|(?:we|i)(?:'ll| will) (?:now |also |then |need to )?(?:create|update|modify|write|name|edit|check|test"
    r"|call|look|search|use|focus|adjust|import|include|define|do)\b"
    r"|[^;:]{1,110}, so (?:we|i)(?:'ll| will| can) (?:run|try|use)\b[^;:]{0,160}\Z",
    re.IGNORECASE,
)
"""Says where the agent looks, what it hopes of a change or is about to write: its deeds tell more."""
_OF_IT = re.compile(r"(?:its?|they|th(?:is|at|en|[eo]se))\b(?! (?:\w+ )?(?:seem|look|appear|turn)s?\b)", re.I)
_THE = re.compile(r"[^`\n]{0,80}\bthe (?:class|function|method)\b(?! (?:`|\w{1,60}[(._]))", re.IGNORECASE)
_HERE = re.compile(r"(?:\A[^`]*|\bin )\bthis (?:class|file|function|method|module)\b(?!.*\w\.\w)")


def settled(reading: StatementReader, root: str = "") -> list[Statement]:
    """The statements with what only the whole shows: which close a turn, and which files the agent made."""
    settling = _Settling(reading, root)
    for s in reading.statements:
        if id(s) not in settling.session.gone:
            settling.take(s)
        elif s.kind in DEEDS:
            settling.deed = s
    return twins_together(with_referents(list(settling.made.values())))


@dataclass(slots=True)
class _Draft:
    """A statement in the making: what of it is told, and the statement as it was read."""

    read: Statement
    kind: StatementKind
    text: str
    flags: set[str]
    leads: tuple[Statement, ...] = ()

    @property
    def in_words(self) -> bool:
        return self.kind in WORDS

    def statement(self) -> Statement:
        """The finished statement; the one that was read where nothing of it is told otherwise."""
        s = self.read
        if (self.kind, self.text, self.leads) == (s.kind, s.text, s.leads) and self.flags == {*s.flags}:
            return s
        flags = tuple(sorted(self.flags))
        return replace(s, kind=self.kind, text=self.text, flags=flags, leads=self.leads)


class _Settling:
    """Goes through the statements in their order and settles each: its text, kind, flags and leads.

    A step that answers False leaves the statement out.
    """

    def __init__(self, reading: StatementReader, root: str) -> None:
        self.session = WholeSession(reading)
        self.made: dict[int, Statement] = {}  # by the statement that was read
        self._root = root
        self._corrected = Corrections(reading.state, talks=reading.reader.talks)
        self.deed: Statement | None = None  # the last deed or request
        self._is_question = False  # whether the last request asks something
        self._replies: set[int] = set()  # the turns whose reply is found

    def take(self, s: Statement) -> None:
        """Settle one and keep it in `made`, unless it is left out."""
        flags = {*s.flags, "alone"} if self.session.is_alone else {*s.flags}
        draft = _Draft(s, s.kind, self._corrected(s), flags)
        if not self._reword(draft):
            return
        self._rank(draft)
        self._mark_trial(draft)
        self._date(draft)
        self._mark_reply(draft)
        if not self._lean(draft):
            return
        if "idle" in draft.flags:
            return  # a look that led nowhere
        if draft.kind == "asked":
            self._mark_request(draft)
        if self.session.is_talk and not self._mark_talk(draft):
            return
        self._replace_old(draft)
        if draft.text and not self._passes(draft):
            self.made[id(s)] = draft.statement()

    def _reword(self, draft: _Draft) -> bool:
        """Tell no request that is made again, what was settled since so, and no needless note."""
        s, session = draft.read, self.session
        if draft.text != s.text and is_small_talk(draft.text):
            return False  # what it was said beside was taken back
        if id(s) in session.forms:
            return False
        if id(s) in session.agreed and not draft.flags & {"heading", "question"}:
            draft.text = without_forecasts(draft.text)
        if session.renumbered and draft.in_words:
            draft.text = without_lines(draft.text, s.turn, session.renumbered)
        names_only = "outline" in draft.flags and s.key in session.born and draft.text.startswith("edited ")
        is_step = "outline" in draft.flags and (s.key, s.turn) in session.steps.keys() | session.bygone
        if not draft.text or is_step or (names_only and is_trial(s.key)):
            return False
        first, _, rest = draft.text.partition("\n")
        if draft.in_words and _SUMS_UP.match(first):
            draft.text = rest
            if not rest:
                return False
        if draft.kind == "changed" and (edits := session.net.get((s.key, s.turn))):
            draft.text = of_all(draft.text, s.key, edits, in_short="outline" in draft.flags)
        if words := session.announced.get(id(s)):
            head = draft.text.partition(": ")[0]
            draft.text = f'{head.partition(" (")[0]}: "{words}" (in the agent\'s words)'
        if draft.kind == "changed" and note_of(draft.text) in session.printed:
            draft.text = without_note(draft.text)
        draft.text = noted(draft.text, session.claims.get(id(s), ""))
        draft.text = draft.text.partition(BREAK)[0] if id(s) in session.summed_up else draft.text
        if id(s) in session.samples:
            draft.text = first + " …"
            return not first.endswith(("(", "["))  # half a call is no sample
        return True

    def _rank(self, draft: _Draft) -> None:
        """What the agent says where it reports is what it concluded; the last that is said is marked."""
        turn, session = draft.read.turn, self.session
        if draft.kind in ("said", "found") and turn in session.reports and "announces" not in draft.flags:
            draft.kind = "concluded"
        unsure = turn in session.reports or "guess" in draft.flags
        led_up = draft.kind == "thought" and unsure  # to what it says there, or will
        if "boilerplate" not in draft.flags and turn in (session.last, session.spoken) and not led_up:
            draft.flags.add("last")
        if id(draft.read) in session.planned:
            draft.flags = draft.flags - {"announces"} | {"last"}  # nothing was done of it
        if id(draft.read) in session.anew:
            draft.flags.add("last")  # what was said before of the same things is not told

    def _mark_trial(self, draft: _Draft) -> None:
        """Mark what the agent only tries out, and tell of it less."""
        s, session = draft.read, self.session
        is_change, is_newest = draft.kind == "changed", s is session.newest
        of_born = is_change and s.key in session.born
        if of_born and (session.works or not session.is_alone or not is_newest):
            draft.flags = (draft.flags - {"source"}) | {"scratch"}
        if session.works and (
            is_trial(s.key) if is_change else draft.in_words and _OF_TRIALS.search(draft.text)
        ):
            draft.flags.add("trial")
        if session.is_alone and of_born and is_trial(s.key) and not is_newest:
            wrote = s.text.startswith("wrote ")  # its run tells what it is for, and how an attempt went
            is_last = session.final.get(s.key) == id(s)
            draft.text = of_trial(draft.text) if is_last and not wrote else ""
            draft.flags |= {"vague"} if draft.text == f"edited {s.key}" else set()

    def _date(self, draft: _Draft) -> None:
        """Say of what was true once that it was, and since when it is no more."""
        s, session = draft.read, self.session
        if not draft.text:
            return
        names_only = draft.text.startswith("edited ") and ": " not in draft.text
        if id(s) in session.dead:
            draft.flags.add("dead")
            draft.text += f" ({session.dead[id(s)]} times so far)" * (session.dead[id(s)] > 1)
        if id(s) in session.listed:
            draft.text = with_notes(draft.text, session.listed[id(s)])
        if id(s) in session.since:
            draft.text += f" ({session.since[id(s)]})"
        if s.kind in ("ran", "tested", "failed") and (said := session.wanted.get((s.turn, s.place))):
            draft.text += f" = {said.text}"
        if id(s) in session.mistakes:
            draft.text = labelled(draft.text, session.mistakes[id(s)])
        if id(s) in session.tried:
            if (s.key, s.turn) in session.steps and "again" in session.tried[id(s)]:  # the last tells of it
                draft.text, draft.flags = draft.text.partition(": ")[0], draft.flags | {"vague"}
            is_slight = id(s) in session.stale or s.key in session.born
            draft.flags |= {"tried", "slight"} if is_slight else {"tried"}
            draft.text += f" ({session.tried[id(s)]})" * (" edited again, #" not in draft.text)
        if id(s) in session.stale or (names_only and "outline" not in draft.flags):
            draft.flags.add("stale")

    def _mark_reply(self, draft: _Draft) -> None:
        """Mark the first telling conclusion of a turn, and what tells nothing."""
        s, flags = draft.read, draft.flags
        shown = "code" in flags and any({"opens", "prose"} <= {*lead.flags} for lead in s.leads)
        is_empty = not shown and not _EMPTY.isdisjoint(flags)
        says_done = s.key == "0" and len(flags & {"change", "found", "state"}) > 1 and "prose" in flags
        is_first = draft.kind == "concluded" and s.turn not in self._replies
        if is_first and (not is_empty or (says_done and flags & _EMPTY == {"vague"})):
            self._replies |= set() if is_empty else {s.turn}  # what was done is told with what tells of it
            flags |= {"reply", "verdict"} if self._is_question else {"reply"}
        if tells_nothing(s, draft.text) and (s.kind != "asked" or s.turn < self.session.newest_asked):
            flags.add("vague")

    def _lean(self, draft: _Draft) -> bool:
        """Find what a statement leans on: what it was read with, or the deed that it points back to."""
        s, deed = draft.read, self.deed
        draft.leads = tuple(dict.fromkeys(self._kept(s.leads)))
        is_sure = draft.flags & {"named", "guess"} == {"named"} or "announces" in draft.flags
        is_unnamed = _HERE.search(draft.text) or (not is_sure and _THE.match(draft.text))
        is_lost = draft.in_words and s.leads and not draft.leads
        of_named = _OF_IT.match(draft.text) or ABOUT_IT.match(draft.text)
        if is_lost and (is_unnamed or of_named):  # what it goes back to is not told
            return RULES_OUT.search(draft.text) is not None
        if s.kind in DEEDS or s.kind == "asked":
            self.deed = s
            self._is_question = (
                _ASKS.match(draft.text) is not None if s.kind == "asked" else self._is_question
            )
            return True
        proposed = (id(lead) in self.session.agreed and id(lead) not in self.made for lead in s.leads)
        if {"question", "heading"} & draft.flags != {"question"} and any(proposed):
            return False  # it is done, and with it goes what was said of it
        if run := self.made.get(id(self.session.reasons.get(id(s)))):
            draft.flags = (draft.flags - {"guess"}) | {"why"}
            draft.leads = draft.leads or (run,)
            return True
        if not draft.in_words or s.leads or not deed or deed.kind == "asked":
            return True
        if "confirms" in draft.flags and len(draft.text) <= SHORT_CHARS and _STILL.search(draft.text):
            return False
        if "confirms" in draft.flags and {"idle", "reads"} & {*deed.flags}:
            draft.flags.add("slight")  # all is as it should be
        if draft.kind != "concluded" and is_unnamed:
            return False  # which one, the call before shows
        if not leans_on_deed(s, draft.text) and not (s.key == "0" and _OF_IT.match(draft.text)):
            return True
        note = note_of(deed.text)
        if note in self.session.printed:
            return False  # it is of what every edit printed
        if id(deed) in self.made and (deed.kind != "changed" or note):
            draft.leads = (self.made[id(deed)],)
        elif deed.kind != "changed" or note or id(deed) not in self.made:  # what it is of is not told
            draft.flags.add("stale")
            if deed.kind == "tested" and s.turn - deed.turn <= NEXT and "\n" not in draft.text:
                draft.text += f" (of `{shortened(deed.key, RUN_CHARS)}`, #{deed.turn})"
            listed = self.session.is_alone and "\n" in draft.text  # what a run that is not told printed
            return "named" in draft.flags and not (listed or _OF_IT.match(draft.text))
        elif points_back(draft.text) and "named" not in draft.flags:
            return False  # of what an editor shows the agent alone
        return True

    def _kept(self, leads: Sequence[Statement]) -> Iterator[Statement]:
        """The leads that are told; in the place of one that is not, what it leans on."""
        for lead in leads:
            yield from [self.made[id(lead)]] if id(lead) in self.made else self._kept(lead.leads)

    def _mark_request(self, draft: _Draft) -> None:
        """Mark a request that is done, and one that holds a fact."""
        if _TICKED_OFF.search(draft.text):
            draft.flags.add("stale")
        if "boilerplate" not in draft.flags and self._corrected.tells_fact(draft.text):
            draft.flags.add("fact")

    def _mark_talk(self, draft: _Draft) -> bool:
        """In a talk, mark what holds a value and what was refused; what was answered is stale."""
        is_before = draft.in_words and draft.read.turn < self.session.newest_asked
        if (draft.in_words or draft.kind == "asked") and holds_value(draft.text):
            draft.flags.add("value")
        if is_before and "question" in draft.flags:
            draft.flags.add("stale")  # it was answered
        if is_before and _LACKS_WORD.search(draft.text):
            return False  # it was given
        if id(draft.read) in self.session.refused:
            draft.flags |= {"last", "value"}
        return True

    def _replace_old(self, draft: _Draft) -> None:
        """Tell paths from the root, and no formulas that were replaced."""
        if self._root and (draft.kind != "asked" or draft.text.startswith(STOPPED)):
            is_change = draft.kind == "changed"
            head, colon, hunk = draft.text.partition(": ") if is_change else (draft.text, "", "")
            draft.text = told_from(self._root, head) + colon + told_from(self._root, hunk)
        if self.session.formulas and draft.in_words:
            draft.text = without_replaced(draft.text, draft.read.turn, self.session.formulas)

    def _passes(self, draft: _Draft) -> bool:
        """Whether what it announces, or waits for, was done, or stands with what was not."""
        thinks, turn = draft.kind == "thought", draft.read.turn
        passes = draft.in_words and (turn != self.session.last or (thinks and turn in self.session.reports))
        drafts = thinks and ("item" in draft.flags or is_announcement(draft.text))
        return (
            passes
            and (drafts or not draft.flags & {"item", "opens"})
            and (
                not _SAYS_NOTHING.isdisjoint(draft.flags)
                or is_progress(draft.text)
                or (self.session.is_alone and _seeks(draft))
                or (thinks and any(wonders <= draft.flags for wonders in _WONDERS))
            )
        )


def _seeks(draft: _Draft) -> bool:
    """Whether an agent that works alone only says what it is looking for, or about to do."""
    tells = draft.kind not in ("said", "found") or bool({"cause", "last", "item", "why"} & draft.flags)
    return not tells and _SEEKS.match(draft.text.replace("’", "'")) is not None
