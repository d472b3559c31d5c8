"""LangChain: a middleware that keeps an agent's conversation within the window.

    compaction = compaction_middleware(window=200_000, archive=archive)
    agent = create_agent(model, tools=[...], middleware=[compaction])

The agent's state, and whatever a checkpointer keeps of it, stays whole: only what is sent to the model is
shorter. With an archive the middleware brings the recall tool along.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive
from tamis.archive.recall_tool import DESCRIPTION, PARAMETERS, TOOL_NAME, recall_function
from tamis.integrations.adapter import AdapterSettings, ChatAdapter, ConversationTracker, needed

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool

EXTRA = "langchain"


def compaction_middleware(**settings: Unpack[AdapterSettings]) -> AgentMiddleware[Any, Any, Any]:
    """A middleware for `create_agent`; it may serve any number of threads at once.

    With an `archive` the agent gets the recall tool.

    Raises:
        MissingExtra: LangChain is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from langchain.agents.middleware import AgentMiddleware

    archive = settings.get("archive")
    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    class CompactionMiddleware(AgentMiddleware[Any, Any, Any]):
        """Shortens what goes to the model."""

        tools = [] if archive is None else [recall_tool(archive)]

        def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[..., Any]) -> Any:
            return handler(_shortened(request, following))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[..., Awaitable[Any]]
        ) -> Any:
            return await handler(await to_thread(_shortened, request, following))

    return CompactionMiddleware()


def recall_tool(archive: Archive) -> BaseTool:
    """The archive as a tool of the agent; raises MissingExtra where LangChain is not installed."""
    with needed(EXTRA):
        from langchain_core.tools import StructuredTool

    return StructuredTool.from_function(
        recall_function(archive), name=TOOL_NAME, description=DESCRIPTION, args_schema=deepcopy(PARAMETERS)
    )


def _shortened(request: ModelRequest[Any], following: ConversationTracker[BaseMessage]) -> ModelRequest[Any]:
    """The request with fewer messages. The system message counts, and stays where it is."""
    system = [request.system_message] if request.system_message is not None else []
    shorter: Any = following.shorten([*system, *request.messages])[len(system) :]
    return request.override(messages=shorter)


class _Dialect(ChatAdapter["BaseMessage"]):
    """LangChain's messages."""

    def to_item(self, native: BaseMessage) -> dict[str, Any]:
        from langchain_core.messages import convert_to_openai_messages

        made = convert_to_openai_messages(native)
        return made if isinstance(made, dict) else {"role": "user", "content": str(native.content)}

    def from_items(self, items: list[dict[str, Any]]) -> list[BaseMessage]:
        from langchain_core.messages import convert_to_messages

        return list(convert_to_messages(items))
