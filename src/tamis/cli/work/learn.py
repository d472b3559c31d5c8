"""Learn from sessions how likely a name is to be needed, and show what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
from rich.table import Table

from tamis.cli.work.inputs import find_files, require_output
from tamis.cli.work.output import number, print_json, print_tables, progress, table
from tamis.compactors.importance import (
    NEVER,
    Importance,
    Steps,
    default_importance,
    importance_to_json,
    read_importance,
)
from tamis.errors import InputError
from tamis.evals.learning import Example, collect, learn
from tamis.messages import get_counter
from tamis.sessions import write_atomic


@dataclass(frozen=True, kw_only=True)
class FeatureJson:
    """A feature and its step function: `scores[i]` holds from `edges[i - 1]` up to `edges[i]`.

    `span` lies between the best and the worst score: how much the feature can say, in log-odds.
    """

    name: str
    span: float
    edges: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class PassedOver:
    """A file that taught nothing, and why."""

    file: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class LearnJson:
    """What `tamis learn --json` prints.

    `written` is the file that was written. `learned_from` counts points, sessions, names and needed names per
    set. `features` are ranked by what they can say. `talk` are those of sessions that name hardly any file,
    where there were enough of both kinds to learn from.
    """

    version: str
    learned_from: dict[str, dict[str, int]]
    intercept: float
    kinds: dict[str, float]
    features: tuple[FeatureJson, ...]
    talk: tuple[FeatureJson, ...] | None = None
    written: str | None = None
    bytes: int | None = None
    passed_over: tuple[PassedOver, ...] = ()


def run(
    paths: tuple[str, ...],
    output: str | None,
    force: bool,
    show: bool,
    jobs: int,
    tokenizer: str,
    as_json: bool,
) -> None:
    """What `tamis learn` does."""
    if show:
        if output is not None or len(paths) > 1:
            raise InputError("--show takes one file of weights or none, and writes nothing")
        shown = read_importance(Path(paths[0])) if paths else default_importance()
        if as_json:
            print_json(_as_json(shown))
        else:
            print_tables(*_tables(shown))
        return
    if not paths or output is None:
        raise InputError("give sessions to learn from and -o FILE, or --show")
    if jobs < 1:
        raise InputError(f"--jobs is {jobs}; give 1 or more")
    learned, passed_over = _learn(paths, output, tokenizer=tokenizer, jobs=jobs, force=force)
    if as_json:
        size = Path(output).stat().st_size
        print_json(_as_json(learned, written=output, bytes=size, passed_over=passed_over))
        return
    print_tables(_provenance(learned))
    click.echo(f"\nwritten to {output}    use: tamis compact FILE -m ledger@{output}")
    if passed_over:
        first = passed_over[0]
        click.echo(
            f"note: {len(passed_over)} files taught nothing; the first: {first.file}: {first.reason}",
            err=True,
        )


def _learn(
    paths: Sequence[str], output: str, *, tokenizer: str, jobs: int, force: bool
) -> tuple[Importance, tuple[PassedOver, ...]]:
    """Learn and write; nothing is read if the file could not be written."""
    require_output(output, force=force)
    counter = get_counter(tokenizer)
    files, no_sessions = find_files(paths)
    passed_over = [PassedOver(file=str(path), reason=why) for path, why in no_sessions]
    examples: list[Example] = []
    with progress("reading", total=len(files)) as advance:
        for path, found in collect(files, counter, jobs=jobs):
            if isinstance(found, str):
                passed_over.append(PassedOver(file=str(path), reason=found))
            else:
                examples += found
            advance()
    learned = learn(examples)
    write_atomic(output, [importance_to_json(learned)], force=force)
    return learned, tuple(passed_over)


def _as_json(
    weights: Importance,
    *,
    written: str | None = None,
    bytes: int | None = None,  # noqa: A002 - the field's name
    passed_over: tuple[PassedOver, ...] = (),
) -> LearnJson:
    return LearnJson(
        version=weights.version,
        learned_from={name: dict(counts) for name, counts in weights.learned_from.items()},
        intercept=weights.intercept,
        kinds={str(kind): score for kind, score in weights.kinds.items()},
        features=_features(weights),
        talk=None if weights.talk is None else _features(weights.talk),
        written=written,
        bytes=bytes,
        passed_over=passed_over,
    )


def _features(weights: Importance) -> tuple[FeatureJson, ...]:
    return tuple(
        FeatureJson(name=name, span=round(steps.span, 4), edges=steps.edges, scores=steps.scores)
        for name, steps in _ranked(weights.steps)
    )


def _ranked(steps: Mapping[str, Steps]) -> list[tuple[str, Steps]]:
    """The features, those that can say most first."""
    return sorted(steps.items(), key=lambda item: (-item[1].span, item[0]))


def _tables(weights: Importance) -> Iterator[Table]:
    """Where the weights come from; then the features by rank and each step function, of work and of talks."""
    yield _provenance(weights)
    yield from _model_tables(weights, "")
    if weights.talk is not None:
        yield from _model_tables(weights.talk, ", in talks that name hardly any file")


def _model_tables(weights: Importance, where: str) -> Iterator[Table]:
    ranked = _ranked(weights.steps)
    yield table(
        f"Features{where}, by how much they can say (log-odds between the best and the worst score)",
        [">", "feature", ">says", "scores best", "scores worst"],
        [
            (str(rank), name, f"{steps.span:.2f}", *_extremes(steps))
            for rank, (name, steps) in enumerate(ranked, 1)
        ],
    )
    kinds = sorted(weights.kinds.items(), key=lambda item: -item[1])
    yield table(
        f"kind{where}", ["kind of name", ">score"], [(kind, f"{score:+.2f}") for kind, score in kinds]
    )
    for name, steps in ranked:
        rows = [(value, f"{score:+.2f}") for value, score in zip(_bins(steps), steps.scores, strict=True)]
        yield table(f"{name}{where}", ["value", ">score"], rows)


def _provenance(weights: Importance) -> Table:
    columns = ("points", "sessions", "names", "needed")
    rows = [
        (name, *(number(counts[c]) if c in counts else "–" for c in columns))
        for name, counts in weights.learned_from.items()
    ]
    return table(f"Weights {weights.version}, learned from", ["set", *(f">{c}" for c in columns)], rows)


def _extremes(steps: Steps) -> tuple[str, str]:
    """Where the score is best, and where worst."""
    by_score = [where for _, where in sorted(zip(steps.scores, _bins(steps), strict=True))]
    return by_score[-1], by_score[0]


def _bins(steps: Steps) -> list[str]:
    """The range of values of each score, in words.

    >>> from tamis.compactors.importance import Steps
    >>> _bins(Steps(edges=(2.0, 10.0), scores=(0.0, 1.0, 2.0)))
    ['under 2', '2 to under 10', '10 and over']
    """
    if not steps.edges:
        return ["any"]
    ends = [f"{edge:.12g}" for edge in steps.edges]
    bins = [f"under {ends[0]}", *(f"{a} to under {b}" for a, b in pairwise(ends)), f"{ends[-1]} and over"]
    if steps.edges[-1] >= NEVER:
        bins[-2:] = [f"{ends[-2]} and over" if len(ends) > 1 else "ever", "never"]
    return bins
