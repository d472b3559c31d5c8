"""What was said, as statements: the user's messages, and the sentences of the agent."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice

from tamis.compactors.brief.reading.deeds.call_text import picked
from tamis.compactors.brief.reading.settling.overtaken import LEAST_ALIKE
from tamis.compactors.brief.reading.speech.agent_text import parts_of, shown_statements, with_markdown_open
from tamis.compactors.brief.reading.speech.limits import VERDICT, limited_together, taken_up_together
from tamis.compactors.brief.reading.speech.long_request import WHOLE_CHARS, asked_at_length
from tamis.compactors.brief.reading.speech.pastes import without_printed
from tamis.compactors.brief.reading.speech.pieces import (
    MAX_CODE_CHARS,
    TextPiece,
    pieces_of,
)
from tamis.compactors.brief.reading.speech.plans import PLAN, plans_of
from tamis.compactors.brief.reading.speech.rejections import without_withdrawal
from tamis.compactors.brief.reading.speech.short_lists import lists_together
from tamis.compactors.brief.reading.statement import LISTED, Statement, StatementKind
from tamis.ledger.speech.harness import formal_start, is_output
from tamis.ledger.speech.prose import passages, speaker, without_harness
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.courtesy import is_aside, is_courtesy, lauds
from tamis.text.cues.discourse_cues import closes_talk, flags_of, is_announcement, is_plan, leans, opens
from tamis.text.cues.printed_lines import is_data
from tamis.text.sentences import Sentence, split_sentences
from tamis.text.terms import terms_of

AUTHORED_CHARS = 3_500
AUTHORED_SENTENCES = 6
"""Of a long message of one of several agents, so many sentences are taken for its own words."""

_SEES = re.compile(
    r"(?:found it|got it|(?:now )?i (?:can )?(?:now )?(?:see|understand)(?: it| the \w{1,12})?(?: now)?"
    r"|(?:so )?(?:that|this)(?:'s| is) (?:it|the (?:bug|issue|problem|cause|culprit)))\b[^\w]{0,3}$",
    re.IGNORECASE,
)
"""Says that the cause was seen; what it is stands before or behind."""

CODE_LINES, CODE_CHARS = 3, 240
"""No more code is one with the line that opens it."""

JOINT = 16
"""A line that opens more of what is told already is shorter: `to:`."""

_IN_THE_MIDST = re.compile(r"(?:to|from|in|into|on|with|for|by|and|or|which|where|is|are|was|will)\b")
"""Begins what goes on from code that stands in a sentence."""

MOSTLY_SAID = 0.6
"""The part of a thought's terms that a sentence of the same message holds which says it, too."""

_ONLY_FOUND = re.compile(
    r"(?:(?:great|good|perfect|excellent|now|ah|ok(?:ay)?|so)[,!.]? )?(?:(?:i|we)(?:['’]ve| have)? )?"
    r"(?:(?:finally|just|now) )?(?:found|located|see|spotted|identified) (?:it|(?:the|an?) "
    r"(?:(?:actual|exact|key|main|real|relevant|right|root|underlying) ){0,2}(?:answer|bug|cause|clue|code"
    r"|culprit|error|file|info(?:rmation)?|issue|line|place|problem|reason|source|spot))(?: now| here)?[.!]+",
    re.IGNORECASE,
)
"""Says that something was found, and not what."""

_LEFT_OPEN = re.compile(r"\b(?:nothing|not|n['’]t) \w{0,12} ?\w{0,12} ?(?:committed|pushed)\b", re.IGNORECASE)
_LACKS = re.compile(
    r"\S{1,60} (?:is|are)(?:(?:n['’]t| not) (?:yet )?(?:declared|defined|imported)| (?:missing|unused))\."
)
_ADDS = re.compile(r"\b(?:add|import|defin|declar|fix|remov|drop)", re.IGNORECASE)
"""What is amiss in a file that is open, and how it is announced that this is put right."""

_OF_SEARCH = re.compile(
    r"(?:(?:all|both)(?: the)? (?:call ?(?:ers|sites)|usages|uses|occurrences|matches|hits) are "
    r"|it['’]s `[^`]{1,80}`,? not `)",
    re.IGNORECASE,
)
"""Begins a remark on what a search has just found, and does not say of what."""

_CONFIRMS = re.compile(r"(?:clean|fine|good|ok(?:ay)?)(?:[,.!]| [-–—]) ", re.IGNORECASE)
"""Begins what the agent says of a check of its own that found nothing to do."""

_AND_SO_ON = re.compile(r"(?i)\n\W{0,4}(?:\d\W )?(?:other [a-z]{2,15}|etc)\W{0,3}\Z")
_STEP = re.compile(r"I (?:clicked|typed|visited|scrolled|navigated|opened)\b")
_GOES_TO = re.compile(r"\binto the browser address bar\W{0,3}\Z|\AI (?:visited|scrolled)\b")
_FRAMES_ONLY = re.compile(r"[\s\u2022\u2500-\u257f\u25a0-\u25ff|+=~_-]*")
_DRAWN = re.compile(r"(?<=\S)[ \t]{3,}[\u2500-\u257f][ \t\u2500-\u257f]*")
_BARE_COMMAND = re.compile(r"/[a-z][\w:-]{0,30}")
_COMMAND = re.compile(r"<command-name>(/[\w:.-]{1,60})</command-name>")


