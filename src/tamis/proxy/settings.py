"""Settings of a proxy: where it stands, when it compacts, and how much it takes on at once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from tamis.compactors import parse_budget
from tamis.context import Trigger
from tamis.context.compaction_plan import parse_keep
from tamis.errors import BadBudget, InputError

ProxyMode = Literal["active", "shadow"]
"""`active` sends the compacted request; `shadow` sends the original and records what it would have sent."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, kw_only=True, slots=True)
class ProxySettings:
    """The settings of one proxy.

    Args:
        upstream: the API's base URL.
        window: the tokens that the model takes.
        budget: what a brief may take: tokens, or a share of the window.
        trigger: the share of the window at which a request is compacted, 0.5 to 0.9.
        keep_last: what stays word for word, as for `tamis.Context`.
        method: as for `tamis.compact`.
        tokenizer: as for `tamis.compact`.
        mode: see `ProxyMode`.
        archive: the file that keeps what is taken out; without one there is no recall.
        log: the decision log, as `tamis monitor` reads it.
        otlp: the collector that OpenTelemetry metrics are sent to.
        quality_every: after so many compactions a sample of them is checked; 0 never does.
        host: only this machine's own.
        port: 0 takes a free one.
        max_body_bytes: a larger request is refused (413).
        max_concurrent: a request beyond so many at once is refused (503, with `retry-after`).
        max_conversations: how many compacted conversations are held in memory.
        max_recall_rounds: how often in a turn the model may recall.
        connect_timeout_s: until the upstream takes the connection.
        read_timeout_s: between two pieces of an answer.
        decide_timeout_s: a request that is not worked out by then goes on as it came.
        method_timeout_s: give up on a compaction that takes longer, and end the process that does not answer.
        shutdown_timeout_s: how long running answers may go on after a request to stop.

    Raises:
        InputError: an upstream that is no URL, a host that others can reach, a number out of range.
        BadBudget: the budget and what stays do not fit below the trigger.
    """

    upstream: str
    window: int = 200_000
    budget: str | int | float = "5%"
    trigger: float = 0.8
    keep_last: str | int | float = "10%"
    method: str = "ledger"
    tokenizer: str = "o200k_base"
    mode: ProxyMode = "active"
    archive: Path | None = None
    log: Path | None = None
    otlp: str | None = None
    quality_every: int = 10
    host: str = LOOPBACK[0]
    port: int = 8788
    max_body_bytes: int = 64 * 1024 * 1024
    max_concurrent: int = 512
    max_conversations: int = 256
    max_recall_rounds: int = 5
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 600.0
    decide_timeout_s: float = 10.0
    method_timeout_s: float = 30.0
    shutdown_timeout_s: float = 10.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.upstream)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"the upstream {self.upstream!r} is no URL; give one such as https://api.openai.com"
            )
        if self.host not in LOOPBACK:
            raise InputError(
                f"the host {self.host} would be open to others; choose one of {', '.join(LOOPBACK)}"
            )
        if self.mode not in get_args(ProxyMode):
            raise InputError(
                f"there is no mode {self.mode!r}; choose one of {', '.join(get_args(ProxyMode))}"
            )
        for name in ("window", "max_body_bytes", "max_concurrent", "max_conversations"):
            if (value := getattr(self, name)) < 1:
                raise InputError(f"{name} is {value}; give 1 or more")
        if self.budget_tokens + parse_keep(self.keep_last, self.window).tokens >= self.limit_tokens:
            raise BadBudget(
                f"a budget of {self.budget_tokens} tokens and what stays ({self.keep_last}) do not fit below "
                f"{self.limit_tokens}, where the window of {self.window} is compacted; give less, or a "
                "larger window"
            )

    @property
    def limit_tokens(self) -> int:
        """A request of so many tokens is compacted."""
        return Trigger(share=self.trigger).token_limit(self.window)

    @property
    def budget_tokens(self) -> int:
        """The most that a brief takes."""
        return parse_budget(self.budget).resolve(self.window)
