"""Statements: what the agent found out and told, in its own words.

A reply that closes a piece of work says what was found, done or counted; so does a sentence that names a
cause, wherever it stands. What only announces, offers or asks says nothing that has to be known later.
"""

from collections.abc import Iterator
from functools import lru_cache

from tamis.ledger.speech.prose import passages, said, speaker
from tamis.messages import Message
from tamis.text import names_in
from tamis.text.cues import zh
from tamis.text.cues.choices import NEXT
from tamis.text.cues.phrases import either

MAX_CHARS = 240
MAX_STATEMENTS = 4
"""Taken from one message; a report is longer, and lies in the archive."""

_CAUSE = either(
    r"\b(?:(?:is|was|are|were)\s+caused\s+by|causes?\s+of|root\s+cause|due\s+to|comes?\s+from|turns?\s+out|turned\s+out"
    r"|the\s+(?:reason|culprit|problem|issue|bug)\s+(?:is|was)|found\s+(?:the|that)|because)\b",
    zh.CAUSE,
    signs=(
        *("caused by", "cause of", "causes of", "root cause", "due to", "come from", "comes from"),
        *("turn out", "turns out", "turned out", "reason ", "culprit ", "problem ", "issue ", "bug "),
        *("found th", "because"),
        *zh.CAUSE.split("|"),
    ),
)
_ANNOUNCES = either(
    NEXT,
    r"^(?:let\s+me|i'll|i\s+will|i'm\s+going\s+to|now,?\s+(?:i|let)|next|sure|okay|ok|done|great|perfect)\b[^.]{0,40}$",
    r"^(?:let\s+me|let's|i'll|i\s+will|i'm\s+going\s+to)\b",
    r"\blet\s+me\s+know\b|\bif\s+you(?:'d\s+like|\s+want)\b|[?？]\s*$|[:：]\s*$",
)


def statements_in(message: Message) -> Iterator[str]:
    """The sentences of an assistant's message that state something by name or number.

    >>> from tamis.messages import Text
    >>> text = "Let me sum up. The import stops after 544 rows. Shall I go on?"
    >>> list(statements_in(Message(id="1", role="assistant", parts=(Text(text=text),))))
    ['The import stops after 544 rows.']
    """
    if speaker(message) != "assistant":
        return
    closes = not message.calls
    left = MAX_STATEMENTS
    for passage in passages(message, None if closes else _CAUSE):
        for sentence in said(passage):
            text = passage.text[sentence.body : sentence.end]
            if left and sentence.kind in ("prose", "item") and _states(text, closes=closes):
                left -= 1
                yield " ".join(text.split())


@lru_cache(maxsize=1024)
def _states(text: str, *, closes: bool) -> bool:
    if not 12 <= len(text) <= MAX_CHARS or not (closes or _CAUSE.stands_in(text)):
        return False
    if _ANNOUNCES.stands_in(text):
        return False
    return any(True for _ in names_in(text)) or any(word[0].isupper() for word in text.split()[1:])
