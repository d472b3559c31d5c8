"""The night's reports: made up, the same for the same seed, some 310 tokens each, with one code to know."""

from __future__ import annotations

import random
from dataclasses import dataclass

# fmt: off
SERVICES = (
    "archive", "audit", "basket", "catalog", "coupons", "customs", "exports", "forecast", "gateway",
    "identity", "images", "imports", "invoicing", "labels", "ledger", "loyalty", "mailer",
    "metrics", "payments", "pricing", "refunds", "returns", "reviews", "routing", "scheduler",
    "search", "sessions", "shipping", "stock", "tracking",
)
WORDS = (
    "amber", "basalt", "cedar", "delta", "ember", "fjord", "granite", "harbor", "indigo", "juniper",
    "kestrel", "lagoon", "maple", "nickel",
)
# fmt: on


@dataclass(frozen=True, kw_only=True)
class Report:
    """One deployment: `service` and `verdict` are to be filed, `code` may be asked for."""

    number: int
    service: str
    verdict: str
    code: str
    text: str


def make_reports(count: int, seed: int) -> list[Report]:
    """The reports of one night."""
    draw = random.Random(seed)
    services = draw.sample(SERVICES, count)
    return [_report(number, service, count, draw) for number, service in enumerate(services, 1)]


def _report(number: int, service: str, count: int, draw: random.Random) -> Report:
    verdict = draw.choice(("passed", "failed"))
    code = f"{draw.choice(WORDS)}-{draw.randint(1000, 9999)}"
    host = f"node-{draw.randint(10, 99)}"
    hour, minute = draw.randint(0, 5), draw.randint(0, 40)
    build = f"{draw.randint(1, 9)}.{draw.randint(0, 30)}.{draw.randint(0, 9)}"
    limit = draw.randrange(120, 260, 10)
    p99 = limit - draw.randint(5, 60) if verdict == "passed" else limit + draw.randint(5, 90)
    lines = [f"{hour:02}:{minute + n:02} {host} {service}: {_event(draw)}" for n in range(12)]
    text = "\n".join(
        (
            f"Report {number} of {count}. Service: {service}",
            f"The rollback code of {service} is {code}.",
            f"Build {build} of {service} went to {host} at {hour:02}:{minute:02}.",
            *lines,
            f"Load test: p99 {p99} ms, limit {limit} ms.",
            f"Verdict: {verdict}",
        )
    )
    return Report(number=number, service=service, verdict=verdict, code=code, text=text)


def _event(draw: random.Random) -> str:
    kind = draw.randrange(5)
    if kind == 0:
        return f"drained {draw.randint(2, 90)} connections in {draw.randint(40, 900)} ms"
    if kind == 1:
        return f"warmed cache with {draw.randint(200, 9000)} entries, {draw.randint(1, 40)} MiB"
    if kind == 2:
        return f"health check {draw.randint(1, 9)} answered 200 after {draw.randint(3, 400)} ms"
    if kind == 3:
        return f"migrated {draw.randint(1, 60)} rows of table t{draw.randint(100, 999)}, none left behind"
    return f"took {draw.randint(1, 60)} % of the traffic, error rate 0.{draw.randint(0, 9)} %"
