"""The messages of a span that prove an answer.

A ledger's entry points at the newest message about its subject, which need not hold all of the answer: the
call names the function, its result the file; a list of files was written by many calls. What is missing is
looked for in the span, newest first, where every name that the question asks about stands too.
"""

from collections.abc import Mapping, Sequence

from tamis.evals.probing.exact_scorer import credit
from tamis.evals.probing.leaks import words_of
from tamis.evals.probing.probes import Expected
from tamis.ledger.speech.subjects import key_words
from tamis.text.names import names_in, stands_in

PROVEN_FROM = 0.99
"""The share of an expected text's words that its sources must hold."""


def find_proof(
    question: str, expected: Sequence[Expected], sources: Sequence[str], texts: Mapping[str, str]
) -> tuple[str, ...] | None:
    """The sources, and those that are needed besides; None where the span does not hold the answer.

    Nothing expected is nothing proven. `texts` are the span's messages by id, oldest first.
    """
    if not expected:
        return None
    proof = "\n".join(texts.get(source, "") for source in sources)
    found = dict.fromkeys(sources)
    names = [name.text.rpartition("/")[2] or name.text for name in names_in(question)]
    for item in expected:
        if holds(proof, item):
            continue
        newest = (
            source
            for source, text in reversed(list(texts.items()))
            if holds(text, item) and all(stands_in(name, text) for name in names)
        )
        if (source := next(newest, None)) is None:
            return None
        found[source] = None
    return tuple(found)


def holds(text: str, item: Expected) -> bool:
    """Whether the text holds the whole of what is expected."""
    if item.type == "text":
        words = key_words(item.value)
        return len(words & words_of(text)) >= PROVEN_FROM * len(words)
    if item.type == "path":  # resolved against a working directory, which the call need not repeat
        name = item.value.rpartition("/")[2]
        return bool(name) and stands_in(name, text)
    return stands_in(item.value, text) or credit(item, text) == 1.0
