"""Readers: who answers a question from a context alone.

`LexicalReader` needs no model: it finds the passages by BM25, answers with them word for word, and declines
where nothing fits. It cannot infer, so it tells what can be *found*, not what a model would make of it.
`ModelReader` puts the same questions to a language model, the context first, so that a server's cache of the
prompt's beginning serves every question after the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol, runtime_checkable

from tamis.evals.probing.passages import Passage, PassageIndex, telling_words
from tamis.evals.transcript import transcript
from tamis.ledger.names import names_in, stands_in
from tamis.messages import Message
from tamis.models import Model, Prompt

MAX_PASSAGES = 5
MAX_ANSWER_CHARS = 1_200
NEAR_BEST = 0.5
"""A passage whose rank is below this share of the best one's is not quoted."""

LEAST_COVERED = 0.4
"""The share of the question's words, by rarity, that some passage must hold, or the reader declines."""

MAX_OUTPUT_TOKENS = 200
DECLINED = "NOT IN CONTEXT"


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a reader answered, the passages that it stands on, and whether it declined to answer."""

    text: str
    quotes: tuple[str, ...] = ()
    declined: bool = False


@runtime_checkable
class Reader(Protocol):
    """Answers a question from the messages of a context and nothing else."""

    name: str
    version: str

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        """The answer; one that says so where the context does not tell."""


class LexicalReader:
    r"""Quotes the passages that fit the question best.

    >>> import asyncio
    >>> from tamis.messages import Text
    >>> told = [Message(id="1", role="user", parts=(Text(text="The port is 8080.\nThe host is db1."),))]
    >>> asyncio.run(LexicalReader().answer("Which port is it?", told)).text
    'The port is 8080.'
    """

    name = "lexical"
    version = "1"

    def __init__(self) -> None:
        self._context: Sequence[Message] | None = None
        self._index: PassageIndex | None = None

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        """Passages of the context, best first; declines where a name or most words asked for are missing."""
        index = self.index_of(context)
        named = {n.text.rpartition("/")[2] if n.kind == "path" else n.text for n in names_in(question)}
        if any(not stands_in(name, index.text) for name in named):
            return Answer(text="", declined=True)
        ranked = index.search(question, limit=4 * MAX_PASSAGES)
        weights = {word: index.rarity(word) for word in telling_words(question)}
        if not ranked or max(_covered(weights, p) for p, _ in ranked) < LEAST_COVERED:
            return Answer(text="", declined=True)
        best = ranked[0][1]
        quotes: list[str] = []
        room = MAX_ANSWER_CHARS
        for passage, rank in ranked:
            if (
                rank < NEAR_BEST * best
                or len(quotes) == MAX_PASSAGES
                or (quotes and len(passage.text) > room)
            ):
                break
            if passage.text not in quotes:
                quotes.append(passage.text)
                room -= len(passage.text)
        return Answer(text="\n".join(quotes), quotes=tuple(quotes))

    def index_of(self, context: Sequence[Message]) -> PassageIndex:
        """The index of the context asked last is kept: many questions are put to one context."""
        if self._index is None or self._context is not context:
            self._context, self._index = context, PassageIndex(context)
        return self._index


def _covered(weights: Mapping[str, float], passage: Passage) -> float:
    """The share of the question's words that the passage holds, the rare ones weighing more."""
    total = sum(weights.values())
    held = sum(weights[word] for word in weights.keys() & passage.words)
    return held / total if total else 1.0


class ModelReader:
    """Asks a language model, one question a prompt."""

    version = "1"

    def __init__(self, model: Model) -> None:
        self.name = f"model {model.name}"
        self._model = model
        self._instructions = (
            files("tamis.evals.probing").joinpath("prompts", "reader.txt").read_text("utf-8").strip()
        )

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        """The model's answer; `declined` where it says that the context does not tell.

        Raises:
            ModelError: the model gave no answer.
        """
        prompt = Prompt(
            instructions=self._instructions,
            text=f"<context>\n{transcript(context)}\n</context>\n\nQuestion: {question}",
            max_output_tokens=MAX_OUTPUT_TOKENS,
        )
        reply = await self._model.ask(prompt)
        said = reply.text.strip()
        declined = not said or re.sub(r"\W+", " ", said).strip().upper().startswith(DECLINED)
        return Answer(text="" if declined else said, declined=declined)
