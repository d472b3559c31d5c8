from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.messages import Session, Text, Thinking, ToolCall, pair_calls
from tamis.sessions.document import Document
from tamis.sessions.formats.roo.reader import Roo

AROUND = (
    "<environment_details>\n# Current Workspace Directory (/home/ann/shop) Files\na.py\n"
    "<model>acme/one</model>\n</environment_details>"
)
READS = "I look.\n\n<read_file>\n<path>a.py</path>\n</read_file>"


def says(role: str, *texts: str, **more: Any) -> dict[str, Any]:
    return {
        "role": role,
        "content": [{"type": "text", "text": t} for t in texts],
        "ts": 1_700_000_000_000,
        **more,
    }


def read(tmp_path: Path, items: Any) -> Session:
    path = tmp_path / "api_conversation_history.json"
    path.write_text(json.dumps(items))
    (session,) = Roo().read(Document(path))
    return session


def test_a_conversation_is_known_by_what_the_extension_adds(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text(json.dumps([says("user", "<task>\nFix it.\n</task>", AROUND)]))
    assert Roo().sniff(Document(path)) > 0.9
    path.write_text(json.dumps([says("user", "Fix it.")]))
    assert Roo().sniff(Document(path)) == 0.0


def test_a_written_call_gets_the_result_that_names_it(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        [
            says("user", "<task>\nFix it.\n</task>", AROUND),
            says("assistant", READS),
            says("user", "[read_file for 'a.py'] Result:", "1 | x = 1", AROUND),
        ],
    )
    assert [m.role for m in session.messages] == ["user", "user", "assistant", "tool", "user"]
    assert session.messages[2].calls[0].arguments == {"path": "a.py"}
    assert session.messages[3].results[0].text == "1 | x = 1"
    assert pair_calls(session.messages).whole


def test_a_result_may_stand_behind_its_header(tmp_path: Path) -> None:
    session = read(
        tmp_path, [says("assistant", READS), says("user", "[read_file for 'a.py'] Result:\nx = 1")]
    )
    assert session.messages[1].results[0].text == "x = 1"


def test_what_the_extension_adds_is_no_request(tmp_path: Path) -> None:
    resumed = "[TASK RESUMPTION] This task was interrupted."
    session = read(tmp_path, [says("user", "Fix it.", AROUND), says("user", resumed)])
    assert [(m.text[:7], m.origin) for m in session.messages] == [
        ("Fix it.", "conversation"),
        ("<enviro", "meta"),
        ("[TASK R", "meta"),
    ]


def test_folder_and_model_are_read_off_the_environment(tmp_path: Path) -> None:
    session = read(tmp_path, [says("user", "Fix it.", AROUND)])
    assert (session.cwd, session.model) == ("/home/ann/shop", "acme/one")


def test_what_the_user_says_in_an_answer_is_a_message_of_the_user(tmp_path: Path) -> None:
    done = "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>"
    answer = "The user has provided feedback.\n<feedback>\nKeep the old name.\n</feedback>"
    session = read(tmp_path, [says("assistant", done), says("user", "[attempt_completion] Result:", answer)])
    assert session.messages[1].results[0].text == "The user has provided feedback.\n"
    assert session.messages[2].text == "Keep the old name."


def test_the_note_of_an_interruption_is_no_part_of_the_command(tmp_path: Path) -> None:
    cut = "<execute_command>\n<command>git log\n\n[Response interrupted by a tool use result. One at a time.]"
    refused = "The tool execution failed with the following error:\n<error>\nnot allowed\n</error>"
    session = read(
        tmp_path, [says("assistant", cut), says("user", "[execute_command for 'undefined'] Result:", refused)]
    )
    assert session.messages[0].calls[0].arguments == {"command": "git log"}
    assert session.messages[1].results[0].is_error


def test_the_exit_code_of_a_command_is_read(tmp_path: Path) -> None:
    run = "<execute_command>\n<command>pytest</command>\n</execute_command>"
    heard = "Command executed in terminal.\nExit code: 1\nOutput:\n1 failed"
    session = read(
        tmp_path, [says("assistant", run), says("user", "[execute_command for 'pytest'] Result:", heard)]
    )
    assert session.messages[1].results[0].exit_code == 1


def test_a_tool_of_a_fork_is_known_by_its_result(tmp_path: Path) -> None:
    asks = "<brew_tea>\n<kind>green</kind>\n</brew_tea>"
    session = read(tmp_path, [says("assistant", asks), says("user", "[brew_tea for 'green'] Result:", "hot")])
    assert session.messages[0].calls[0].name == "brew_tea"


def test_native_calls_are_read_beside_written_ones(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a.py"}}
    answer = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "x"}],
        "is_error": True,
    }
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    session = read(
        tmp_path, [{"role": "assistant", "content": [thought, use]}, {"role": "user", "content": [answer]}]
    )
    assert session.messages[0].parts == (
        Thinking(text="Hm.", signature="s"),
        ToolCall(id="t1", name="read_file", arguments={"path": "a.py"}),
    )
    assert (session.messages[1].results[0].text, session.messages[1].results[0].is_error) == ("x", True)


