"""The hooks and the recall tool, called by the Claude Agent SDK's own client over a scripted transport."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive
from tamis.errors import InputError

pytest.importorskip("claude_agent_sdk", reason="needs tamis[claude-agent-sdk]")

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

from tamis.integrations.claude_agent_sdk import with_tamis

Load = Callable[[str], ModuleType]


@pytest.fixture
async def answers(example: Load, kept: Archive, tmp_path: Path) -> dict[str, Any]:
    made: dict[str, Any] = await example("claude_agent_sdk_hooks").run(kept, tmp_path)
    return made


async def test_what_is_compacted_is_archived(answers: dict[str, Any], kept: Archive) -> None:
    assert answers["PreCompact"] == {}
    assert kept.search("prices.csv")


async def test_what_the_summary_left_out_is_told_once(answers: dict[str, Any]) -> None:
    output = answers["UserPromptSubmit"]["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    assert "never change prices.csv" in output["additionalContext"]
    assert answers["again"] == {}


async def test_the_recall_tool_is_one_of_the_agent_s(answers: dict[str, Any]) -> None:
    assert "prices.csv" in answers["recall"]["mcp_response"]["result"]["content"][0]["text"]


def test_what_the_options_had_stays(kept: Archive) -> None:
    theirs = HookMatcher(hooks=[])
    options = ClaudeAgentOptions(
        hooks={"PreCompact": [theirs]},
        mcp_servers={"theirs": {"type": "stdio", "command": "x"}},
        allowed_tools=["Read"],
    )
    made = with_tamis(options, archive=kept)
    assert made.hooks is not None
    assert made.hooks["PreCompact"][0] is theirs
    assert len(made.hooks["PreCompact"]) == 2
    assert isinstance(made.mcp_servers, dict)
    assert set(made.mcp_servers) == {"theirs", "tamis"}
    assert made.allowed_tools == ["Read", "mcp__tamis__recall"]
    assert options.allowed_tools == ["Read"]


def test_servers_that_are_named_by_a_file_are_refused(kept: Archive) -> None:
    with pytest.raises(InputError, match="mcp_servers is a file"):
        with_tamis(ClaudeAgentOptions(mcp_servers="servers.json"), archive=kept)


async def test_trouble_never_stops_the_agent_and_is_logged(
    kept: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = with_tamis(ClaudeAgentOptions(), archive=kept).hooks
    assert hooks is not None
    given: Any = {"session_id": "s", "transcript_path": "/no/such/file", "hook_event_name": "PreCompact"}
    with caplog.at_level(logging.WARNING):
        assert await hooks["PreCompact"][0].hooks[0](given, None, {"signal": None}) == {}
    assert "not archived" in caplog.text
