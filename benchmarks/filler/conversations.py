"""Conversations of filler with rules, facts, updates and neutral sentences at random places."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from filler.chatter import AGENT, NEUTRAL, USER
from filler.facts import FACTS
from filler.rules import RULES
from filler.slots import SLOTS
from filler.updates import LIFTED, NEIGHBOURS, UPDATES
from tamis.messages import Message, Text

Kind = Literal["rule", "fact", "update", "lift", "neighbours", "neutral"]

SHARES: dict[Kind, int] = {"rule": 8, "fact": 8, "update": 6, "lift": 2, "neighbours": 2, "neutral": 8}
"""How many of each kind a conversation holds."""

TURNS = range(34, 56)
HELD_OUT = 3
"""Every third phrasing is held out."""


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What was planted: a sentence, or an older and a newer one. `values` are those of the sentences."""

    kind: Kind
    phrasing: int
    sentences: tuple[str, ...]
    values: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A conversation and what was planted into it."""

    messages: tuple[Message, ...]
    planted: tuple[Planted, ...]


def conversation(seed: int, *, held_out: bool) -> Conversation:
    """One conversation; the same seed gives the same."""
    rng = random.Random(f"filler {seed} {held_out}")
    filling = _Filling(rng)
    planted: list[Planted] = []
    for kind, count in SHARES.items():
        pool = [i for i in range(len(_POOLS[kind])) if (i % HELD_OUT == HELD_OUT - 1) == held_out]
        if kind == "neutral":
            pool = list(range(len(NEUTRAL)))
        planted += [_planted(kind, i, filling) for i in rng.sample(pool, min(count, len(pool)))]
    turns = rng.choice(TURNS)
    placed: dict[int, list[str]] = {}
    for item in planted:
        # The second of two statements stands in a later message.
        spots = sorted(rng.sample(range(turns - 1), len(item.sentences)))
        for spot, sentence in zip(spots, item.sentences, strict=True):
            placed.setdefault(spot, []).append(sentence)
    messages = []
    for turn in range(turns):
        for role, pool, extra in (("user", USER, placed.get(turn, [])), ("assistant", AGENT, [])):
            text = _message(rng, pool, extra, filling)
            messages.append(Message(id=f"{role}-{turn}", role=role, parts=(Text(text=text),)))  # type: ignore[arg-type]
    return Conversation(messages=tuple(messages), planted=tuple(planted))


_POOLS: dict[Kind, Sequence[object]] = {
    "rule": RULES,
    "fact": FACTS,
    "update": UPDATES,
    "lift": LIFTED,
    "neighbours": NEIGHBOURS,
    "neutral": NEUTRAL,
}


class _Filling:
    """Fills blanks, each with what was not used before in this conversation, as long as there is some."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._left: dict[str, list[str]] = {}

    def draw(self, slot: str) -> str:
        left = self._left.setdefault(slot, [])
        if not left:
            left[:] = self._rng.sample(SLOTS[slot], len(SLOTS[slot]))
        return left.pop()

    def fill(self, *templates: str, **given: str) -> tuple[str, ...]:
        """The templates with the same blanks filled alike."""
        known = dict(given)
        if any("{flag}" in template for template in templates):
            known["flag"] = f"enable_{self.draw('thing').replace(' ', '_')}_v2"
        for slot in re.findall(r"\{(\w+)\}", " ".join(templates)):
            if slot not in known and slot != "mod_":
                known[slot] = self.draw(slot.removesuffix("2"))
        known["mod_"] = known.get("mod", "").removeprefix("the ")
        filled = (template.format(**known) for template in templates)
        return tuple(text[0].upper() + text[1:] for text in filled)


def _planted(kind: Kind, index: int, filling: _Filling) -> Planted:
    phrase = _POOLS[kind][index]
    if isinstance(phrase, str):
        return Planted(kind=kind, phrasing=index, sentences=filling.fill(phrase))
    *slot, old, new = phrase  # type: ignore[misc]
    if not slot:
        return Planted(kind=kind, phrasing=index, sentences=filling.fill(old, new))
    a, b = filling.draw(slot[0]), filling.draw(slot[0])
    while a == b:
        b = filling.draw(slot[0])
    return Planted(kind=kind, phrasing=index, sentences=filling.fill(old, new, a=a, b=b), values=(a, b))


def _message(rng: random.Random, pool: Sequence[str], extra: Sequence[str], filling: _Filling) -> str:
    said = [filling.fill(template)[0] for template in rng.sample(pool, rng.randint(3, 8))]
    for sentence in extra:
        said.insert(rng.randint(0, len(said)), sentence)
    paragraphs: list[list[str]] = [[]]
    for sentence in said:
        if paragraphs[-1] and rng.random() < 0.15:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)
