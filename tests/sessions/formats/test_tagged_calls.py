from __future__ import annotations

import json

from sessions.claude_lines import save
from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read, read_all

TOOLS = '<tools>\n{"name": "search", "description": "finds"},\n{"name": "visit"}\n</tools>'
PROMPT = f"You may call tools.\n{TOOLS}\n<tool_call>\n{{...}}\n</tool_call>\n\nUser: Who was first?"
CALL = '<think>\nhm\n</think>\n<tool_call>\n{"name": "search", "arguments": {"query": ["x"]}}\n</tool_call>'
STORY = [
    {"role": "system", "content": "You are a seeker."},
    {"role": "user", "content": PROMPT},
    {"role": "assistant", "content": CALL},
    {"role": "user", "content": "<tool_response>\nfound x\n</tool_response>"},
    {"role": "assistant", "content": "<think>so</think>\n<answer>\nx was\n</answer>"},
]


def session_of(folder, messages, **fields):
    path = folder / "run.json"
    path.write_text(json.dumps({**fields, "messages": messages}), encoding="utf-8")
    return read(path)


def test_calls_and_results_are_taken_out_of_the_text(tmp_path):
    session = session_of(tmp_path, STORY)
    assert session.format == "tagged-calls"
    assert [m.role for m in session.messages] == [
        "system",
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    thought, call = session.messages[3].parts
    assert (thought, call.name, call.arguments) == (Thinking(text="hm"), "search", {"query": ["x"]})
    (result,) = session.messages[4].results
    assert (result.call_id, result.name, result.text) == (call.id, "search", "found x")
    assert session.messages[5].parts == (Thinking(text="so"), Text(text="x was"))
    assert pair_calls(session.messages).whole


def test_the_explanation_of_the_tools_is_no_request(tmp_path):
    session = session_of(tmp_path, STORY)
    assert [m.text for m in session.messages if m.role == "user"] == ["Who was first?"]
    assert session.messages[1].text.startswith("You may call tools.")
    assert [tool["name"] for tool in session.tools] == ["search", "visit"]


def test_tools_beside_the_messages_go_first(tmp_path):
    session = session_of(tmp_path, STORY, functions=[{"name": "browse"}])
    assert session.tools == ({"name": "browse"},)


def test_a_call_that_is_no_json_keeps_what_was_written(tmp_path):
    broken = '<tool_call>\n{"name": "search", "arguments": {"query": [}}\n</tool_call>'
    session = session_of(tmp_path, [STORY[0], {"role": "assistant", "content": broken}])
    (call,) = session.messages[1].calls
    assert (call.name, dict(call.arguments)) == ("search", {})
    assert call.raw_arguments.startswith('{"name": "search"')


def test_several_responses_go_to_their_calls_in_order(tmp_path):
    two = CALL + CALL.replace("search", "visit")
    answers = "<tool_response>\na\n</tool_response>\n<tool_response>\nb\n</tool_response>"
    session = session_of(
        tmp_path, [{"role": "assistant", "content": two}, {"role": "user", "content": answers}]
    )
    assert [(r.name, r.text) for r in session.messages[1].results] == [("search", "a"), ("visit", "b")]
    assert pair_calls(session.messages).whole


def test_a_call_that_was_cut_off_is_still_one(tmp_path):
    session = session_of(tmp_path, [*STORY[:2], {"role": "assistant", "content": CALL[:60]}, *STORY[2:]])
    assert isinstance(session.messages[3].parts[-1], ToolCall)


def test_conversations_as_share_gpt_has_them_one_a_line(tmp_path):
    names = {"system": "system", "user": "human", "assistant": "gpt"}
    turns = [{"from": names[m["role"]], "value": m["content"]} for m in STORY]
    sessions = list(read_all(save(tmp_path / "runs.jsonl", [{"conversations": turns}] * 2)))
    assert [s.id for s in sessions] == ["runs#1", "runs#2"]
    assert [len(s) for s in sessions] == [6, 6]


def test_a_chat_that_only_speaks_of_the_tags_is_a_chat(tmp_path):
    said = [
        {"role": "user", "content": "what is <tool_call>?"},
        {"role": "assistant", "content": "A tag."},
    ]
    assert session_of(tmp_path, said).format == "openai-chat"
