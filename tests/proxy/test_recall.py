"""The recall tool: answered by the proxy, unseen by the agent, there again in the next request."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import anthropic
import openai
import pytest
from starlette.responses import JSONResponse

from proxy import conversations
from proxy.conftest import Proxied, Start
from proxy.upstream import Say, Script

PATHS = ("/v1/chat/completions", "/v1/messages", "/v1/responses")
CHAT_TOOL: Any = {"type": "function", "function": {"name": "bash", "parameters": {"type": "object"}}}
MESSAGES_TOOL: Any = {"name": "bash", "input_schema": {"type": "object"}}
RESPONSES_TOOL: Any = {"type": "function", "name": "bash", "parameters": {"type": "object"}, "strict": False}


@dataclass(frozen=True)
class Seen:
    """What the agent's client made of an answer."""

    text: str
    calls: tuple[tuple[str, str], ...]


def ask(proxy: Proxied, path: str, *, stream: bool, turns: int = 16, more: Any = ()) -> Seen:
    """Ask with the real client."""
    if path == "/v1/messages":
        return _ask_anthropic(proxy, stream, [*conversations.anthropic(turns), *more])
    client = openai.OpenAI(base_url=f"{proxy.url}/v1", api_key="k", max_retries=0)
    if path == "/v1/responses":
        items: Any = [*conversations.responses(turns), *more]
        if stream:
            with client.responses.stream(model="m", input=items, tools=[RESPONSES_TOOL]) as events:
                shown = ""
                for event in events:
                    shown += event.delta if event.type == "response.output_text.delta" else ""
                    if event.type == "error":
                        raise ConnectionError(event.message)
                reply = events.get_final_response()
            assert "".join(shown.split()) == "".join(reply.output_text.split())
        else:
            reply = client.responses.create(model="m", input=items, tools=[RESPONSES_TOOL])
        calls = [(i.name, i.arguments) for i in reply.output if i.type == "function_call"]
        return Seen(reply.output_text.strip(), tuple(calls))
    messages: Any = [*conversations.chat(turns), *more]
    if stream:
        with client.chat.completions.stream(model="m", messages=messages, tools=[CHAT_TOOL]) as chunks:
            done = chunks.get_final_completion()
        message: Any = done.choices[0].message
    else:
        whole = client.chat.completions.create(model="m", messages=messages, tools=[CHAT_TOOL])
        message = whole.choices[0].message
    calls = [(c.function.name, c.function.arguments) for c in message.tool_calls or []]
    return Seen((message.content or "").strip(), tuple(calls))


def _ask_anthropic(proxy: Proxied, stream: bool, messages: Any) -> Seen:
    client = anthropic.Anthropic(base_url=proxy.url, api_key="k", max_retries=0)
    given: Any = {"model": "m", "max_tokens": 99, "messages": messages, "tools": [MESSAGES_TOOL]}
    if stream:
        with client.messages.stream(**given) as events:
            reply = events.get_final_message()
    else:
        reply = client.messages.create(**given)
    text = "".join(block.text for block in reply.content if block.type == "text")
    calls = [(b.name, json.dumps(b.input)) for b in reply.content if b.type == "tool_use"]
    return Seen(text.strip(), tuple(calls))


def recall(words: str, name: str = "r1") -> tuple[str, str, dict[str, Any]]:
    return (name, "recall", {"words": words})


