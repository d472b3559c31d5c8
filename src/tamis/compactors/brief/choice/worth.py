"""How much a statement is worth to whoever goes on.

Three judgements are multiplied. The prior says what a reader of a hand-off wants by kind and form; it was set
with readers. The chance that an agent sums the statement up again later was learned from recaps, as an
additive model: one step function for each number, one weight for each kind and flag
(`tamis.evals.training`). The weights are a small JSON file that can be read by eye. The grade was learned
from statements that readers graded (`grade.py`).
"""

import json
import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tamis.compactors.brief.choice.grade import default_grade
from tamis.compactors.brief.choice.signals import FLAGS, NUMBERS, Signals
from tamis.compactors.brief.choice.steps import Steps
from tamis.compactors.brief.reading.statement import DEEDS, KINDS, WANTED, StatementKind
from tamis.errors import UnreadableFile
from tamis.faults import first_fault
from tamis.text_files import read_text

WORTH_FORMAT = "tamis-worth/1"

PRIOR: Mapping[StatementKind, float] = {
    "asked": 2.6,
    "demanded": 2.6,
    "committed": 2.0,
    "concluded": 1.5,
    "posted": 1.2,
    "changed": 1.0,
    "found": 1.0,
    "tested": 0.8,
    "noted": 3.0,
    "reported": 0.7,
    "failed": 0.6,
    "said": 0.5,
    "ran": 0.35,
    "thought": 0.25,
    "passage": 0.12,
}
"""What a token of each kind is worth, in tokens of an agent's plain conclusions."""

FACTORS: Mapping[str, float] = {
    "boilerplate": 0.002,
    "announces": 0.08,
    "courtesy": 0.1,
    "record": 6.0,
    "value": 3.0,
    "effect": 4.0,
    "guess": 0.55,
    "vague": 0.4,
    "paste": 0.1,
    "spare": 0.25,
    "fact": 1.5,
    "trouble": 1.3,
    "reply": 1.6,
    "verdict": 1.6,
    "heading": 0.1,
    "dead": 0.9,
    "why": 1.6,
    "diagnosis": 1.8,
    "overruled": 0.5,
    "tried": 0.6,
    "detail": 0.45,
    "opens": 0.12,
    "quoted": 0.4,
    "reads": 0.45,
    "code": 0.55,
    "scratch": 0.45,
    "trial": 0.5,
    "slight": 0.3,
    "praise": 0.1,
    "stale": 0.4,
    "question": 0.8,
    "table": 0.9,
    "found": 1.15,
    "change": 1.15,
    "answer": 1.2,
    "state": 1.2,
    "wants": 1.2,
    "choice": 1.25,
    "named": 1.25,
    "cause": 1.3,
    "gain": 2.5,
    "page": 4.0,
    "source": 1.4,
    "short": 1.5,
    "first": 1.5,
    "last": 1.7,
}
"""By what the prior is multiplied for what can be seen of a statement."""

SHORT_DEED = 28
SHORT_EDIT = 60
REST_FACTOR = 0.4
"""Of a deed, its beginning says the most: what was done to what; tokens beyond that many count less. Of an
edit of a file of the work, the lines count."""

ALONE: Mapping[StatementKind, float] = {"said": 0.7, "thought": 0.7, "found": 0.8}
ALONE_DEED = 1.2
ALONE_SCRATCH = 0.8
ALONE_LAST = 1.5
ALONE_OUTLINE = 0.3
ALONE_DETAIL = 0.6
"""Where an agent works alone, what it says to itself tells less, but for the last, and what it did more, but
for what it only tries out; that a file was edited tells little beside what was edited in it, and so do the
details of its one request."""

UNDER_WAY = 1.6
"""What was found for the newest request goes before reports on what was finished earlier."""

PIECE_FACTOR = 0.4
"""A piece of a long message of the user's beside a short message: the first and newest have room anyway."""

LEARNED_SHARE = 0.4
"""The weight of what was learned in the geometric mean of the two."""

CHANCE_TOKENS = 60
"""Tokens of plain conclusions that a statement is worth which is sure to be summed up again."""

OF_SERVICES = frozenset({"record", "page", "value", "effect"})
"""What was had from services or done there: few of the graded statements were."""

