"""How likely each name is to be needed, learned from what agents really used later.

The model is additive: a sum of one step function per feature, put through the logistic function. It is
learned by `tamis.evals.learning`, kept as a small JSON file that can be read by eye, and applied with nothing
but `bisect`. Every feature can be read off the span alone (`ledger/mentions.py`).
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from tamis.errors import UnreadableFile
from tamis.ledger.mentions import COOLING, VOICES, Mention, Mentions
from tamis.ledger.names import KINDS, NameKind

IMPORTANCE_FORMAT = "tamis-importance/1"

NEVER = 1e9
"""The age of a mention that never was."""

FEATURES: tuple[str, ...] = (
    "mentions",
    "mentions_share",
    "age_messages",
    "age_characters",
    "age_first_messages",
    "age_share",
    "crowd",
    "last_crowd",
    "length",
    "digits",
    "form",
    "session_characters",
    "heat",
    "own_heat",
    *(f"{what}_{voice}" for voice in VOICES for what in ("mentions", "age")),
)
"""What is known of a name, in the order of `features`. Ages count messages back from the end of the span;
`age_share` is the age as a share of the span; `crowd` is the fewest names that it ever shared a part with;
`digits` is how many of its characters are digits; `form` is 0 for letters alone, 1 for letters and marks, 2
with digits among them, 3 for little but digits."""

FEW_PATHS = 0.02
"""Where fewer of the names than this are paths, nobody works on files: it is a talk, a support chat say."""

MOSTLY = 0.8
"""The share of digits from which a name is a number, whatever else stands in it."""


def features(name: str, mention: Mention, mentions: Mentions) -> list[float]:
    """The values of `FEATURES` for one name."""
    now = mentions.messages
    digits = sum(map(str.isdigit, name))
    values = [
        mention.total,
        mention.total / now,
        now - mention.last,
        mentions.characters - mention.last_at,
        now - mention.first,
        1 - mention.last / now,
        mention.crowd,
        mention.last_crowd,
        len(name),
        digits,
        _form(name, digits),
        mentions.characters,
        mention.heat * COOLING ** (now - mention.last),
        mention.own_heat * COOLING ** (now - mention.own_last),
    ]
    for count, last in zip(mention.counts, mention.lasts, strict=True):
        values.append(count)
        values.append(now - last if last >= 0 else NEVER)
    return values


def _form(name: str, digits: int) -> int:
    if digits:
        return 3 if digits >= MOSTLY * len(name) else 2
    return 0 if name.isalpha() else 1


def is_talk(mentions: Mentions) -> bool:
    """Whether the session names hardly any file: what is needed of it are numbers and values, not code."""
    paths = sum(mention.kind == "path" for mention in mentions.names.values())
    return paths < FEW_PATHS * len(mentions.names)


@dataclass(frozen=True, kw_only=True, slots=True)
class Steps:
    """A step function: `scores[i]` holds from `edges[i - 1]` (inclusive) up to `edges[i]` (exclusive)."""

    edges: tuple[float, ...]
    scores: tuple[float, ...]

    def __call__(self, value: float) -> float:
        """The score at `value`, in log-odds.

        >>> Steps(edges=(2, 10), scores=(0.5, 0.0, -1.0))(2)
        0.0
        """
        return self.scores[bisect_right(self.edges, value)]

    @property
    def span(self) -> float:
        """Between the best and the worst score: how much this feature can say."""
        return max(self.scores) - min(self.scores)


@dataclass(frozen=True, kw_only=True, slots=True)
class Importance:
    """A learned importance of names.

    `learned_from` says on what: points, sessions and names per set. `version` names the weights in every
    result that used them. `talk` are the weights for sessions that name hardly any file (`is_talk`), where
    there were enough of them to learn from.
    """

    version: str
    learned_from: Mapping[str, Mapping[str, int]]
    intercept: float
    kinds: Mapping[NameKind, float]
    steps: Mapping[str, Steps]
    talk: Importance | None = None

    def log_odds(self, name: str, mention: Mention, mentions: Mentions) -> float:
        """How likely the name is to be needed, as log-odds."""
        weights = self._fitting(mentions)
        return weights._log_odds(weights._ordered(), name, mention, mentions)

    def probabilities(self, mentions: Mentions) -> dict[str, float]:
        """For every name of the session, how likely it is to be needed."""
        weights = self._fitting(mentions)
        ordered = weights._ordered()
        return {
            name: 1 / (1 + math.exp(-weights._log_odds(ordered, name, mention, mentions)))
            for name, mention in mentions.names.items()
        }

    def _fitting(self, mentions: Mentions) -> Importance:
        return self.talk if self.talk is not None and is_talk(mentions) else self

    def _log_odds(
        self, ordered: Sequence[Steps | None], name: str, mention: Mention, mentions: Mentions
    ) -> float:
        total = self.intercept + self.kinds.get(mention.kind, 0.0)
        for steps, value in zip(ordered, features(name, mention, mentions), strict=True):
            if steps is not None:
                total += steps.scores[bisect_right(steps.edges, value)]
        return total

    def _ordered(self) -> tuple[Steps | None, ...]:
        return tuple(self.steps.get(name) for name in FEATURES)


class _StepsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    edges: tuple[float, ...]
    scores: tuple[float, ...]


class _WeightsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    intercept: float
    kinds: dict[NameKind, float]
    steps: dict[str, _StepsFile]


class _ImportanceFile(_WeightsFile):
    format: str
    version: str
    learned_from: dict[str, dict[str, int]]
    talk: _WeightsFile | None = None


def importance_from_json(text: str, source: str) -> Importance:
    """Read weights.

    Raises:
        UnreadableFile: not an importance file, of another format version, or with features that this tamis
            does not know.
    """
    try:
        data = _ImportanceFile.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        raise UnreadableFile(
            f"{source}: not importance weights ({where or 'file'}: {problem['msg']}); make them with: "
            "tamis learn SESSIONS... -o importance.json"
        ) from None
    if data.format != IMPORTANCE_FORMAT:
        raise UnreadableFile(
            f"{source}: weights of format {data.format!r}, not {IMPORTANCE_FORMAT!r}; learn them again"
        )
    steps = [*data.steps.items(), *(data.talk.steps.items() if data.talk else ())]
    unknown = sorted({name for name, _ in steps} - set(FEATURES))
    ragged = sorted({name for name, s in steps if len(s.scores) != len(s.edges) + 1})
    if unknown or ragged:
        raise UnreadableFile(
            f"{source}: weights that do not fit this tamis ({', '.join(unknown + ragged)}); learn again"
        )
    return Importance(
        version=data.version,
        learned_from=data.learned_from,
        talk=Importance(version=data.version, learned_from={}, **_weights(data.talk)) if data.talk else None,
        **_weights(data),
    )


def _weights(data: _WeightsFile) -> dict[str, Any]:
    return {
        "intercept": data.intercept,
        "kinds": {kind: data.kinds.get(kind, 0.0) for kind in KINDS},
        "steps": {n: Steps(edges=s.edges, scores=s.scores) for n, s in data.steps.items()},
    }


def importance_to_json(importance: Importance) -> str:
    """The weights as text, the same bytes for the same weights."""
    data: dict[str, Any] = {
        "format": IMPORTANCE_FORMAT,
        "version": importance.version,
        "learned_from": {k: dict(v) for k, v in importance.learned_from.items()},
        **_weights_to_json(importance),
    }
    if importance.talk is not None:
        data["talk"] = _weights_to_json(importance.talk)
    return json.dumps(data, indent=1) + "\n"


def _weights_to_json(importance: Importance) -> dict[str, Any]:
    return {
        "intercept": importance.intercept,
        "kinds": dict(importance.kinds),
        "steps": {n: {"edges": s.edges, "scores": s.scores} for n, s in importance.steps.items()},
    }


def read_importance(path: Path) -> Importance:
    """Weights from a file.

    Raises:
        UnreadableFile: missing, or not such weights.
    """
    try:
        return importance_from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path}: cannot be read ({error}); name an importance file") from None


@cache
def default_importance() -> Importance:
    """The weights that ship with tamis."""
    text = files("tamis.compactors").joinpath("importance.json").read_text(encoding="utf-8")
    return importance_from_json(text, "importance.json")
