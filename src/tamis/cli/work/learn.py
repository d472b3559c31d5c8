"""Learn from sessions what statements are worth, and show what was learned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click
from rich.table import Table

from tamis.cli.work.inputs import find_files, require_output
from tamis.cli.work.output import made_of, number, print_json, print_tables, progress, table
from tamis.compactors.brief.choice.steps import Steps
from tamis.compactors.brief.choice.worth import Worth, default_worth, read_worth, worth_to_json
from tamis.errors import InputError
from tamis.evals.training.examples import Example, collect
from tamis.evals.training.examples import sample as drawn
from tamis.evals.training.worth_model import held_out_auc, learn
from tamis.messages import get_counter
from tamis.sessions import write_atomic


@dataclass(frozen=True, kw_only=True)
class FeatureJson:
    """A number and its step function: `scores[i]` holds from `edges[i - 1]` up to `edges[i]`.

    `span` lies between the best and the worst score: how much the feature can say, in log-odds.
    """

    name: str
    span: float
    edges: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class UnusedFile:
    """A file that taught nothing, and why."""

    file: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class LearnJson:
    """What `tamis learn --json` prints.

    `written` is the file that was written. `learned_from` counts points, sessions, statements and needed
    statements per set. `kinds` and `flags` are weights in log-odds, `features` the step functions of numbers,
    ranked by what they can say. `held_out_auc` is the share of pairs of a needed and another statement that
    weights from the other half of the tasks put in the right order; null where there is too little to tell.
    """

    version: str
    learned_from: dict[str, dict[str, int]]
    intercept: float
    kinds: dict[str, float]
    flags: dict[str, float]
    features: tuple[FeatureJson, ...]
    held_out_auc: float | None = None
    written: str | None = None
    bytes: int | None = None
    passed_over: tuple[UnusedFile, ...] = ()


def run(
    paths: tuple[str, ...],
    *,
    output: str | None,
    force: bool,
    show: bool,
    sample: int | None,
    exclude: tuple[str, ...],
    jobs: int,
    tokenizer: str,
    as_json: bool,
) -> None:
    if show:
        if output is not None or len(paths) > 1:
            raise InputError("--show takes one file of weights or none, and writes nothing")
        shown = read_worth(Path(paths[0])) if paths else default_worth()
        if as_json:
            print_json(_as_json(shown))
        else:
            print_tables(*_tables(shown))
        return
    if not paths or output is None:
        raise InputError("give sessions to learn from and -o FILE, or --show")
    if jobs < 1:
        raise InputError(f"--jobs is {jobs}; give 1 or more")
    require_output(output, force=force)
    files, no_sessions = find_files(paths)
    files = [(name, path) for name, path in files if not any(path.match(pattern) for pattern in exclude)]
    learned, auc, untaught = _learn(files, sample, tokenizer=tokenizer, jobs=jobs)
    write_atomic(output, [worth_to_json(learned)], force=force)
    passed_over = (*(UnusedFile(file=str(path), reason=why) for path, why in no_sessions), *untaught)
    if as_json:
        size = Path(output).stat().st_size
        made = _as_json(learned)
        print_json(replace(made, held_out_auc=auc, written=output, bytes=size, passed_over=passed_over))
        return
    print_tables(_provenance(learned))
    known = "too few sessions to tell" if auc is None else f"{auc:.3f}"
    click.echo(f"\nAUC on tasks that were not learned from (in two halves): {known}")
    click.echo(f"written to {output}    use: tamis compact FILE -m ledger@{output}")
    if passed_over:
        first = f"{passed_over[0].file}: {passed_over[0].reason}"
        click.echo(f"note: {len(passed_over)} files taught nothing; the first: {first}", err=True)


def _learn(
    files: Sequence[tuple[str, Path]], most: int | None, *, tokenizer: str, jobs: int
) -> tuple[Worth, float | None, tuple[UnusedFile, ...]]:
    files = files if most is None else drawn(files, most)
    passed_over: list[UnusedFile] = []
    examples: list[Example] = []
    with progress("reading", total=len(files)) as advance:
        for path, found in collect(files, get_counter(tokenizer), jobs=jobs):
            if isinstance(found, str):
                passed_over.append(UnusedFile(file=str(path), reason=found))
            else:
                examples += found
            advance()
    return learn(examples), held_out_auc(examples), tuple(passed_over)


def _as_json(weights: Worth) -> LearnJson:
    return made_of(
        LearnJson,
        weights,
        learned_from={name: dict(counts) for name, counts in weights.learned_from.items()},
        kinds=dict(weights.kinds),
        flags=dict(weights.flags),
        features=tuple(
            made_of(FeatureJson, steps, name=name, span=round(steps.span, 4))
            for name, steps in _ranked(weights.steps)
        ),
    )


def _ranked(steps: Mapping[str, Steps]) -> list[tuple[str, Steps]]:
    return sorted(steps.items(), key=lambda item: (-item[1].span, item[0]))


def _tables(weights: Worth) -> Iterator[Table]:
    """Where the weights come from; then the numbers by rank, kinds and flags, and each step function."""
    yield _provenance(weights)
    ranked = _ranked(weights.steps)
    title = "Numbers, by how much they can say (log-odds between the best and the worst score)"
    columns = [">", "number", ">says", "scores best", "scores worst"]
    says = [(name, f"{steps.span:.2f}", *_extremes(steps)) for name, steps in ranked]
    yield table(title, columns, ((str(rank), *said) for rank, said in enumerate(says, 1)))
    for name, scores in (("kind", weights.kinds), ("flag", weights.flags)):
        by_score = sorted(scores.items(), key=lambda item: -item[1])
        yield table(name, ["statement", ">score"], [(what, f"{score:+.2f}") for what, score in by_score])
    for name, steps in ranked:
        rows = [(value, f"{score:+.2f}") for value, score in zip(_bins(steps), steps.scores, strict=True)]
        yield table(name, ["value", ">score"], rows)


def _provenance(weights: Worth) -> Table:
    columns = ("points", "sessions", "statements", "needed")
    rows = [
        (name, *(number(counts[c]) if c in counts else "–" for c in columns))
        for name, counts in weights.learned_from.items()
    ]
    return table(f"Weights {weights.version}, learned from", ["set", *(f">{c}" for c in columns)], rows)


def _extremes(steps: Steps) -> tuple[str, str]:
    """Where the score is best, and where worst."""
    by_score = sorted(zip(steps.scores, _bins(steps), strict=True))
    return by_score[-1][1], by_score[0][1]


def _bins(steps: Steps) -> list[str]:
    """The range of values of each score, in words.

    >>> _bins(Steps(edges=(2.0, 10.0), scores=(0.0, 1.0, 2.0)))
    ['under 2', '2 to under 10', '10 and over']
    """
    if not steps.edges:
        return ["any"]
    ends = [f"{edge:.12g}" for edge in steps.edges]
    return [f"under {ends[0]}", *(f"{a} to under {b}" for a, b in pairwise(ends)), f"{ends[-1]} and over"]