def user_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What the user said: a short message whole, a long one by its sentences."""
    if speaker(message) != "user":
        return
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text) or is_output(part.text):
            continue
        text = without_harness(part.text)
        words = text.strip()
        formal = formal_start(part.text)
        if not words or formal == 0:
            continue
        if (command := _COMMAND.search(part.text)) and len(words) <= WHOLE_CHARS:
            words = f"{command[1]} {words}"
        if len(words) <= WHOLE_CHARS:
            flags: tuple[str, ...] = ("whole", "answer") if closes_talk(words) else ("whole",)
            if is_aside(words):
                flags = ("whole", "answer", "courtesy")
            told, place = _tidy(without_printed(words)), (index, 0)
            yield without_withdrawal(Statement(kind="asked", text=told, turn=turn, place=place, flags=flags))
            continue
        yield from asked_at_length(text, turn, index, len(text) if formal is None else formal)


def with_user(told: list[Statement], message: Message, turn: int) -> list[Statement]:
    """The statements with what the user said; a bare command of the program's that nothing came of goes."""
    own = list(user_statements(message, turn))
    bare = bool(own and told) and told[-1].kind == "asked" and _BARE_COMMAND.fullmatch(told[-1].text)
    return [*(told[:-1] if bare else told), *own]


def sentences_of_request(request: Statement, *, lists: bool = False) -> Iterator[Statement]:
    """A request that was one statement, by its sentences; with `lists`, short lists are kept whole."""
    yield from asked_at_length(request.text, request.turn, request.place[0], len(request.text), lists=lists)


