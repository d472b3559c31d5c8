"""LiteLLM: a callback that keeps every chat request within the window, in the library and in LiteLLM's proxy.

    litellm.callbacks = [compaction_logger(window=200_000, archive=archive)]
    await litellm.acompletion(model="...", messages=messages)

For the proxy put that callback into a module of your own and name it in its configuration:

    litellm_settings:
      callbacks: compaction.callback

LiteLLM calls it for asynchronous requests only.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from tamis.integrations.adapter import AdapterSettings, ChatAdapter, ConversationTracker, needed

if TYPE_CHECKING:
    from litellm.integrations.custom_logger import CustomLogger

EXTRA = "litellm"
_CHAT = ("completion", "acompletion", "")


def compaction_logger(**settings: Unpack[AdapterSettings]) -> CustomLogger:
    """A callback for `litellm.callbacks`; it may serve any number of conversations at once.

    Raises:
        MissingExtra: LiteLLM is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from litellm.integrations.custom_logger import CustomLogger

    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    async def shortened(request: dict[str, Any], kind: object) -> dict[str, Any]:
        messages = request.get("messages")
        if str(getattr(kind, "value", kind) or "") not in _CHAT or not isinstance(messages, list):
            return request
        return {**request, "messages": await to_thread(following.shorten, messages)}

    class CompactionLogger(CustomLogger):  # type: ignore[misc] # LiteLLM may be missing where types are checked
        """Shortens the messages of a request."""

        async def async_pre_call_hook(
            self,
            user_api_key_dict: Any,  # noqa: ARG002 - as LiteLLM calls it
            cache: Any,  # noqa: ARG002
            data: dict[str, Any],
            call_type: Any,
        ) -> dict[str, Any]:
            """In LiteLLM's proxy, as a request comes in."""
            return await shortened(data, call_type)

        async def async_pre_call_deployment_hook(
            self, kwargs: dict[str, Any], call_type: Any
        ) -> dict[str, Any]:
            """In the library, before a request goes out; what the proxy's hook has shortened is known."""
            return await shortened(kwargs, call_type)

    return CompactionLogger()


class _Dialect(ChatAdapter[Any]):
    """Chat messages as they are; a reply that was put into the list as LiteLLM's own object, too."""

    def to_item(self, native: Any) -> Mapping[str, Any]:
        if isinstance(native, Mapping):
            return native
        item: dict[str, Any] = native.model_dump(exclude_none=True)
        return item

    def from_items(self, items: list[dict[str, Any]]) -> list[Any]:
        return list(items)
