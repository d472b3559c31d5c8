"""Sentence scores of `extractive`: the published ones, and ones learned from what agents summed up later.

    python benchmarks/sentence_scores.py SESSIONS

A sentence of an agent's message was needed where it covers a key point (`tamis.evals.statements`) of the
session, cut at its half. A score is the log-odds that a sentence with the trait was needed, against sentences
with no trait of its group. Prints the learned scores, and the share of the needed sentences that are kept in
the same share of a message's characters, by scores learned on the other half of the sessions.
"""

from __future__ import annotations

import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from splits import HALVES, cluster_of, half_of, session_files

from tamis.compactors.methods.sentence_scores import KEY_TERMS, PUBLISHED, SentenceWeights, score_sentence
from tamis.errors import TamisError
from tamis.evals import At, Point, find_points
from tamis.evals.statements.keypoints import COVERED, coverages, find_key_points
from tamis.evals.training.examples import sample
from tamis.messages import Text, get_counter
from tamis.sessions import read_all
from tamis.text import split_sentences

SETS = (
    "entire-claude-code", "specstory-claude-code", "pi-coding-agent", "codex-agentv",
    "sweagent-claude35-swebench-verified", "mini-swe-agent-deepseek", "openhands-codeact-swebench",
)  # fmt: skip
FILES, SESSIONS_EACH = 40, 3
GROUPS = (("first", "last", "early"), ("very_short", "short", "long"), ("key_term",))
SHARES = (0.7, 0.5, 0.3)


@dataclass(frozen=True, kw_only=True)
class Told:
    """A sentence of a message, its place among all sentences, and whether it was needed."""

    message: tuple[str, int]
    text: str
    position: int
    total: int
    needed: bool

    def score(self, scores: SentenceWeights) -> float:
        """As the method scores it."""
        return score_sentence(self.text, self.position, self.total, scores)

    def has(self, trait: str) -> bool:
        """Whether a score counts for it: it alone is set, so any score tells."""
        nothing = {f.name: 0.0 for f in fields(SentenceWeights) if isinstance(f.default, float)}
        return self.score(SentenceWeights(**{**nothing, trait: 1.0}, key_terms=KEY_TERMS)) > 0  # type: ignore[arg-type]


def told_at(point: Point, cluster: str) -> list[Told]:
    """The sentences of the span's longer messages, where something was summed up later."""
    sought = find_key_points(point).points
    found: list[Told] = []
    for number, message in enumerate(point.span if sought else ()):
        for part in message.parts if message.role == "assistant" else ():
            sentences = split_sentences(part.text) if isinstance(part, Text) else []
            prose = [(i, s) for i, s in enumerate(sentences) if s.kind != "code"]
            for i, s in prose if len(prose) > 3 else ():
                text = part.text[s.start : s.end]  # type: ignore[union-attr]
                needed = max(coverages(sought, [text])) >= COVERED
                found.append(
                    Told(
                        message=(cluster, number), text=text, position=i, total=len(sentences), needed=needed
                    )
                )
    return found


def learned(told: Sequence[Told]) -> SentenceWeights:
    """The published traits, each with its log-odds."""

    def odds(some: Sequence[Told]) -> float:
        needed = sum(one.needed for one in some)
        return math.log((needed + 0.5) / (len(some) - needed + 0.5))

    scores = {}
    for group in GROUPS:
        plain = odds([one for one in told if not any(one.has(trait) for trait in group)])
        for trait in group:
            scores[trait] = round(odds([one for one in told if one.has(trait)]) - plain, 1)
    return SentenceWeights(**scores)  # type: ignore[arg-type]


def kept(told: Sequence[Told], share: float, order: Callable[[Sequence[Told]], Sequence[Told]]) -> float:
    """The share of the needed sentences that stand where so much of each message's characters does."""
    messages: defaultdict[tuple[str, int], list[Told]] = defaultdict(list)
    for one in told:
        messages[one.message].append(one)
    standing = 0
    for sentences in messages.values():
        room = share * sum(len(one.text) for one in sentences)
        for one in order(sentences):
            if len(one.text) <= room:
                room -= len(one.text)
                standing += one.needed
    return standing / sum(one.needed for one in told)


def main() -> None:
    """Read, learn, print."""
    folder, counter = Path(sys.argv[1]), get_counter()
    halves: list[list[Told]] = [[] for _ in range(HALVES)]
    for name, path in sample(session_files(folder, SETS), FILES):
        try:
            for session in list(read_all(path))[:SESSIONS_EACH]:
                cluster = cluster_of(session, name)
                for point in find_points(session, [At.parse("50%")], counter):
                    if isinstance(point, Point):
                        halves[half_of(cluster)] += told_at(point, cluster)
        except TamisError:
            continue
    told = [one for half in halves for one in half]
    print(f"{len(told):,} sentences, {sum(one.needed for one in told)} needed\n\n{learned(told)}\n")
    print("| of a message's characters | published | learned | at random |\n|---|---|---|---|")
    other = [learned(halves[1 - h]) for h in range(HALVES)]
    unseen = {id(one): other[h] for h, half in enumerate(halves) for one in half}
    draw = random.Random(1)
    orders: tuple[Callable[[Sequence[Told]], Sequence[Told]], ...] = (
        lambda s: sorted(s, key=lambda one: -one.score(PUBLISHED)),
        lambda s: sorted(s, key=lambda one: -one.score(unseen[id(one)])),
        lambda s: draw.sample(s, len(s)),
    )
    for share in SHARES:
        print(f"| {share:.0%} | {' | '.join(f'{kept(told, share, order):.3f}' for order in orders)} |")


if __name__ == "__main__":
    main()
