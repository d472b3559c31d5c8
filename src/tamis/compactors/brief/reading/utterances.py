"""What was said, as statements: the user's messages, and the sentences of the agent."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from tamis.compactors.brief.reading.agent_text import parts_of, shown_statements, with_markdown_open
from tamis.compactors.brief.reading.call_text import picked
from tamis.compactors.brief.reading.overtaken import LEAST_ALIKE
from tamis.compactors.brief.reading.pastes import TRACE, paste_statements
from tamis.compactors.brief.reading.pieces import (
    MAX_CODE_CHARS,
    TextPiece,
    lists_together,
    pasted_together,
    pieces_of,
    shown_together,
    taken_up_together,
)
from tamis.compactors.brief.reading.salience import LINE_CHARS
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.ledger.speech.harness import formal_start, is_output
from tamis.ledger.speech.prose import looks_pasted, passages, sentences_of, speaker, without_harness
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.courtesy import (
    is_aside,
    is_courtesy,
    is_small_talk,
    leaves_open,
    only_takes_back,
    takes_back,
)
from tamis.text.cues.discourse_cues import (
    closes_talk,
    flags_of,
    is_announcement,
    is_data,
    is_frame,
    is_plan,
    is_pleasantry,
    is_praise,
    opens,
    wants,
)
from tamis.text.sentences import Sentence, split_sentences
from tamis.text.terms import all_terms_of, terms_of

WHOLE_CHARS = 700
"""A message of the user's that is no longer is one statement; a longer one is told by its sentences."""

AUTHORED_CHARS = 3_500
AUTHORED_SENTENCES = 6
"""Of a long message of one of several agents, so many sentences are taken for its own words."""

BIT_CHARS, MOST_BITS = 240, 20
_BIT = re.compile(rf"(?s).{{1,{BIT_CHARS}}}(?:\s|\Z)|.{{{BIT_CHARS}}}")
_POSTED = re.compile(r"_?Originally posted by @")
PASTE_LINES = 4
PASTE_CHARS = 320
_SEES = re.compile(
    r"(?:found it|got it|(?:now )?i (?:can )?(?:now )?(?:see|understand)(?: it| the \w{1,12})?(?: now)?"
    r"|(?:so )?(?:that|this)(?:'s| is) (?:it|the (?:bug|issue|problem|cause|culprit)))\b[^\w]{0,3}$",
    re.IGNORECASE,
)
"""Says that the cause was seen; what it is stands before or behind."""

_FRAME = re.compile(
    r'(?m)^[ \t]{0,20}File "[^"\n]{1,300}", line \d[^\n]*\n'
    r'(?:(?![ \t]{0,20}File "|[\w.]{1,120}(?:Error|Exception|Warning)\b)[^\n]*\n)?'
)
_LEFT_OUT = re.compile(r"(\S)\n… ")
_VERSION = re.compile(r"v?\d{1,6}\.\d[\w.+-]{0,30}")
"""What a line about what was installed ends with."""

_MACHINE = re.compile(r"\b(?:environment|versions?|platform|system info)", re.IGNORECASE)
LEAST_VERSIONS = 3
VERSION_WORDS = 6
_OF_AUTHOR = re.compile(
    r"I(?:['’]ll| will| would (?:love|like)| plan (?:on|to)"
    r"| (?:initially |originally |already )?(?:broached|opened|posted|reported|raised))\b"
    r"|(?:this|it) is my (?:\w{1,12} )?(?:ticket|issue|report|contribution|PR)\b",
    re.IGNORECASE,
)
LONG_SENTENCES = 12
"""Of a message of more sentences, what asks for nothing is detail."""

TELLING = 4
"""Terms with which a sentence says enough, although it points at something else."""

OPENS_TERMS = 12
"""With as many terms, what opens an example of the user's says much itself."""

SPOKEN_CHARS = 12_000
CODE_LINES, CODE_CHARS = 3, 240
"""No more code is one with the line that opens it."""

JOINT = 16
"""A line that opens more of what is told already is shorter: `to:`."""

MOSTLY_SAID = 0.6
"""The part of a thought's terms that a sentence of the same message holds which says it, too."""

_FORMAT = re.compile(
    r"\A(?:format|write|structure|use)\b.{0,90}\b(?:examples?|formats?|templates?|structure)\b\W{0,3}:\W{0,3}\Z"
    r"|\blike this example\W{0,3}:\W{0,3}\Z",
    re.IGNORECASE,
)
"""Opens a block that shows the form of an answer."""