UNGRADED = frozenset({"noted", "passage"})
SAID_FOR_ITSELF = frozenset({"whole", "fact"})
"""Of the user's words, readers graded the sentences of long messages; a short message, and a fact in a long
one, go by the prior."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Worth:
    """The worth of statements.

    `learned_from` says on what: points, sessions and statements per set. `version` names the weights in every
    result that used them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    format: str = WORTH_FORMAT
    version: str
    learned_from: Mapping[str, Mapping[str, int]]
    intercept: float
    kinds: Mapping[str, float]
    flags: Mapping[str, float]
    steps: Mapping[str, Steps]

    def chance(self, signals: Signals) -> float:
        """How likely it is that the statement will be summed up again later."""
        odds = self.intercept + self.kinds.get(signals.kind, 0.0)
        odds += sum(self.flags.get(flag, 0.0) for flag in sorted(signals.flags))
        for name, value in zip(NUMBERS, signals.numbers, strict=True):
            steps = self.steps.get(name)
            if steps is not None:
                odds += steps.scores[bisect_right(steps.edges, value)]
        return 1 / (1 + math.exp(-odds))

    def __call__(self, signals: Signals, *, talks: bool = False) -> float:
        """The worth, in tokens of an agent's plain conclusions.

        What was graded was work: where people only talk (`talks`), no grade counts.
        """
        prior = prior_worth(signals, works=not talks)
        if signals.kind in UNGRADED or "boilerplate" in signals.flags:
            return prior
        if signals.kind in WANTED:
            by_prior = talks or signals.flags & SAID_FOR_ITSELF
            return prior if by_prior else default_grade()(signals)
        learned = CHANCE_TOKENS * self.chance(signals)
        worth = float(prior ** (1 - LEARNED_SHARE) * learned**LEARNED_SHARE)
        if talks or signals.flags & OF_SERVICES:
            return worth
        return math.sqrt(worth * default_grade()(signals))


def prior_worth(signals: Signals, *, works: bool = True) -> float:
    """The worth by kind, form and age alone; where people only talk, nothing is under way."""
    worth = PRIOR[signals.kind]
    if (
        works
        and signals.kind in ("found", "said")
        and not signals.numbers[3]
        and "alone" not in signals.flags
    ):
        worth *= UNDER_WAY
    for flag in sorted(signals.flags):
        worth *= FACTORS.get(flag, 1.0)
    if signals.kind in ALONE and signals.flags >= {"alone", "last"}:
        worth *= ALONE_LAST
    elif signals.flags >= {"alone", "outline"}:
        worth *= ALONE_OUTLINE
    elif signals.flags >= {"alone", "scratch"}:
        worth *= ALONE_SCRATCH
    elif "alone" in signals.flags:
        worth *= ALONE.get(signals.kind, ALONE_DEED if signals.kind in DEEDS else 1.0)
    tokens, _, age_share, requests_behind = signals.numbers[:4]
    short = SHORT_EDIT if signals.flags >= {"alone", "source"} else SHORT_DEED
    if signals.kind in DEEDS and tokens > short:
        tokens = short + REST_FACTOR * (tokens - short)
    if signals.kind in WANTED and not signals.flags & {"whole", "fact"}:
        worth *= PIECE_FACTOR * (ALONE_DETAIL if signals.flags >= {"alone", "detail"} else 1)
    if signals.kind in WANTED:
        return float(tokens * worth * (0.5 + 0.5 * 0.9**requests_behind))
    return float(tokens * worth * (0.35 + 0.65 * 0.86**requests_behind) * (1 - 0.45 * age_share))


def worth_from_json(text: str, source: str) -> Worth:
    """Read weights.

    Raises:
        UnreadableFile: no such weights, of another format, or with signals that this tamis does not know.
    """
    try:
        data = TypeAdapter(Worth).validate_json(text)
    except ValidationError as error:
        raise UnreadableFile(
            f"{source}: no weights of statements ({first_fault(error, 'file')}); make them with: "
            "tamis learn SESSIONS... -o worth.json"
        ) from None
    if data.format != WORTH_FORMAT:
        raise UnreadableFile(
            f"{source}: weights of format {data.format!r}, not {WORTH_FORMAT!r}; learn them again"
        )
    unknown = {*data.steps} - {*NUMBERS} | {*data.flags} - {*FLAGS} | {*data.kinds} - {*KINDS}
    ragged = {name for name, s in data.steps.items() if len(s.scores) != len(s.edges) + 1}
    if unknown or ragged:
        names = ", ".join(sorted(unknown | ragged))
        raise UnreadableFile(f"{source}: weights that do not fit this tamis ({names}); learn them again")
    return data


def worth_to_json(worth: Worth) -> str:
    """The weights as text, the same bytes for the same weights."""
    return json.dumps(asdict(worth), indent=1) + "\n"


def read_worth(path: Path) -> Worth:
    """Weights from a file.

    Raises:
        UnreadableFile: missing, or not such weights.
    """
    return worth_from_json(read_text(path, "name a file of weights"), str(path))


@cache
def default_worth() -> Worth:
    """The weights that ship with tamis."""
    text = files("tamis.compactors.brief").joinpath("worth.json").read_text(encoding="utf-8")
    return worth_from_json(text, "worth.json")
