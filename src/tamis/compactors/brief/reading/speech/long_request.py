"""A long message of the user's, told by its sentences."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.salience import LINE_CHARS
from tamis.compactors.brief.reading.speech.pastes import (
    MOST_PROGRAM,
    TRACE,
    fails,
    heads_test,
    is_program,
    is_well,
    paste_statements,
    pasted_together,
    shown_together,
)
from tamis.compactors.brief.reading.speech.pieces import (
    MAX_CODE_CHARS,
    TextPiece,
    pieces_of,
)
from tamis.compactors.brief.reading.speech.short_lists import lists_together
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.speech.prose import looks_pasted, sentences_of
from tamis.text.cues.complaints import tells_amiss
from tamis.text.cues.courtesy import is_small_talk, leaves_open, only_takes_back, takes_back
from tamis.text.cues.discourse_cues import is_frame, is_pleasantry, is_praise, opens, wants
from tamis.text.cues.printed_lines import is_data
from tamis.text.terms import all_terms_of, terms_of

WHOLE_CHARS = 700
"""A message of the user's that is no longer is one statement; a longer one is told by its sentences."""

SHORT_QUESTION = 60
BIT_CHARS, MOST_BITS = 240, 20
_BIT = re.compile(rf"(?s).{{1,{BIT_CHARS}}}(?:\s|\Z)|.{{{BIT_CHARS}}}")
_POSTED = re.compile(r"_?Originally posted by @")
PASTE_LINES = 4
PASTE_CHARS = 320
_FRAME = re.compile(
    r'(?m)^[ \t]{0,20}File "[^"\n]{1,300}", line \d[^\n]*\n'
    r'(?:(?![ \t]{0,20}File "|[\w.]{1,120}(?:Error|Exception|Warning)\b)[^\n]*\n)?'
)
_LEFT_OUT = re.compile(r"(\S)\n… ")
_VERSION = re.compile(r"v?\d{1,6}\.\d[\w.+-]{0,30}")
"""What a line about what was installed ends with."""

_EXAMPLE = re.compile(r"\W{0,6}examples?(?: \w{1,12})?\W{0,3}\Z|Request example:", re.IGNORECASE)
"""Opens how the template of a command is used; what the user typed stands behind its lists."""

_MACHINE = re.compile(r"\b(?:environment|versions?|platform|system info|dialect|config)", re.IGNORECASE)
_INSTALLED = re.compile(
    r"\W{0,6}(?:\w{1,20} ){0,3}(?:environment|versions?|platform|system)"
    r"(?: (?:info\w{0,9}|details?|output))?\W{0,6}\Z",
    re.IGNORECASE,
)
"""Stands over what was installed where an issue was seen: not where the agent works."""

LEAST_VERSIONS = 3
VERSION_WORDS = 6
_HANDED_ON = re.compile(
    r"(?m)^We're currently solving the following issue|^ISSUE:\s*$"
    r"|\bConsider the following (?:PR|issue) description:\s*$"
)
"""Opens an issue that a harness hands on: the words in it are not the user's own."""

_ORDERS = re.compile(
    r"\b(?:solv(?:e|ing)|fix(?:ing)?|resolv(?:e|ing)|implement(?:ing)?|make|making)\b[^.!?\n]{0,100}"
    r"\b(?:issue|bug|PR|pr_description|pull request|requirements|task)\b",
    re.IGNORECASE,
)
_YOURS = re.compile(r"your task is\b", re.IGNORECASE)
"""What a harness says is to be done about an issue that it hands on, and how its plainest word begins."""

_TEMPLATE = re.compile(r"(?s)\A\s{0,9}## Context\s{1,9}- Current .{0,20000}?\n## Your task\n")
"""Down to the task a command's template shows what was printed for it."""

_OF_AUTHOR = re.compile(
    r"I(?:['’]m| am) (?:currently )?(?:working on|using)\b"
    r"|this issue was (?:originally )?(?:posted|opened)|would (?:folks|people|anyone)\b"
    r"|(?:if so, )?I(?:['’]ll| will| would (?:love|like)| plan (?:on|to)"
    r"| (?:initially |originally |already )?(?:broached|opened|posted|reported|raised))\b"
    r"|(?:this|it) is my (?:\w{1,12} )?(?:ticket|issue|report|contribution|PR)\b"
    r"|PS: [^\n]{0,40}\Z|would you agree\b",
    re.IGNORECASE,
)
_OF_FORM = re.compile(
    r"\A(?:_?(?:if this is an? [^.\n]{1,60}, )?(?:please )?(?:include|provide|paste|attach|describe) "
    r"(?:(?:an? |any )?(?:minimal|clear|general|short)|the (?:output|full)|your|details|steps)\b"
    r"|(?:as )?(?:noted|see|described|shown) above\.?\Z"
    r"|I['’]ve already taken care of|(?:this means )?you (?:don['’]t|do not) (?:have|need) to\b)",
    re.IGNORECASE,
)
"""Asks the reporter of an issue for something, or says what an agent may leave alone."""

