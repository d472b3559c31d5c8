"""Questions without an answer: worded like the others, about things that the span never names.

The made-up word, the kind of file and the way of asking are chosen by a hash of what the span is about, so
that not every session asks for the same things.
"""

import hashlib
import posixpath
from collections.abc import Iterator

from tamis.evals.probing.drafts import ProbeDraft
from tamis.ledger.state import State

MOST = 3

_WORDS = """
zephyr quokka tundra marigold obsidian larkspur tamarind cobalt heron juniper saffron walrus basalt clover
gannet thistle ocelot pumice sorrel vermilion
"""

_FORMS = (
    "What was changed in {folder}{word}_settings{ending}?",
    "What was decided about the {word} migration, and why?",
    "What did the {title}Error at {word}_loader{ending}:88 say?",
    "In which file was {word}_timeout changed?",
    "Which version of {word} is named?",
    "With which arguments was {word}-cli called?",
    'What is the rule about "the {word} folder"?',
    "What is the value of {word}_limit?",
)


def draft_unanswerable(state: State, known: str) -> Iterator[ProbeDraft]:
    """So many questions about what stands nowhere in `known`."""
    neighbour = state.files[-1].value.path if state.files else "src/app.py"
    folder, name = posixpath.split(neighbour)
    ending = posixpath.splitext(name)[1] or ".py"
    folded = known.lower()
    words = _shuffled([word for word in _WORDS.split() if word not in folded], neighbour + str(state.turns))
    forms = _shuffled(list(_FORMS), neighbour + str(state.turns))
    for word, form in list(zip(words, forms, strict=False))[:MOST]:
        question = form.format(
            word=word, title=word.title(), folder=f"{folder}/" if folder else "", ending=ending
        )
        yield ProbeDraft("unanswerable", form, question, expected=(), sources=())


def _shuffled(texts: list[str], seed: str) -> list[str]:
    def place(text: str) -> bytes:
        return hashlib.sha256(f"{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()

    return sorted(texts, key=place)
