"""The work of `tamis stats`: add up decision logs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from tamis.cli.work.output import print_json
from tamis.errors import InputError
from tamis.integrations.agents.compaction import log_beside
from tamis.integrations.agents.known import AGENTS
from tamis.monitoring.sources import open_sources


@dataclass(frozen=True, kw_only=True)
class StatsJson:
    """The figures of one decision log; null is not measured.

    `asked_back` counts, by how it showed, what was needed again of what had been taken out; `turns` are those
    in which that was looked for.
    """

    log: str
    compactions: int
    left_to_the_agent: int
    tokens_before: int
    tokens_after: int
    tokens_saved: int
    latency_ms_p50: float | None
    turns: int
    asked_back: dict[str, int]
    asked_back_tokens: int


def run(logs: tuple[Path, ...], as_json: bool) -> None:
    found = [_stats(log) for log in logs or _logs()]
    if as_json:
        print_json(found, list[StatsJson])
        return
    if not found:
        raise InputError("no wrapped agent has compacted yet; `tamis doctor` says whether one is wrapped")
    for one in found:
        click.echo("\n".join(_lines(one)))


def _logs() -> list[Path]:
    places = [(agent, agent.place(user=user)) for agent in AGENTS.values() for user in (False, True)]
    logs = dict.fromkeys(log_beside(agent.archive(place)) for agent, place in places)
    return [log for log in logs if log.is_file()]


def _stats(log: Path) -> StatsJson:
    (opened,) = open_sources([str(log)], last=1_000_000)
    figures = [one for one in opened.look().figures if one.mode == "active"]
    kinds = Counter[str]()
    for regret in (regret for one in figures for regret in one.regrets):
        kinds[regret.kind] += regret.events
    medians = [one.latency_ms_p50 for one in figures if one.latency_ms_p50 is not None]
    before, after = sum(one.tokens_before for one in figures), sum(one.tokens_after for one in figures)
    decisions = Counter[str]()
    for one in figures:
        decisions.update(one.decisions)
    return StatsJson(
        log=str(log),
        compactions=decisions["compacted"],
        left_to_the_agent=decisions["fallback"] + decisions["untouched"],
        tokens_before=before,
        tokens_after=after,
        tokens_saved=before - after,
        latency_ms_p50=medians[0] if len(medians) == 1 else None,
        turns=sum(one.turns for one in figures),
        asked_back={kind: count for kind, count in kinds.items() if count},
        asked_back_tokens=sum(one.regret_tokens for one in figures),
    )


def _lines(one: StatsJson) -> Iterator[str]:
    times = "time" if one.compactions == 1 else "times"
    yield one.log
    yield f"  compacted {one.compactions} {times}, left to the agent {one.left_to_the_agent}"
    if one.compactions:
        yield f"  {one.tokens_before:,} tokens became {one.tokens_after:,}: {one.tokens_saved:,} saved"
    if one.turns:
        kinds = ", ".join(f"{kind} {count}" for kind, count in one.asked_back.items()) or "nothing"
        yield f"  asked back in {one.turns} turns: {kinds} ({one.asked_back_tokens:,} tokens)"
    else:
        yield "  asked back: not measured yet; it is seen at the compaction after"
