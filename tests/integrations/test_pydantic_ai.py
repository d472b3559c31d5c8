"""The history processor, in Pydantic AI's own agent."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive

pytest.importorskip("pydantic_ai", reason="needs tamis[pydantic-ai]")

from pydantic_ai import Agent, BinaryContent, ModelMessagesTypeAdapter, ModelRetry
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from integrations.requests_sent import check_archive, check_requests
from tamis.compactors.peers.pydantic_ai import chat_items
from tamis.integrations.pydantic_ai import history_processor

Load = Callable[[str], ModuleType]


def test_a_run_stays_within_its_window_and_finds_what_was_taken_out(example: Load, kept: Archive) -> None:
    story = example("story")
    answer, script = example("pydantic_ai_agent").run(kept)
    assert story.ANSWER in answer
    check_requests([list(chat_items(r)) for r in script.requests], window=story.WINDOW)
    check_archive(kept, story.read_part(3))


def test_what_it_makes_is_what_pydantic_ai_reads(example: Load, kept: Archive) -> None:
    _, script = example("pydantic_ai_agent").run(kept)
    for request in script.requests:
        stored = ModelMessagesTypeAdapter.dump_json(request)
        assert ModelMessagesTypeAdapter.validate_json(stored) == request


def chatty(processor: Any) -> tuple[Agent, list[list[ModelMessage]]]:
    requests: list[list[ModelMessage]] = []

    def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        requests.append(list(messages))
        return ModelResponse(parts=[TextPart(f"answer {len(requests)}: " + "rye " * 150)])

    return Agent(FunctionModel(reply), capabilities=[ProcessHistory(processor)]), requests


def test_several_runs_that_hand_their_history_on(kept: Archive) -> None:
    agent, requests = chatty(history_processor(window=2_000, budget=300, archive=kept))
    history: list[ModelMessage] = []
    for n in range(30):
        history = agent.run_sync(f"Question {n}", message_history=history).all_messages()
    check_requests([list(chat_items(r)) for r in requests], window=2_000)
    check_archive(kept, "answer 2: rye")
    briefs = str(list(chat_items(requests[-1]))).count("Brief of the work so far")
    assert briefs == 1, "a brief is never told in a brief"


def test_a_history_that_was_stored_and_loaded_is_known_again(kept: Archive) -> None:
    agent, requests = chatty(history_processor(window=2_000, budget=300, archive=kept))
    stored = b"[]"
    for n in range(30):
        history = ModelMessagesTypeAdapter.validate_json(stored)
        result = agent.run_sync(f"Question {n}", message_history=history)
        stored = ModelMessagesTypeAdapter.dump_json(result.all_messages())
    assert str(list(chat_items(requests[-1]))).count("Brief of the work so far") == 1


def test_another_process_goes_on_from_the_brief_in_a_stored_history(kept: Archive) -> None:
    stored = b"[]"
    sent: list[list[dict[str, Any]]] = []
    for n in range(30):
        agent, requests = chatty(history_processor(window=2_000, budget=300, archive=kept))
        question = f"Question {n}." + (" Never touch prod.db." if n == 1 else "")
        history = ModelMessagesTypeAdapter.validate_json(stored)
        result = agent.run_sync(question, message_history=history)
        stored = ModelMessagesTypeAdapter.dump_json(result.all_messages())
        sent.append(list(chat_items(requests[-1])))
    check_requests(sent, window=2_000)
    check_archive(kept, "Never touch prod.db.")
    for items in sent[1:]:
        assert str(items).count("Brief of the work so far") <= 1, "a brief is never told in a brief"
        assert "Never touch prod.db." in str(items), "what the first brief kept is in every later one"


def test_a_conversation_that_fits_is_not_touched() -> None:
    agent, requests = chatty(history_processor(window=20_000))
    first = agent.run_sync("One")
    agent.run_sync("Two", message_history=first.all_messages())
    assert requests[1][: len(first.all_messages())] == first.all_messages()


def test_images_of_two_conversations_are_not_mixed_up() -> None:
    agent, requests = chatty(history_processor(window=2_000, budget=300))
    for data in (b"one", b"two"):
        history: list[ModelMessage] = []
        for _ in range(12):
            prompt = ["Look", BinaryContent(data, media_type="image/png")]
            history = agent.run_sync(prompt, message_history=history).all_messages()
    assert "b'one'" not in str(requests[-1])
    assert "b'two'" in str(requests[-1])


def test_a_call_that_has_to_be_tried_again_stays_with_its_answer() -> None:
    requests: list[list[ModelMessage]] = []

    def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        requests.append(list(messages))
        if len(requests) > 40:
            return ModelResponse(parts=[TextPart("done")])
        call = ToolCallPart("weigh", {"n": len(requests)}, tool_call_id=f"c{len(requests)}")
        return ModelResponse(parts=[call])

    processor = history_processor(window=2_000, budget=300)
    agent = Agent(FunctionModel(reply), capabilities=[ProcessHistory(processor)])

    @agent.tool_plain(retries=3)
    def weigh(n: int) -> str:
        if n % 2:
            raise ModelRetry("not now " * 60)
        return "9 kg " * 60

    agent.run_sync("Weigh it.")
    sent = [part for request in requests for message in request for part in message.parts]
    assert any(isinstance(part, ToolReturnPart) and part.outcome == "retried" for part in sent)
    check_requests([list(chat_items(r)) for r in requests], window=2_000)


def test_a_retry_prompt_of_an_older_history_is_told_as_a_result() -> None:
    prompt = RetryPromptPart("not now", tool_name="weigh", tool_call_id="c1")
    (item,) = chat_items([ModelRequest(parts=[prompt])])
    assert (item["role"], item["tool_call_id"]) == ("tool", "c1")
    assert "not now" in item["content"]
