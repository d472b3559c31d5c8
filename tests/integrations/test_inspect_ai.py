"""The compaction strategy, in inspect_ai's own agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive

pytest.importorskip("inspect_ai", reason="needs tamis[inspect]")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    compaction,
)
from inspect_ai.tool import ToolCall

from integrations.requests_sent import check_archive, check_requests
from tamis.integrations.inspect_ai import _Dialect, compaction_strategy, recall_tool

Load = Callable[[str], ModuleType]


def chat(messages: list[ChatMessage]) -> list[dict[str, Any]]:
    return [_Dialect().to_item(message) for message in messages]


def test_a_sample_stays_within_its_window_and_finds_what_was_taken_out(
    example: Load, kept: Archive, tmp_path: Path
) -> None:
    story = example("story")
    answer, script = example("inspect_ai_agent").run(kept, tmp_path)
    assert story.ANSWER in answer
    check_requests([chat(request) for request in script.requests], window=story.WINDOW)
    check_archive(kept, story.read_part(3))


@pytest.mark.parametrize("joins", [False, True])
async def test_an_api_that_takes_no_two_user_messages_in_a_row(
    example: Load, kept: Archive, joins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = example("inspect_ai_agent").Script()
    monkeypatch.setattr(script, "collapse_user_messages", lambda: joins)
    strategy = compaction_strategy(window=2_000, budget=300, archive=kept)
    system = ChatMessageSystem(content="Be brief.")
    handler = compaction(strategy, [system], model=Model(script, GenerateConfig()))
    history: list[ChatMessage] = [system]
    sent: list[list[ChatMessage]] = []
    for n in range(30):
        history.append(ChatMessageUser(content=f"Question {n} " + "oat " * 60))
        sent.append((await handler.compact_input(history))[0])
        history.append(ChatMessageAssistant(content=f"answer {n}: " + "rye " * 90))
    check_requests([chat(request) for request in sent], window=2_000)
    said = "\n".join(message.text for message in sent[-1])
    assert said.count("Brief of the work so far") == 1, "a brief is never told in a brief"
    assert said.count("Be brief.") == 1
    assert "Question 29" in said


def test_messages_that_a_method_wrote_say_the_same_in_inspect_ai_s_types() -> None:
    call = ToolCall(id="c1", function="weigh", arguments={"n": 1})
    messages: list[ChatMessage] = [
        ChatMessageSystem(content="Be brief."),
        ChatMessageUser(content="Weigh it."),
        ChatMessageAssistant(content="I weigh.", tool_calls=[call]),
        ChatMessageTool(content="9 kg", tool_call_id="c1"),
    ]
    assert chat(_Dialect().from_items(chat(messages))) == chat(messages)


async def test_the_recall_tool_answers(kept: Archive) -> None:
    assert "Nothing in the archive" in str(await recall_tool(kept)(words="rye"))
