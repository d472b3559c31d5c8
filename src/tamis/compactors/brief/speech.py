"""What was said, as statements: the user's messages, and the sentences of the agent.

A sentence is taken whole. What it leans on goes with it: the heading over a list, the line that ends in a
colon, the sentence that a pronoun goes back to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.compactors.brief.statement import Kind, Statement
from tamis.ledger.prose import looks_pasted, passages, speaker, without_harness
from tamis.ledger.sentences import Sentence, split_sentences
from tamis.messages import Message, Text, Thinking

WHOLE_CHARS = 700
"""A message of the user's that is no longer is one statement; a longer one is told by its sentences."""

LIST_CHARS = 480
"""A list that is no longer, with the line that opens it, is said whole or not at all."""

AUTHORED_CHARS = 1_500
AUTHORED_SENTENCES = 6
"""Of a long message of one of several agents, so many sentences are taken for its own words."""

VAGUE_CHARS = 60
"""A sentence that is no longer and names nothing says little by itself."""

MAX_SENTENCE_CHARS = 700
MAX_CODE_CHARS = 900
PASTE_CHARS = 300
PASTE_LINES = 4
TROUBLE_LINES = 3

_ANNOUNCES = re.compile(
    r"^(?:(?:ok(?:ay)?|now|great|perfect|good|next|first|then|also|alright|excellent|right|sure|so|and|but)[,!.:]?\s+)*"
    r"(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to (?:see|look|check|read|find|understand)"
    r"|(?:i|we)(?:'ll| will| can| should| could| need to| have to|'re going to|'d like to)? (?:now |also |first |then )?"
    r"(?:use|look|check|see|open|view|examine|search|find|run|start|begin|try|go|locate|explore|verify|re-?read|read)"
    r"|(?:i|we) (?:still )?(?:need|have) to|now,? (?:let|i)|let us|now that (?:we|i)(?:'ve| have)?\b[^.]{0,60}, (?:we|i|let)|based on the (?:file|directory|search))\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^(?:great|perfect|excellent|done|good|ok(?:ay)?|sure|thanks?|thank you|got it|you'?re (?:absolutely )?right|"
    r"sorry|i apologi[sz]e|my apologies|of course|wonderful|awesome|hello|hi)\b[^\w]*(?:\w+[^\w]*){0,4}$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"^(?:(?:great|perfect|excellent|good|wonderful|awesome|okay|ok|alright)[,!.]\s+)+(?=\S)", re.IGNORECASE
)
_LEANS = re.compile(
    r"^(?:this|that|these|those|it|its|they|them|he|she|but|however|so|otherwise|instead|because|since|which|"
    r"also|then|and|or|the (?:former|latter|same|other|second|first)|both|neither|either|still|yet|therefore|"
    r"thus|hence|even|in (?:that|this|both) case)\b",
    re.IGNORECASE,
)
_CUES = (
    (
        "cause",
        re.compile(
            r"\b(?:because|root cause|caused by|due to|the (?:issue|problem|bug|reason|culprit|fix|error|cause)"
            r"(?: here)? (?:is|was|seems|comes)|turns? out|turned out|so that|since the|leads? to|results? in|"
            r"the reason|that's why|which is why|which means|this means|comes from|triggered by)\b|原因|因为|由于",
            re.I,
        ),
    ),
    (
        "choice",
        re.compile(
            r"\b(?:instead of|rather than|decid\w+|chose|chosen|prefer\w*|opt(?:ed)? for|approach|alternative|"
            r"trade-?off|not worth|out of scope|skip\w*|intentional\w*|on purpose|deliberate\w*|simpler|safer|"
            r"won't|will not|should not|shouldn't|recommend\w*|option [A-D1-4])\b|决定|而不是",
            re.I,
        ),
    ),
    (
        "found",
        re.compile(
            r"\b(?:found|confirm\w*|verified|reveals?|shows? that|actually|already|no longer|only (?:when|if)|"
            r"pre-existing|missing|never|cannot|can't|doesn't|isn't|wasn't|didn't|fail\w*|works?|broken|wrong|"
            r"incorrect\w*|mismatch|undefined|expected|unexpected\w*|currently|both|neither)\b|发现|确认",
            re.I,
        ),
    ),
    (
        "state",
        re.compile(
            r"\b(?:remaining|next steps?|still|not yet|pending|todo|left to do|in progress|pushed|committed|merged|"
            r"blocked|waiting|unresolved|complete[d]?|passes|passing|all tests|0 (?:issues|failures|errors)|"
            r"ready (?:for|to))\b|剩余|下一步",
            re.I,
        ),
    ),
    (
        "change",
        re.compile(
            r"\b(?:add(?:ed|s)?|remov(?:ed|es)|chang(?:ed|es)|fix(?:ed|es)|renam(?:ed|es)|replac(?:ed|es)|updat(?:ed|es)|"
            r"implement(?:ed|s)|refactor(?:ed|s)|moved|created|extract(?:ed|s)|now (?:uses?|returns?|handles?|checks?|"
            r"calls?))\b|新增|修改|修复",
            re.I,
        ),
    ),
)
_GUESSES = re.compile(
    r"\b(?:wait|hmm+|maybe|perhaps|might|probably|possibly|i think|i wonder|i suspect|(?:it )?seems|could be|not sure)\b|可能|也许",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"`[^`\n]+`|\b\w+[._/]\w|\b[a-z]+[A-Z]\w|\b[A-Z]{2,}-\d|#\d|\b[0-9a-f]{7,40}\b|\w\(\)|\d{2,}"
)
_BOLD_LINE = re.compile(r"\*\*[^*\n]{2,90}\*\*:?\s*$")
_INSTRUCTIONS = re.compile(
    r"(?mi)^[ \t]*(?:<instructions>|INSTRUCTIONS:|#+ Task Instructions\b.*|#+ (?:Recommended Workflow|Response Format|"
    r"Submission|Command Execution Rules|Environment Details|Useful command examples|Formatting your response)\b.*)[ \t]*$"
)
_TROUBLE = re.compile(r"error|fail|panic|exception|✗|✘|undefined|cannot|fatal", re.IGNORECASE)
_CODE_LINE = re.compile(
    r"\s*(?:from \S+ import\b|import \w+|class \w+.*:$|(?:async )?def \w+\(|return\b.{0,80}$|self\.\w+|@\w[\w.]*$|>>> |\.\.\. "
    r"|(?:if|for|while|with|try|except|else|elif)\b.*:$|\w+(?:\.\w+|\[[^\]]*\])* = \S|\w+(?:\.\w+)*\(.*\)?,?$|[)\]}]+,?$|['\"]\w+['\"],?$|[$>] \w)"
)
_DATA = re.compile(r"[\"{}\[\]<]|\w+\\n")
_FRAMES = re.compile(
    r"^(?:We're currently solving|Here's the issue text|ISSUE:|Consider the following PR description|<?/?\w+_?\w*>?$"
    r"|Implement the following plan:?$|Description$|\(last modified by)",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\b(?:please|must|should|need|needs|want|make sure|ensure|add|remove|fix|implement|change|use|don't|do not|never|"
    r"always|only|keep|update|create|write|require[sd]?|allow|support|can you|could you|let's|instead|expected|actual|"
    r"error|fails?|instead of)\b|请|需要|必须|不要",
    re.IGNORECASE,
)


def is_announcement(sentence: str) -> bool:
    """Whether a sentence only says what comes next, or is polite.

    >>> is_announcement("Let me look at the tests."), is_announcement("The tests fail.")
    (True, False)
    """
    return bool(_ANNOUNCES.match(sentence.lstrip("*# ")) or _COURTESY.match(sentence))


def formal_start(text: str) -> int | None:
    """Where the instructions of a harness begin, behind the task that it hands over."""
    cut = _INSTRUCTIONS.search(text)
    return cut.start() if cut else None


def user_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What the user said: a short message whole, a long one by its sentences."""
    if speaker(message) != "user":
        return
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text):
            continue
        text = without_harness(part.text)
        words = text.strip()
        if not words:
            continue
        if len(words) <= WHOLE_CHARS:
            yield Statement(kind="asked", text=_tidy(words), turn=turn, place=(index, 0), flags=("whole",))
            continue
        formal = formal_start(part.text)
        yield from _asked(text, turn, index, len(text) if formal is None else formal)


def sentences_of_request(request: Statement) -> Iterator[Statement]:
    """A request that was one statement, by its sentences."""
    yield from _asked(request.text, request.turn, request.place[0], len(request.text))


def _asked(text: str, turn: int, index: int, formal: int) -> Iterator[Statement]:
    """The user's words from a long message; behind `formal` they are a harness's instructions."""
    for piece in _pasted_together(_pieces(text, split_sentences(text))):
        start = piece.start
        flags = [*piece.flags]
        if "code" in flags and piece.text.count("\n") >= PASTE_LINES:
            yield from _trouble_in(piece, turn, index)
            flags.append("paste")
        if start >= formal or _FRAMES.match(piece.text):
            flags.append("boilerplate")
        if piece.text.rstrip().endswith((":", "：")):
            flags.append("opens")
        if _WANTS.search(piece.text):
            flags.append("wants")
        if start == 0 or not text[:start].strip():
            flags.append("first")
        yield piece.statement("asked", turn, index, flags)


def _trouble_in(paste: _Piece, turn: int, part: int) -> Iterator[Statement]:
    """Of a long paste, the lines that tell what went wrong."""
    lines = [line for line in paste.text.splitlines() if _TROUBLE.search(line)]
    if lines:
        text = "\n".join(line[:PASTE_CHARS] for line in lines[:TROUBLE_LINES])
        yield Statement(kind="asked", text=text, turn=turn, place=(part, paste.start), flags=("trouble",))


def _pasted_together(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Lines of code or of output that stand below one another are one piece; so they keep their order."""
    waiting: _Piece | None = None
    for piece in pieces:
        if "code" in piece.flags or looks_pasted(piece.text) or _CODE_LINE.match(piece.text):
            if waiting is not None and len(waiting.text) + len(piece.text) < MAX_CODE_CHARS:
                waiting.text += f"\n{piece.text}"
                continue
            if waiting is not None:
                yield waiting
            piece.flags = ("code",)
            piece.leads = []
            waiting = piece
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        yield piece
    if waiting is not None:
        yield waiting


def agent_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What the agent said in a message, sentence by sentence; its reasoning too, where it says more."""
    if speaker(message) != "assistant":
        return
    seen: set[str] = set()
    author = message.author or ""
    for passage in passages(message):
        sentences = passage.sentences
        if author and len(passage.text) > AUTHORED_CHARS:
            sentences = sentences[:AUTHORED_SENTENCES]  # the rest is what it was shown: pages, listings
        yield from _told(passage.text, sentences, turn, passage.part, seen, author=author)
    for index, part in enumerate(message.parts):
        if isinstance(part, Thinking) and part.text.strip():
            yield from _told(part.text, split_sentences(part.text), turn, index, seen, kind="thought")


def _told(
    text: str,
    sentences: object,
    turn: int,
    part: int,
    seen: set[str],
    *,
    kind: Kind | None = None,
    author: str = "",
) -> Iterator[Statement]:
    for number, piece in enumerate(_lists_together(_pieces(text, list(sentences)))):  # type: ignore[call-overload]
        if _DATA.match(piece.text) and "code" not in piece.flags:
            continue
        key = " ".join(piece.text.lower().split())
        if key in seen:
            continue
        seen.add(key)
        flags = list(piece.flags)
        flags += [name for name, cue in _CUES if cue.search(piece.text)]
        if _NAMED.search(piece.text):
            flags.append("named")
        elif len(piece.text) < VAGUE_CHARS:
            flags.append("vague")
        if is_announcement(piece.text):
            flags.append("announces")
        if _GUESSES.search(piece.text):
            flags.append("guess")
        if piece.text.rstrip().endswith(("?", "？")):
            flags.append("question")
        if piece.text.rstrip("*_ ").endswith((":", "：")):
            flags.append("opens")
        own: Kind = "found" if {"cause", "choice"} & set(flags) else "said"
        yield piece.statement(kind or own, turn, part, flags, key=str(number), author=author)


@dataclass(eq=False)
class _Piece:
    text: str
    start: int
    flags: tuple[str, ...]
    leads: list[_Piece]
    made: Statement | None = None
    whole: _Piece | None = None

    def statement(
        self, kind: Kind, turn: int, part: int, flags: list[str], *, key: str = "", author: str = ""
    ) -> Statement:
        self.made = Statement(
            kind=kind,
            text=f"{author}: {self.text}" if author else self.text,
            key=key,
            turn=turn,
            place=(part, self.start),
            leads=tuple(
                dict.fromkeys(made for lead in self.leads if (made := (lead.whole or lead).made) is not None)
            ),
            flags=tuple(flags),
        )
        return self.made


def _pieces(text: str, sentences: list[Sentence]) -> Iterator[_Piece]:
    """Sentences, list items, table rows and short code, each with what it leans on."""
    heading: _Piece | None = None
    opening: _Piece | None = None
    before: _Piece | None = None
    head: _Piece | None = None
    for sentence in sentences:
        words = text[sentence.start : sentence.end]
        if sentence.kind == "markup":
            continue
        if sentence.kind == "table":
            for row in _rows(words, sentence.start, opening or heading, head):
                head = head or row
                yield row
            before = None
            continue
        head = None
        if sentence.kind == "code":
            if len(words) <= MAX_CODE_CHARS:
                lead = before or opening or heading
                yield _Piece(_unfenced(words), sentence.start, ("code",), [lead] if lead else [])
            before = None
            continue
        if len(words) > MAX_SENTENCE_CHARS and looks_pasted(words[:200]):
            continue
        body = text[sentence.body : sentence.end]
        if sentence.kind == "heading" or _BOLD_LINE.fullmatch(body.strip()):
            heading = _Piece(body.strip().strip("*"), sentence.start, ("heading",), [])
            opening = before = None
            yield heading
            continue
        gap = before is not None and text.count("\n", before.start + len(before.text), sentence.start) > 1
        leads: list[_Piece] = []
        if sentence.kind in ("item", "quote"):
            mark = text[sentence.start : sentence.body]
            shown = (
                (mark.strip() + " " if mark.strip()[:1].isdigit() else "- ") + body if mark.strip() else body
            )
            leads = [p for p in (opening or heading,) if p]
            flags: tuple[str, ...] = ("item",)
            if not mark.strip() and before is not None:
                leads = [before]
        else:
            shown, flags = body, ("prose",)
            if before is not None and not gap and _LEANS.match(body):
                leads = [before]
            elif heading is not None and opening is None and before is None:
                leads = [heading]
            if gap or sentence.kind == "prose":
                opening = None
        shown = _PRAISE.sub("", " ".join(shown.replace("**", "").split()))
        piece = _Piece(shown, sentence.start, flags, leads)
        yield piece
        if body.rstrip("*_ ").endswith((":", "：")):
            opening = piece
        before = piece


def _rows(table: str, start: int, lead: _Piece | None, head: _Piece | None) -> Iterator[_Piece]:
    """The rows of a part of a table; the first row of the whole is the head of the others."""
    at = start
    for row in table.splitlines():
        if re.search(r"\w", row) and head is None:
            head = _Piece(row.strip(), at, ("table", "heading"), [lead] if lead else [])
            yield head
        elif re.search(r"\w", row) and head is not None:
            yield _Piece(row.strip(), at, ("table",), [head])
        at += len(row) + 1


def _lists_together(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """A short list with the line that opens it is one piece: an item of it alone would mislead."""
    waiting: list[_Piece] = []

    def flushed() -> Iterator[_Piece]:
        if len(waiting) > 2 and sum(len(p.text) for p in waiting) <= LIST_CHARS:
            first = waiting[0]
            first.text = "\n".join(p.text for p in waiting)
            first.flags = ("item",)
            for piece in waiting[1:]:
                piece.whole = first
            yield first
        else:
            yield from waiting
        waiting.clear()

    for piece in pieces:
        item = "item" in piece.flags
        if waiting and item and (waiting[0] in piece.leads or piece.leads[:1] == waiting[0].leads[:1]):
            waiting.append(piece)
            continue
        yield from flushed()
        if item or piece.text.rstrip("*_ ").endswith((":", "：")):
            waiting.append(piece)
        else:
            yield piece
    yield from flushed()


def _unfenced(block: str) -> str:
    """A code block without its fence."""
    lines = block.splitlines()
    return "\n".join(line for line in lines if not re.match(r"\s*(?:`{3,}|~{3,})", line))


def _tidy(text: str) -> str:
    return re.sub(r"\n\s*\n+", "\n", text.strip())
