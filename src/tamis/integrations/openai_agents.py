"""OpenAI Agents SDK: a session, or an input filter, that keeps an agent's conversation within the window.

    session = CompactingSession(SQLiteSession("work", "work.db"), window=200_000, archive=archive)
    await Runner.run(agent, "...", session=session)

The session that it wraps keeps everything; what a run begins with is shorter. A run that alone outgrows the
window needs the filter, in place of `CompactingSession`: it looks at every request.

    config = RunConfig(call_model_input_filter=input_filter(window=200_000, archive=archive))
    await Runner.run(agent, "...", session=SQLiteSession("work", "work.db"), run_config=config)
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import DESCRIPTION, TOOL_NAME, tool_definitions
from tamis.integrations.adapter import AdapterSettings, ConversationTracker, needed
from tamis.messages import Message
from tamis.sessions import OpenAIResponses, json_text, parse_arguments, plain

if TYPE_CHECKING:
    from agents import FunctionTool, TResponseInputItem
    from agents.memory import Session, SessionSettings
    from agents.run_config import CallModelData, ModelInputData

EXTRA = "openai-agents"


class CompactingSession:
    """A session whose history fits the window, over one that keeps it whole.

    Everything that is said is stored in `inner`, such as an `SQLiteSession`.

    Raises:
        InputError: a setting that cannot be.
    """

    def __init__(self, inner: Session, **settings: Unpack[AdapterSettings]) -> None:
        self._inner = inner
        self.session_id = inner.session_id
        self.session_settings: SessionSettings | None = getattr(inner, "session_settings", None)
        self._following = ConversationTracker(_Dialect(), inner.session_id, **settings)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The history, shortened to the window; with a limit, the newest items as they were stored."""
        if limit is not None:
            return await self._inner.get_items(limit)
        return await to_thread(self._following.shorten, await self._inner.get_items())

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store what was said."""
        await self._inner.add_items(items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take back the newest item that was stored."""
        return await self._inner.pop_item()

    async def clear_session(self) -> None:
        """Forget all that was stored; what was archived stays in the archive."""
        await self._inner.clear_session()


def input_filter(
    **settings: Unpack[AdapterSettings],
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """A `call_model_input_filter` for `RunConfig`; it may serve any number of conversations at once.

    Raises:
        MissingExtra: the SDK is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from agents.run_config import ModelInputData

    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    async def shorten(data: CallModelData[Any]) -> ModelInputData:
        shorter = await to_thread(following.shorten, data.model_data.input)
        return ModelInputData(input=shorter, instructions=data.model_data.instructions)

    return shorten


def recall_tool(archive: Archive) -> FunctionTool:
    """The archive as a tool of the agent; raises MissingExtra where the SDK is not installed."""
    with needed(EXTRA):
        from agents import FunctionTool

    async def recall(_: Any, arguments: str) -> str:
        return answer_call(archive, TOOL_NAME, parse_arguments(arguments)[0])

    (definition,) = tool_definitions("openai-responses")
    return FunctionTool(
        name=TOOL_NAME,
        description=DESCRIPTION,
        params_json_schema=definition["parameters"],
        on_invoke_tool=recall,
        strict_json_schema=False,
    )


class _Dialect:
    """Items of the Responses API. A reply's reasoning and calls are read together, as they must stay so."""

    def fingerprint(self, native: TResponseInputItem) -> str:
        return json_text(plain(native))

    def read(self, natives: Sequence[TResponseInputItem]) -> Sequence[Message]:
        return OpenAIResponses().decode([plain(item) for item in natives]).messages

    def write(self, messages: Sequence[Message]) -> list[TResponseInputItem]:
        """Items of the API; those that were read and not changed are as they were."""
        items: Any = OpenAIResponses().encode(messages)
        return list(items)
