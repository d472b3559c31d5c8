"""Likelihoods: counted words, a model file with a stand-in for llama.cpp, and a server by its answers."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from models.chat_server import Answer, chat_server, fails
from tamis.errors import ModelServerError, PromptTooLong, RequestRejected, UnknownModel, UnusableReply
from tamis.models.likelihood import Cost, Unigram
from tamis.models.likelihood_local import LocalLikelihoods
from tamis.models.likelihood_registry import get_likelihoods
from tamis.models.likelihood_served import ServedLikelihoods

VOCABULARY = 16


class Stand:
    """A model for which the token that came last is as likely as all others together."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.evaluated: list[tuple[int, int]] = []
        self.wanted = 0

    def tokenize(self, text: str) -> list[int]:
        return [ord(c) % VOCABULARY for c in text]

    def forget_from(self, position: int) -> None:
        del self.tokens[position:]

    def evaluate(self, tokens: Sequence[int], position: int, wanted: Sequence[bool]) -> list[Any]:
        if position != len(self.tokens):
            raise RuntimeError(f"position {position} behind {len(self.tokens)}")
        self.evaluated.append((position, len(tokens)))
        self.wanted += sum(wanted)
        self.tokens += tokens
        return [
            [math.log(VOCABULARY - 1) if v == token else 0.0 for v in range(VOCABULARY)]
            for token, is_wanted in zip(tokens, wanted, strict=True)
            if is_wanted
        ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF\x03\x00\x00\x00")
    return path


def local(file: Path, stand: Stand, window_tokens: int = 2_000) -> LocalLikelihoods:
    return LocalLikelihoods(file, window_tokens=window_tokens, load=lambda *_: stand)


def bits(model: LocalLikelihoods | ServedLikelihoods | Unigram, prefix: str, continuation: str) -> Cost:
    return asyncio.run(model.bits(prefix, continuation))


def test_what_stands_in_the_prefix_costs_less() -> None:
    act = "cat src/till.py"
    assert bits(Unigram(), "I look at src/till.py with cat", act).bits < bits(Unigram(), "hello", act).bits


def test_the_bits_of_a_file_are_those_of_the_continuation_alone(file: Path) -> None:
    stand = Stand()
    cost = bits(local(file, stand), "xa", "aa")  # each a behind an a: one bit
    assert cost == Cost(bits=pytest.approx(2.0), tokens=2, prefix_tokens=2)
    assert stand.wanted == 2


def test_a_prefix_is_evaluated_once(file: Path) -> None:
    stand = Stand()
    model = local(file, stand)
    prefix = "it was long " * 100
    first = bits(model, prefix, "abc")
    stand.evaluated.clear()
    assert bits(model, prefix, "abc") == first
    assert stand.evaluated == [(len(prefix) - 1, 3)]  # from the last token of the prefix on
    bits(model, prefix[:-5] + "other", "abc")
    assert stand.evaluated[-1][0] == len(prefix) - 5


def test_a_long_continuation_is_summed_over_its_batches(file: Path) -> None:
    assert bits(local(file, Stand()), "a", "a" * 1_300).bits == pytest.approx(1_300)


def test_nothing_is_cut_off_to_fit_a_window(file: Path) -> None:
    with pytest.raises(PromptTooLong, match="103 tokens do not fit its window of 100"):
        bits(local(file, Stand(), window_tokens=100), "a" * 100, "abc")


def test_an_empty_prefix_has_likelihoods_too(file: Path) -> None:
    assert bits(local(file, Stand()), "", "ab").tokens == 2


def test_what_llama_cpp_refuses_is_a_model_error_and_the_next_question_begins_anew(file: Path) -> None:
    stand = Stand()
    model = local(file, stand)
    bits(model, "abc", "d")
    stand.tokens.clear()
    with pytest.raises(ModelServerError, match="position"):
        bits(model, "abc", "e")
    assert bits(model, "abc", "e").tokens == 1


def echo(question: dict[str, Any]) -> Answer:
    """As vLLM answers: the prompt by its tokens, the first without a likelihood, and one that is new."""
    tokens = [*re.findall(r"\s?\w+|\s", question["prompt"]), " new"]
    told = {"tokens": tokens, "token_logprobs": [None, *[-math.log(2)] * (len(tokens) - 1)]}
    return Answer(body={"choices": [{"text": "".join(tokens), "logprobs": told}]})


def test_a_server_tells_the_bits_of_the_continuation() -> None:
    with chat_server(echo) as server:
        cost = bits(ServedLikelihoods(server.url), "one two\n", "three four")
    assert cost == Cost(bits=pytest.approx(2.0), tokens=2, prefix_tokens=2)
    (question,) = server.asked
    assert (question["model"], question["echo"], question["prompt"]) == ("small", True, "one two\nthree four")
    assert server.paths == ["/v1/completions"]


def without(*names: str) -> Answer:
    choice: dict[str, Any] = {"text": " new", "logprobs": {"tokens": [" new"], "token_logprobs": [-1.0]}}
    return Answer(body={"choices": [{k: v for k, v in choice.items() if k not in names}]})


@pytest.mark.parametrize("answer", [without("logprobs"), without(), Answer(body={"error": "no"})])
def test_a_server_that_says_nothing_of_its_prompt_has_not_measured(answer: Answer) -> None:
    with chat_server([answer]) as server, pytest.raises(UnusableReply):
        bits(ServedLikelihoods(f"{server.url}#small"), "one two\n", "three four")


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (fails(400, "Only no echo is supported"), RequestRejected, "vLLM"),
        (fails(400, "maximum context length is 10"), PromptTooLong, "context length"),
        (fails(503, "busy"), ModelServerError, "busy"),
    ],
)
def test_each_way_to_fail_is_an_error_of_its_own(answer: Answer, kind: type[Exception], said: str) -> None:
    with chat_server([answer]) as server, pytest.raises(kind, match=said):
        bits(ServedLikelihoods(f"{server.url}#small"), "a", "b")


@pytest.mark.parametrize("name", ["openai:gpt-5", "gguf:", "nothing", "http://"])
def test_whose_likelihoods_cannot_be_read_is_said_before_anything_is_asked(name: str) -> None:
    with pytest.raises(UnknownModel, match="write"):
        get_likelihoods(name)
