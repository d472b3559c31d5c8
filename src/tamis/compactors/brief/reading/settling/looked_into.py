"""What the agent supposed before it looked, where it tells behind the look how it is."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT, is_announcement

_LOOKS = re.compile(
    r"\b(?:check|examine|inspect|look|trace|understand|verify|see (?:if|how|what|where|whether|why))\b", re.I
)
"""Says that the agent is going to look, which it did not yet."""

_SOUND = re.compile(
    r"(?:(?:ok(?:ay)?|ah|good|so|actually)[,.!]? )?(?:the|all(?: the)?|these|those|they|it|everything)\b"
    r"(?: [\w`.-]{1,40}){0,4}? (?:is|are|looks?) (?:all |actually |already |indeed )?"
    r"(?:correct|fine|in order|ok(?:ay)?|right)[.,;]",
    re.IGNORECASE,
)
"""Finds that nothing is amiss."""

_NAME = re.compile(r"`([^`\n]{2,80})`")


def looked_into(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What a message gave as the cause before a look, where the next gives one that names all of it.

    All that it took for a fault where the next finds nothing amiss. Between the two nothing was changed.

    >>> from dataclasses import replace
    >>> cause = "cause", "prose"
    >>> one = Statement(kind="found", text="The issue is `rows`.", turn=1, place=(0, 0), flags=cause)
    >>> look = replace(one, kind="said", text="Let me check the calls.", flags=("announces",))
    >>> fine = replace(one, kind="said", text="The calls are correct.", turn=3, flags=())
    >>> [s.text for s in looked_into([one, look, fine])]
    ['The issue is `rows`.']
    """
    before: list[Statement] = []  # what it supposed in the messages that a look follows
    for _, group in groupby(statements, key=lambda s: s.turn):
        own = list(group)
        said = [s for s in own if s.kind in WORDS]
        if said and before:
            if _SOUND.match(said[0].text[:LOOKED_AT]):
                yield from before
            elif causes := [s for s in said if "cause" in s.flags]:
                yield from _named_again(before, " ".join(s.text[:LOOKED_AT] for s in causes))
        changes = any(s.kind in ("changed", "asked") for s in own)
        looks = said and is_announcement(said[-1].text) and _LOOKS.search(said[-1].text[:LOOKED_AT])
        if looks and not changes:
            supposed = [s for s in said if "prose" in s.flags]
            supposed = supposed if any("cause" in s.flags for s in supposed) else []
            before = [*before, *supposed] if before and said[0].turn - before[-1].turn == 1 else supposed
        elif said or changes:
            before = []


def _named_again(before: Sequence[Statement], account: str) -> Iterator[Statement]:
    """The causes of which a later account names all that they name, with what each was to explain."""
    for at, s in enumerate(before):
        names = _NAME.findall(s.text)
        if (
            "cause" in s.flags
            and "\n" not in s.text
            and all(f"`{name}`" in account for name in names)
            and "`" in account
        ):
            yield s
            yield from (o for o in before[max(0, at - 1) : at] if names and o.turn == s.turn)
