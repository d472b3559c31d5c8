from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import MessageParam, TextBlock
from anthropic.types import ToolUseBlock as ToolUse
from hypothesis import given
from pydantic import TypeAdapter

from sessions.api_formats import assert_accepted_and_stable, assert_file_unchanged, assert_unchanged
from strategies import messages
from tamis.errors import InputError
from tamis.messages import Media, Message, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.anthropic.format import Anthropic

API = Anthropic()
ACCEPTED = TypeAdapter(list[MessageParam])
CACHED = {"cache_control": {"type": "ephemeral"}}
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBO"}

CONVERSATION: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [{"type": "text", "text": "What is it?", **CACHED}, {"type": "image", "source": PNG}],
    },
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Let me look.", "signature": "c2VhbA=="},
            {"type": "redacted_thinking", "data": "b3BhcXVl"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py"}},
            {"type": "tool_use", "id": "toolu_2", "name": "shot", "input": {}, **CACHED},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": [{"type": "image", "source": PNG}]},
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no such file", "is_error": True},
            {"type": "text", "text": "<system-reminder>be quick</system-reminder>"},
        ],
    },
    {
        "role": "assistant",
        "content": [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srvtoolu_1",
                "content": [
                    {
                        "type": "web_search_result",
                        "url": "https://a.example",
                        "title": "A",
                        "encrypted_content": "e",
                    }
                ],
            },
            {"type": "text", "text": "Found."},
        ],
    },
    {"role": "user", "content": "thanks"},
]


@given(messages(repeated_ids=True))
def test_any_messages_are_accepted_by_the_client_and_stable(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(API, ACCEPTED, made)


@given(messages(open_end=True))
def test_calls_may_wait_at_the_very_end(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(API, ACCEPTED, made)


@given(messages())
def test_roles_alternate_and_the_user_is_first(made: tuple[Message, ...]) -> None:
    roles = [item["role"] for item in API.encode(made)]
    assert all(one != other for one, other in pairwise(roles))
    assert roles[:1] in ([], ["user"])


@given(messages())
def test_all_results_stand_first_in_the_message_behind_their_calls(made: tuple[Message, ...]) -> None:
    waiting: list[str] = []
    for item in API.encode(made):
        blocks = item["content"] if isinstance(item["content"], list) else []
        results = [block.get("tool_use_id") for block in blocks]
        assert sorted(filter(None, results)) == sorted(waiting)
        assert results[: len(waiting)] == [call for call in results if call]
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]


def test_a_conversation_comes_back_as_it_was() -> None:
    session = assert_unchanged(API, CONVERSATION)
    ACCEPTED.validate_python(CONVERSATION)
    assert pair_calls(session.messages).whole


def test_parts_are_told_apart() -> None:
    read = API.decode(CONVERSATION).messages
    assert read[0].parts[1] == Media(kind="image", mime="image/png", data="iVBO")
    assert read[1].parts[:2] == (
        Thinking(text="Let me look.", signature="c2VhbA=="),
        Thinking(text="", signature="b3BhcXVl"),
    )
    shot, failed, reminder = read[2].parts
    assert shot == ToolResult(
        call_id="toolu_2", text="", media=(Media(kind="image", mime="image/png", data="iVBO"),)
    )
    assert failed == ToolResult(call_id="toolu_1", text="no such file", is_error=True)
    assert isinstance(reminder, Text)
    assert read[2].role == "user"
    searched = read[3].results[0]
    assert "https://a.example" in searched.text
    assert "encrypted" not in searched.text


def test_a_message_of_results_only_is_a_tools() -> None:
    assert (
        API.decode([{"role": "user", "content": CONVERSATION[2]["content"][:1]}]).messages[0].role == "tool"
    )


def test_a_document_given_as_text_is_text_and_comes_back_as_a_document() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "port 8080"}
    document = {"type": "document", "source": source, "title": "notes"}
    session = assert_unchanged(API, [{"role": "user", "content": [document]}])
    assert session.messages[0].text == "notes\nport 8080"