_STEP = re.compile(r"[\w -]{0,40}: I (?:clicked|typed|visited|scrolled|navigated|opened)\b")
_SHOULD = re.compile(r"\b(?:should|must)(?:n['’]?t)?\b", re.IGNORECASE)
"""Opens what is wanted, or what is amiss."""
_DRAWN = re.compile(r"(?<=\S)[ \t]{3,}[\u2500-\u257f][ \t\u2500-\u257f]*")
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
            yield Statement(kind="asked", text=_tidy(words), turn=turn, place=(index, 0), flags=flags)
            continue
        yield from _asked(text, turn, index, len(text) if formal is None else formal)


def sentences_of_request(request: Statement, *, lists: bool = False) -> Iterator[Statement]:
    """A request that was one statement, by its sentences; with `lists`, short lists are kept whole."""
    yield from _asked(request.text, request.turn, request.place[0], len(request.text), lists=lists)


def _asked(text: str, turn: int, index: int, formal: int, *, lists: bool = False) -> Iterator[Statement]:
    """The user's words from a long message; behind `formal` they are a harness's instructions."""
    text = _FRAME.sub(lambda frame: "…" + " " * (len(frame.group()) - 2) + "\n", text)
    text = _LEFT_OUT.sub(r"\1 …\n", text)  # as long as it was
    cut = pieces_of(text, sentences_of(text), items_whole=False)
    pieces = list(shown_together(pasted_together(bit for piece in cut for bit in _in_bits(piece))))
    pieces = list(lists_together(pieces)) if lists else pieces
    seen: set[str] = set()
    words = "\n".join(piece.text for piece in pieces if "code" not in piece.flags and piece.start < formal)
    spoken = frozenset(all_terms_of(words[:SPOKEN_CHARS]))
    lists_versions = sum(_tells_version(piece.text) for piece in pieces) >= LEAST_VERSIONS
    brought: Statement | None = None  # the words that bring in a paste
    is_first, about_machine = True, False
    is_long = sum(piece.start < formal for piece in pieces) > LONG_SENTENCES
    telling = (n for n, p in enumerate(pieces) if p.start < formal and not is_pleasantry(p.text))
    final = max(telling, default=-1)
    for number, piece in enumerate(pieces):
        start = piece.start
        flags = [*piece.flags]
        led = next((lead.text for lead in piece.leads if opens(lead.text)), "")
        if piece.text in seen and not led and "heading" not in flags:
            continue  # an issue that repeats its title, or itself
        seen.add(piece.text)
        goes_on = bool(number) and "code" in pieces[number - 1].flags
        is_paste = piece.text.count("\n") >= PASTE_LINES or len(piece.text) > PASTE_CHARS or goes_on
        about_machine = _MACHINE.search(piece.text) is not None if "heading" in flags else about_machine
        if "code" in flags and number and _FORMAT.search(pieces[number - 1].text):
            continue  # it shows how an answer looks and says nothing
        if "code" in flags and (is_paste or TRACE in piece.text):
            if not goes_on:
                brought = pieces[number - 1].made if number and opens(pieces[number - 1].text) else None
            ends = ("final",) * (number >= final)
            for told in paste_statements(piece, spoken, turn, index):
                # What went wrong in an example stands apart from the words that bring the example in.
                shows = TRACE not in piece.text or "\n" in told.text
                leads = (brought,) if brought and shows else ()
                yield replace(told, leads=leads, key=str(number), flags=(*told.flags, *ends))
            if len(piece.text) > MAX_CODE_CHARS:
                continue
            flags.append("paste")
        if (
            start >= formal
            or is_frame(piece.text)
            or _POSTED.match(piece.text)
            or _keeps_pleasant(piece.text, alone=len(pieces) == 1)
        ):
            flags.append("boilerplate")
        elif (about_machine and " | " in piece.text) or (lists_versions and _tells_version(piece.text)):
            flags.append("paste")
        if opens(piece.text) and len(terms_of(piece.text)) < OPENS_TERMS:
            flags.append("opens")
        if takes_back(piece.text):  # and leans on what holds instead
            piece.leads = piece.leads or pieces[max(0, number - 1) : number]
            flags += ["vague"] if only_takes_back(piece.text) else []
        if leaves_open(piece.text) and len(terms_of(piece.text)) < TELLING:
            flags.append("vague")
        elif start < formal < len(text) and _OF_AUTHOR.match(piece.text):
            flags += ["vague", "courtesy"]  # who reported it talks of the report
        if (wants(piece.text) or _SHOULD.search(led)) and not {"code", "quoted"} & {*flags}:
            flags.append("wants")
        if is_first and "heading" in flags and "boilerplate" not in flags:
            flags = ["prose", *flags[1:]]  # the title
        if is_first and not {"boilerplate", "heading", "opens", "paste"} & set(flags):
            is_first = False
            flags.append("first")
        elif (
            is_long
            and "wants" not in flags
            and not piece.text.endswith("?")
            and not {"code", "heading", "opens"} & set(flags)
        ):
            flags.append("detail")
        if number >= final:
            flags.append("final")
        yield piece.statement("asked", turn, index, flags, key=str(number))


