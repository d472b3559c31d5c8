"""A proxy with a meter at both of its sides."""

import threading
from collections import Counter as Count
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from tamis.ab.meter import Meter
from tamis.ab.trial import Compression, TrialArm, TrialRegret
from tamis.errors import InputError
from tamis.monitoring.entries import QualityEntry, RegretEntry, TurnsEntry
from tamis.monitoring.log_reader import LogReader
from tamis.proxy import ProxySettings
from tamis.proxy.server import listen, make_app

NEVER = 1_000_000_000
"""A window that nothing reaches: the proxy of the arm without compression passes everything on."""

HOST = "127.0.0.1"
DECISIONS = "decisions.jsonl"


def proxy_settings(compression: Compression, arm: TrialArm, folder: Path) -> ProxySettings:
    """The settings of one trial's proxy, with an archive and a log of its own.

    Raises:
        InputError: as for the proxy itself.
        BadBudget: as for the proxy itself.
    """
    if arm == "off":
        return ProxySettings(upstream=compression.upstream, window=NEVER, budget=1, quality_every=0)
    wanted = asdict(compression)
    return ProxySettings(**wanted, archive=folder / "archive.tamis", log=folder / DECISIONS, quality_every=1)


@contextmanager
def passage(settings: ProxySettings, meter: Meter) -> Iterator[str]:
    """A proxy that runs while this does, in a thread of its own; its URL.

    Raises:
        InputError: it did not start.
    """
    with served(meter.around(make_app(settings, on_answer=meter.on_answer))) as url:
        yield url


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Any application, at a free port of this machine while this lasts; its URL.

    Raises:
        InputError: it did not start.
    """
    with listen(HOST, 0) as listening:
        config = uvicorn.Config(
            app, log_level="error", server_header=False, date_header=False, timeout_graceful_shutdown=5
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            while not server.started:
                thread.join(0.01)
                if not thread.is_alive():
                    raise InputError("the server of the trial did not start")
            yield f"http://{HOST}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def read_needs(log: Path) -> TrialRegret | None:
    """What the decision log of a trial tells; None where nothing was taken out."""
    if not log.exists():
        return None
    turns = regret_turns = tokens = looked_for = found = 0
    kinds: Count[str] = Count()
    reader = LogReader(log)
    for line in reader.read():
        match line.entry:
            case TurnsEntry() as some:
                turns += some.turns
            case RegretEntry() as regret:
                kinds[regret.kind] += 1
                tokens += regret.tokens
                regret_turns += regret.new_turn
            case QualityEntry() as check:
                looked_for += check.demanded + check.asked
                found += check.there + check.found
    reader.close()
    if not turns and not looked_for:
        return None
    return TrialRegret(
        turns=turns,
        regret_turns=regret_turns,
        kinds=dict(sorted(kinds.items())),
        tokens=tokens,
        looked_for=looked_for,
        found=found,
    )
