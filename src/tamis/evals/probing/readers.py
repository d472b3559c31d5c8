"""Readers: who answers a question from a context alone.

`LexicalReader` needs no model: it finds the passages by BM25, prefers those that hold what could be the
answer (a path where a file is asked for), answers with them word for word, and declines where what is asked
about stands nowhere. It cannot infer: it tells what can be *found*, not what a model would make of it.
`ModelReader` puts the same questions to a language model, the context first, so that a server's cache of the
prompt's beginning serves every question after the first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self, runtime_checkable

from tamis.compactors.brief import fence
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.evals.display_text import transcript
from tamis.evals.probing.item_match import find_quantities
from tamis.evals.probing.passage_index import Passage, PassageIndex, terms_in
from tamis.messages import Message
from tamis.models import Model, Prompt
from tamis.text.file_types import FILE_EXTENSIONS
from tamis.text.names import names_in, stands_in

_QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`')
_FILE = re.compile(r"(?<![\w./\\-])[\w./\\-]*\w\.[A-Za-z]\w{0,9}\b|(?<!\w)\w++/[\w./-]*\w")
_COMMAND = re.compile(r'`[^`]+`|\{"')
_KINDS: Mapping[str, re.Pattern[str]] = {
    "path": re.compile(r"\b(?:which|what|in what) (?:\w+ ){0,2}files?\b|哪[个些]?文件", re.IGNORECASE),
    "command": re.compile(r"\bcommands?\b|\barguments\b|\bhow were\b|命令", re.IGNORECASE),
    "number": re.compile(
        r"\bhow (?:many|much|long)\b|\bversion\b|\bport\b|\bamount\b|多少|版本|端口", re.IGNORECASE
    ),
}

_SCAFFOLDING = frozenset(
    terms_in("""
        which what where who why how whose whole full new newly latest last line value version file files
        function functions class classes section sections command arguments argument error message rule
        instruction choice reason role mention mentions mentioned speak speaks say said come came give given
        name named names stand stands concern concerns regard laid down decided decide decision rest rests
        ran run called call raised raise occur define defines written wrote edited edit changed change use
        used tell
    """)
)
"""Words that a question is made of, whatever it asks about: they rank passages, but need not stand in one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAnalysis:
    """A question, taken apart.

    `names` must stand in the context, or nobody can answer. `about` are the terms of what is quoted and named
    in the question, of all its telling words where nothing is. `kind` is what the answer holds, if it shows.
    """

    question: str
    names: frozenset[str]
    about: frozenset[str]
    kind: str | None

    @classmethod
    @lru_cache(maxsize=4096)  # one question is put to the contexts of many methods
    def read(cls, question: str) -> Self:
        """Take a question apart.

        >>> asked = QuestionAnalysis.read("In which file was load_table changed?")
        >>> sorted(asked.names), asked.kind
        (['load_table'], 'path')
        """
        quoted = [match[1] or match[2] for match in _QUOTED.finditer(question)]
        found = names_in(_QUOTED.sub(" ", question))
        names = frozenset(n.text.rpartition("/")[2] or n.text if n.kind == "path" else n.text for n in found)
        about = frozenset(terms_in(" ".join([*quoted, *names])))
        if not about:
            every = frozenset(terms_in(question))
            about = every - _SCAFFOLDING or every
        kind = next((kind for kind, shows in _KINDS.items() if shows.search(question)), None)
        return cls(question=question, names=names, about=about, kind=kind)

    def may_answer(self, passage: Passage) -> bool:
        """Whether the passage or its heading holds a thing of the kind that is asked for."""
        return self.kind is not None and (self._has_answer(passage.text) or self._has_answer(passage.heading))

    def quote(self, passage: Passage) -> str:
        """What is said; behind its heading where only that holds a thing of the kind that is asked for."""
        if self.kind is None or self._has_answer(passage.text) or not self._has_answer(passage.heading):
            return passage.text
        return f"{passage.heading}\n{passage.text}"

    def _has_answer(self, text: str) -> bool:
        if self.kind == "number":
            return any(True for _ in find_quantities(text))
        if self.kind == "command":
            return bool(_COMMAND.search(text))
        return any(
            found not in self.question and ("/" in found or found.rpartition(".")[2] in FILE_EXTENSIONS)
            for found in _FILE.findall(text)
        )


