"""What a compactor takes and gives: the contract on one page.

A compactor is handed the span that is to be replaced and a budget, and gives the messages that stand in for
it. It may be anybody's: `tamis check-method` runs the guarantees of the design against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from tamis.ledger import State
from tamis.messages import Counter, Message, prose
from tamis.messages.reprs import html_page

Outcome = Literal["fits", "unchanged", "unmet"]
"""`fits`: replaced, within the budget. `unchanged`: the span is small enough and stands as it was. `unmet`:
the budget could not be met; the span stands as it was and `warnings` say why."""

Fate = Literal["kept", "condensed", "superseded", "archived"]
"""What became of a source message: byte for byte there; there in part or in other words; replaced by
something newer that is there; not there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionRequest:
    """What a compactor is asked.

    `span` is to be replaced, oldest first. `budget_tokens` is the most that the replacement may take, as
    `messages.count_messages` counts. `previous` is the compactor's own last answer on this session: `span`
    then begins behind it, and the replacement stands for both. `goal` says what the agent is about to do,
    where that is known.

    `counts` hands over the tokens of each span message where the caller has counted them already with
    `counter`. `recorded` is the summary that the session's own agent made at this point, where it made one.
    `tail` is what stays as it is behind the span, where the caller has it at hand.
    """

    span: tuple[Message, ...]
    budget_tokens: int
    counter: Counter
    previous: Compaction | None = None
    goal: str | None = None
    counts: tuple[int, ...] | None = field(default=None, compare=False, repr=False)
    recorded: Message | None = None
    tail: tuple[Message, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountEntry:
    """What became of one source message, and why."""

    message_id: str
    fate: Fate
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What a compaction used of a model; all zero for methods without one."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Compaction:
    """A compactor's answer.

    `messages` stand in for the span. `account` has one entry per message of the span, in order. `state` is
    what the method knows of the session, where it keeps one. `carry` is whatever the method wants to find in
    `request.previous` next time (JSON-able), opaque to everybody else; it speaks for the first `carry_covers`
    of the messages, and those behind them have not been read into it.

    `tokens_before` counts everything that the messages replace: the span, and the messages of `previous`.

    `readable` is False where a part of the messages is sealed by a provider: only its models can say what it
    holds, so nothing that is looked for in the text can be called kept or lost.
    """

    messages: tuple[Message, ...]
    account: tuple[AccountEntry, ...]
    tokens_before: int
    tokens_after: int
    outcome: Outcome
    method: str
    version: str
    state: State | None = None
    warnings: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = field(default=0.0, compare=False)
    carry: Mapping[str, Any] = field(default_factory=dict)
    carry_covers: int = 0
    readable: bool = True

    @property
    def text(self) -> str:
        """What the agent will read in the span's place, as prose."""
        return prose(self.messages)

    def __repr__(self) -> str:
        """The method and what came of it; `text` has what it wrote."""
        return f"<Compaction {self.method} {self.version}: {', '.join(self._facts().values())}>"

    def _repr_html_(self) -> str:
        """As a notebook shows it, with the text."""
        return html_page(f"Compaction by {self.method} {self.version}", self._facts(), self.text)

    def _facts(self) -> dict[str, str]:
        share = f" ({self.tokens_after / self.tokens_before:.1%})" if self.tokens_before else ""
        facts = {
            "tokens": f"{self.tokens_before:,} -> {self.tokens_after:,} tokens{share}",
            "outcome": self.outcome,
            "messages": f"{len(self.account):,} -> {len(self.messages):,} messages",
        }
        return facts | ({"warnings": "; ".join(self.warnings)} if self.warnings else {})


@runtime_checkable
class Compactor(Protocol):
    """Compresses a span into a budget.

    The same request must give the same messages. A compactor that cannot do what was asked says so in
    `outcome` and leaves the span; it never goes over the budget.
    """

    name: str
    version: str

    async def compact(self, request: CompactionRequest) -> Compaction:
        """Replace the span."""
