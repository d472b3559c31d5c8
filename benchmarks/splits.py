"""Weights that never saw what they are measured on: two halves of every set, and each set left out.

A session belongs to one half by a hash of its task (`tamis.evals.training.half_of`), so that several tries at
a task never stand on both sides. Weights for a half are learned on the other half of all sets, weights for a
set on all other sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tamis.compactors.brief.choice.worth import worth_to_json
from tamis.evals.training.examples import Example, collect, sample
from tamis.evals.training.worth_model import half_of, learn
from tamis.messages import Session, get_counter
from tamis.sessions import find_sessions

TAUGHT_BY = (
    "entire-claude-code",
    "specstory-claude-code",
    "claude-code-agentv",
    "codex-agentv",
    "copilot-cli-agentv",
    "opencode-dark-factory",
    "pi-coding-agent",
    "roo-code",
    "openhands-codeact-swebench",
    "sweagent-claude35-swebench-verified",
    "mini-swe-agent-deepseek",
)
"""The sets from which weights are learned."""

SAMPLE = 60
"""Of each set at most so many files teach, drawn by their hash."""

HALVES = 2


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Where the weights stand: `of_half[h]` never saw half h, `without[s]` never saw set s."""

    of_half: tuple[Path, ...]
    without: Mapping[str, Path]


def cluster_of(session: Session, set_name: str) -> str:
    """The task of a session, as evaluations name it."""
    return f"{set_name}/{session.meta.get('instance_id') or session.id}"


def session_files(folder: Path, sets: Sequence[str]) -> list[tuple[str, Path]]:
    """The session files of the sets, in a fixed order."""
    return [
        (name, found.path)
        for name in sets
        if (folder / name).is_dir()
        for found in find_sessions([folder / name])
        if found.format
    ]


def learn_weights(folder: Path, into: Path, *, jobs: int) -> Weights:
    """Learn all weights into a folder; those that stand there already are used as they are."""
    sets = [name for name in TAUGHT_BY if (folder / name).is_dir()]
    weights = Weights(
        of_half=tuple(into / f"half-{half}.json" for half in range(HALVES)),
        without={name: into / f"without-{name}.json" for name in sets},
    )
    if all(path.exists() for path in (*weights.of_half, *weights.without.values())):
        return weights
    into.mkdir(parents=True, exist_ok=True)
    examples: list[Example] = []
    for _, found in collect(sample(session_files(folder, sets), SAMPLE), get_counter(), jobs=jobs):
        examples += found if isinstance(found, list) else []
    for half, path in enumerate(weights.of_half):
        _learn_into(path, [e for e in examples if half_of(e.cluster) != half])
    for name, path in weights.without.items():
        _learn_into(path, [e for e in examples if e.set != name])
    return weights


def _learn_into(path: Path, examples: Sequence[Example]) -> None:
    path.write_text(worth_to_json(learn(examples)), encoding="utf-8")
