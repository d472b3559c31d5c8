"""The provider's own compaction, against a real server that seals like OpenAI or Anthropic."""

from __future__ import annotations

from typing import Any

import pytest

from compactors.conversations import compact, lines, request, run, say, tokens
from models.chat_server import HANGS_UP, NEVER, Answer, ChatServer, Pauses, chat_server, fails
from tamis.compactors import Compaction, get_method
from tamis.compactors.guarantees import check_compaction
from tamis.compactors.methods.opaque import Opaque
from tamis.messages import identify
from tamis.models.server_side import AnthropicCompaction, OpenAICompaction
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.openai_responses.format import OpenAIResponses

SPAN = identify(
    [
        say("system", "You run a till."),
        say("user", "Make the till accept vouchers."),
        *run("c1", "cat src/till.py", lines("step", 700)),
        say("assistant", "The drawer opens twice."),
        say("user", "Go on."),
    ]
)
SEALED = {"id": "cmp_1", "type": "compaction", "encrypted_content": "c2VhbGVk" * 9}
ROOM = 2_400


def said(text: str) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "user",
        "status": "completed",
        "content": [{"type": "input_text", "text": text}],
    }


def sealed(*items: dict[str, Any]) -> Answer:
    usage = {
        "input_tokens": 900,
        "output_tokens": 70,
        "total_tokens": 970,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    body = {"id": "resp_1", "object": "response.compaction", "created_at": 1, "output": list(items)}
    return Answer(body={**body, "usage": usage})


def signed(content: str | None) -> Answer:
    block = {"type": "compaction", "content": content, "signature": "c2ln"}
    usage = {"input_tokens": 900, "output_tokens": 70}
    return Answer(
        body={
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [block],
            "stop_reason": "compaction",
            "stop_sequence": None,
            "usage": usage,
        }
    )


def openai_at(server: ChatServer, *, timeout_s: float = 5.0, pauses: Pauses | None = None) -> Opaque:
    there = OpenAICompaction("openai:m", "m", base_url=f"{server.url}/v1", api_key="k", timeout_s=timeout_s)
    return Opaque(there, sleep=pauses or Pauses())


def anthropic_at(server: ChatServer) -> Opaque:
    there = AnthropicCompaction("anthropic:m", "m", base_url=server.url, api_key="k")
    return Opaque(there, sleep=Pauses())


def hard(made: Compaction) -> list[Any]:
    return [v for v in check_compaction(request(SPAN, ROOM), made) if v.hard]


def test_openai_seals_the_span_and_it_is_called_not_readable() -> None:
    with chat_server([sealed(said("Make the till accept vouchers."), SEALED)]) as server:
        made = compact(openai_at(server), SPAN, ROOM)
    assert server.paths == ["/v1/responses/compact"]
    assert (made.outcome, made.readable) == ("fits", False)
    assert "not readable: 1 sealed item(s)" in made.warnings[0]
    assert "the provider reports 70" in made.warnings[0]
    assert (made.usage.input_tokens, made.usage.output_tokens) == (900, 70)
    assert hard(made) == []


def test_the_provider_is_given_the_whole_span() -> None:
    with chat_server([sealed(SEALED)]) as server:
        compact(openai_at(server), SPAN, ROOM)
    (asked,) = server.asked
    kinds = [item["type"] for item in asked["input"]]
    assert kinds == ["message", "function_call", "function_call_output", "message", "message"]
    assert asked["input"][2]["output"] == lines("step", 700)


def test_the_sealed_item_goes_back_as_it_came() -> None:
    with chat_server([sealed(said("Go on."), SEALED)]) as server:
        first = compact(openai_at(server), SPAN, ROOM)
        later = identify([say("user", "And print it.", id="later"), *run("d1", "cat r.py", lines("r", 700))])
        compact(openai_at(server), later, ROOM, first)
    assert SEALED in OpenAIResponses().encode(first.messages)
    assert SEALED in server.asked[1]["input"]


def test_what_was_given_back_as_it_was_is_kept_and_the_rest_condensed() -> None:
    with chat_server([sealed(said("Go on."), SEALED)]) as server:
        made = compact(openai_at(server), SPAN, ROOM)
    assert [f.fate for f in made.account] == ["kept", *["condensed"] * 4, "kept"]
    assert made.messages[0] == SPAN[0]
    assert made.messages[1] is SPAN[-1]


def test_anthropic_signs_a_summary_that_can_be_read() -> None:
    with chat_server([signed("The drawer opened twice; vouchers are next.")]) as server:
        made = compact(anthropic_at(server), SPAN, 300)
    (asked,) = server.asked
    assert asked["compaction"] == {"type": "summarize"}
    assert (made.outcome, made.readable, made.warnings) == ("fits", True, ())
    assert made.messages[-1].text == "The drawer opened twice; vouchers are next."
    assert made.messages[-1].origin == "summary"
    assert hard(made) == []
    (back,) = Anthropic().encode(made.messages)
    assert back["content"][0]["signature"] == "c2ln"


@pytest.mark.parametrize("answer", [sealed(), fails(500), fails(401), HANGS_UP, Answer(body=b"<html>")])
def test_without_a_compaction_the_span_stands_as_it_was(answer: Answer) -> None:
    with chat_server([answer]) as server:
        made = compact(openai_at(server), SPAN, ROOM)
    assert (made.outcome, made.messages) == ("unmet", SPAN)
    assert "the provider did not compact" in made.warnings[0]


def test_a_summary_that_failed_is_no_compaction() -> None:
    with chat_server([signed(None)]) as server:
        made = compact(anthropic_at(server), SPAN, ROOM)
    assert (made.outcome, made.messages) == ("unmet", SPAN)


def test_a_provider_that_never_answers_is_a_timeout() -> None:
    with chat_server([NEVER]) as server:
        made = compact(openai_at(server, timeout_s=0.05), SPAN, ROOM)
    assert "no answer in time" in made.warnings[0]


def test_a_failure_that_passes_is_asked_again() -> None:
    pauses = Pauses()
    with chat_server([fails(429, retry_after="3"), sealed(SEALED)]) as server:
        made = compact(openai_at(server, pauses=pauses), SPAN, ROOM)
    assert made.outcome == "fits"
    assert pauses.seconds == [3]


def test_what_is_over_the_budget_is_no_compaction_in_it() -> None:
    with chat_server([sealed(SEALED)]) as server:
        made = compact(openai_at(server), SPAN, 500)
    assert (made.outcome, made.messages) == ("unmet", SPAN)
    assert tokens(SPAN) > 500


def test_a_server_of_ones_own_is_named_with_its_model() -> None:
    with chat_server([sealed(SEALED)]) as server:
        made = compact(get_method(f"opaque@{server.url}#m"), SPAN, ROOM)
    assert made.outcome == "fits"
    assert server.asked[0]["model"] == "m"
