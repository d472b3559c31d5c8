from __future__ import annotations

from sessions.claude_lines import save
from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read


def event(kind, **data):
    return {"type": kind, "data": data, "id": f"e-{kind}-{len(data)}", "timestamp": "2026-01-01T00:00:00Z"}


START = event("session.start", sessionId="co-1", copilotVersion="1.0.64", context={"cwd": "/repo"})
HOOKS = [event("hook.start", hookType="x", input={}), event("hook.end", success=True)]
ASKED = {"toolCallId": "c1", "name": "bash", "arguments": {"command": "ls"}}
STORY = [
    START,
    *HOOKS * 20,
    event("system.message", content="You are Copilot."),
    event("user.message", content="go", transformedContent="<now/> go"),
    event("assistant.turn_start", turnId="0"),
    event("assistant.message", content="I look.", reasoningText="hm", toolRequests=[ASKED]),
    event("tool.execution_start", toolCallId="c1", toolName="bash", arguments={"command": "ls"}),
    event(
        "tool.execution_complete",
        toolCallId="c1",
        success=True,
        result={"content": "a.py\n<shellId: 3 completed with exit code 1>", "detailedContent": "more"},
    ),
    event("assistant.turn_end", turnId="0"),
]


def session_of(folder, *lines):
    return read(save(folder / "events.jsonl", list(lines)))


def test_a_session_is_found_and_read_whatever_its_hooks_wrote_first(tmp_path):
    session = session_of(tmp_path, *STORY)
    assert (session.format, session.id, session.cwd) == ("copilot-cli", "co-1", "/repo")
    assert [m.role for m in session.messages] == ["system", "user", "assistant", "tool"]
    assert session.messages[1].text == "go"
    assert [type(part) for part in session.messages[2].parts] == [Thinking, Text, ToolCall]
    assert pair_calls(session.messages).whole
    assert session.unread == ()


def test_the_line_under_an_output_becomes_its_exit_code(tmp_path):
    (result,) = session_of(tmp_path, *STORY).messages[-1].results
    assert (result.text, result.exit_code, result.is_error, result.name) == ("a.py", 1, False, "bash")
    assert result.details == {"shellId": "3"}


def test_a_failure_says_why(tmp_path):
    failed = event("tool.execution_complete", toolCallId="c1", success=False, error={"message": "stopped"})
    (result,) = session_of(tmp_path, *STORY[:-2], failed).messages[-1].results
    assert (result.text, result.is_error) == ("stopped", True)


def test_the_same_prompt_is_read_once(tmp_path):
    session = session_of(tmp_path, *STORY, event("system.message", content="You are Copilot."))
    assert [m.role for m in session.messages].count("system") == 1


def test_a_compaction_is_a_boundary_with_its_summary(tmp_path):
    line = event("session.compaction_complete", success=True, summaryContent="So far.", preCompactionTokens=9)
    session = session_of(tmp_path, *STORY, line)
    assert [(b.index, b.tokens_before) for b in session.boundaries] == [(4, 9)]
    assert (session.messages[4].origin, session.messages[4].text) == ("summary", "So far.")


def test_a_failed_compaction_is_none(tmp_path):
    session = session_of(tmp_path, *STORY, event("session.compaction_complete", success=False))
    assert session.boundaries == ()


def test_what_a_sub_agent_did_stands_apart(tmp_path):
    asked = {**ASKED, "toolCallId": "c2"}
    session = session_of(
        tmp_path,
        *STORY,
        event("assistant.message", content="Inside.", toolRequests=[asked], parentToolCallId="c1"),
        event("tool.execution_complete", toolCallId="c2", parentToolCallId="c1", result={"content": "x"}),
    )
    assert len(session) == 4
    assert [m.role for m in session.sidechains["c1"]] == ["assistant", "tool"]
    assert {m.sidechain for m in session.sidechains["c1"]} == {"c1"}


def test_an_unknown_event_is_counted(tmp_path):
    session = session_of(tmp_path, *STORY, event("hologram", content="?"))
    assert [u.reason for u in session.unread] == ["event of type 'hologram'"]
