"""Passages of the source that can be quoted whole: paragraphs, code blocks, edits, pieces of output.

A passage is cut at blank lines only, so that no sentence, path or line of code is ever cut. Only as many
passages are looked at as could matter for the budget: the newest, and the changes made to files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.ledger.items import Item
from tamis.ledger.mentions import changes_a_file
from tamis.ledger.names import names_in, texts_of
from tamis.ledger.sentences import split_sentences
from tamis.messages import Message, Part, Text, Thinking, ToolCall, ToolResult

MAX_PASSAGE_CHARS = 2_400
LOOKED_AT = 24
"""Characters of passages that are looked at, per token of the budget."""

HALF_LIFE = 30
"""Messages after which a passage is worth half."""

WORTH_PER_CHAR = {"said": 2e-4, "change": 1.5e-4, "result": 5e-5}
"""The worth of a fresh passage beside the names in it, in needed names per character."""

_BLANK_LINES = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    start: int


def passages_of(messages: Sequence[Message], first_turn: int, budget_tokens: int) -> Iterator[Item]:
    """Passages that could be quoted, the newest message first.

    `first_turn` is the position in the session of the first of the messages.
    """
    left = LOOKED_AT * budget_tokens
    last_turn = first_turn + len(messages) - 1
    seen: set[str] = set()
    for offset in range(len(messages) - 1, -1, -1):
        message, turn = messages[offset], first_turn + offset
        for index, part in enumerate(message.parts):
            voice = _voice(message, part)
            if voice is None:
                continue
            for piece in _pieces(part):
                if piece.text in seen:
                    continue  # the newest time is enough
                seen.add(piece.text)
                left -= len(piece.text)
                if left < 0:
                    return
                fresh = 0.5 ** ((last_turn - turn) / HALF_LIFE)
                yield Item(
                    section="excerpts",
                    text=f"### #{turn} {voice}\n{piece.text}",
                    order=(turn, index, piece.start),
                    worth=WORTH_PER_CHAR[voice] * len(piece.text) * fresh,
                    turns=(turn,),
                    names=frozenset(n.text for n in names_in(piece.text)),
                )


def _voice(message: Message, part: Part) -> str | None:
    if message.origin != "conversation" or isinstance(part, Thinking):
        return None
    match part:
        case ToolResult():
            return "result"
        case ToolCall():
            return "change" if changes_a_file(part) else None
        case Text() if message.role == "assistant":
            return "said"
        case _:
            return None  # what the user asked stands in a section of its own


def _pieces(part: Part) -> Iterator[_Piece]:
    if isinstance(part, ToolCall):
        text = "\n".join(texts_of(part))
        if "\n" in text.strip() and len(text) <= MAX_PASSAGE_CHARS:
            yield _Piece(text=text.strip("\n"), start=0)
        return
    text = "\n".join(texts_of(part))
    if len(text) <= MAX_PASSAGE_CHARS and text.strip():
        yield _Piece(text=text.strip("\n"), start=0)
    elif isinstance(part, Text):
        yield from _paragraphs(text)
    else:
        yield from _blocks(text)


def _paragraphs(text: str) -> Iterator[_Piece]:
    """Runs of sentences between blank lines; a code block is one sentence, so it stays whole."""
    start = end = None
    for sentence in split_sentences(text):
        if start is not None and end is not None and _BLANK_LINES.search(text, end, sentence.start):
            yield _Piece(text=text[start:end], start=start)
            start = None
        start = sentence.start if start is None else start
        end = sentence.end
    if start is not None and end is not None:
        yield _Piece(text=text[start:end], start=start)


def _blocks(text: str) -> Iterator[_Piece]:
    """Blocks between blank lines; one that is longer than a passage may be is left to the archive."""
    start = 0
    for match in [*_BLANK_LINES.finditer(text), None]:
        end = match.start() if match else len(text)
        if 0 < end - start <= MAX_PASSAGE_CHARS and text[start:end].strip():
            yield _Piece(text=text[start:end].strip("\n"), start=start)
        start = match.end() if match else end