def test_text_that_was_taken_out_does_not_come_back() -> None:
    session = API.decode(CONVERSATION)
    masked = [
        replace(
            m, parts=tuple(replace(p, text="[gone]") if isinstance(p, ToolResult) else p for p in m.parts)
        )
        for m in session.messages
    ]
    items = API.encode(masked)
    ACCEPTED.validate_python(items)
    assert "no such file" not in json.dumps(items)
    assert items[1] == CONVERSATION[1]
    assert items[2]["content"][1] == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": "[gone]",
        "is_error": True,
    }


def test_a_servers_call_whose_result_was_changed_becomes_a_plain_call() -> None:
    session = API.decode(CONVERSATION)
    call, result, text = session.messages[3].parts
    assert isinstance(result, ToolResult)
    edited = session.messages[3].with_parts([call, replace(result, text="[gone]"), text])
    items = API.encode([*session.messages[:3], edited, session.messages[4]])
    assert [block["type"] for block in items[3]["content"]] == ["tool_use", "text"]
    assert items[4]["content"][0] == {"type": "tool_result", "tool_use_id": "srvtoolu_1", "content": "[gone]"}


def test_reasoning_without_this_apis_seal_is_left_out() -> None:
    made = [
        Message(id="1", role="user", parts=(Text(text="hi"),)),
        Message(id="2", role="assistant", parts=(Thinking(text="hm", signature="other"), Text(text="hello"))),
    ]
    assert API.encode(made)[1] == {"role": "assistant", "content": "hello"}


def test_parallel_calls_that_were_recorded_one_by_one_are_answered_together() -> None:
    made = [
        Message(id="0", role="user", parts=(Text(text="go"),)),
        Message(id="1", role="assistant", parts=(ToolCall(id="a", name="ls"),)),
        Message(id="2", role="assistant", parts=(ToolCall(id="b", name="ls"),)),
        Message(id="3", role="tool", parts=(ToolResult(call_id="a", text="1"),)),
        Message(id="4", role="tool", parts=(ToolResult(call_id="b", text="2"),)),
    ]
    _, calls, results = API.encode(made)
    assert [block["id"] for block in calls["content"]] == ["a", "b"]
    assert [block["tool_use_id"] for block in results["content"]] == ["a", "b"]


def test_ids_used_twice_are_told_apart() -> None:
    pair = (
        Message(id="1", role="assistant", parts=(ToolCall(id="bash:0", name="ls"),)),
        Message(id="2", role="tool", parts=(ToolResult(call_id="bash:0", text="x"),)),
    )
    items = API.encode([Message(id="0", role="user", parts=(Text(text="go"),)), *pair, *pair])
    calls = [block["id"] for item in items[1:] for block in item["content"] if block["type"] == "tool_use"]
    results = [
        block["tool_use_id"] for item in items[1:] for block in item["content"] if "tool_use_id" in block
    ]
    assert calls == results
    assert len(set(calls)) == 2


def test_system_messages_stand_beside_the_list() -> None:
    made = [
        Message(id="1", role="system", parts=(Text(text="Be brief."),)),
        Message(id="2", role="user", parts=(Text(text="hi"),)),
    ]
    assert API.encode(made) == [{"role": "user", "content": "hi"}]
    assert API.system_blocks(made) == [{"type": "text", "text": "Be brief."}]


def test_an_assistant_first_is_refused_with_the_remedy() -> None:
    with pytest.raises(InputError, match="in front as a user message"):
        API.encode([Message(id="1", role="assistant", parts=(Text(text="hi"),))])


def test_a_result_without_its_call_names_the_id() -> None:
    with pytest.raises(InputError, match="'c9'"):
        API.encode([Message(id="1", role="tool", parts=(ToolResult(call_id="c9", text="x"),))])


def test_blank_texts_which_the_api_refuses_are_left_out() -> None:
    made = [Message(id="1", role="user", parts=(Text(text=" \n"), Text(text="hi")))]
    assert API.encode(made) == [{"role": "user", "content": "hi"}]


