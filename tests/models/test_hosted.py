"""Asking over HTTP, against a real server on this machine."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel
from pytest_socket import SocketConnectBlockedError

from models.chat_server import HANGS_UP, NEVER, Answer, Pauses, chat_server, fails, says
from tamis.errors import (
    ModelError,
    ModelRateLimited,
    ModelServerError,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    RequestRejected,
    UnknownModel,
    UnusableReply,
)
from tamis.models import Patience, Prompt, Reply, get_model, read_reply

PROMPT = Prompt(instructions="be brief", text="where does it listen?", max_output_tokens=50)


class Port(BaseModel):
    number: int


def ask(address: str, prompt: Prompt = PROMPT, schema: type[BaseModel] | None = None, **given: Any) -> Reply:
    model = get_model(address, sleep=given.pop("sleep", Pauses()), **given)
    return asyncio.run(model.ask(prompt, schema=schema))


def test_asks_what_it_was_told_and_reports_the_tokens() -> None:
    with chat_server([says("on 8080")]) as server:
        reply = ask(server.url)
    (asked,) = server.asked
    assert [m["content"] for m in asked["messages"]] == ["be brief", "where does it listen?"]
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("small", 50, 0)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("on 8080", 11, 7)
    assert reply.latency_ms > 0


def test_tokens_that_were_not_reported_are_not_zero() -> None:
    with chat_server([says("on 8080", usage=False)]) as server:
        reply = ask(server.url)
    assert (reply.input_tokens, reply.output_tokens) == (None, None)


def test_the_server_is_made_to_keep_to_a_schema() -> None:
    with chat_server([says({"number": 8080})]) as server:
        reply = ask(server.url, schema=Port)
    sent = server.asked[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"]["properties"] == {"number": {"type": "integer"}}
    assert read_reply(reply, Port).number == 8080


def test_one_model_answers_in_one_event_loop_after_the_other() -> None:
    with chat_server([says("yes")]) as server:
        model = get_model(server.url)
        assert [asyncio.run(model.ask(PROMPT)).text for _ in range(3)] == ["yes"] * 3


def test_the_model_behind_the_hash_is_asked_for() -> None:
    with chat_server([says("yes")], models=["small", "large"]) as server:
        ask(f"{server.url}/v1#large")
    assert server.asked[0]["model"] == "large"


def test_a_server_with_several_models_wants_one_named() -> None:
    several = chat_server([says("yes")], models=["small", "large"])
    with several as server, pytest.raises(UnknownModel, match=r"serves small, large; name one: .*#small"):
        ask(server.url)
    assert server.asked == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (fails(500), ModelServerError),
        (fails(503), ModelServerError),
        (fails(529), ModelServerError),
        (fails(504), ModelTimeout),
        (fails(429), ModelRateLimited),
        (fails(401, "bad key"), RequestRejected),
        (fails(404, "no such model"), RequestRejected),
        (fails(400, "the request exceeds the available context size"), PromptTooLong),
        (HANGS_UP, ModelUnreachable),
        (says(""), UnusableReply),
        (says("  \n "), UnusableReply),
        (says("half of", finish="length"), UnusableReply),
        (says("", finish="content_filter"), UnusableReply),
        (Answer(body=b"<html>not an API</html>"), ModelError),
        (Answer(body={"choices": []}), ModelError),
    ],
)
def test_each_way_to_fail_is_an_error_of_its_own(answer: Answer, error: type[ModelError]) -> None:
    with chat_server([answer]) as server, pytest.raises(error, match=r"127\.0\.0\.1"):
        ask(server.url)


def test_an_answer_that_never_comes_is_a_timeout() -> None:
    with chat_server([NEVER]) as server, pytest.raises(ModelTimeout, match="no answer in time"):
        ask(server.url, timeout_s=0.05)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with chat_server([says("yes")]) as server:
        pass
    with pytest.raises(ModelUnreachable, match="cannot be reached"):
        ask(server.url)


def test_a_refusal_that_passes_is_waited_for_as_the_server_asks() -> None:
    pauses = Pauses()
    with chat_server([fails(429, retry_after="7"), fails(500), says("yes")]) as server:
        assert ask(server.url, sleep=pauses).text == "yes"
    assert len(server.asked) == 3
    assert pauses.seconds[0] == 7
    assert len(pauses.seconds) == 2


def test_failures_that_do_not_pass_are_asked_for_a_bounded_number_of_times() -> None:
    pauses = Pauses()
    with chat_server([fails(500)]) as server, pytest.raises(ModelServerError, match="status 500"):
        ask(server.url, sleep=pauses, patience=Patience(attempts=4))
    assert len(server.asked) == 4
    assert pauses.seconds == sorted(pauses.seconds)


@pytest.mark.parametrize("answer", [fails(401), fails(400), says("")])
def test_what_asking_again_does_not_help_is_asked_once(answer: Answer) -> None:
    with chat_server([answer]) as server, pytest.raises(ModelError):
        ask(server.url)
    assert len(server.asked) == 1


def test_a_server_that_asks_for_too_long_a_pause_is_not_waited_for() -> None:
    pauses = Pauses()
    with chat_server([fails(429, retry_after="9000")]) as server, pytest.raises(ModelRateLimited):
        ask(server.url, sleep=pauses)
    assert pauses.seconds == []


def test_no_live_server_is_reached_from_tests() -> None:
    with pytest.RaisesGroup(SocketConnectBlockedError, allow_unwrapped=True, flatten_subgroups=True):
        ask("http://192.0.2.1:9#any")


def test_a_server_by_address_never_gets_the_key_of_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    with chat_server([says("yes")]) as server:
        ask(server.url)
    assert server.keys == ["Bearer none"]
