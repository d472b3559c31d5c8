from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from pydantic import TypeAdapter

from sessions.api_formats import assert_accepted_and_stable, assert_file_unchanged, assert_unchanged
from strategies import messages
from tamis.errors import InputError
from tamis.messages import Media, Message, Session, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.openai_chat.format import OpenAIChat

CHAT = OpenAIChat()
ACCEPTED = TypeAdapter(list[ChatCompletionMessageParam])

CONVERSATION: list[dict[str, Any]] = [
    {"role": "developer", "content": "Be brief.", "name": "boss"},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is on it?", "cache_control": {"type": "ephemeral"}},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO", "detail": "low"}},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "reasoning_content": "Two files may tell.",
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "read", "arguments": '{"path": "a.py"}'},
            },
            {
                "id": "call_2",
                "type": "function",
                "function": {"name": "read", "arguments": '{"path": '},
                "index": 1,
            },
            {"id": "call_3", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}},
        ],
    },
    {"role": "tool", "tool_call_id": "call_2", "name": "read", "content": "cut"},
    {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "x = 1"}]},
    {"role": "tool", "tool_call_id": "call_3", "content": "done"},
    {"role": "assistant", "content": None, "refusal": "I will not.", "audio": None},
]


@given(messages(repeated_ids=True))
def test_any_messages_are_accepted_by_the_client_and_stable(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(CHAT, ACCEPTED, made)


@given(messages(open_end=True))
def test_calls_may_wait_at_the_very_end(made: tuple[Message, ...]) -> None:
    assert_accepted_and_stable(CHAT, ACCEPTED, made)


@given(messages())
def test_each_result_stands_behind_its_calls(made: tuple[Message, ...]) -> None:
    waiting: set[str] = set()
    for item in CHAT.encode(made):
        if item["role"] == "tool":
            waiting.remove(item["tool_call_id"])
        else:
            assert not waiting
            waiting = {call["id"] for call in item.get("tool_calls", [])}


def test_a_conversation_comes_back_as_it_was() -> None:
    session = assert_unchanged(CHAT, CONVERSATION)
    assert [m.role for m in session.messages] == ["system", "user", "assistant", *["tool"] * 3, "assistant"]


def test_parts_are_told_apart() -> None:
    read = CHAT.decode(CONVERSATION).messages
    assert read[1].parts[1] == Media(kind="image", mime="image/png", data="iVBO")
    thought, first, broken, custom = read[2].parts
    assert thought == Thinking(text="Two files may tell.")
    assert first == ToolCall(id="call_1", name="read", arguments={"path": "a.py"})
    assert broken == ToolCall(id="call_2", name="read", raw_arguments='{"path": ')
    assert custom == ToolCall(id="call_3", name="patch", raw_arguments="*** Begin")
    assert read[4].parts == (ToolResult(call_id="call_1", text="x = 1"),)
    assert read[6].text == "I will not."


def test_the_old_function_call_is_paired_though_it_has_no_ids() -> None:
    items = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "function_call": {"name": "ls", "arguments": "{}"}},
        {"role": "function", "name": "ls", "content": "a.py"},
        {"role": "assistant", "content": "", "function_call": {"name": "ls", "arguments": '{"p": 1}'}},
        {"role": "function", "name": "ls", "content": "b.py"},
    ]
    session = assert_unchanged(CHAT, items)
    assert pair_calls(session.messages).whole
    shorter = session.messages[2].with_parts([replace(session.messages[2].results[0], text="[gone]")])
    again = CHAT.encode([*session.messages[:2], shorter, *session.messages[3:]])
    assert again[2] == {"role": "function", "name": "ls", "content": "[gone]"}


def test_parallel_calls_without_ids_are_answered_in_order() -> None:
    call = {"function": {"name": "ls", "arguments": {"p": 1}}}
    items = [
        {"role": "assistant", "content": "", "tool_calls": [call, call]},
        {"role": "tool", "content": "first", "tool_name": "ls"},
        {"role": "tool", "content": "second", "tool_name": "ls"},
    ]
    session = assert_unchanged(CHAT, items)
    calls = session.messages[0].calls
    assert [m.results[0].call_id for m in session.messages[1:]] == [calls[0].id, calls[1].id]


def test_text_that_was_taken_out_does_not_come_back() -> None:
    session = CHAT.decode(CONVERSATION)
    masked = [
        replace(
            m, parts=tuple(replace(p, text="[gone]") if isinstance(p, ToolResult) else p for p in m.parts)
        )
        for m in session.messages
    ]
    items = CHAT.encode(masked)
    assert [item["content"] for item in items if item["role"] == "tool"] == ["[gone]"] * 3
    assert items[:3] == CONVERSATION[:3]
    ACCEPTED.validate_python(items)