def test_objects_of_the_client_are_read() -> None:
    content = [
        TextBlock(type="text", text="ok"),
        ToolUse(type="tool_use", id="toolu_1", name="ls", input={"a": 1}),
    ]
    session = API.decode([{"role": "user", "content": "hi"}, {"role": "assistant", "content": content}])
    assert session.messages[1].calls[0].arguments == {"a": 1}
    ACCEPTED.validate_python(API.encode(session.messages))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CONVERSATION),
        json.dumps({"model": "m-1", "system": "Be brief.", "messages": CONVERSATION, "max_tokens": 5}),
        json.dumps({"system": [{"type": "text", "text": "Be brief.", **CACHED}], "messages": CONVERSATION}),
        "\n".join(json.dumps(item) for item in CONVERSATION) + "\n",
    ],
    ids=["list", "request", "blocks", "lines"],
)
def test_a_file_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    session = assert_file_unchanged(API, tmp_path / "run.json", text)
    assert [m.text for m in session.messages if m.role == "system"] in ([], ["Be brief."])


def test_a_changed_system_prompt_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"system": "Be brief.", "messages": CONVERSATION}))
    (session,) = API.read(Document(path))
    changed = replace(
        session, messages=(session.messages[0].with_parts([Text(text="Be kind.")]), *session.messages[1:])
    )
    written = json.loads("".join(API.write(changed)))
    assert written["system"] == [{"type": "text", "text": "Be kind."}]
    assert written["messages"] == CONVERSATION


def test_messages_that_do_not_alternate_are_written_as_they_stood(tmp_path: Path) -> None:
    items = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    session = assert_file_unchanged(API, tmp_path / "a.json", json.dumps(items))
    assert API.encode(session.messages) == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    ]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        (json.dumps(CONVERSATION), 0.8, 0.9),
        ('{"system": "x", "messages": [{"role": "user", "content": "hi"}]}', 0.7, 0.9),
        ('[{"role": "user", "content": "hi"}]', 0.3, 0.45),
        ('[{"role": "system", "content": "hi"}]', 0.0, 0.0),
        ('[{"role": "assistant", "content": null, "tool_calls": []}]', 0.0, 0.0),
    ],
)
def test_it_knows_its_files(tmp_path: Path, text: str, least: float, most: float) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert least <= API.sniff(Document(path)) <= most


def test_blocks_of_rarer_kinds_come_back_as_they_were() -> None:
    found = {
        "type": "search_result",
        "source": "https://a.example",
        "title": "A",
        "content": [{"type": "text", "text": "port 8080"}],
    }
    pdf = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}}
    items = [{"role": "user", "content": [found, pdf, {"type": "container_upload", "file_id": "f"}]}]
    session = assert_unchanged(API, items)
    text, document, upload = session.messages[0].parts
    assert text == Text(text="A\nport 8080")
    assert document == Media(kind="document", mime="application/pdf", data="JVBE")
    assert upload == Media(kind="other")


def test_media_of_other_formats_are_written_as_this_api_shows_them() -> None:
    parts = (
        Media(kind="image", url="https://a.example/b.png"),
        Media(kind="image", mime="image/bmp", data="Qk0="),
        Media(kind="document", mime="application/pdf", data="JVBE"),
        Media(kind="other"),
    )
    made = [Message(id="1", role="user", parts=parts), Message(id="2", role="assistant", parts=parts[:1])]
    user, assistant = API.encode(made)
    ACCEPTED.validate_python([user, assistant])
    assert [block["type"] for block in user["content"]] == ["image", "text", "document"]
    assert assistant["content"] == "[image (https://a.example/b.png) left out]"


def test_a_list_of_requests_is_one_session_each(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{"system": "Be brief.", "messages": CONVERSATION}, {"other": 1}]))
    first, second = API.read(Document(path))
    assert (first.id, len(first)) == ("many#1", 6)
    assert second.unread[0].line == 2


def test_system_messages_of_the_list_itself_stay_there() -> None:
    items = [
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "From now on, be brief."},
        {"role": "assistant", "content": "ok"},
    ]
    session = assert_unchanged(API, items)
    assert API.system_blocks(session.messages) == []
