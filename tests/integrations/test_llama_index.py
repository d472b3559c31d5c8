"""The compacting memory, in LlamaIndex's own agent and chat engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive

pytest.importorskip("llama_index.core", reason="needs tamis[llama-index]")

from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import BaseMemory
from llama_index.core.storage.chat_store import SimpleChatStore

from integrations.requests_sent import check_archive, check_requests
from tamis.integrations.llama_index import _Dialect, compacting_memory, recall_tool

Load = Callable[[str], ModuleType]


def chat(requests: Sequence[Sequence[ChatMessage]]) -> list[Any]:
    return [[_Dialect().to_item(message) for message in request] for request in requests]


def test_runs_stay_within_the_window_and_find_what_was_taken_out(example: Load, kept: Archive) -> None:
    story = example("story")
    answer, script = asyncio.run(example("llama_index_agent").run(kept))
    assert story.ANSWER in answer
    check_requests(chat(script.requests), window=story.WINDOW)
    check_archive(kept, story.read_part(3))


def test_a_chat_engine_over_many_turns(kept: Archive) -> None:
    requests: list[list[ChatMessage]] = []

    def reply(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        requests.append(list(messages))
        return ChatMessage(role="assistant", content=f"answer {len(requests)}: " + "rye " * 150)

    llm = MockFunctionCallingLLM(response_generator=reply, is_chat_model=True)
    memory = compacting_memory(window=2_000, budget=300, archive=kept)
    assert isinstance(memory, BaseMemory)
    engine = SimpleChatEngine(llm=llm, memory=memory, prefix_messages=[])
    for n in range(30):
        engine.chat(f"Question {n}")
    check_requests(chat(requests), window=2_000)
    check_archive(kept, "answer 2: rye")
    assert len(memory.get_all()) == 60, "the store keeps everything"


def test_a_store_that_is_loaded_again_gives_the_same() -> None:
    store = SimpleChatStore()
    one = compacting_memory(window=2_000, budget=300, chat_store=store)
    for n in range(60):
        one.put(ChatMessage(role="user" if n % 2 == 0 else "assistant", content=f"{n} " + "rye " * 90))
        one.get()
    said = [ChatMessage.model_validate(m.model_dump()) for m in one.get_all()]
    again = compacting_memory(
        window=2_000, budget=300, chat_store=SimpleChatStore(store={"chat_history": said})
    )
    assert [m.content for m in again.get()] == [m.content for m in one.get()]


def test_calls_are_read_from_blocks_and_from_older_messages() -> None:
    block = ToolCallBlock(tool_call_id="c1", tool_name="weigh", tool_kwargs={"n": 1})
    older = {"id": "c1", "type": "function", "function": {"name": "weigh", "arguments": '{"n": 1}'}}
    new = ChatMessage(role="assistant", blocks=[block])
    old = ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": [older]})
    assert _Dialect().to_item(new)["tool_calls"] == _Dialect().to_item(old)["tool_calls"] == [older]


def test_a_message_that_a_method_wrote_is_one_of_llama_index_s() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weigh", "arguments": "{}"}}
    items = [
        {"role": "assistant", "content": "I weigh.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "9 kg"},
    ]
    made = _Dialect().from_items(items)
    assert [_Dialect().to_item(message) for message in made] == items


def test_the_recall_tool_answers(kept: Archive) -> None:
    assert "Nothing in the archive" in str(recall_tool(kept).call(words="rye"))
