"""An upstream and a proxy in front of it, both on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.conversations import BUDGET, WINDOW
from proxy.upstream import Upstream, make_upstream_app, running
from tamis.proxy import ProxySettings
from tamis.proxy.server import make_app


@dataclass
class Proxied:
    """A running proxy: its URL, its settings, and the upstream behind it."""

    url: str
    upstream: Upstream
    settings: ProxySettings

    def metrics(self) -> str:
        return httpx.get(f"{self.url}/metrics").text

    def post(self, path: str, **given: Any) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", timeout=30, **given)


Start = Callable[..., Proxied]


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    served = Upstream()
    with running(make_upstream_app(served)) as url:
        served.url = url
        yield served


@pytest.fixture
def start(upstream: Upstream, tmp_path: Path) -> Iterator[Start]:
    """Starts a proxy; the settings may be others."""
    with ExitStack() as stack:

        def begin(**given: Any) -> Proxied:
            settings = ProxySettings(
                **{
                    "upstream": upstream.url,
                    "window": WINDOW,
                    "budget": BUDGET,
                    "archive": tmp_path / "a.tamis",
                    "decide_timeout_s": 60.0,
                }
                | given
            )
            return Proxied(stack.enter_context(running(make_app(settings))), upstream, settings)

        yield begin