LONG_SENTENCES = 12
"""Of a message of more sentences, what asks for nothing is detail."""

NEAR = 3
"""Among so many pieces behind the title of an issue it is looked for a sentence that says it again."""

TELLING = 4
"""Terms with which a sentence says enough, although it points at something else."""

OPENS_TERMS = 12
"""With as many terms, what opens an example of the user's says much itself."""

_LABEL = re.compile(r"[A-Z]\w{0,30}(?: [\w.]{1,30}){1,3}")
_QUERY = re.compile(
    r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM) [\w.*]{1,99}(?:,| (?:FROM|SET|WHERE|\()\b)"
    r"|(?:[\w.]{1,99}, ){4}"
)
"""Begins a query of a database, or one of its lines."""
_BY_NUMBER = re.compile(r"\b(?:issue|point|item|problem) \(?\d\)?(?!\w)|\b(?:for|of|in|with|from) those \w")
"""Speaks of what stands further above by its number, or as of those."""
_PREMISE = re.compile(r"\A(?:given|consider|suppose|assume|imagine|with|using|for)\b[^,]{1,300}:\Z", re.I)
"""Opens code, and says nothing of it."""

SPOKEN_CHARS = 12_000
_COMES_TO = re.compile(r"[^\s#]{2,90} (?:#|//) ?[=-]> ")
"""What an example gives, which says nothing without the lines above it."""

_FORMAT = re.compile(
    r"\A(?:format|write|structure|use)\b.{0,90}\b(?:examples?|formats?|templates?|structure)\b\W{0,3}:\W{0,3}\Z"
    r"|\blike this example\W{0,3}:\W{0,3}\Z",
    re.IGNORECASE,
)
"""Opens a block that shows the form of an answer."""

_SHOULD = re.compile(
    r"\b(?:(?:should|must)(?:n['’]?t)?|criteria|requirements|deliverables|expected behaviou?r)\b",
    re.IGNORECASE,
)
"""Opens what is wanted, or what is amiss."""
_PASSES_ON = re.compile(
    r"\A[^\n:.?!]{0,60}\b(?:agents?|reviewers?|reviews?|bot|colleague|co-?worker|codex|claude|gemini|copilot"
    r"|coderabbit|(?:chat)?gpt[\w.-]{0,12})\b[^\n:.?!]{0,60}"
    r"\b(?:suggest|sa(?:ys|id)|recommend|propos|found|finds|thinks?|note[ds]|report|flagged|wrote|gave"
    r"|feedback|comment|came back)[^\n:.?!]{0,40}:\W{0,3}\Z",
    re.IGNORECASE,
)
"""Opens what somebody else said, which the user hands on."""


def asked_at_length(
    text: str, turn: int, index: int, formal: int, *, lists: bool = False
) -> Iterator[Statement]:
    """The user's words from a long message; behind `formal` they are a harness's instructions."""
    text = _FRAME.sub(lambda frame: "…" + " " * (len(frame.group()) - 2) + "\n", text)
    text = _LEFT_OUT.sub(r"\1 …\n", text)  # as long as it was
    cut = pieces_of(text, sentences_of(text), items_whole=False)
    pieces = list(shown_together(pasted_together(bit for piece in cut for bit in _in_bits(piece))))
    pieces = _passed_on(list(lists_together(pieces)) if lists else pieces)
    request = _LongRequest(pieces, formal, text)
    return request.statements(turn, index)


