"""What an active proxy sends upstream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proxy import conversations
from proxy.conftest import Start
from tamis.archive import Archive

SHAPES = {
    "/v1/chat/completions": ("messages", conversations.chat),
    "/v1/messages": ("messages", conversations.anthropic),
    "/v1/responses": ("input", conversations.responses),
}


@pytest.mark.parametrize("path", SHAPES)
def test_a_request_that_fits_goes_through_byte_for_byte(start: Start, path: str) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    raw = json.dumps({"model": "m", key: talk(2)}, indent=1).encode()
    answer = proxy.post(path, content=raw, headers={"authorization": "Bearer k"})
    assert proxy.upstream.raw == [raw]
    assert proxy.upstream.headers[0]["authorization"] == "Bearer k"
    assert answer.headers["x-tamis-decision"] == "untouched"
    assert answer.headers["x-request-id"] == "req-1"


@pytest.mark.parametrize("path", SHAPES)
def test_a_conversation_near_the_window_is_sent_with_a_brief(start: Start, path: str) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    answer = proxy.post(path, json={"model": "m", key: talk(16)})
    sent = proxy.upstream.bodies[0]
    assert answer.headers["x-tamis-decision"] == "compacted"
    assert len(json.dumps(sent)) < len(json.dumps(talk(16))) / 2
    assert "Never change reports/2024.csv" in json.dumps(sent[key][:2])
    assert sent[key][-2:] == talk(16)[-2:]
    assert [tool.get("name") or tool["function"]["name"] for tool in sent["tools"]] == ["recall"]


@pytest.mark.parametrize("path", SHAPES)
def test_the_newest_result_stays_even_where_it_is_larger_than_what_is_to_stay(
    start: Start, path: str
) -> None:
    proxy = start(keep_last="1%")
    key, talk = SHAPES[path]
    answer = proxy.post(path, json={"model": "m", key: talk(16)})
    assert answer.headers["x-tamis-decision"] == "compacted"
    assert proxy.upstream.bodies[0][key][-2:] == talk(16)[-2:]


@pytest.mark.parametrize("path", SHAPES)
def test_what_is_sent_grows_behind_a_prefix_that_keeps_its_bytes(start: Start, path: str) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    decisions = [
        proxy.post(path, json={"model": "m", key: talk(n)}).headers["x-tamis-decision"]
        for n in range(16, 40, 2)
    ]
    assert decisions[0] == "compacted"
    assert decisions.count("compacted") >= 2
    assert decisions.count("replayed") > decisions.count("compacted")
    for n in range(1, len(decisions)):
        before, after = (json.dumps(body[key]).rstrip("]") for body in proxy.upstream.bodies[n - 1 : n + 1])
        assert decisions[n] != "replayed" or after.startswith(before)


@pytest.mark.parametrize("path", SHAPES)
def test_all_that_was_taken_out_is_in_the_archive(start: Start, path: str, tmp_path: Path) -> None:
    proxy = start()
    key, talk = SHAPES[path]
    for n in range(16, 40, 2):
        proxy.post(path, json={"model": "m", key: talk(n)})
    sent = json.dumps(proxy.upstream.bodies[-1])
    with Archive.open(tmp_path / "a.tamis") as archive:
        lost = [
            n for n in range(38) if f"quartz-{n:04d}" not in sent and not archive.search(f"quartz-{n:04d}")
        ]
    assert lost == []


def test_cache_marks_that_move_do_not_break_the_prefix(start: Start) -> None:
    proxy = start()

    def marked(turns: int) -> list[dict[str, Any]]:
        messages = conversations.anthropic(turns)
        messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
        return messages

    first, second = (proxy.post("/v1/messages", json={"model": "m", "messages": marked(n)}) for n in (16, 17))
    assert (first.headers["x-tamis-decision"], second.headers["x-tamis-decision"]) == (
        "compacted",
        "replayed",
    )
    assert proxy.upstream.raw[1].count(b"cache_control") == 1


def test_conversations_are_apart(start: Start) -> None:
    proxy = start()
    for who in ("ada", "bob"):
        talk = conversations.chat(16)
        talk[1] = {"role": "user", "content": f"I am {who}. Never touch {who}.csv."}
        proxy.post("/v1/chat/completions", json={"model": "m", "messages": talk})
    first, second = (json.dumps(body) for body in proxy.upstream.bodies)
    assert ("ada.csv" in first, "bob.csv" in first) == (True, False)
    assert ("ada.csv" in second, "bob.csv" in second) == (False, True)


def test_a_header_sets_conversations_apart_that_say_the_same(start: Start) -> None:
    proxy = start()
    body = {"model": "m", "messages": conversations.chat(16)}
    headers = (
        {"x-tamis-conversation": "one"},
        {"x-tamis-conversation": "two"},
        {"x-tamis-conversation": "two"},
    )
    answers = [proxy.post("/v1/chat/completions", json=body, headers=h) for h in headers]
    assert [a.headers["x-tamis-decision"] for a in answers] == ["compacted", "compacted", "replayed"]
    assert len({a.headers["x-tamis-conversation"] for a in answers}) == 2
    assert not any("x-tamis-conversation" in sent for sent in proxy.upstream.headers)


def test_a_rewound_conversation_gets_no_brief_of_what_it_did_not_say(start: Start) -> None:
    proxy = start()
    proxy.post("/v1/chat/completions", json={"model": "m", "messages": conversations.chat(20)})
    other = [*conversations.chat(10), {"role": "user", "content": "Start over. " + "Look again. " * 2_000}]
    other += [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Go on."}]
    proxy.post("/v1/chat/completions", json={"model": "m", "messages": other})
    assert "src/part15.py" not in proxy.upstream.raw[1].decode()


def test_a_second_proxy_on_the_same_archive_sends_the_same_bytes(start: Start) -> None:
    body = {"model": "m", "messages": conversations.chat(16)}
    longer = {"model": "m", "messages": conversations.chat(18)}
    first = start()
    first.post("/v1/chat/completions", json=body)
    first.post("/v1/chat/completions", json=longer)
    second = start()
    answer = second.post("/v1/chat/completions", json=longer)
    assert answer.headers["x-tamis-decision"] == "replayed"
    assert second.upstream.raw[2] == second.upstream.raw[1]


def test_an_agent_with_a_tool_of_that_name_keeps_its_own(start: Start) -> None:
    proxy = start()
    own = {"type": "function", "function": {"name": "recall", "parameters": {"type": "object"}}}
    body = {"model": "m", "messages": conversations.chat(16), "tools": [own]}
    assert proxy.post("/v1/chat/completions", json=body).headers["x-tamis-decision"] == "compacted"
    assert proxy.upstream.bodies[0]["tools"] == [own]