def test_what_is_left_of_an_edited_message_keeps_its_records() -> None:
    session = CHAT.decode(CONVERSATION)
    user = session.messages[1].with_parts(session.messages[1].parts[:1])
    assert CHAT.encode([user]) == [{"role": "user", "content": CONVERSATION[1]["content"][:1]}]


def test_changing_the_output_does_not_change_the_session() -> None:
    session = CHAT.decode(CONVERSATION)
    CHAT.encode(session.messages)[1]["content"][0]["text"] = "changed"
    assert CHAT.encode(session.messages) == CONVERSATION


def test_changing_the_input_does_not_change_the_session() -> None:
    items = json.loads(json.dumps(CONVERSATION))
    session = CHAT.decode(items)
    items[1]["content"][0]["text"] = "changed"
    assert CHAT.encode(session.messages) == CONVERSATION


def test_objects_of_the_client_are_read() -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}
    response = {"id": "1", "created": 1, "model": "m", "object": "chat.completion", "choices": [choice]}
    answer = ChatCompletion.model_validate(response).choices[0].message
    session = CHAT.decode([{"role": "user", "content": "hi"}, answer])  # type: ignore[list-item]
    assert CHAT.encode(session.messages)[1] == {"role": "assistant", "content": "hello"}


def test_ids_that_the_api_refuses_are_mapped_alike_for_call_and_result() -> None:
    long = "toolu_" + "x" * 60
    made = [
        Message(id="1", role="assistant", parts=(ToolCall(id=long, name="functions.exec:0"),)),
        Message(id="2", role="tool", parts=(ToolResult(call_id=long, text="ok"),)),
    ]
    call, result = CHAT.encode(made)
    assert call["tool_calls"][0]["id"] == result["tool_call_id"]
    assert len(result["tool_call_id"]) <= 40
    assert call["tool_calls"][0]["function"]["name"] == "functions_exec_0"
    assert CHAT.encode(made) == [call, result]


def test_a_result_without_its_call_names_the_id_and_the_remedy() -> None:
    with pytest.raises(InputError, match=r"'c9'.*keep the call too, or leave the result out"):
        CHAT.encode([Message(id="1", role="tool", parts=(ToolResult(call_id="c9", text="x"),))])


def test_a_call_without_its_result_names_the_id_and_the_remedy() -> None:
    made = [
        Message(id="1", role="assistant", parts=(ToolCall(id="c9", name="ls"),)),
        Message(id="2", role="user", parts=(Text(text="go on"),)),
    ]
    with pytest.raises(InputError, match=r"'c9' \(ls\).*add a result for it, or leave the call out"):
        CHAT.encode(made)


def test_a_result_behind_something_else_is_moved_to_its_call() -> None:
    made = [
        Message(id="1", role="assistant", parts=(ToolCall(id="c", name="ls"),)),
        Message(id="2", role="user", parts=(Text(text="wait"), ToolResult(call_id="c", text="a.py"))),
    ]
    assert [item["role"] for item in CHAT.encode(made)] == ["assistant", "tool", "user"]


def test_a_call_that_the_user_made_is_told_as_the_users_text() -> None:
    made = [
        Message(id="1", role="user", parts=(ToolCall(id="c", name="restart", arguments={"now": True}),)),
        Message(id="2", role="tool", parts=(ToolResult(call_id="c", text="restarted"),)),
    ]
    assert CHAT.encode(made) == [
        {"role": "user", "content": '[the user called restart {"now": true}]'},
        {"role": "user", "content": "[it gave back: restarted]"},
    ]


def test_media_that_the_api_does_not_take_are_named() -> None:
    result = ToolResult(call_id="c", text="shot", media=(Media(kind="image", mime="image/png", data="iVBO"),))
    made = [
        Message(id="1", role="assistant", parts=(ToolCall(id="c", name="look"),)),
        Message(id="2", role="tool", parts=(result,)),
    ]
    assert CHAT.encode(made)[1]["content"] == "shot\n[image (image/png) left out]"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CONVERSATION),
        json.dumps(
            {"model": "m-1", "messages": CONVERSATION, "tools": [{"type": "function"}], "temperature": 0}
        ),
        "\n".join(json.dumps(item) for item in CONVERSATION) + "\n",
    ],
    ids=["list", "request", "lines"],
)
def test_a_file_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    session = assert_file_unchanged(CHAT, tmp_path / "run.json", text)
    assert session.id == "run"
    assert len(session) == 7


