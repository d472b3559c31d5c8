"""What people and agents said in a message, as against what machines printed into it.

Requests, rules, decisions and facts are read off sentences that somebody meant. A message also carries text
that nobody said: tags that the agent's own program adds, logs and code that were pasted. This module takes
those out in place, so that every character keeps its position and can be quoted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from tamis.ledger.speech.harness import is_output, without_tags
from tamis.messages import Message, Text
from tamis.text import Sentence, split_sentences
from tamis.text.cues.discourse_cues import is_frame, wants
from tamis.text.cues.phrases import Cue
from tamis.text.sentences import SentenceKind

WORDED: frozenset[SentenceKind] = frozenset({"prose", "item", "heading"})
"""What sentences of one's own words stand in."""

MAX_LINE_CHARS = 2_000

Speaker = Literal["user", "system", "assistant"]

_TOOL_REPORT = re.compile(r"\A\[[a-z]\w{1,60}(?: for '[^\n]{0,400})?\] Result:")
"""Agents without tool calls of their own put what a tool gave back into the user's mouth."""
_SERVICE_ERROR = re.compile(r"\A\s{0,9}API Error: \d{3} \{\"[^\n]{0,2000}\s{0,9}\Z")
_INSIDE_REPORT = re.compile(r"\A\s*<(task|feedback|user_message|answer)>.*</\1>\s*", re.DOTALL)
_PASTED_LINE = re.compile(
    r"""(?x)
    ^\s*(?:
        \d{1,6}\s*[|│→\t] | \d{2,6}\s[+-]\s
      | [+-]\s*\d{1,6}\s   # a numbered line, as editors and diffs show it
      | \w[\w\ ]{0,20}:\s{3,}\S                 # Error:      Should be ...
      | \[[\w:-]+\]\ \$\s
      | [\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d       # a timestamp
      | \[?(?:[A-Z][a-z]{2}\s{1,2}\d{1,2}\s)?\d\d:\d\d:\d\d
      | \[[\d/:.\ -]{6,30}[~/][^\]\n]{0,200}\]\s   # a prompt
      | [A-Z][a-z]{1,20}\ duration\ (?:\d{1,3}h\ )?\d{1,3}m\ \d{1,2}s\s*$   # a page of a run
      | (?:hint|remote):\s | \(use\ "git\ | no\ changes\ added\ to\ commit\b     # git
      | \[(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\]
      | (?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|error|warning|fatal|panic|npm|FAIL|PASS|ok|---\ FAIL)\b
        \s*[:\[(\t]
      | \w*(?:Error|Exception|Warning):\s
      | (?:Traceback\ \(most|goroutine\ \d|Exception\ in\ thread)
      | File\ "[^"]+",\ line\ \d | at\ [\w.$<>]+\s?\( | [|│┃]\s
      | \$\s\S | >>>\s | %\s\S | [+-]{3}\ \S | @@\ -\d | diff\ --git
      | [\w./-]+:\d+(?::\d+)?:? \s                # path:line
      | (?:import|from|def|class|func|function|const|let|var|return|package|public|private|if|for|while|defer
        |else)\b(?!.{0,80}\b(?:I|we|you|the|this|these|an|following|example)\b).*[;{:(]\s*$
      | [\w.\[\]]+\s*(?:=|:=|\+=)\s*\S.*[;)\]}"']\s*$
      | [A-Za-z_"'][\w"'.-]*\s?[:=]\s*["'{\[\d]\S*,?(?:\s{1,3}\#\s.*)?\s*$   # key: "value",
      | (?:=|\*|\#){3,}.*(?:=|\*|\#){3,}\s*$
    )
    | \s//\s | [;{}]\s*$ | =>\s*\{ | \)\s*\{
    """
)
_LISTING = re.compile(
    r"(?m)(?:^[A-Za-z][\w.-]{0,40} ?: ?(?:\d\S{0,40} [^\n]{0,120}|\S{1,60}(?: \S{1,60}){0,2})"
    r"[ \r]{0,3}(?:\n|\Z)"
    r"(?:^\[[^\n]{0,80}\n)?){5,}"
)
"""Lines of a name and a value each, as programs print their versions."""
_FIELDS = re.compile(r"(?m)(?:^[a-z][a-z -]{1,20}:\t[^\n]*\n){4,}(?:--\n)?")
"""Names, tabs and values, as `gh` prints what it is asked for: nobody's words, and no code."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FAILED = re.compile(
    r"(?m)^(?:--- FAIL: |FAIL(?:ED)?:? |[●✗✘✕×] )\S[^\n]{0,300}\n"
    r"(?:[ \t]{1,80}\S[^\n]{0,2000}(?:\n|\Z)){1,200}"
)
"""A test that failed, with all that its runner set in below it."""
_SPOKEN = re.compile(r"\b(?:I|we|please)\b", re.IGNORECASE)
_NAMES_FIRST = re.compile(r"\A[`'\"]?[\w.~-]{0,40}+/[\w./~-]{1,200}+[`'\"]?\s")
_MEANT = re.compile(
    r"\b(?:I|we|you|please)\b|(?<![.])[.?!]\s*\Z|\A[a-z'’]{1,20}(?: [\w'’\"`.,-]{1,40}){5,60}:\s*\Z",
    re.IGNORECASE,
)
"""Somebody's own words, or a sentence that ends: no line of a log."""