MAX_PASSAGES = 5
MAX_ANSWER_CHARS = 1_200
NEAR_BEST = 0.5  # a passage whose rank is below this share of the best one's is not quoted
LEAST_COVERED = 0.5
"""The share of what is asked about, by rarity, that some passage must hold, or the reader declines."""

FITS_BETTER = 2.0  # what a passage gains that holds a thing of the kind that is asked for
MAX_OUTPUT_TOKENS = 200
DECLINED = "NOT IN CONTEXT"
SHORT_REPLY_WORDS = 12
_PROMPT = load_prompt("reader", "tamis.evals.probing")


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
    version = "2"

    def __init__(self) -> None:
        self._context: Sequence[Message] | None = None
        self._index: PassageIndex | None = None

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        """Passages of the context, best first; declines where what is asked about stands nowhere."""
        return self.look_up(question, context)

    def look_up(self, question: str, context: Sequence[Message]) -> Answer:
        """The same at once: nothing is waited for."""
        index, asked = self.index_of(context), QuestionAnalysis.read(question)
        if not all(stands_in(name, index.text) for name in asked.names):
            return Answer(text="", declined=True)
        found = index.search(question, limit=4 * MAX_PASSAGES)
        weighed = ((p, rank * (FITS_BETTER if asked.may_answer(p) else 1)) for p, rank in found)
        ranked = sorted(weighed, key=lambda passage: -passage[1])
        if not ranked or max(_covered(asked.about, p, index) for p, _ in ranked) < LEAST_COVERED:
            return Answer(text="", declined=True)
        quotes: dict[str, None] = {}
        room = MAX_ANSWER_CHARS
        for passage, rank in ranked:
            quote = asked.quote(passage)
            if rank < NEAR_BEST * ranked[0][1] or len(quotes) == MAX_PASSAGES or len(quote) > room:
                break
            if quote not in quotes:
                quotes[quote] = None
                room -= len(quote)
        return Answer(text="\n".join(quotes), quotes=tuple(quotes))

    def index_of(self, context: Sequence[Message]) -> PassageIndex:
        """The index of the context asked last is kept: many questions are put to one context."""
        if self._index is None or self._context is not context:
            self._context, self._index = context, PassageIndex(context)
        return self._index


def _covered(about: frozenset[str], passage: Passage, index: PassageIndex) -> float:
    """The share of what is asked about that the passage holds, rare words weighing more."""
    total = sum(index.rarity(term) for term in sorted(about))
    held = sum(index.rarity(term) for term in sorted(about & passage.terms.keys()))
    return held / total if total else 1.0


class ModelReader:
    """Asks a language model, one question a prompt, the context first and always the same."""

    version = f"1+prompts.{_PROMPT.version}"

    def __init__(self, model: Model) -> None:
        self.name = f"model {model.name}"
        self.model = model

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        """The model's answer; `declined` where it says that the context does not tell.

        Raises:
            ModelError: the model gave no answer.
        """
        reply = await self.model.ask(reader_prompt(transcript(context), question))
        return read_answer(reply.text)


def reader_prompt(context: str, question: str) -> Prompt:
    """What a model is asked: the context, fenced and first, then the question."""
    return _PROMPT.fill(context=fence(context), question=question, max_output_tokens=MAX_OUTPUT_TOKENS)


def read_answer(reply: str) -> Answer:
    """What a model's reply to such a prompt comes to: an answer, or that it declined.

    >>> [read_answer(said).text for said in ("It is NOT IN CONTEXT.", " It is 8080. ", "It is in context.py")]
    ['', 'It is 8080.', 'It is in context.py']
    """
    said = reply.strip()
    words = re.sub(r"\W+", " ", said).strip().upper()
    told = DECLINED in words and len(words.split()) <= SHORT_REPLY_WORDS  # with a few words around it
    declined = not said or told or words.startswith(DECLINED)
    return Answer(text="" if declined else said, declined=declined)