def test_one_conversation_a_line_is_one_session_each(tmp_path: Path) -> None:
    path = tmp_path / "tuning.jsonl"
    line = json.dumps({"messages": CONVERSATION[:2]})
    path.write_text(f"{line}\n{line}\nnot json\n")
    first, second, broken = CHAT.read(Document(path))
    assert [first.id, second.id] == ["tuning#1", "tuning#2"]
    assert first.messages == second.messages
    assert "".join(CHAT.write(second)) == line + "\n"
    assert broken.unread[0].line == 3


def test_what_is_not_understood_is_counted_and_written_back(tmp_path: Path) -> None:
    items = [{"role": "user", "content": "hi"}, {"role": "ghost", "content": "boo", "x": 1}]
    session = assert_file_unchanged(CHAT, tmp_path / "a.json", json.dumps(items))
    assert [u.line for u in session.unread] == [2]
    assert CHAT.encode(session.messages) == items[:1]


def test_an_interrupted_session_of_another_format_can_still_be_written() -> None:
    session = Session(
        id="s",
        format="other",
        model="m",
        messages=(
            Message(id="1", role="assistant", parts=(ToolCall(id="c", name="ls"),)),
            Message(id="2", role="user", parts=(Text(text="stop"),)),
        ),
    )
    written = json.loads("".join(CHAT.write(session)))
    assert written["model"] == "m"
    assert [item["role"] for item in written["messages"]] == ["assistant", "user"]


def test_an_item_that_is_no_dictionary_is_refused() -> None:
    with pytest.raises(InputError, match="item 2 is a str"):
        CHAT.decode([{"role": "user", "content": "hi"}, "oops"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        (json.dumps(CONVERSATION), 0.8, 0.9),
        ('[{"role": "user", "content": "hi"}]', 0.4, 0.6),
        ('[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}]', 0.0, 0.0),
        ('[{"type": "user", "content": "hi"}]', 0.0, 0.0),
        ("user: hi", 0.0, 0.0),
    ],
)
def test_it_knows_its_files(tmp_path: Path, text: str, least: float, most: float) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert least <= CHAT.sniff(Document(path)) <= most


def test_sound_files_sealed_reasoning_and_unknown_blocks_come_back_as_they_were() -> None:
    items = [
        {
            "role": "user",
            "content": [
                {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
                {
                    "type": "file",
                    "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"},
                },
                {"type": "hologram", "beam": 1},
                "bare text",
            ],
        },
        {
            "role": "assistant",
            "content": "ok",
            "reasoning_content": "hm",
            "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "c2Vh"}],
        },
    ]
    session = assert_unchanged(CHAT, items)
    sound, file, unknown, bare = session.messages[0].parts
    assert sound == Media(kind="audio", mime="audio/wav", data="UklG")
    assert file == Media(kind="document", mime="application/pdf", data="JVBE")
    assert unknown == Media(kind="other")
    assert bare == Text(text="bare text")
    assert session.messages[1].parts[0] == Thinking(text="hm", signature="c2Vh")
    edited = session.messages[1].with_parts([*session.messages[1].parts[:1], Text(text="shorter")])
    assert CHAT.encode([edited])[0] == {**items[1], "content": "shorter"}


def test_media_of_other_formats_are_written_as_this_api_shows_them() -> None:
    parts = (
        Media(kind="image", url="https://a.example/b.png"),
        Media(kind="audio", mime="audio/wav", data="UklG"),
        Media(kind="document", mime="application/pdf", data="JVBE"),
        Media(kind="document", url="/tmp/notes.md"),
        Media(kind="other"),
    )
    items = CHAT.encode([Message(id="1", role="user", parts=parts)])
    ACCEPTED.validate_python(items)
    assert [block["type"] for block in items[0]["content"]] == ["image_url", "input_audio", "file", "text"]
    assert items[0]["content"][3]["text"] == "[document (/tmp/notes.md) left out]"


def test_the_name_of_a_participant_is_the_author_and_is_written_again():
    items = [{"role": "user", "name": "Ada", "content": "hi"}, {"role": "user", "content": "yes"}]
    session = OpenAIChat().decode(items)
    assert [m.author for m in session.messages] == ["Ada", None]
    shorter = session.messages[0].with_parts([Text(text="h")])
    assert OpenAIChat().encode([shorter]) == [{"role": "user", "content": "h", "name": "Ada"}]


def test_an_author_that_the_api_takes_for_no_name_is_left_out():
    message = Message(id="1", role="user", author="Lead -> Worker", parts=(Text(text="hi"),))
    assert OpenAIChat().encode([message]) == [{"role": "user", "content": "hi"}]