_INSTALLED = re.compile(r": ?(?:None\b|v?\d{1,4}\.\d)")
LEAST_INSTALLED = 3

_ASIDE = re.compile(r"(?:\((?P<round>[^()\n]{12,200})\)|\s[-–—]\s(?P<dashed>[^\n]{12,200}?)\s[-–—]\s)")
_BEFORE_QUESTION = re.compile(
    r"\A(?P<clause>[^,;\n]{12,200}),\s(?:so\s|and\s|but\s)?(?:does|do|did|is|are|was|what|how|why|which|who|where|when"
    r"|can|could|would|will|should|shall)\b[^\n]{0,300}[?？]\W{0,5}\Z",
    re.IGNORECASE,
)
"""What a question states before it asks: `The cap is 5 MB, so how would you set this up?`"""
_GIVEN = re.compile(r"(?:given(?:\sthat)?|since|as|because|with|now\sthat)\s", re.IGNORECASE)

_PROMPTED = re.compile(
    r"(?m)^[ \t]{0,8}[➜❯] {1,3}[a-z./~][^\n]{0,2000}(?:\n(?=[ \t]{0,99}\S)[^\n]{1,2000}){0,200}"
)
"""A command as it stands in a terminal, with what it printed."""

_SYMBOLS = re.compile(r"[^\w\s.,'’\"()!?，。！？；：、“”…-]")


@dataclass(frozen=True, slots=True)
class ProsePart:
    """One text part of a message. `text` has blanks where the harness spoke; positions are the part's own."""

    part: int
    text: str
    sentences: tuple[Sentence, ...]


def speaker(message: Message) -> Speaker | None:
    """Who means what the message says, or None where no one does: tool output, summaries, harness text."""
    if message.origin != "conversation" or message.role == "tool":
        return None
    return message.role


def passages(message: Message, cue: Cue | None = None) -> Iterator[ProsePart]:
    """The text parts of a message, cut into sentences; only those where `cue` is found, if one is given."""
    reports = any(isinstance(part, Text) and _TOOL_REPORT.match(part.text) for part in message.parts)
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text) or not part.text.strip():
            continue
        if reports and not _INSIDE_REPORT.fullmatch(part.text):
            continue
        if (message.role == "user" and is_output(part.text)) or _SERVICE_ERROR.match(part.text):
            continue
        if cue is not None and not cue.stands_in(part.text):
            continue
        text = without_harness(part.text)
        yield ProsePart(index, text, sentences_of(text))


def said(passage: ProsePart) -> Iterator[Sentence]:
    """The sentences of a passage that are words of the speaker: no code, tables, quotations, pasted logs."""
    printed = [found.span() for found in _PROMPTED.finditer(passage.text)]
    for sentence in passage.sentences:
        if any(start <= sentence.start < end for start, end in printed):
            continue
        if sentence.kind in WORDED and not looks_pasted(passage.text[sentence.body : sentence.end]):
            yield sentence


