"""Hermes Agent: a context engine that compacts in the place of the built-in compressor.

Installed beside Hermes it is found as the plugin `tamis`; in its `config.yaml`:

    plugins: {enabled: [tamis]}
    context: {engine: tamis}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import TOOL_NAME, tool_definitions
from tamis.integrations.adapter import ChatAdapter, ContextSettings, ConversationTracker, needed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agent.context_engine import ContextEngine

EXTRA = "hermes-agent"


def register(plugins: Any) -> None:
    """What Hermes calls when it loads the plugin: the archive lies in Hermes' home."""
    with needed(EXTRA):
        from hermes_constants import get_hermes_home

    home: Path = get_hermes_home()
    plugins.register_context_engine(context_engine(archive=Archive.open(home / "tamis.archive")))


def context_engine(
    *,
    window: int = 128_000,
    archive: Archive | None = None,
    name: str = "hermes-agent",
    **settings: Unpack[ContextSettings],
) -> ContextEngine:
    """An engine for one agent; a copy of it, as Hermes makes for each agent, shares the archive.

    Args:
        window: the tokens that the model takes, until Hermes says which model it is.
        archive: where everything goes that is taken out; with one, the agent has the recall tool.
        name: what the archive's sessions are called by.
        settings: as for `tamis.Context`.

    Raises:
        MissingExtra: Hermes Agent is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from agent.context_engine import ContextEngine

    def tracker(tokens: int) -> ConversationTracker[Any]:
        return ConversationTracker(_Dialect(), window=tokens, archive=archive, name=name, **settings)

    class TamisContextEngine(ContextEngine):  # type: ignore[misc] # may be missing there
        """Hermes says when, by the tokens that the model really counted; tamis makes the brief."""

        def __init__(self) -> None:
            self.context_length = window
            self.threshold_tokens = int(window * self.threshold_percent)
            self._following = tracker(window)

        def __deepcopy__(self, memo: dict[int, Any]) -> TamisContextEngine:
            return TamisContextEngine()

        @property
        def name(self) -> str:
            return "tamis"

        def update_model(self, model: str, context_length: int, *_: Any, **__: Any) -> None:
            super().update_model(model, context_length)
            self._following = tracker(context_length)

        def update_from_response(self, usage: dict[str, Any]) -> None:
            self.last_prompt_tokens = usage.get("prompt_tokens") or 0
            self.last_completion_tokens = usage.get("completion_tokens") or 0
            self.last_total_tokens = usage.get("total_tokens") or 0

        def should_compress(self, prompt_tokens: int | None = None) -> bool:
            tokens = self.last_prompt_tokens if prompt_tokens is None else prompt_tokens
            return tokens >= self.threshold_tokens

        def compress(self, messages: list[dict[str, Any]], *_: Any, **__: Any) -> list[dict[str, Any]]:
            shorter = self._following.shorten(messages, now=True)
            self.compression_count += shorter != messages
            return shorter

        def get_tool_schemas(self) -> list[dict[str, Any]]:
            return [tool["function"] for tool in tool_definitions("openai")] if archive else []

        def handle_tool_call(self, name: str, args: dict[str, Any], **kwargs: Any) -> str:
            if archive is None or name != TOOL_NAME:
                return str(super().handle_tool_call(name, args, **kwargs))
            return json.dumps({"result": answer_call(archive, name, args)}, ensure_ascii=False)

    return TamisContextEngine()


class _Dialect(ChatAdapter[dict[str, Any]]):
    """Chat messages, as Hermes has them."""

    def to_item(self, native: dict[str, Any]) -> Mapping[str, Any]:
        return native

    def from_items(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return items
