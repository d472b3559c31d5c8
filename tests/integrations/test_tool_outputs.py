"""Large tool outputs, condensed on entry: by the hook, and in the real Claude Code against a scripted API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integrations.anthropic_endpoint import SAYS, Endpoint, anthropic_endpoint
from integrations.real_agents import wrap
from integrations.test_claude_code_plugin import BINARY, Session
from tamis.archive import Archive
from tamis.integrations.agents.tool_outputs import condense_output
from tamis.messages import get_counter

LINES = [f"{n:05} compiled part {n * 7919 % 10_007} of the shop" for n in range(3_000)]
LINES[1_500] = "01500 error: no such part"
OUTPUT = "\n".join(LINES)


def answered(kept: Archive, **fields: Any) -> Any:
    call = {
        "session_id": "s-1",
        "tool_name": "Bash",
        "tool_use_id": "toolu_1",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": OUTPUT, "stderr": "", "interrupted": False},
        **fields,
    }
    answer = condense_output(json.dumps(call), kept, counter=get_counter())
    return answer and answer["hookSpecificOutput"]["updatedToolOutput"]


def test_the_ends_and_the_faults_stay_in_the_output_s_own_shape(kept: Archive) -> None:
    output = answered(kept, most_tokens=500)
    assert (output["stderr"], output["interrupted"]) == ("", False)
    assert {LINES[0], LINES[1_500], LINES[-1]} <= set(output["stdout"].split("\n"))
    assert get_counter().count(output["stdout"]) <= 500


def test_the_whole_output_is_had_back_with_the_command_that_stands_in_it(kept: Archive) -> None:
    said = answered(kept)["stdout"]
    digest = said.partition(f"tamis expand {kept.path} ")[2].partition("]")[0]
    assert kept.get(digest).results[0].text == OUTPUT


@pytest.mark.parametrize(
    "fields",
    [
        {"tool_response": {"stdout": "done"}},
        {"tool_name": "Read"},
        {"tool_name": "mcp__tamis__recall"},
        {"tool_input": {"command": "tamis expand work.tamis 12ab"}},
    ],
    ids=["small", "read to be changed", "recall", "had back"],
)
def test_other_outputs_are_left_alone(kept: Archive, fields: dict[str, Any]) -> None:
    assert answered(kept, **fields) is None
    assert kept.stats().messages == 0


class Calling(Endpoint):
    """Calls a shell command once, then answers."""

    def answer(self, request: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        events = super().answer(request)
        if "tool_result" in json.dumps(request["messages"]) or not request.get("tools"):
            return events
        block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        asked = {"type": "input_json_delta", "partial_json": json.dumps({"command": "seq 1 5000"})}
        start = {"type": "content_block_start", "index": 0, "content_block": block}
        delta = {"type": "content_block_delta", "index": 0, "delta": asked}
        stop = {"stop_reason": "tool_use", "stop_sequence": None}
        end = {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 20}}
        return [
            events[0],
            (start["type"], start),
            (delta["type"], delta),
            events[3],
            (end["type"], end),
            events[5],
        ]


@pytest.mark.skipif(BINARY is None, reason="the claude-agent-sdk wheel here bundles no Claude Code")
@pytest.mark.parametrize("asked_for", [True, False], ids=["asked for", "off"])
def test_claude_code_sends_what_was_condensed_where_it_is_asked_for(tmp_path: Path, asked_for: bool) -> None:
    with anthropic_endpoint(Calling()) as endpoint:
        session = Session(tmp_path, endpoint, "--allowedTools", "Bash(seq:*)")
        wrap("claude-code", session.place)
        if asked_for:
            session.variables["TAMIS_CONDENSE_OVER"] = "500"
        with session:
            printed = session.say("Count to 5000.")
    assert printed[-1]["result"] == SAYS
    assert ("left out; all of it: tamis expand" in session.sent()) is asked_for
    assert ("\\n2500\\n" in session.sent()) is not asked_for