def summary_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What an earlier summary says that somebody else wrote: all that is left of what it replaced."""
    if message.origin != "summary":
        return
    for index, part in enumerate(message.parts):
        if isinstance(part, Text):
            drafted, _, summed_up = part.text.partition("\nSummary:\n")
            text = summed_up if "\nAnalysis:\n" in drafted else part.text  # which goes through it all twice
            for piece in lists_together(_short(text, split_sentences(text))):
                yield piece.statement("reported", turn, index, [*piece.flags, *flags_of(piece.text)])


def agent_statements(message: Message, turn: int, told: Sequence[Statement] = ()) -> Iterator[Statement]:
    """What the agent said in a message, sentence by sentence; its reasoning too, where it says more.

    Of several agents, one that opens a long message as one that was `told` says it anew, in its own words.
    """
    if speaker(message) != "assistant":
        return
    seen: set[str] = set()
    said: list[Statement] = []
    author = message.author or ""
    for passage in passages(message):
        parts = parts_of(passage.text)
        own = with_markdown_open(parts.own)
        sentences = passage.sentences if own == passage.text.strip() else split_sentences(own)
        text = passage.text if sentences is passage.sentences else own
        if author and len(text) > AUTHORED_CHARS:
            opening = {f"{author}: {text[s.body : s.end]}" for s in sentences[:AUTHORED_SENTENCES]}
            if len({s.text for s in told if s.text in opening}) < LEAST_ALIKE:
                sentences = sentences[:AUTHORED_SENTENCES]  # the rest is what it was shown
        own_words = _told(text, sentences, turn, passage.part, seen, author=author)
        if parts.page and _STEP.match(own):  # of a step that led to a page, the page is told
            own_words = (replace(s, flags=(*s.flags, "courtesy")) for s in islice(own_words, 1))
            own_words = iter(()) if _GOES_TO.search(own) else own_words
        said += map(_of_form, own_words) if parts.is_status else own_words
    yield from said
    for index, plan in plans_of(message):
        told_of_it = _told(plan, split_sentences(plan), turn, index, set())
        yield from (replace(s, flags=(*(f for f in s.flags if f != "announces"), PLAN)) for s in told_of_it)
    yield from shown_statements(message, turn)
    words = [frozenset(terms_of(s.text)) for s in said]
    words.append(frozenset().union(*(w for w, s in zip(words, said, strict=True) if LISTED & {*s.flags})))
    for index, part in enumerate(message.parts):
        if isinstance(part, Thinking) and part.text.strip():
            parts = parts_of(part.text)
            own = parts.own
            thoughts = list(
                _told(own, split_sentences(own), turn, index, seen, kind="thought", author=author)
            )
            again = {id(s) for s in thoughts if _is_in(terms_of(s.text), words)}
            again -= {id(lead) for s in thoughts if id(s) not in again for lead in s.leads}
            yield from (
                _of_form(s) if parts.is_status else s
                for s in thoughts
                if not ("heading" in s.flags or id(s) in again)
            )


def _of_form(s: Statement) -> Statement:
    return replace(s, flags=(*s.flags, "form"))


def _is_in(terms: Collection[str], said: Sequence[Set[str]]) -> bool:
    """Whether one sentence says most of what another does: a thought that was told."""
    return any(sum(map(words.__contains__, terms)) >= MOSTLY_SAID * len(terms) for words in said)


def _told(
    text: str,
    sentences: Sequence[Sentence],
    turn: int,
    part: int,
    seen: set[str],
    *,
    kind: StatementKind | None = None,
    author: str = "",
) -> Iterator[Statement]:
    pieces = list(limited_together(taken_up_together(_with_code(lists_together(_short(text, sentences))))))
    listed = max((n for n, piece in enumerate(pieces) if LISTED & {*piece.flags}), default=-1)
    shown = [_SEES.match(piece.text) is not None for piece in pieces]
    for number, piece in enumerate(pieces):
        if (is_data(piece.text) and "code" not in piece.flags) or not any(map(str.isalnum, piece.text)):
            continue
        key = " ".join(piece.text.lower().split())
        if key in seen:
            continue
        seen.add(key)
        flags = [*piece.flags, *flags_of(piece.text)]
        if kind == "thought":  # of what it thinks is left to do, its words and deeds tell
            flags = [flag for flag in flags if flag != "state"]
            if "cause" not in flags and ("vague" in flags or is_plan(piece.text)):
                flags = list(dict.fromkeys([*flags, "announces"]))
            flags += ["guess"] * (_AND_SO_ON.search(piece.text) is not None)  # a list from memory
        ahead_says = pieces[number + 1].text if number + 1 < len(pieces) else ""
        settled = _LACKS.fullmatch(piece.text) and is_announcement(ahead_says) and _ADDS.search(ahead_says)
        if is_courtesy(piece.text) or settled or (number == 0 and _OF_SEARCH.match(piece.text)):
            flags.append("courtesy")
        flags += ["confirms"] * (number == 0 and piece.start == 0 and _CONFIRMS.match(text) is not None)
        over, line, _ = piece.text.partition("\n")
        if lauds(piece.text, over if line else piece.leads[0].text if piece.leads else ""):
            flags.append("praise")
        goes_on = piece.text.startswith("Then ") and any(is_announcement(p.text) for p in piece.leads[-1:])
        flags += ["announces"] * (goes_on or _ONLY_FOUND.fullmatch(piece.text) is not None)
        if author:
            flags.append("authored")
        if _LEFT_OPEN.search(piece.text):  # few words, and the newest state
            flags = [flag for flag in flags if flag != "vague"] + ["verdict"]
        follows = pieces[number + 1].flags if number < listed else ()
        if number < listed and ("\n" in piece.text or LISTED & {*piece.flags} & {*follows}):
            flags.append("more")
        elif piece is not pieces[-1] and VERDICT.match(piece.text):
            flags.append("more")  # what it rests on stands behind
        ahead = text[text.rfind("\n", 0, piece.start) + 1 : piece.start]
        if ahead.strip() and (kind != "thought" or leans(piece.text)):  # a thought skips as it goes
            flags.append("runs-on")
        if any(shown[max(0, number - 1) : number + 2]) and "announces" not in flags:
            flags = list(dict.fromkeys([*flags, "cause"]))
        own: StatementKind = "found" if {"cause", "choice"} & set(flags) else "said"
        yield piece.statement(kind or own, turn, part, flags, key=str(number), author=author)


def _short(text: str, sentences: Sequence[Sentence]) -> Iterator[TextPiece]:
    """The pieces of a text but long code."""
    return (p for p in pieces_of(text, sentences) if "code" not in p.flags or len(p.text) <= MAX_CODE_CHARS)


def _with_code(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Code is one piece with the line that opens it: what stands on a line, what it becomes."""
    waiting: TextPiece | None = None
    for piece in pieces:
        lines = piece.text.splitlines()
        few = "code" in piece.flags and len(lines) <= CODE_LINES and len(piece.text) <= CODE_CHARS
        if waiting is not None and opens(waiting.text) and few:
            waiting.text += f" `{picked(lines, range(len(lines)), CODE_CHARS)}`"
            piece.whole = waiting
            continue
        midst = "prose" in piece.flags and _IN_THE_MIDST.match(piece.text)
        goes_on = midst or (opens(piece.text) and len(piece.text) < JOINT)
        if waiting is not None and waiting.text.endswith("`") and goes_on:
            waiting.text += f" {piece.text}"
            piece.whole = waiting
            continue
        if waiting is not None:
            yield waiting
        numbered = piece.depth is not None and piece.depth[1] and opens(piece.text)
        closed = "code" in piece.flags or ("item" in piece.flags and not numbered)
        waiting = None if closed or is_announcement(piece.text) else piece
        if waiting is None:
            yield piece
    if waiting is not None:
        yield waiting


def _tidy(text: str) -> str:
    """Without empty lines and frames, what a terminal filled up in lines, and the cells of a row together."""
    lines = (line for line in text.strip().splitlines() if not _FRAMES_ONLY.fullmatch(line))
    told = (
        " ".join(line.split()).rstrip("│ ") if line[0] == "│" else _DRAWN.sub("\n│ ", line) for line in lines
    )
    return "\n".join(told)
