"""Questions to the user that what was taken out answers.

Answered is a question that was asked before in nearly the same words and got a reply, or whose words all
stand in one sentence that the user wrote. What only asks for leave, or for more to do, is no such question.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tamis.compactors.completeness import fold
from tamis.evals.probing.passage_index import terms_in
from tamis.ledger.files.file_tools import simple_arguments
from tamis.ledger.outputs.commands import name_words
from tamis.messages import Message, ToolCall, part_text
from tamis.text.sentences import split_sentences

NEARLY_THE_SAME = 0.6
"""The share of the words of two questions together that both must have."""

LEAST_TERMS = 3
MAX_REMEMBERED = 2_000
_ASKS = frozenset({"ask", "question", "questions", "followup"})
_END = re.compile(
    r"[?？][\s*_`)\"']*$|\bplease (?:provide|tell|specify|share|give)\b|请(?:提供|告诉)", re.IGNORECASE
)
_WANTS_TO_KNOW = re.compile(
    r"\b(?:what|which|where|who|whom|whose|when|how (?:many|much|long|often|far))\b"
    r"|\b(?:provide|tell|specify|share|give)\b|什么|哪|谁|多少|几|何时",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\b(?:else|next|proceed|continue|prefer|help|assist|would you like)\b|\b(?:like|want) (?:me |us )?to\b"
    r"|\b(?:shall|should|can|may|could) (?:i|we)\b|\bdo you (?:want|think)\b|还有|继续|接下来|帮",
    re.IGNORECASE,
)
_ASKING_WORDS = frozenset(
    terms_in("what which where who whom whose when how many much long often far could can would you please")
    + terms_in("provide tell me specify share give should i use us we do does did is are was it the your")
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    """A question with the reply that it got, or a sentence of the user's (which is its own reply)."""

    message_id: str
    terms: frozenset[str]
    reply: str
    is_question: bool


@dataclass(kw_only=True)
class UserQuestions:
    """Reads messages in order, and is told which of them were taken out."""

    _held: deque[_Said] = field(default_factory=lambda: deque(maxlen=MAX_REMEMBERED))
    _gone: deque[_Said] = field(default_factory=lambda: deque(maxlen=MAX_REMEMBERED))
    _open: list[_Said] = field(default_factory=list)

    def read(self, message: Message) -> list[str]:
        """The questions of the next message that had been answered in what is gone."""
        replies = _replies(message)
        if replies and self._open:
            self._held.extend(replace(asked, reply=fold("\n".join(replies))) for asked in self._open)
            self._open = []
        if message.role == "user" and message.origin == "conversation":
            self._held.extend(
                _Said(message_id=message.id, terms=terms, reply=fold(sentence), is_question=False)
                for sentence in _sentences(message.text)
                if len(terms := frozenset(terms_in(sentence))) >= LEAST_TERMS and not _END.search(sentence)
            )
        again: list[str] = []
        for question in questions_in(message):
            terms = frozenset(terms_in(question)) - _ASKING_WORDS
            if len(terms) < LEAST_TERMS:
                continue
            if any(_answers(gone, terms) for gone in self._gone):
                again.append(question)
            self._open.append(_Said(message_id=message.id, terms=terms, reply="", is_question=True))
        return again

    def take_out(self, ids: Iterable[str], shown: Sequence[Message]) -> None:
        """Messages were taken out, and these are shown now; a reply that can be read in them is not gone."""
        gone = frozenset(ids)
        there = fold("\n".join(part_text(part) for message in shown for part in message.parts))
        self._gone.extend(said for said in self._held if said.message_id in gone)
        self._gone = deque((said for said in self._gone if said.reply not in there), maxlen=MAX_REMEMBERED)
        held = (said for said in self._held if said.message_id not in gone)
        self._held = deque(held, maxlen=MAX_REMEMBERED)


def questions_in(message: Message) -> Iterator[str]:
    """What an assistant's message asks the user, and wants to know.

    >>> from tamis.messages import Text
    >>> says = "I looked. Which port should the server use? Shall I go on?"
    >>> list(questions_in(Message(id="1", role="assistant", parts=(Text(text=says),))))
    ['Which port should the server use?']
    """
    if message.role != "assistant":
        return
    asking = [call for call in message.calls if name_words(call.name) & _ASKS]
    if message.calls and not asking:
        return  # it goes on by itself
    texts = [*_strings(asking)] if asking else [message.text]
    for sentence in (s for text in texts for s in _sentences(text)):
        if _END.search(sentence) and _WANTS_TO_KNOW.search(sentence) and not _is_offer(sentence):
            yield sentence


def _answers(said: _Said, terms: frozenset[str]) -> bool:
    if not said.is_question:
        return terms <= said.terms
    return len(terms & said.terms) >= NEARLY_THE_SAME * len(terms | said.terms)


def _is_offer(sentence: str) -> bool:
    """Whether a sentence asks for leave or for more to do; `which port should I use` does not."""
    match = _OFFERS.search(sentence)
    asks_first = _WANTS_TO_KNOW.match(sentence.lstrip("-*> "))
    return match is not None and not (asks_first and re.match(r"(?:should|shall|can) ", match[0], re.I))


def _sentences(text: str) -> Iterator[str]:
    for found in split_sentences(text):
        if found.kind in ("prose", "item", "quote"):
            yield text[found.start : found.end].strip()


def _strings(calls: Sequence[ToolCall]) -> Iterator[str]:
    for call in calls:
        for value in simple_arguments(call.arguments).values():
            if isinstance(value, str):
                yield value
            elif isinstance(value, list):
                for item in value:
                    yield str(item.get("question") or "") if isinstance(item, dict) else str(item)


def _replies(message: Message) -> list[str]:
    """What the user answered: a message of their own, or the result of a tool that asks them."""
    if message.role == "user" and message.text.strip() and message.origin == "conversation":
        return [message.text]
    return [r.text for r in message.results if name_words(r.name or "") & _ASKS]