def _in_bits(piece: TextPiece) -> Iterator[TextPiece]:
    """A sentence that does not end, in bits: where there is no room for all of it, some of it is told."""
    if len(piece.text) <= WHOLE_CHARS or "code" in piece.flags:
        yield piece
        return
    bits = _BIT.findall(piece.text)
    if is_data(piece.text) or looks_pasted(piece.text):
        bits = [*bits[:1], ""]  # of a paste its beginning says what it is
    for number, bit in enumerate(bits):
        if bit and (number < MOST_BITS or number == len(bits) - 1):
            leads = piece.leads if number == 0 else []
            ends = number == len(bits) - 1
            yield TextPiece(
                bit.strip() + ("" if ends else " …"), piece.start + number * BIT_CHARS, piece.flags, leads
            )


def _keeps_pleasant(sentence: str, *, alone: bool) -> bool:
    return is_pleasantry(sentence) or is_small_talk(sentence) or (not alone and is_praise(sentence))


def _tells_version(line: str) -> bool:
    words = re.sub(r"[=|]", " ", line[:LINE_CHARS].partition(" (")[0]).rstrip(" ,").split()
    return 1 < len(words) <= VERSION_WORDS and _VERSION.fullmatch(words[-1]) is not None


def summary_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What an earlier summary says that somebody else wrote: all that is left of what it replaced."""
    if message.origin != "summary":
        return
    for index, part in enumerate(message.parts):
        if isinstance(part, Text):
            for piece in lists_together(_short(part.text, split_sentences(part.text))):
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
        if parts.page:  # of a step that led to a page, the page is told
            own_words = (
                replace(s, flags=(*s.flags, "courtesy")) if _STEP.match(s.text) else s for s in own_words
            )
        said += map(_of_form, own_words) if parts.is_status else own_words
    yield from said
    yield from shown_statements(message, turn)
    words = [frozenset(terms_of(s.text)) for s in said]
    for index, part in enumerate(message.parts):
        if isinstance(part, Thinking) and part.text.strip():
            parts = parts_of(part.text)
            own = parts.own
            thoughts = _told(own, split_sentences(own), turn, index, seen, kind="thought", author=author)
            yield from (
                _of_form(s) if parts.is_status else s
                for s in thoughts
                if "heading" not in s.flags and not _is_in(terms_of(s.text), words)
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
    pieces = list(taken_up_together(_with_code(lists_together(_short(text, sentences)))))
    listed = max((n for n, piece in enumerate(pieces) if "item" in piece.flags), default=-1)
    shown = [_SEES.match(piece.text) is not None for piece in pieces]
    for number, piece in enumerate(pieces):
        if is_data(piece.text) and "code" not in piece.flags:
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
        if is_courtesy(piece.text):
            flags.append("courtesy")
        if author:
            flags.append("authored")
        follows = pieces[number + 1].flags if number < listed else ()
        if number < listed and ("\n" in piece.text or "item" in {*piece.flags} & {*follows}):
            flags.append("more")
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
        if (
            waiting is not None
            and waiting.text.endswith("`")
            and opens(piece.text)
            and len(piece.text) < JOINT
        ):
            waiting.text += f" {piece.text}"
            continue
        if waiting is not None:
            yield waiting
        waiting = None if is_announcement(piece.text) or {"code", "item"} & {*piece.flags} else piece
        if waiting is None:
            yield piece
    if waiting is not None:
        yield waiting


def _tidy(text: str) -> str:
    """Without empty lines, and without what a terminal filled its lines up with and drew beside them."""
    return re.sub(r"\n\s*\n+", "\n", _DRAWN.sub("\n", text.strip()))
