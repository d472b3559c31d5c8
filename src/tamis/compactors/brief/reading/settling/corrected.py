"""What the user corrected: the words that it replaced stand nowhere any more."""

import re

from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.speech.facts import is_learned
from tamis.ledger.state import State
from tamis.text.cues.complaints import tells_amiss
from tamis.text.sentences import split_sentences

LEAST_OLD = 12
"""A corrected text that is shorter may stand for something else elsewhere."""

_GOES_BACK = re.compile(r"(?:they|it|this|that|these|those|he|she)\b", re.IGNORECASE)


class Corrections:
    """What the user corrected: the old words stand nowhere any more.

    Where somebody works, facts are those that a label or a cue shows; in a talk (`talks`) all of them.
    """

    def __init__(self, state: State, *, talks: bool) -> None:
        olds = [e.value.old.split() for e in state.corrections]
        self._old = [
            (max(old, key=len), re.compile(r"\s+".join(map(re.escape, old))))
            for old in olds
            if len(" ".join(old)) >= LEAST_OLD
        ]
        stated = [e.value.text for e in state.facts if talks or not is_learned(e.value)]
        facts = [*stated, *(e.value.text for e in state.entities)]
        self._facts = [" ".join(text.split()) for text in facts if text]

    def __call__(self, statement: Statement) -> str:
        """The statement's text without what was corrected since."""
        text = statement.text
        for word, old in self._old:
            while word in text and (found := old.search(text)):
                told, rest = text[: found.start()].rstrip(" "), _on_its_own(text[found.end() :])
                is_gap = statement.kind == "asked" and told[-1:].strip() and rest.strip(" .")
                told += " …" if is_gap and not told.endswith("…") else text[len(told) : found.start()]
                text = (told + rest).strip()
                text = (
                    text if re.search(r"[^\W\d]", text.removeprefix("(reported)")) else ""
                )  # the mark of a list item
        return text

    def tells_fact(self, text: str) -> bool:
        """Whether a text holds a fact that stands; a row of a table, or that something works, is none."""
        told = " ".join(text.split())
        is_fact = " | " not in told and tells_amiss(told) is not False
        return is_fact and any(map(told.__contains__, self._facts))


def _on_its_own(text: str) -> str:
    """What stands behind a corrected sentence, without the sentences that go back to it.

    >>> _on_its_own(" They change it on Monday. Then go on.")
    ' Then go on.'
    """
    end, goes_on = 0, False
    for s in split_sentences(text):
        if not (goes_on or _GOES_BACK.match(text, s.body)):
            break
        end, goes_on = s.end, text[s.body : s.end].rstrip().endswith(",")
    return text[end:]
