"""LangChain's trimming and its summarization middleware: https://docs.langchain.com/oss/python/langchain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis.compactors.method import Material
from tamis.compactors.peers.peer import (
    LASTING_SHARE,
    Chat,
    MeteredModel,
    ModelPeer,
    Peer,
    PeerResult,
    messages_of,
)
from tamis.messages import count_messages

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage


class LangChainTrim(Peer):
    """`trim_messages` to the newest messages that fit, counted as tamis counts."""

    name = "langchain-trim"
    package = "langchain-core"
    extra = "langchain"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The newest messages."""
        from langchain_core.messages import convert_to_messages, trim_messages

        trimmed = trim_messages(
            convert_to_messages(chat),
            max_tokens=material.budget_tokens,
            token_counter=_counting(material),
            strategy="last",
            start_on=("human", "ai"),
        )
        return PeerResult(chat=_to_chat(trimmed))


class LangChainSummary(ModelPeer):
    """`SummarizationMiddleware`, with tamis's model behind LangChain's interface."""

    kind = "langchain-summary"
    package = "langchain"
    extra = "langchain"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The summary, and the newest messages."""
        from langchain.agents.middleware import SummarizationMiddleware
        from langchain_core.messages import RemoveMessage, convert_to_messages

        asked = MeteredModel(self.model)
        middleware = SummarizationMiddleware(
            _bridge(asked, material.budget_tokens),
            trigger=("tokens", 1),
            keep=("tokens", max(1, int(material.budget_tokens * LASTING_SHARE))),
            token_counter=_counting(material),
            trim_tokens_to_summarize=None,
        )
        state: Any = {"messages": convert_to_messages(chat)}
        made = await middleware.abefore_model(state, None)  # type: ignore[arg-type]
        if made is None:
            return PeerResult(chat=chat, usage=asked.usage)
        left = [message for message in made["messages"] if not isinstance(message, RemoveMessage)]
        made_chat = _to_chat(left)
        return PeerResult(chat=made_chat, summaries=asked.place_in(made_chat), usage=asked.usage)


def _to_chat(messages: list[BaseMessage]) -> Chat:
    from langchain_core.messages import convert_to_openai_messages

    made = convert_to_openai_messages(messages)
    return made if isinstance(made, list) else [made]


def _counting(material: Material) -> Any:
    """LangChain's token counter: tamis's own."""

    def count(messages: Any) -> int:
        return sum(count_messages(messages_of(_to_chat(list(messages)), ()), material.counter))

    return count


def _bridge(asked: MeteredModel, max_output_tokens: int) -> BaseChatModel:
    """A chat model of LangChain that asks ours."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, get_buffer_string
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Bridge(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "tamis"

        def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
            raise NotImplementedError("only asked asynchronously")

        async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
            text = str(messages[0].content) if len(messages) == 1 else get_buffer_string(messages)
            answer = await asked.ask(text, max_output_tokens=max_output_tokens)
            return ChatResult(generations=[ChatGeneration(message=AIMessage(content=answer))])

    return Bridge()