def in_turn(*said: Say) -> Script:
    """One answer after the other, the last for ever."""
    return lambda body, n: said[min(n, len(said)) - 1]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_a_recall_is_answered_and_the_agent_never_sees_it(start: Start, path: str, stream: bool) -> None:
    proxy = start()
    proxy.upstream.script = in_turn(
        Say(calls=(recall("quartz-0003"),)),
        Say(text="It is quartz.", calls=(("c9", "bash", {"command": "make all"}),)),
    )
    seen = ask(proxy, path, stream=stream)
    assert seen == Seen("It is quartz.", (("bash", '{"command": "make all"}'),))
    first, second = proxy.upstream.raw
    assert b"marker of part 3 is quartz-0003" not in first
    assert b"marker of part 3 is quartz-0003" in second
    assert "tamis_proxy_recalls_total 1.0" in proxy.metrics()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_what_was_recalled_stands_in_the_next_request(start: Start, path: str, stream: bool) -> None:
    proxy = start()
    proxy.upstream.script = in_turn(Say(calls=(recall("quartz-0003"),)), Say(text="Now I know."))
    ask(proxy, path, stream=stream)
    more = [{"role": "assistant", "content": "Now I know."}, {"role": "user", "content": "Go on."}]
    ask(proxy, path, stream=stream, more=more)
    last, key = proxy.upstream.bodies[-1], "input" if path == "/v1/responses" else "messages"
    before = json.dumps(proxy.upstream.bodies[-2][key]).rstrip("]")
    assert json.dumps(last[key]).startswith(before)
    assert [item["content"] for item in last[key][-2:]] == ["Now I know.", "Go on."]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_recalling_for_ever_comes_to_an_end(start: Start, path: str, stream: bool) -> None:
    proxy = start(max_recall_rounds=2)
    proxy.upstream.script = lambda body, n: Say(text="Again.", calls=(recall("quartz", f"r{n}"),))
    seen = ask(proxy, path, stream=stream)
    assert (seen.calls, len(proxy.upstream.raw)) == ((), 4)
    assert b"Nothing more can be recalled" in proxy.upstream.raw[-1]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_a_call_behind_a_recall_waits_for_its_answer(start: Start, path: str, stream: bool) -> None:
    proxy = start()
    proxy.upstream.script = in_turn(
        Say(calls=(recall("quartz-0003"), ("c1", "bash", {"command": "guess"}))), Say(text="Now I know.")
    )
    assert ask(proxy, path, stream=stream) == Seen("Now I know.", ())
    assert b"guess" not in proxy.upstream.raw[1]


@pytest.mark.parametrize("path", PATHS)
def test_a_recall_behind_a_call_that_was_shown_is_there_in_the_next_request(start: Start, path: str) -> None:
    proxy = start()
    calls = (("c1", "bash", {"command": "ls"}), recall("quartz-0003"), ("c2", "bash", {"command": "pwd"}))
    proxy.upstream.script = in_turn(Say(calls=calls), Say(text="Done."))
    seen = ask(proxy, path, stream=True)
    assert [json.loads(arguments)["command"] for _, arguments in seen.calls] == ["ls", "pwd"]
    ask(proxy, path, stream=True, more=[{"role": "user", "content": "Go on."}])
    assert b"marker of part 3 is quartz-0003" in proxy.upstream.raw[1]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_an_error_behind_a_recall_reaches_the_agent(start: Start, path: str, stream: bool) -> None:
    proxy = start()
    error = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down please"}}
    proxy.upstream.script = lambda body, n: (
        Say(calls=(recall("quartz"),)) if n == 1 else JSONResponse(error, status_code=429)
    )
    with pytest.raises((openai.APIError, anthropic.APIError, ConnectionError), match="slow down please"):
        ask(proxy, path, stream=stream)


def test_nothing_of_another_conversation_is_recalled(start: Start) -> None:
    proxy = start()
    for who in ("ada", "bob"):
        talk = conversations.chat(16)
        talk[1] = {"role": "user", "content": f"My word is word-of-{who}."}
        proxy.upstream.script = lambda body, n: (
            Say(text="ok")
            if "tool_call_id" in str(body["messages"][-1]) and n % 2 == 0
            else Say(calls=(recall("word-of-ada word-of-bob"),))
        )
        proxy.post("/v1/chat/completions", json={"model": "m", "messages": talk})
    asked = [body["messages"][-1]["content"] for body in proxy.upstream.bodies[1::2]]
    assert ["word-of-ada" in text for text in asked] == [True, False]
    assert ["word-of-bob" in text for text in asked] == [False, True]


def test_what_was_recalled_stays_word_for_word_through_the_next_compaction(start: Start) -> None:
    proxy = start()
    proxy.upstream.script = in_turn(Say(calls=(recall("quartz-0003"),)), Say(text="Now I know."))
    ask(proxy, "/v1/chat/completions", stream=False)
    (answer,) = (m["content"] for m in proxy.upstream.bodies[1]["messages"] if m.get("tool_call_id") == "r1")
    said = {"role": "assistant", "content": "Now I know."}
    talk = [*conversations.chat(16), said, *conversations.chat(30)[-28:]]
    body = {"model": "m", "messages": talk}
    decision = proxy.post("/v1/chat/completions", json=body).headers["x-tamis-decision"]
    kept = [m["content"] for m in proxy.upstream.bodies[-1]["messages"] if m.get("tool_call_id") == "r1"]
    assert (decision, kept) == ("compacted", [answer])
