from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from openai.types.responses import ResponseInputItemParam, ResponseOutputMessage, ResponseOutputText
from pydantic import TypeAdapter

from sessions.api_formats import assert_accepted_and_stable, assert_file_unchanged, assert_unchanged
from strategies import messages
from tamis.errors import InputError
from tamis.messages import Media, Message, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.openai_responses.format import OpenAIResponses

API = OpenAIResponses()
ACCEPTED = TypeAdapter(list[ResponseInputItemParam])

CONVERSATION: list[dict[str, Any]] = [
    {"type": "message", "role": "developer", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "What is on it?"},
            {"type": "input_image", "detail": "low", "image_url": "data:image/png;base64,iVBO"},
        ],
    },
    {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "Look first."}],
        "encrypted_content": "c2VhbA==",
    },
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
    },
    {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "read",
        "arguments": '{"path": "a.py"}',
    },
    {
        "type": "custom_tool_call",
        "id": "ctc_1",
        "call_id": "call_2",
        "name": "patch",
        "input": "*** Begin Patch",
    },
    {"type": "function_call_output", "call_id": "call_1", "output": "x = 1"},
    {
        "type": "custom_tool_call_output",
        "call_id": "call_2",
        "output": [{"type": "input_text", "text": "done"}],
    },
    {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": "call_3",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls", "-la"], "env": {}, "working_directory": "/work/repo"},
    },
    {"type": "local_shell_call_output", "id": "call_3", "output": "a.py"},
    {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "tamis sieve"},
    },
    {"type": "compaction", "id": "cmp_1", "encrypted_content": "b3BhcXVl"},
    {"type": "item_reference", "id": "msg_0"},
    {"type": "message", "role": "user", "content": "thanks"},
]


@given(messages(repeated_ids=True))
def test_any_messages_are_accepted_by_the_client_and_stable(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(API, ACCEPTED, made)


@given(messages(open_end=True))
def test_calls_may_wait_at_the_very_end(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(API, ACCEPTED, made)


def test_a_conversation_comes_back_as_it_was() -> None:
    session = assert_unchanged(API, CONVERSATION)
    ACCEPTED.validate_python(CONVERSATION)
    assert pair_calls(session.messages).whole


def test_what_the_model_made_in_one_go_is_one_message() -> None:
    read = API.decode(CONVERSATION).messages
    assert [m.role for m in read] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
        "assistant",
        "assistant",
        "user",
    ]
    assert read[2].parts == (
        Thinking(text="Look first."),
        Text(text="I look."),
        ToolCall(id="call_1", name="read", arguments={"path": "a.py"}),
        ToolCall(id="call_2", name="patch", raw_arguments="*** Begin Patch"),
    )
    assert read[3].results[1].text == "done"


def test_the_shells_folder_is_known() -> None:
    shell = API.decode(CONVERSATION).messages[4]
    assert shell.cwd == "/work/repo"
    assert shell.calls[0].name == "local_shell"
    assert shell.calls[0].arguments["command"] == ["ls", "-la"]


def test_a_tool_that_the_provider_ran_is_a_call_and_its_result() -> None:
    call, result = API.decode(CONVERSATION).messages[6].parts
    assert call == ToolCall(
        id="ws_1", name="web_search", arguments={"type": "search", "query": "tamis sieve"}
    )
    assert result == ToolResult(call_id="ws_1", text="")


def test_a_compaction_is_a_boundary_that_only_the_api_can_read() -> None:
    session = API.decode(CONVERSATION)
    assert session.messages[7].origin == "summary"
    assert [(b.index, b.summary_id) for b in session.boundaries] == [(7, "cmp_1")]


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
    outputs = [(item["type"], item["output"]) for item in items if "output" in item]
    assert outputs == [
        ("function_call_output", "[gone]"),
        ("custom_tool_call_output", "[gone]"),
        ("function_call_output", "[gone]"),
        ("function_call_output", "[gone]"),
    ]
    assert [item["name"] for item in items if item.get("type") == "function_call"] == [
        "read",
        "local_shell",
        "web_search",
    ]


def test_reasoning_is_not_left_behind_without_what_it_led_to() -> None:
    message = API.decode(CONVERSATION).messages[2]
    assert API.encode([message.with_parts(message.parts[:1])]) == []
    kept = API.encode([message.with_parts(message.parts[:2])])
    assert [item["type"] for item in kept] == ["reasoning", "message"]


def test_items_of_an_edited_reply_lose_the_ids_that_bind_them_to_reasoning() -> None:
    message = API.decode(CONVERSATION).messages[2]
    edited = [message.with_parts(message.parts[2:3]), API.decode(CONVERSATION[6:7]).messages[0]]
    assert "id" not in API.encode(edited)[0]


def test_a_result_without_its_call_names_the_id() -> None:
    with pytest.raises(InputError, match="'call_1'"):
        API.encode(API.decode(CONVERSATION[6:7]).messages)


def test_images_in_results_are_shown() -> None:
    image = Media(kind="image", mime="image/png", data="iVBO")
    made = [
        Message(id="1", role="assistant", parts=(ToolCall(id="c", name="look"),)),
        Message(id="2", role="tool", parts=(ToolResult(call_id="c", text="shot", media=(image,)),)),
    ]
    output = API.encode(made)[1]["output"]
    assert [block["type"] for block in output] == ["input_text", "input_image"]
    assert API.decode(API.encode(made)).messages[1].results[0].media == (image,)


def test_items_of_kinds_that_came_later_pass_through() -> None:
    items = [
        {"type": "hologram", "id": "h_1", "beam": [1]},
        {"type": "message", "role": "user", "content": "hi"},
    ]
    session = assert_unchanged(API, items)
    assert session.unread[0].reason.startswith("item of type 'hologram'")


def test_objects_of_the_client_are_read() -> None:
    said = ResponseOutputText(type="output_text", text="hello", annotations=[])
    answer = ResponseOutputMessage(
        id="msg_1", type="message", role="assistant", status="completed", content=[said]
    )
    session = API.decode([{"role": "user", "content": "hi"}, answer])  # type: ignore[list-item]
    assert session.messages[1].text == "hello"
    ACCEPTED.validate_python(API.encode(session.messages))


RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "model": "m-1",
    "instructions": "Be brief.",
    "input": CONVERSATION[1:2],
    "output": CONVERSATION[2:6],
    "tools": [{"type": "function", "name": "read"}],
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CONVERSATION),
        json.dumps({"model": "m-1", "instructions": "Be brief.", "input": CONVERSATION}),
        json.dumps({"input": "hi", "output": CONVERSATION[2:6]}),
        json.dumps(RESPONSE),
        "\n".join(json.dumps(item) for item in CONVERSATION) + "\n",
    ],
    ids=["list", "request", "text input", "response", "lines"],
)
def test_a_file_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    assert_file_unchanged(API, tmp_path / "run.json", text)


