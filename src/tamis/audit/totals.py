"""Totals of an audit: the figures of the screen, the page and `--json`."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tamis.audit.compactions import CompactionAudit, RecallCounts
from tamis.audit.discovery import Trouble
from tamis.audit.inspection import Inspection, TokenUse
from tamis.audit.losses import Loss, LossKind
from tamis.audit.scan import ScanResult
from tamis.evals.inference.intervals import SHARE, Estimate, estimate_mean

MOST_EXAMPLES = 30
"""As many losses stand in the page; three of them on the screen."""

_KIND_ORDER: tuple[LossKind, ...] = ("rule", "statement", "name")


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentFigures:
    """One agent: what was found of it, what of that was read, and what was in it.

    `compactions` are those of all files: as they were read, else by their marks. `measured` are those with a
    summary that could be read and something that was needed.
    """

    agent: str
    name: str
    sessions: int
    sub_agents: int
    bytes: int
    read: int
    tokens: int
    compactions: int
    compacted_sessions: int
    unrecorded: int
    measured: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LossExample:
    """Something that a summary lost, and where: the agent, the file, what the compaction made of how much."""

    loss: Loss
    agent: str
    path: str
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallShares:
    """Of what was needed after a compaction, the share that its summary had, and that tamis has.

    Means over the compactions after which something was `needed`, as in every evaluation: each counts once,
    however much that was. The intervals are over sessions.
    """

    needed: int
    theirs: Estimate
    tamis: Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class TroubleFigures:
    """How often there was one kind of trouble, and one case in full."""

    kind: str
    files: int
    example: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditFigures:
    """Everything that is shown.

    Args:
        agents: each agent of which something was found, the one with the most sessions first.
        sessions: how many sessions and sub-agent runs there are; a file that was not read counts as one.
        read: how many of them were read, `cut_short` of these not to their end in the time.
        waiting: files that there was no time for.
        compactions: how often agents compacted them; of those that were not read, by their marks.
        searched: whether all that were not read were searched for these marks.
        unrecorded: compactions that left no summary that could be read.
        measured: compactions whose summary was measured, each once.
        unmeasured: summaries that could not be: the span was too short, nothing followed, no room.
        unreached: summaries that there was no time for, and marks in sessions that were not read.
        tokens_before: of the measured ones, what was replaced; `tokens_after` what the summaries took,
            `tamis_tokens` what tamis took for the same.
        statements: statements that the agents came back to; `names` names that they used; None: none.
        examples: what was lost, the best examples first.
        unread: records in what was read that were not understood.
        cut_off: files whose last line is not whole.
    """

    agents: tuple[AgentFigures, ...]
    sessions: int
    bytes: int
    read: int
    bytes_read: int
    waiting: int
    cut_short: int
    tokens: TokenUse
    compactions: int
    searched: bool
    unrecorded: int
    measured: int
    unmeasured: int
    unreached: int
    tokens_before: int
    tokens_after: int
    tamis_tokens: int
    statements: RecallShares | None
    names: RecallShares | None
    examples: tuple[LossExample, ...]
    troubles: tuple[TroubleFigures, ...]
    unread: int
    cut_off: int
    seconds: float

    @property
    def is_whole(self) -> bool:
        """Whether everything that was found was read, but for what cannot be."""
        return not self.waiting and not self.cut_short


def add_up(audited: ScanResult) -> AuditFigures:
    """The figures of an audit."""
    read = [one for one in audited.looked if one.read]
    found = list(_measured(read))
    measured = [made for _, made in found]
    agents = _agents(audited)
    return AuditFigures(
        agents=agents,
        sessions=sum(agent.sessions + agent.sub_agents for agent in agents),
        bytes=sum(one.stored.bytes for one in audited.looked),
        read=sum(agent.read for agent in agents),
        bytes_read=sum(one.stored.bytes for one in read),
        waiting=sum(not one.read and not one.trouble for one in audited.looked),
        cut_short=sum(one.cut_short for one in audited.looked),
        tokens=sum((one.tokens for one in read if one.tokens), TokenUse()),
        compactions=sum(agent.compactions for agent in agents),
        searched=audited.searched,
        unrecorded=sum(one.unrecorded for one in read),
        measured=len(measured),
        unmeasured=sum(one.tried - len(one.measured) for one in read),
        unreached=sum(one.summaries - one.tried for one in read) + sum(audited.marks.values()),
        tokens_before=sum(made.tokens_before for made in measured),
        tokens_after=sum(made.tokens_after for made in measured),
        tamis_tokens=sum(made.tamis_tokens for made in measured),
        statements=_shares(found, lambda made: made.statements),
        names=_shares(found, lambda made: made.names),
        examples=tuple(_examples(found)),
        troubles=_troubles([*audited.found.troubles, *(o.trouble for o in audited.looked if o.trouble)]),
        unread=sum(one.unread for one in read),
        cut_off=sum(one.cut_off for one in read),
        seconds=audited.seconds,
    )


def _measured(read: Sequence[Inspection]) -> Iterator[tuple[Inspection, CompactionAudit]]:
    """Each compaction once, however many files a session was resumed into."""
    seen: set[str] = set()
    for one in read:
        for made in one.measured:
            if made.id not in seen:
                seen.add(made.id)
                yield one, made


def _shares(
    found: Sequence[tuple[Inspection, CompactionAudit]], kept: Callable[[CompactionAudit], RecallCounts]
) -> RecallShares | None:
    counts = [(str(one.stored), kept(made)) for one, made in found if kept(made).needed]
    sessions = [session for session, _ in counts]
    theirs = estimate_mean([c.theirs / c.needed for _, c in counts], sessions, within=SHARE)
    tamis = estimate_mean([c.tamis / c.needed for _, c in counts], sessions, within=SHARE)
    if theirs is None or tamis is None:
        return None
    return RecallShares(needed=sum(count.needed for _, count in counts), theirs=theirs, tamis=tamis)


def _agents(audited: ScanResult) -> tuple[AgentFigures, ...]:
    groups: dict[str, list[Inspection]] = {}
    for one in audited.looked:
        groups.setdefault(one.stored.store.agent, []).append(one)
    made = [
        AgentFigures(
            agent=agent,
            name=group[0].stored.store.name,
            sessions=sum(max(one.sessions, 1) for one in group if not one.stored.is_sub_agent),
            sub_agents=sum(max(one.sessions, 1) for one in group if one.stored.is_sub_agent),
            bytes=sum(one.stored.bytes for one in group),
            read=sum(one.sessions for one in group),
            tokens=sum(one.tokens.total for one in group if one.tokens),
            compactions=sum(one.compactions for one in group) + audited.marks.get(agent, 0),
            compacted_sessions=sum(bool(one.compactions) for one in group),
            unrecorded=sum(one.unrecorded for one in group),
            measured=sum(len(one.measured) for one in group),
        )
        for agent, group in groups.items()
    ]
    return tuple(sorted(made, key=lambda agent: (-agent.sessions, agent.agent)))


def _troubles(troubles: Sequence[Trouble]) -> tuple[TroubleFigures, ...]:
    reasons = {trouble.kind: trouble.reason for trouble in reversed(troubles)}
    counts = Counter(trouble.kind for trouble in troubles).most_common()
    return tuple(TroubleFigures(kind=kind, files=files, example=reasons[kind]) for kind, files in counts)


def _examples(found: Sequence[tuple[Inspection, CompactionAudit]]) -> list[LossExample]:
    """Losses, one of each kind in turn, no text and, while there are others, no session twice."""
    by_text: dict[str, LossExample] = {}
    for one, made in found:
        agent, path = one.stored.store.agent, str(one.stored.path)
        tokens = {"tokens_before": made.tokens_before, "tokens_after": made.tokens_after}
        for loss in made.losses:
            by_text.setdefault(loss.text, LossExample(loss=loss, agent=agent, path=path, **tokens))
    ranked = sorted(by_text.values(), key=lambda example: example.loss.rank)
    pools = {kind: _spread([e for e in ranked if e.loss.kind == kind]) for kind in _KIND_ORDER}
    chosen: list[LossExample] = []
    while len(chosen) < MOST_EXAMPLES and any(pools.values()):
        chosen += [pool.pop(0) for pool in pools.values() if pool]
    return chosen


def _spread(examples: Sequence[LossExample]) -> list[LossExample]:
    """The first of each session before its second."""
    times: Counter[str] = Counter()
    ranked = []
    for example in examples:
        ranked.append((times[example.path], example))
        times[example.path] += 1
    return [example for _, example in sorted(ranked, key=lambda pair: pair[0])]


def shortened(path: str, home: Path) -> str:
    """A path as people write it: the home folder as `~`.

    >>> shortened("/home/ada/.claude/projects/p/1.jsonl", Path("/home/ada"))
    '~/.claude/projects/p/1.jsonl'
    """
    return f"~{path.removeprefix(str(home))}" if path.startswith(f"{home}/") else path