def test_messages_of_the_second_version_are_read(tmp_path: Path) -> None:
    asks = {"type": "tool-call", "toolCallId": "t1", "toolName": "read_file", "input": {"path": "a.py"}}
    gets = {
        "type": "tool-result",
        "toolCallId": "t1",
        "toolName": "read_file",
        "output": {"type": "text", "value": "x"},
    }
    items = [{"role": "assistant", "content": [asks]}, {"role": "tool", "content": [gets]}]
    session = read(tmp_path, {"version": 2, "messages": items})
    assert session.messages[1].results[0].text == "x"
    assert pair_calls(session.messages).whole


def test_a_summary_is_marked_and_bounds_what_it_replaces(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        [
            says("user", "Fix it."),
            says("assistant", "So far: all good.", isSummary=True),
            says("user", "Go on."),
        ],
    )
    (boundary,) = session.boundaries
    assert (boundary.index, boundary.summary_id) == (1, session.messages[1].id)
    assert session.messages[1].origin == "summary"


def test_thoughts_in_the_text_are_thinking(tmp_path: Path) -> None:
    session = read(tmp_path, [says("assistant", f"<thinking>\nHm.\n</thinking>\n\n{READS}")])
    assert session.messages[0].parts[:2] == (Thinking(text="Hm."), Text(text="I look."))


def test_what_is_not_understood_is_counted(tmp_path: Path) -> None:
    session = read(
        tmp_path, [says("moderator", "?"), {"role": "assistant", "content": [{"type": "hologram"}]}]
    )
    assert [(u.line, u.reason) for u in session.unread] == [
        (1, "message with the role 'moderator'"),
        (2, "assistant block of type 'hologram'"),
    ]


@pytest.mark.parametrize("odd", [None, [], {}, [1, "x", None], 3, "text"])
def test_odd_shapes_do_not_break_the_reader(tmp_path: Path, odd: Any) -> None:
    read(tmp_path, odd)
    read(
        tmp_path, [odd, {"role": "user", "content": odd}, {"role": "assistant", "content": [odd], "ts": odd}]
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(request=st.text(min_size=1).filter(lambda t: t[0] not in "[<"), reply=st.text())
def test_what_the_user_said_survives_as_it_was(tmp_path: Path, request: str, reply: str) -> None:
    session = read(tmp_path, [says("user", request, AROUND), says("assistant", reply)])
    assert session.messages[0].text == request


def test_real_conversations_are_covered(real_sessions: Path) -> None:
    files = sorted((real_sessions / "roo-code" / "raw").glob("*.json"))
    assert files
    for file in files:
        document = Document(file)
        assert Roo().sniff(document) > 0.9
        (session,) = Roo().read(document)
        held = sum(len(b["text"]) for m in document.data for b in m["content"])
        shown = sum(len(p.text) for m in session.messages for p in m.parts if not isinstance(p, ToolCall))
        shown += sum(len(str(c.arguments)) for m in session.messages for c in m.calls)
        assert shown > 0.97 * held
        assert not session.unread
        assert not pair_calls(session.messages).orphan_results
