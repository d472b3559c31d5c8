"""The methods with a real OpenAI-compatible server on this machine, by the names that users write."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tamis
from compactors.answers import SPAN, STORY, text_of
from compactors.conversations import compact, lines, run
from compactors.test_model_methods import NOTES, SUMMARY
from models.chat_server import Answer, chat_server, fails, says
from tamis.compactors import get_method
from tamis.compactors.methods.hybrid import Hybrid
from tamis.messages import identify
from tamis.models import RecordedModel, get_model


def by_schema(question: dict[str, Any]) -> Answer:
    """The answer in the shape that the question asks for."""
    shape = question["response_format"]["json_schema"]["name"]
    return says({"Summary": SUMMARY, "Notes": NOTES, "WrittenStory": STORY}[shape])


@pytest.mark.parametrize("kind", ["regenerative", "anchored", "hybrid"])
def test_a_method_is_named_with_the_address_of_its_model(kind: str) -> None:
    with chat_server(by_schema) as server:
        made = compact(get_method(f"{kind}@{server.url}"), SPAN, 400)
    assert made.outcome == "fits"
    assert made.method == f"{kind}@{server.url}"
    assert (made.usage.requests, made.usage.input_tokens, made.usage.output_tokens) == (1, 11, 7)
    assert "before tax" in text_of(made)


def test_the_top_level_function_takes_it_too() -> None:
    messages = [{"role": "user", "content": lines("a long paste of", 300)}]
    with chat_server([fails(400, "no")]) as server:
        made = tamis.compact(messages, budget=300, method=f"hybrid@{server.url}")
    assert any("the ledger alone" in warning for warning in made.warnings)


def test_a_window_smaller_than_was_thought_is_found_out() -> None:
    def small(question: dict[str, Any]) -> Answer:
        if len(json.dumps(question["messages"])) > 9_000:
            return fails(400, "request exceeds the available context size, try increasing it")
        return by_schema(question)

    span = identify([*SPAN, *run("e1", "cat log", lines("log", 1500))])
    with chat_server(small) as server:
        made = compact(get_method(f"hybrid@{server.url}"), span, 400)
    assert made.outcome == "fits"
    read = "".join(question["messages"][-1]["content"] for question in server.asked)
    assert "log line 1499\n" in read
    assert not any("ledger alone" in w for w in made.warnings)


def test_what_was_recorded_makes_the_same_bytes_without_the_server(tmp_path: Any) -> None:
    file = tmp_path / "exchanges.jsonl"
    with chat_server(by_schema) as server:
        first = compact(Hybrid(RecordedModel(file, get_model(server.url))), SPAN, 400)
    again = compact(get_method(f"hybrid@recorded:{file}"), SPAN, 400)
    assert again.messages == first.messages
    assert again.usage == first.usage


def test_a_refusal_in_words_is_no_summary() -> None:
    refusal = "I'm sorry, but I can't help with that."
    with chat_server([says(refusal)]) as server:
        made = compact(get_method(f"anchored@{server.url}"), SPAN, 400)
    assert (made.outcome, made.messages) == ("unmet", SPAN)
    assert refusal[:20] in made.warnings[0]
    assert len(server.asked) == 2
