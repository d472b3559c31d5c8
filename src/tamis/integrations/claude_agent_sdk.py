"""Claude Agent SDK: keep what Claude Code compacts, and tell what its summary left out.

    options = with_tamis(ClaudeAgentOptions(...), archive=archive)
    async for message in query(prompt="...", options=options): ...

The SDK lets nobody replace the compaction itself, and its Python hooks have no SessionStart; what the
summary left out goes in with the first prompt or tool result after it.
"""

from __future__ import annotations

import logging
from asyncio import to_thread
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import DESCRIPTION, TOOL_NAME, tool_definitions
from tamis.errors import InputError
from tamis.integrations.adapter import needed
from tamis.integrations.agents.hooks import (
    DEFAULT_BUDGET,
    HookCall,
    has_new_summary,
    keep_span,
    tell_what_is_missing,
)
from tamis.messages import Counter, get_counter

if TYPE_CHECKING:
    from claude_agent_sdk import ClaudeAgentOptions, McpSdkServerConfig

EXTRA = "claude-agent-sdk"
SERVER = "tamis"
_TELLING = ("UserPromptSubmit", "PostToolUse")

logger = logging.getLogger(__name__)


def with_tamis(
    options: ClaudeAgentOptions,
    *,
    archive: Archive,
    budget_tokens: int = DEFAULT_BUDGET,
    tokenizer: str | Counter = "o200k_base",
) -> ClaudeAgentOptions:
    """The options with tamis's hooks and its recall tool beside what they had.

    Everything that is compacted goes into the `archive`; `budget_tokens` is the most that is told after a
    compaction.

    Raises:
        MissingExtra: the SDK is not installed.
        InputError: the MCP servers are named by a file, which nothing can be added to.
    """
    with needed(EXTRA):
        from claude_agent_sdk import HookMatcher

    if not isinstance(options.mcp_servers, dict):
        raise InputError("mcp_servers is a file; give the servers as a dictionary, so that one can be added")
    counter = get_counter(tokenizer)
    hooks = _Hooks(archive, counter=counter, budget_tokens=budget_tokens)
    known = dict(options.hooks or {})
    for event, answer in (("PreCompact", hooks.before), *((event, hooks.after) for event in _TELLING)):
        known[event] = [*known.get(event, []), HookMatcher(hooks=[answer])]  # type: ignore[index, call-overload]
    return replace(
        options,
        hooks=known,
        mcp_servers={**options.mcp_servers, SERVER: recall_server(archive)},
        allowed_tools=[*options.allowed_tools, f"mcp__{SERVER}__{TOOL_NAME}"],
    )


def recall_server(archive: Archive) -> McpSdkServerConfig:
    """The archive as a tool of an MCP server within this process; raises MissingExtra without the SDK."""
    with needed(EXTRA):
        from claude_agent_sdk import create_sdk_mcp_server, tool

    (definition,) = tool_definitions("mcp")

    @tool(TOOL_NAME, DESCRIPTION, definition["inputSchema"])
    async def recall(arguments: dict[str, Any]) -> dict[str, Any]:
        answer = await to_thread(answer_call, archive, TOOL_NAME, arguments)
        return {"content": [{"type": "text", "text": answer}]}

    return create_sdk_mcp_server(SERVER, tools=[recall])


class _Hooks:
    """The callbacks, and the sessions whose compaction has not been told of yet. They never fail."""

    def __init__(self, archive: Archive, *, counter: Counter, budget_tokens: int) -> None:
        self._archive = archive
        self._counter = counter
        self._budget_tokens = budget_tokens
        self._untold: set[str] = set()

    async def before(self, given: Any, tool_use_id: str | None, context: Any) -> Any:  # noqa: ARG002
        """Keep what is about to be compacted."""
        try:
            call = HookCall.model_validate(given)
            await to_thread(keep_span, call, self._archive)
            self._untold.add(call.session_id)
        except Exception:  # the agent goes on, whatever its hook ran into
            logger.warning("what Claude Code compacts was not archived", exc_info=True)
        return {}

    async def after(self, given: Any, tool_use_id: str | None, context: Any) -> Any:  # noqa: ARG002
        """Once behind each compaction, tell what its summary left out."""
        if given.get("session_id") not in self._untold:
            return {}
        try:
            call = HookCall.model_validate(given)
            text = await to_thread(self._tell, call)
        except Exception:  # as above
            logger.warning("what Claude Code's summary left out was not told", exc_info=True)
            return {}
        if text is None:
            return {}
        return {"hookSpecificOutput": {"hookEventName": call.hook_event_name, "additionalContext": text}}

    def _tell(self, call: HookCall) -> str | None:
        if not has_new_summary(call, self._archive):
            return None
        self._untold.discard(call.session_id)
        return tell_what_is_missing(
            call, self._archive, counter=self._counter, budget_tokens=self._budget_tokens
        )
