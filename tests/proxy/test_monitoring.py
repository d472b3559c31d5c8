"""What a proxy tells of its compactions: live regret, the decision log, quality, OpenTelemetry."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from monitoring.collector import collecting
from monitoring.test_decision_log import read
from proxy import conversations
from proxy.conftest import Proxied, Start
from proxy.test_active import SHAPES
from proxy.upstream import Say, Upstream, running
from tamis.errors import InputError
from tamis.monitoring.entries import DecisionEntry, RegretEntry, TurnsEntry
from tamis.proxy import ProxySettings
from tamis.proxy.server import make_app


class Scraped:
    """What a proxy's metrics say."""

    def __init__(self, proxy: Proxied) -> None:
        families = text_string_to_metric_families(proxy.metrics())
        self._samples = [sample for family in families for sample in family.samples]

    def sum(self, name: str, **labels: str) -> float:
        of_name = [s for s in self._samples if s.name == f"tamis_{name}"]
        return sum(s.value for s in of_name if labels.items() <= s.labels.items())

    def by(self, name: str, label: str) -> dict[str, int]:
        found = [s for s in self._samples if s.name == f"tamis_{name}" and s.value]
        return {s.labels[label]: int(s.value) for s in found}


def turns_of(proxy: Proxied) -> float:
    return Scraped(proxy).sum("turns_total")


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def regrets(proxy: Proxied) -> dict[str, int]:
    return Scraped(proxy).by("regrets_total", "kind")


def again(talk: Callable[[int], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The first file is read once more."""
    items: list[dict[str, Any]] = json.loads(json.dumps(talk(1)[-2:]).replace("call_0", "call_again"))
    return items


@pytest.mark.parametrize("path", SHAPES)
def test_a_file_that_is_read_again_is_regret(start: Start, path: str) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    assert proxy.post(path, json={"model": "m", key: talk(16)}).headers["x-tamis-decision"] == "compacted"
    body = {"model": "m", key: [*talk(16), *again(talk)]}
    assert proxy.post(path, json=body).headers["x-tamis-decision"] == "replayed"
    until(lambda: turns_of(proxy) == 1)
    until(lambda: regrets(proxy).get("reread") == 1)
    assert Scraped(proxy).sum("regret_tokens_total") > 100
    assert Scraped(proxy).sum("regret_turns_total") == 1


def test_a_request_that_is_sent_again_is_judged_once(start: Start) -> None:
    proxy = start()
    key, talk = SHAPES["/v1/messages"]
    proxy.post("/v1/messages", json={"model": "m", key: talk(16)})
    longer = [*talk(16), *again(talk)]
    for _ in range(3):
        proxy.post("/v1/messages", json={"model": "m", key: longer})
    more = [*longer, {"role": "assistant", "content": "Done."}, {"role": "user", "content": "Go on."}]
    proxy.post("/v1/messages", json={"model": "m", key: more})
    until(lambda: turns_of(proxy) == 2)
    assert regrets(proxy).get("reread") == 1


def test_regret_goes_on_after_the_next_compaction(start: Start) -> None:
    proxy = start()
    key, talk = SHAPES["/v1/chat/completions"]
    decisions = [
        proxy.post("/v1/chat/completions", json={"model": "m", key: talk(n)}).headers["x-tamis-decision"]
        for n in range(16, 40, 2)
    ]
    assert decisions.count("compacted") >= 2
    until(lambda: turns_of(proxy) == 22)
    assert regrets(proxy) == {}
    body = {"model": "m", key: [*talk(38), *again(talk)]}
    proxy.post("/v1/chat/completions", json=body)
    until(lambda: regrets(proxy).get("reread") == 1)


@pytest.mark.parametrize("path", SHAPES)
def test_a_recall_is_regret_at_once_and_once_only(start: Start, path: str) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    calls = (("r1", "recall", {"words": "quartz-0003"}),)
    proxy.upstream.script = lambda body, n: Say(calls=calls) if n == 1 else Say(text="Now I know.")
    proxy.post(path, json={"model": "m", key: talk(16)})
    until(lambda: regrets(proxy).get("recall") == 1)
    assert Scraped(proxy).sum("regret_tokens_total") > 10
    said = [{"role": "assistant", "content": "Now I know."}, {"role": "user", "content": "Go on."}]
    proxy.post(path, json={"model": "m", key: [*talk(16), *said]})
    until(lambda: turns_of(proxy) == 2)
    assert regrets(proxy).get("recall") == 1


def test_the_decision_log_has_every_request(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "decisions.jsonl"
    proxy = start(log=log)
    for turns in (2, 16, 18):
        proxy.post("/v1/chat/completions", json={"model": "m", "messages": conversations.chat(turns)})
    until(lambda: turns_of(proxy) == 2)
    entries = read(log)
    made = [entry for entry in entries if isinstance(entry, DecisionEntry)]
    assert [entry.decision for entry in made] == ["untouched", "compacted", "replayed"]
    assert {entry.source for entry in made} == {"proxy"}
    assert made[1].session == made[2].session != ""
    assert sum(entry.turns for entry in entries if isinstance(entry, TurnsEntry)) == 2
    assert not [entry for entry in entries if isinstance(entry, RegretEntry)]
    assert not [word for word in ("quartz", "totals", "cat ") if word in log.read_text()]


def test_shadow_mode_tells_what_would_have_been_regretted(start: Start) -> None:
    proxy = start(mode="shadow")
    key, talk = SHAPES["/v1/messages"]
    proxy.post("/v1/messages", json={"model": "m", key: talk(16)})
    until(lambda: Scraped(proxy).sum("decisions_total", decision="compacted") == 1)
    proxy.post("/v1/messages", json={"model": "m", key: [*talk(16), *again(talk)]})
    until(lambda: regrets(proxy).get("reread") == 1)
    assert Scraped(proxy).by("turns_total", "mode").keys() == {"shadow"}


def test_quality_is_checked_every_so_many_compactions(start: Start) -> None:
    proxy = start(quality_every=2)
    for n in range(2):
        talk = conversations.chat(16)
        talk[1]["content"] += f" This is run {n}."
        proxy.post("/v1/chat/completions", json={"model": "m", "messages": talk})
    until(lambda: Scraped(proxy).sum("quality_checks_total") == 1)
    assert 0 < Scraped(proxy).sum("quality_score") <= 1


def test_a_collector_gets_all_by_the_end(upstream: Upstream) -> None:
    with collecting() as collector:
        settings = ProxySettings(
            upstream=upstream.url,
            window=conversations.WINDOW,
            budget=conversations.BUDGET,
            otlp=collector.url,
        )
        with running(make_app(settings)) as url:
            body = {"model": "m", "messages": conversations.chat(16)}
            httpx.post(f"{url}/v1/chat/completions", json=body)
        assert collector.sums()["tamis.decisions"] == 1
        assert collector.sums()["tamis.tokens_before"] > collector.sums()["tamis.tokens_after"] > 0


@pytest.mark.parametrize(
    ("settings", "says"),
    [({"otlp": "collector:4318"}, "give one such as http"), ({"log": Path("/nowhere/a.jsonl")}, "cannot be")],
)
def test_what_cannot_be_is_said_before_it_serves(start: Start, settings: dict[str, Any], says: str) -> None:
    good = start().settings
    with pytest.raises(InputError, match=says):
        make_app(type(good)(upstream=good.upstream, **settings))