class _LongRequest:
    """A long message of the user's in pieces, gone through in their order."""

    def __init__(self, pieces: list[TextPiece], formal: int, text: str) -> None:
        own = [piece for piece in pieces if piece.start < formal]
        words = "\n".join(piece.text for piece in own if "code" not in piece.flags)
        telling = (n for n, p in enumerate(pieces) if p.start < formal and not is_pleasantry(p.text))
        self._pieces, self._formal, self._text = pieces, formal, text
        self._spoken = frozenset(all_terms_of(words[:SPOKEN_CHARS]))
        self._lists_versions = sum(_tells_version(piece.text) for piece in pieces) >= LEAST_VERSIONS
        self._is_long = sum(not is_frame(piece.text) for piece in own) > LONG_SENTENCES
        self._final = max(telling, default=-1)
        *_, before, last = [None, None, *pieces]
        ends = last is not None and before is not None and "item" in before.flags and "prose" in last.flags
        self._is_template = self._is_long and ends and not (last and last.leads)
        self._task = found.end() if (found := _TEMPLATE.match(text)) else 0
        self._of_issue = _HANDED_ON.search(text) is not None
        orders = [p for p in pieces if self._of_issue and p.flags == ("prose",) and _ORDERS.search(p.text)]
        said = [p for p in orders if p.start < formal and _YOURS.match(p.text)]
        framed = [p for p in orders if p.start >= formal or is_frame(p.text)]
        self._order = next(iter((*said, *framed)), None)
        self._seen: set[str] = set()
        self._examples: list[TextPiece] = []
        self._label: TextPiece | None = None  # the line that stands over a part of an issue
        self._brought: Statement | None = None  # the words that bring in a paste
        self._is_first, self._about_machine, self._lists_installed = True, False, False

    def statements(self, turn: int, index: int) -> Iterator[Statement]:
        """The pieces with their flags, and of pastes what is worth telling."""
        for number, piece in enumerate(self._pieces):
            if "heading" in piece.flags:
                self._about_machine = _MACHINE.search(piece.text) is not None
                self._lists_installed = self._of_issue and _INSTALLED.match(piece.text) is not None
            if self._is_needless(number, piece):
                continue
            flags = [*piece.flags]
            if "code" in flags and self._is_paste(number, piece):
                yield from self._excerpts(number, turn, index)
                if len(piece.text) > (MOST_PROGRAM if is_program(piece.text) else MAX_CODE_CHARS):
                    continue
                flags.append("paste")
            over = (lead.text for lead in piece.leads if opens(lead.text) or "heading" in lead.flags)
            wanted = any(map(_SHOULD.search, over))
            self._mark_source(piece, flags)
            self._mark_sense(number, flags)
            if not {"code", "quoted"} & {*flags}:
                amiss = tells_amiss(piece.text)
                if opens(piece.text):
                    amiss = ("opens" not in flags and fails(self._pieces[number + 1 :][:1])) or None
                flags += [] if amiss is None else ["trouble" if amiss else "detail"]
                flags += ["wants"] * (amiss is not False and (wanted or wants(piece.text)))
            pad = "  " * piece.level
            piece.text = pad + piece.text.replace("\n", f"\n{pad}")
            flags = self._placed(number, flags)
            ahead = self._text[self._text.rfind("\n", 0, piece.start) + 1 : piece.start]
            flags += ["in-line"] * bool(ahead.strip())
            yield piece.statement("asked", turn, index, flags, key=str(number))

    def _is_needless(self, number: int, piece: TextPiece) -> bool:
        """Whether an issue repeats itself or lists a machine, or a template or code shows an example."""
        over = (piece, *piece.leads)
        if self._is_template and any(o in self._examples or _EXAMPLE.match(o.text) for o in over):
            self._examples.append(piece)
            return True
        if self._of_issue and self._about_machine and " | " in piece.text:
            return True  # a row without the others and their head
        if self._lists_installed and not piece.text.endswith((".", "?", "!")):
            return True
        if self._of_issue and self._lists_versions and _tells_version(piece.text):
            return True
        title = piece.text.casefold() if self._of_issue and self._is_first else ""
        if title and any(title in p.text.casefold() for p in self._pieces[number + 1 : number + 1 + NEAR]):
            return True
        if piece.text in self._seen and "heading" not in piece.flags and not _led(piece):
            return True
        self._seen.add(piece.text)
        is_code = "code" in piece.flags and number > 0
        return is_code and _FORMAT.search(self._pieces[number - 1].text) is not None

    def _goes_on(self, number: int) -> bool:
        return number > 0 and "code" in self._pieces[number - 1].flags

    def _is_paste(self, number: int, piece: TextPiece) -> bool:
        text = piece.text
        is_long = text.count("\n") >= PASTE_LINES or len(text) > PASTE_CHARS
        return is_long or TRACE in text or text.startswith("│") or self._goes_on(number)

    def _excerpts(self, number: int, turn: int, index: int) -> Iterator[Statement]:
        """What a paste tells, with the words that bring it in."""
        piece = self._pieces[number]
        if not self._goes_on(number):
            before = self._pieces[number - 1] if number else None
            brings = before and (opens(before.text) or heads_test(before.text))
            self._brought = before.made if before and brings else None
        ends = ("final",) * (number >= self._final)
        for told in paste_statements(piece, self._spoken, turn, index):
            # What went wrong in an example stands apart from the words that bring the example in.
            shows = TRACE not in piece.text or "\n" in told.text
            leads = (self._brought,) if self._brought and shows else ()
            flags = ("detail", *told.flags[1:]) if leads and is_well(leads[0].text) else told.flags
            excerpt = replace(told, leads=leads, key=str(number), flags=(*flags, *ends))
            self._brought = self._brought or excerpt  # the head of a log stands over all of it
            yield excerpt

    def _mark_source(self, piece: TextPiece, flags: list[str]) -> None:
        """Mark what a harness or a form says, and what a machine printed."""
        text = piece.text
        of_form = self._of_issue and _OF_FORM.match(text)
        is_form = (
            not self._task <= piece.start < self._formal or is_frame(text) or of_form or _POSTED.match(text)
        )
        flags += ["order"] * (piece is self._order)
        if is_form or _keeps_pleasant(text, alone=len(self._pieces) == 1):
            flags.append("boilerplate")
            if "heading" not in flags:  # who hands an issue on speaks behind it
                self._about_machine, self._lists_installed, self._label = False, False, None
        elif (
            (self._about_machine and (" | " in text or self._of_issue))
            or (self._lists_versions and _tells_version(text))
            or (self._is_long and _QUERY.match(text))
        ):
            flags.append("paste")

    def _mark_sense(self, number: int, flags: list[str]) -> None:
        """Mark what opens something else, and what says little."""
        piece = self._pieces[number]
        least = TELLING if "expect" in piece.text else OPENS_TERMS
        says_little = len(terms_of(piece.text)) < least or _PREMISE.match(piece.text)
        if self._of_issue and not self._is_first and _LABEL.fullmatch(piece.text) and not wants(piece.text):
            self._label = piece
        elif self._label and "code" not in flags:
            piece.leads = piece.leads or [self._label]
        if piece is self._label or (opens(piece.text) and says_little and "code" not in flags):
            flags.append("opens")
        if _COMES_TO.match(piece.text) and not any(lead.made for lead in piece.leads):
            piece.leads = [p for p in self._pieces[:number] if p.made][-1:]
        if takes_back(piece.text):  # and leans on what holds instead
            piece.leads = piece.leads or self._pieces[max(0, number - 1) : number]
            flags += ["vague"] if only_takes_back(piece.text) else []
        if piece.start < self._formal < len(self._text) and _OF_AUTHOR.match(piece.text):
            flags += ["vague", "courtesy"]  # who reported it talks of the report
        elif leaves_open(piece.text) and len(terms_of(piece.text)) < TELLING:
            flags.append("vague")
        elif _BY_NUMBER.search(piece.text):
            flags += ["vague", "slight"]

    def _placed(self, number: int, flags: list[str]) -> list[str]:
        """The flags with whether it is the title, the first, a detail, or the last."""
        if self._is_first and "heading" in flags and not {"boilerplate", "quoted"} & {*flags}:
            flags = ["prose", *flags[1:]]  # the title
        if self._is_first and not {"boilerplate", "heading", "opens", "paste", "quoted"} & {*flags}:
            self._is_first = False
            flags.append("first")
        elif self._is_long and not {"wants", "code", "heading", "opens", "trouble"} & {*flags}:
            if self._is_template and number == len(self._pieces) - 1:
                flags += ["wants", "typed"]
            elif not self._pieces[number].text.endswith("?"):
                flags.append("detail")
        return flags + ["final"] * (number >= self._final and not (self._of_issue and "paste" in flags))


def _passed_on(pieces: list[TextPiece]) -> list[TextPiece]:
    """The pieces; what the user hands on ("The reviewer suggests: ...") leans on the line that says so.

    Where the user closes with a question, it is what is asked, and nothing that was handed on is a wish: a
    short question stands with that line.
    """
    first = next((n for n, p in enumerate(pieces) if _PASSES_ON.match(p.text)), len(pieces))
    listed = (n for n, p in enumerate(pieces) if n > first and not {"prose", "code"}.intersection(p.flags))
    last = max(listed, default=first)
    asks = last > first and len(pieces) > last + 1 and pieces[-1].text.endswith("?")
    if asks and len(pieces[-1].text) <= SHORT_QUESTION:
        pieces[first].text += f" … {pieces[-1].text}"
        pieces = pieces[:-1]
    for piece in pieces[first + 1 : last + 1]:
        piece.leads = piece.leads or [pieces[first]]
        piece.flags += ("quoted",) * asks
    return pieces


def _led(piece: TextPiece) -> str:
    """The line that opens what a piece stands in."""
    return next((lead.text for lead in piece.leads if opens(lead.text)), "")


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