def test_a_response_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "response.json"
    path.write_text(json.dumps(RESPONSE))
    (session,) = API.read(Document(path))
    assert [m.role for m in session.messages] == ["system", "user", "assistant"]
    assert session.model == "m-1"
    assert session.tools == ({"type": "function", "name": "read"},)
    shorter = replace(session, messages=session.messages[1:2])
    written = json.loads("".join(API.write(shorter)))
    assert written["input"] == CONVERSATION[1:2]
    assert written["output"] == []
    assert "instructions" not in written


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        (json.dumps(CONVERSATION), 0.8, 0.9),
        (json.dumps(RESPONSE), 0.9, 1.0),
        ('[{"role": "user", "content": "hi"}]', 0.0, 0.3),
        ('[{"type": "user", "content": "hi"}]', 0.0, 0.0),
    ],
)
def test_it_knows_its_files(tmp_path: Path, text: str, least: float, most: float) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert least <= API.sniff(Document(path)) <= most


HOSTED: list[dict[str, Any]] = [
    {
        "type": "mcp_call",
        "id": "mcp_1",
        "server_label": "docs",
        "name": "search",
        "arguments": '{"q": "a"}',
        "output": "found",
    },
    {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "container_id": "c",
        "status": "completed",
        "code": "1 + 1",
        "outputs": [{"type": "logs", "logs": "2"}],
    },
    {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "iVBO"},
    {"type": "shell_call", "call_id": "sh_1", "action": {"commands": ["ls"]}},
    {
        "type": "shell_call_output",
        "call_id": "sh_1",
        "output": [{"stdout": "a.py", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
    },
    {
        "type": "computer_call",
        "id": "cu_1",
        "call_id": "cu_1",
        "status": "completed",
        "action": {"type": "screenshot"},
        "pending_safety_checks": [],
    },
    {
        "type": "computer_call_output",
        "call_id": "cu_1",
        "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,iVBO"},
    },
]


def test_tools_of_rarer_kinds_are_calls_and_results_and_come_back_as_they_were() -> None:
    session = assert_unchanged(API, HOSTED)
    ACCEPTED.validate_python(HOSTED)
    assert pair_calls(session.messages).whole
    calls = [call for message in session.messages for call in message.calls]
    assert [call.name for call in calls] == [
        "search",
        "code_interpreter",
        "image_generation",
        "shell",
        "computer",
    ]
    assert calls[0].arguments == {"q": "a"}
    assert calls[1].arguments["code"] == "1 + 1"
    results = [result for message in session.messages for result in message.results]
    assert results[0].text == "found"
    assert '"logs": "2"' in results[1].text
    assert results[2].media[0].data == "iVBO"
    assert "a.py" in results[3].text
    assert results[4].media[0].data == "iVBO"


def test_media_of_other_formats_are_written_as_this_api_shows_them() -> None:
    parts = (
        Media(kind="document", mime="application/pdf", data="JVBE"),
        Media(kind="document", url="https://a.example/b.pdf"),
        Media(kind="audio", mime="audio/wav", data="UklG"),
        Media(kind="other"),
    )
    made = [Message(id="1", role="user", parts=parts), Message(id="2", role="system", parts=parts[:1])]
    user, system = API.encode(made)
    ACCEPTED.validate_python([user, system])
    assert [block["type"] for block in user["content"]] == ["input_file", "input_file", "input_text"]
    assert system["content"] == "[document (application/pdf) left out]"
