"""Questions made from a recap behind the cut, answered by the span.

The recap chooses what is worth asking, so neither the ledger nor a method has a hand in it; the answer is the
span's own sentence. A recap is a final report, a commit message, a later summary (`statements/recaps.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from tamis.evals.probing.drafts import ProbeDraft, is_askable, item, phrase_of, word_by_hash
from tamis.evals.probing.probes import ProbeKind
from tamis.evals.statements.keypoints import KeyPointTarget
from tamis.ledger.speech.prose import looks_pasted
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.discourse_cues import flags_of, is_announcement
from tamis.text.key_words import key_words
from tamis.text.sentences import split_sentences

SHARED = 0.5
"""The share of the recap's telling words that a sentence of the span must say to be what it goes back to."""

LEAST_WORDS = 5

_FORMS: Mapping[ProbeKind, tuple[str, str]] = {
    "decision": (
        'What was found or decided with regard to "{phrase}"?',
        'What was concluded about "{phrase}"?',
    ),
    "recall": ('What was said about "{phrase}"?', 'What is known about "{phrase}"?'),
}

_RETELLS = re.compile(r"^(?:the user|user)\b|^i['’]ll help\b", re.IGNORECASE)


def ask_for_recaps(span: Sequence[Message], sought: Sequence[KeyPointTarget]) -> Iterator[ProbeDraft]:
    """For each key point the sentence of the span that says it, asked for by words that both have."""
    messages = {message.id: message for message in span}
    texts = [one.point.text for one in sought]
    for one in sought:
        recap = one.point.text
        best = _said_in_span(recap, [messages[i] for i in one.point.sources if i in messages])
        if best is None:
            continue
        sentence, source = best
        common = key_words(recap) & key_words(sentence)
        phrase = phrase_of(sentence, [text for text in texts if text != recap])
        if not phrase or not key_words(phrase) & common:
            continue
        kind: ProbeKind = "decision" if {"cause", "choice"} & {*flags_of(sentence)} else "recall"
        question, expected = word_by_hash(_FORMS[kind], phrase=phrase), (item(sentence, "text"),)
        yield ProbeDraft(kind, "recap", question, expected=expected, sources=(source,), made_by="recap")


def _said_in_span(recap: str, sources: Sequence[Message]) -> tuple[str, str] | None:
    """The sentence of these messages that says most of the recap, and its message; None where none does."""
    words = key_words(recap)
    found: list[tuple[int, str, str]] = []
    for message in sources:
        for part in message.parts:
            if isinstance(part, Text | Thinking):
                found += ((len(words & key_words(s)), s, message.id) for s in _sentences(part.text))
    shared, sentence, source = max(found, default=(0, "", ""), key=lambda one: one[0])
    return (sentence, source) if shared / max(1, len(words)) >= SHARED else None


def _sentences(text: str) -> Iterator[str]:
    for found in split_sentences(text):
        said = text[found.body : found.end].strip()
        prose = found.kind in ("prose", "item") and "\n" not in said and is_askable(said)
        dull = looks_pasted(said) or said.endswith("?") or _RETELLS.match(said) or is_announcement(said)
        if prose and not dull and len(key_words(said)) >= LEAST_WORDS:
            yield said
