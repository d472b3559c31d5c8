"""Make the questions that tell what a compaction kept, for a person to read and edit."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.table import Table

from tamis.cli.work.inputs import find_files, require_output
from tamis.cli.work.output import print_json, print_tables, progress, table
from tamis.errors import InputError
from tamis.evals.points import At, NoPoint, Point, find_points
from tamis.evals.probing.examination import ask_blind
from tamis.evals.probing.model_probes import dropped_line, propose_probes
from tamis.evals.probing.probe_maker import ProbeSet, belonging, holds, make_point_probes
from tamis.evals.probing.probes import LineFault, Probe, check_probes, write_probes
from tamis.evals.probing.readers import ModelReader, Reader
from tamis.messages import Counter as TokenCounter
from tamis.messages import get_counter, message_text
from tamis.models import Model, get_model
from tamis.sessions import read_all

_FOUR = frozenset({"recall", "artifact", "continuation", "decision"})


@dataclass(frozen=True, kw_only=True)
class PointProbes:
    """The probes of one compaction point, and why others were left out.

    `leaked` counts those that the blind reader answered without having seen anything of the span; `failures`
    say what the model that makes probes did not answer.
    """

    session: str
    point: str
    probes: tuple[Probe, ...]
    dropped: Mapping[str, int]
    leaked: int | None = None
    not_measured: int = 0
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ProbesJson:
    """What `tamis probes --json` prints. `faults` are the lines of a checked file that hold no probe."""

    points: tuple[PointProbes, ...] = ()
    skipped: tuple[NoPoint, ...] = ()
    faults: tuple[LineFault, ...] = ()
    written: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Makers:
    counter: TokenCounter
    per_kind: int
    model: Model | None
    blind: Reader | None


def run(
    paths: tuple[str, ...],
    *,
    at: tuple[str, ...],
    per_kind: int,
    probe_model: str | None,
    blind: str | None,
    output: str | None,
    force: bool,
    check: str | None,
    tokenizer: str,
    as_json: bool,
) -> None:
    places = [At.parse(place) for place in at]
    if check is not None:
        _check(Path(check), paths, as_json=as_json)
        return
    if not paths:
        raise InputError("give sessions to make probes from, or --check FILE")
    makers = _Makers(
        counter=get_counter(tokenizer),
        per_kind=per_kind,
        model=get_model(probe_model) if probe_model else None,
        blind=ModelReader(get_model(blind)) if blind else None,
    )
    if output is not None:
        require_output(output, force=force)
    points, skipped = _make(paths, places, makers)
    if not points:
        why = f"; the first: {skipped[0].session_id}: {skipped[0].reason}" if skipped else ""
        raise InputError(f"no probes could be made{why}")
    if output is not None:
        _write(Path(output), points)
    if as_json:
        print_json(ProbesJson(points=tuple(points), skipped=tuple(skipped), written=output))
        return
    print_tables(*map(_listed, points))
    _say_the_rest(points, skipped, output)


def _make(
    paths: Sequence[str], places: Sequence[At], makers: _Makers
) -> tuple[list[PointProbes], list[NoPoint]]:
    files, _ = find_files(paths)
    points: list[PointProbes] = []
    skipped: list[NoPoint] = []
    with progress("asking", total=len(files)) as advance:
        for _, path in files:
            for point in (p for s in read_all(path) for p in find_points(s, places, makers.counter)):
                if isinstance(point, NoPoint):
                    skipped.append(point)
                else:
                    points.append(asyncio.run(_probes_of(point, makers)))
            advance()
    return points, skipped


async def _probes_of(point: Point, makers: _Makers) -> PointProbes:
    made: list[ProbeSet] = [make_point_probes(point, max_per_kind=makers.per_kind)]
    if makers.model is not None:
        proposed = await propose_probes(
            makers.model,
            point.span,
            counter=makers.counter,
            in_view=point.system,
            tail=point.tail,
            max_per_kind=makers.per_kind,
        )
        made.append(replace(proposed, probes=tuple(belonging(p, point) for p in proposed.probes)))
    probes = {probe.id: probe for one in reversed(made) for probe in one.probes}
    dropped = Counter[str]()
    for one in made:
        dropped.update(one.dropped)
    blind = None if makers.blind is None else await ask_blind(makers.blind, [*probes.values()], point.system)
    return PointProbes(
        session=point.session_id,
        point=point.label,
        probes=tuple(probes.values()) if blind is None else blind.kept,
        dropped=dropped,
        leaked=None if blind is None else len(blind.leaked),
        not_measured=0 if blind is None else blind.not_measured,
        failures=tuple(failure for one in made for failure in one.failures),
    )


def _write(path: Path, points: Sequence[PointProbes]) -> None:
    """All probes in one file; an id that several points share gets the place that it belongs to."""
    taken: dict[str, Probe] = {}
    for probe in (probe for point in points for probe in point.probes):
        unique, number = probe.id, 1
        while unique in taken:
            number += 1
            unique = f"{probe.id}~{number}"
        taken[unique] = replace(probe, id=unique)
    write_probes(path, taken.values())


def _listed(point: PointProbes) -> Table:
    rows = []
    for probe in point.probes:
        expected = "\n".join(item.value for item in probe.expected) or "(to be declined)"
        rows.append((probe.kind, probe.question, expected, " ".join(probe.sources)))
    title = f"{point.session} at {point.point}: {len(rows)} probes"
    return table(title, ("kind", "question", "expected", "proven by"), rows)


def _say_the_rest(points: Sequence[PointProbes], skipped: Sequence[NoPoint], output: str | None) -> None:
    total = Counter[str]()
    for point in points:
        total.update(point.dropped)
    if line := dropped_line(total):
        click.echo(f"\nleft out: {line}")
    whole = sum({probe.kind for probe in point.probes} >= _FOUR for point in points)
    click.echo(f"recall, artifact, continuation and decision all at {whole} of {len(points)} points")
    if any(point.leaked is not None for point in points):
        leaked, missing = sum(p.leaked or 0 for p in points), sum(p.not_measured for p in points)
        click.echo(f"answered without any context, and left out: {leaked}; not measured: {missing}")
    for failure in (failure for point in points for failure in point.failures):
        click.echo(f"note: {failure}", err=True)
    if skipped:
        first = f"{skipped[0].session_id}: {skipped[0].reason}"
        click.echo(f"note: {len(skipped)} without a point; the first: {first}", err=True)
    if output is not None:
        click.echo(f"written to {output}    after editing: tamis probes --check {output}")


def _check(path: Path, paths: Sequence[str], *, as_json: bool) -> None:
    """Tell every line that is no probe, or that the sessions do not prove; exit status 1 if there is one."""
    found = check_probes(path)
    faults = [*found.faults, *_unproven(found.probes, paths)]
    if as_json:
        print_json(ProbesJson(faults=tuple(faults)))
    else:
        for fault in sorted(faults, key=lambda fault: fault.line):
            click.echo(f"{path}, line {fault.line}: {fault.what}")
        if not faults:
            proven = f", proven by {', '.join(paths)}" if paths else ""
            click.echo(f"{path}: {len(found.probes)} probes{proven}")
    if faults:
        raise click.exceptions.Exit(1)


def _unproven(probes: Mapping[int, Probe], paths: Sequence[str]) -> Iterator[LineFault]:
    """Probes whose messages do not hold what they expect, as far as these sessions are theirs."""
    if not paths:
        return
    sessions = (session for _, path in find_files(paths)[0] for session in read_all(path))
    texts = {message.id: message_text(message) for session in sessions for message in session.messages}
    for line, probe in probes.items():
        missing = [source for source in probe.sources if source not in texts]
        proof = "\n".join(texts.get(source, "") for source in probe.sources)
        lacking = [item.value for item in probe.expected if not holds(proof, item)]
        if missing:
            what = f"cites {missing[0]}, which no session given holds; correct `sources`, or give its session"
            yield LineFault(line=line, what=what)
        elif lacking:
            remedy = "correct `expected`, or cite the message that does"
            yield LineFault(line=line, what=f"its sources do not hold {lacking[0][:80]!r}; {remedy}")
