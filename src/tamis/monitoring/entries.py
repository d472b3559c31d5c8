"""Entries of the decision log: each decision, each judged turn, each regret, each quality check.

An entry holds sizes, times and short words of our own. Nothing that was said in a session stands in it, but
for `detail`, which is left empty unless asked for.
"""

from dataclasses import dataclass
from typing import Literal, get_args

EntrySource = Literal["context", "memory", "proxy"]
"""Who decided: a live `Context`, a `LayeredMemory`, the proxy."""

RunMode = Literal["active", "shadow"]
"""`shadow`: the original was sent, and what is written down is what would have been."""

Choice = Literal["untouched", "compacted", "replayed", "fallback"]
"""`untouched`: the original, as nothing had to be done. `compacted`: something smaller was made and stands in
its place. `replayed`: what was made before stands there. `fallback`: it ought to have been compacted and the
original was sent."""

RegretKind = Literal["recall", "reread", "rerun", "asked_again", "name"]
"""How a need for something that was taken out shows. `recall`: the agent asked for it by the recall tool.
`reread`: it read a file again and got lines that it had had. `rerun`: the same for any other call.
`asked_again`: it asked the user what had been answered. `name`: it used a name that stands nowhere in what it
is shown."""

REGRET_KINDS: tuple[RegretKind, ...] = get_args(RegretKind)


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionEntry:
    """What was decided for one context.

    Tokens are those of the whole context, None where nothing was counted. `trigger` says what set it off,
    `reason` why it was left alone or fell back. `cache` says whether what was looked up had been worked out
    before; `queue` is how much waited at that moment. `warnings` counts those of the method.
    """

    source: EntrySource
    decision: Choice
    mode: RunMode = "active"
    session: str = ""
    reason: str = ""
    trigger: str = ""
    method: str = ""
    version: str = ""
    outcome: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    budget_tokens: int | None = None
    latency_ms: float | None = None
    warnings: int = 0
    cache: Literal["hit", "miss"] | None = None
    queue: int | None = None
    detail: str = ""
    event: Literal["decision"] = "decision"


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnsEntry:
    """The agent went on after something had been taken out: so many turns of its own, most often one."""

    source: EntrySource
    mode: RunMode = "active"
    session: str = ""
    turns: int = 1
    event: Literal["turns"] = "turns"


@dataclass(frozen=True, kw_only=True, slots=True)
class RegretEntry:
    """A need for something that was taken out, and its cost in tokens.

    `turn` counts the agent's turns since the first compaction; `new_turn` is set on the first regret of a
    turn. `names` counts names, where they were missed.
    """

    source: EntrySource
    kind: RegretKind
    tokens: int
    turn: int
    new_turn: bool
    mode: RunMode = "active"
    session: str = ""
    names: int = 0
    event: Literal["regret"] = "regret"


@dataclass(frozen=True, kw_only=True, slots=True)
class QualityEntry:
    """What a check on a sample of the latest compactions found.

    `demanded` counts what must not be missing (requests, rules, changed files, open tasks), `asked` the
    questions put to the lexical reader. The score is what was there of both; None where there was nothing to
    look for.
    """

    source: EntrySource
    runs: int
    demanded: int
    there: int
    asked: int
    found: int
    mode: RunMode = "active"
    event: Literal["quality"] = "quality"

    @property
    def score(self) -> float | None:
        """What was there / what was looked for."""
        looked_for = self.demanded + self.asked
        return (self.there + self.found) / looked_for if looked_for else None


@dataclass(frozen=True, kw_only=True, slots=True)
class LostLinesEntry:
    """So many lines could not be written before this one."""

    lines: int
    event: Literal["lost"] = "lost"


LogEntry = DecisionEntry | TurnsEntry | RegretEntry | QualityEntry | LostLinesEntry
