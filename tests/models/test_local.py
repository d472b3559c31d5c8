"""A model file in this process: the questions and answers, with a stand-in for llama.cpp."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tamis.errors import ModelServerError, ModelTimeout, PromptTooLong, UnknownModel, UnusableReply
from tamis.models import Prompt, Reply, get_model, read_reply
from tamis.models.local import LocalModel

PROMPT = Prompt(instructions="be brief", text="which port?", max_output_tokens=20)


class Port(BaseModel):
    number: int


class Stand:
    """Answers with chunks, as llama.cpp streams them."""

    def __init__(self, chunks: Sequence[Mapping[str, Any]], wait: Callable[[], object] | None = None) -> None:
        self.chunks = chunks
        self.wait = wait
        self.asked: list[Mapping[str, Any]] = []
        self.stopped = threading.Event()

    def handle_chat_completions(
        self, prompt: dict[str, Any], callback: Callable[[Mapping[str, Any]], bool]
    ) -> None:
        self.asked.append(prompt)
        for chunk in self.chunks:
            if self.wait:
                self.wait()
            if callback(chunk):
                self.stopped.set()
                return


def spoken(*texts: str, finish: str = "stop") -> list[dict[str, Any]]:
    said = [{"choices": [{"delta": {"content": t}, "finish_reason": None}]} for t in texts]
    end = {"choices": [{"delta": {}, "finish_reason": finish}]}
    return [*said, end, {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF\x03\x00\x00\x00")
    return path


def ask(file: Path, server: Stand, schema: type[BaseModel] | None = None, timeout_s: float = 5.0) -> Reply:
    model = LocalModel(file, load=lambda path, window: server, timeout_s=timeout_s)
    return asyncio.run(model.ask(PROMPT, schema=schema))


def test_an_answer_is_put_together_from_its_chunks(file: Path) -> None:
    server = Stand(spoken('{"number"', ": 8080}"))
    reply = ask(file, server, Port)
    assert read_reply(reply, Port).number == 8080
    assert (reply.model, reply.input_tokens, reply.output_tokens) == ("gguf:small.gguf", 9, 4)
    (asked,) = server.asked
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["number"]
    assert (asked["max_tokens"], asked["temperature"], asked["seed"]) == (20, 0.0, 0)


def test_the_file_is_loaded_once_at_the_first_question(file: Path) -> None:
    loaded: list[Path] = []

    def load(path: Path, window: int) -> Stand:
        loaded.append(path)
        return Stand(spoken("yes"))

    model = LocalModel(file, load=load)
    assert loaded == []
    for _ in range(2):
        asyncio.run(model.ask(PROMPT))
    assert loaded == [file]


@pytest.mark.parametrize(
    ("chunks", "error"),
    [
        ([{"error": {"code": 400, "message": "exceeds the available context size"}}], PromptTooLong),
        ([{"error": {"code": 500, "message": "out of memory"}}], ModelServerError),
        (spoken("half", finish="length"), UnusableReply),
        (spoken(" "), UnusableReply),
        ([], UnusableReply),
    ],
)
def test_each_way_to_fail_is_an_error_of_its_own(file: Path, chunks: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"gguf:small\.gguf"):
        ask(file, Stand(chunks))


def test_what_llama_cpp_refuses_is_a_model_error(file: Path) -> None:
    class Refuses(Stand):
        def handle_chat_completions(self, prompt: Any, callback: Any) -> None:
            raise ValueError("Expected 'messages' to be an array")

    with pytest.raises(ModelServerError, match="to be an array"):
        ask(file, Refuses([]))


def test_a_time_out_stops_the_answer_at_its_next_token(file: Path) -> None:
    go_on = threading.Event()
    server = Stand(spoken(*["word"] * 50), wait=lambda: go_on.wait(5))
    with pytest.raises(ModelTimeout, match=r"within 0\.01 seconds"):
        ask(file, server, timeout_s=0.01)
    go_on.set()
    assert server.stopped.wait(5)


def test_no_file_and_no_model_file_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match="cannot be opened"):
        get_model(f"gguf:{tmp_path}/none.gguf")
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(UnknownModel, match="is no GGUF file"):
        get_model(f"gguf:{tmp_path}/text.gguf")


def test_a_broken_file_is_a_model_error(file: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra [local]")
    with pytest.raises(ModelServerError, match="cannot be loaded"):
        asyncio.run(LocalModel(file).ask(PROMPT))


def test_questions_are_answered_in_the_order_in_which_they_came(file: Path) -> None:
    server = Stand(spoken("yes"))
    model = LocalModel(file, load=lambda path, window: server)

    async def ask_many() -> None:
        await asyncio.gather(*(model.ask(Prompt(instructions="", text=str(n))) for n in range(20)))

    asyncio.run(ask_many())
    assert [asked["messages"][1]["content"] for asked in server.asked] == [str(n) for n in range(20)]


def test_waiting_for_ones_turn_is_not_held_against_a_question(file: Path) -> None:
    free = threading.Event()

    class OneAfterTheOther(Stand):
        def handle_chat_completions(self, prompt: Any, callback: Any) -> None:
            if not self.asked:
                free.wait(5)
            super().handle_chat_completions(prompt, callback)

    server = OneAfterTheOther(spoken("yes"))
    model = LocalModel(file, load=lambda path, window: server, timeout_s=0.5)

    async def ask_two() -> Reply:
        early = asyncio.create_task(model.ask(PROMPT))
        late = asyncio.create_task(model.ask(PROMPT))
        with pytest.raises(ModelTimeout):
            await early  # its own time is up while the library reads on
        free.set()
        return await late

    assert asyncio.run(ask_two()).text == "yes"


def test_a_question_that_nobody_waits_for_any_more_is_not_asked(file: Path) -> None:
    go_on = threading.Event()
    server = Stand(spoken("yes"), wait=lambda: go_on.wait(5))
    model = LocalModel(file, load=lambda path, window: server)

    async def leave() -> None:
        asked = asyncio.create_task(model.ask(PROMPT))
        left = asyncio.create_task(model.ask(Prompt(instructions="", text="left")))
        await asyncio.sleep(0)
        left.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await left
        go_on.set()
        await asked
        await model.ask(Prompt(instructions="", text="last"))

    asyncio.run(leave())
    assert [asked["messages"][1]["content"] for asked in server.asked] == ["which port?", "last"]
