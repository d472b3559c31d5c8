"""An upstream, and commands that ask it things: small programs, run as any other command is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proxy.upstream import Upstream, make_upstream_app, running
from tamis.ab import Compression, TrialPlan

WINDOW, BUDGET = 6_000, "700"
ASKING = """
import json, os, sys, urllib.request
sys.path.insert(0, {tests!r})
from proxy.conversations import chat

def ask(turns):
    body = json.dumps({{"model": "m", "messages": chat(turns)}}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = urllib.request.Request(url, body, {{"content-type": "application/json"}})
    return json.load(urllib.request.urlopen(request))

mode, pair = os.environ["TAMIS_MODE"], os.environ["TAMIS_AB_PAIR"]
{program}
"""


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    served = Upstream()
    with running(make_upstream_app(served)) as url:
        served.url = url
        yield served


Plan = Callable[..., TrialPlan]


@pytest.fixture
def plan(upstream: Upstream) -> Plan:
    """A plan whose command is a program that can `ask(turns)`; the rest may be another."""

    def make(program: str, **given: object) -> TrialPlan:
        tests = str(Path(__file__).resolve().parents[1])
        source = ASKING.format(tests=tests, program=program)
        compression = Compression(upstream=upstream.url, window=WINDOW, budget=BUDGET)
        return TrialPlan(
            **{"command": (sys.executable, "-c", source), "compression": compression, "runs": 1} | given
        )

    return make