def asides(passage: ProsePart) -> Iterator[Sentence]:
    """The statements within questions: in brackets, between dashes, before what is asked.

    >>> text = "The cap is 5 MB, so how would you set this up?"
    >>> [text[s.start : s.end] for s in asides(ProsePart(0, text, sentences_of(text)))]
    ['The cap is 5 MB']
    """
    for sentence in said(passage):
        text = passage.text[sentence.body : sentence.end]
        if not text.rstrip(")\"' ").endswith(("?", "？")):
            continue
        spans = [found.span(found.lastgroup or 0) for found in _ASIDE.finditer(text)]
        if not spans and (found := _BEFORE_QUESTION.match(text)):
            given = _GIVEN.match(text)
            spans = [(given.end() if given else 0, found.end("clause"))]
        for start, end in spans:
            at = sentence.body + start
            yield Sentence(at, sentence.body + end, sentence.kind, at)


@lru_cache(maxsize=32)
def without_harness(text: str) -> str:
    """The text with what the agent's program put in replaced by blanks, each character by one.

    >>> without_harness("a <system-reminder>b</system-reminder> c").split()
    ['a', 'c']
    """
    return without_tags(text)


@lru_cache(maxsize=1024)
def looks_pasted(line: str) -> bool:
    """Whether a line was printed by a program or is code, by its shape; of a long one, by its beginning.

    >>> looks_pasted("2024-05-01 10:00:00 must not be null"), looks_pasted("It must not be null.")
    (True, False)
    """
    line = line[:MAX_LINE_CHARS]
    if _PASTED_LINE.search(line):
        return True
    return len(line) > 12 and 5 * len(_SYMBOLS.findall(line.replace("`", "").replace("*", ""))) > len(line)


@lru_cache(maxsize=8)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text that several readers of a message read one after the other.

    What a program told of its surroundings, a line for each, is code: nobody wrote it.
    """
    listed = [
        (found.start(), found.end())
        for found in _LISTING.finditer(text)
        if len(_INSTALLED.findall(found.group())) >= LEAST_INSTALLED
    ]
    fields = [found.span() for found in _FIELDS.finditer(text)]
    sentences = [
        replace(s, kind="markup") if any(a <= s.start < b for a, b in fields) else s
        for s in split_sentences(text)
    ]
    listed += [found.span() for found in _FAILED.finditer(text) if not _SPOKEN.search(found.group())]
    listed += [*_between_pasted(text, sentences), *_brought_in(text, sentences)]
    return tuple(
        replace(s, kind="code", body=s.start) if any(a <= s.start < b for a, b in listed) else s
        for s in sentences
    )


def _between_pasted(text: str, sentences: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """What a program says in words in one paragraph with what it printed: list items, what names a file."""
    before: Sentence | None = None
    items: list[Sentence] = []
    for s in sentences:
        printed = s.kind != "item" and looks_pasted(text[s.start : s.end])
        if s.start and _BLANK_LINE.search(text, (items or [before or s])[-1].end, s.start):
            before, items = None, []
        if printed:
            yield from ((item.start, item.end) for item in items)
        if before is not None and s.kind == "prose" and _NAMES_FIRST.match(text[s.start : s.end]):
            if not wants(text[s.start : s.end]):
                yield s.start, s.end
        elif printed or s.kind != "item":
            before, items = (s if printed else None), []
        elif before is not None:
            items.append(s)


def _brought_in(text: str, sentences: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """What stands in one paragraph between a line that ends in a colon and the last line that was printed."""
    waiting: list[Sentence] = []
    opened, end = False, 0
    for s in sentences:
        line = text[s.start : s.end]
        if _BLANK_LINE.search(text, end, s.start) or s.kind not in ("prose", "code"):
            opened = False
        if not opened or (s.kind == "prose" and not looks_pasted(line) and _MEANT.search(line)):
            opened, waiting = line.rstrip().endswith(":") and not is_frame(line), []
        elif s.kind == "code" or looks_pasted(line):
            yield from ((printed.start, printed.end) for printed in (*waiting, s))
            waiting = []
        else:
            waiting.append(s)
        end = s.end
