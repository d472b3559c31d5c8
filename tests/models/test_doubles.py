"""The models for tests: scripts and recordings; and names, replies, and errors of clients."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import Any

import anthropic
import openai
import pydantic_ai.exceptions
import pytest
from pydantic import BaseModel

import tamis.errors
from tamis.errors import ModelError, ModelUnreachable, UnknownModel, UnreadableFile, UnusableReply
from tamis.models import (
    Model,
    Prompt,
    RecordedModel,
    Reply,
    RetryingModel,
    ScriptedModel,
    get_model,
    read_reply,
)
from tamis.models.translation import from_status, translate, translated

PROMPT = Prompt(instructions="be brief", text="which port?")


class Port(BaseModel):
    number: int


def ask(model: Model, prompt: Prompt = PROMPT, schema: type[BaseModel] | None = None) -> Reply:
    return asyncio.run(model.ask(prompt, schema=schema))


def test_a_script_says_its_lines_in_order_and_keeps_what_it_was_asked() -> None:
    model = ScriptedModel(["a", Port(number=1), lambda prompt: prompt.text.upper()])
    assert [ask(model).text for _ in range(3)] == ["a", '{"number":1}', "WHICH PORT?"]
    assert model.prompts == [PROMPT] * 3


def test_a_script_raises_its_errors_and_does_not_hide_its_end() -> None:
    model = ScriptedModel([ModelUnreachable("gone")])
    with pytest.raises(ModelUnreachable):
        ask(model)
    with pytest.raises(IndexError, match="asked 2 times"):
        ask(model)


def test_what_was_recorded_is_replayed_without_the_model(tmp_path: Path) -> None:
    file = tmp_path / "exchanges.jsonl"
    model = ScriptedModel(["on 8080\u2028or so"], name="small")
    first = ask(RecordedModel(file, model))
    again = RecordedModel(file)
    assert ask(again) == first
    assert again.name == "small"
    assert len(model.prompts) == 1
    assert ask(get_model(f"recorded:{file}")) == first


@pytest.mark.parametrize(
    ("prompt", "schema"),
    [
        (Prompt(instructions="be brief", text="which host?"), None),
        (Prompt(instructions="be long", text="which port?"), None),
        (Prompt(instructions="be brief", text="which port?", max_output_tokens=5), None),
        (PROMPT, Port),
    ],
)
def test_another_question_is_not_answered_with_an_old_reply(
    tmp_path: Path, prompt: Prompt, schema: type[BaseModel] | None
) -> None:
    file = tmp_path / "exchanges.jsonl"
    ask(RecordedModel(file, ScriptedModel(["on 8080"])))
    with pytest.raises(ModelUnreachable, match="holds no reply"):
        ask(RecordedModel(file), prompt, schema)


def test_failures_are_not_recorded(tmp_path: Path) -> None:
    file = tmp_path / "exchanges.jsonl"
    model = RecordedModel(file, ScriptedModel([ModelUnreachable("gone"), "yes"]))
    with pytest.raises(ModelUnreachable):
        ask(model)
    assert ask(model).text == "yes"


@pytest.mark.parametrize("content", ["no JSON\n", '{"format": "tamis-exchange/9"}\n', b"\xff\xfe"])
def test_what_is_no_recording_is_an_input_error(tmp_path: Path, content: str | bytes) -> None:
    file = tmp_path / "exchanges.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnreadableFile, match=r"exchanges\.jsonl"):
        RecordedModel(file)


def test_a_recording_that_is_not_there_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="give a model"):
        get_model(f"recorded:{tmp_path}/none.jsonl")


@pytest.mark.parametrize(
    "text", ['{"number": 8080}', '```json\n{"number": 8080}\n```', ' {"number": 8080}\n']
)
def test_json_is_read_bare_and_fenced(text: str) -> None:
    assert read_reply(Reply(text=text, model="m"), Port).number == 8080


@pytest.mark.parametrize("text", ["It is 8080.", '{"number": 80', '{"number": "many"}', "{}", "[]", "null"])
def test_what_is_not_the_json_asked_for_is_unusable(text: str) -> None:
    with pytest.raises(UnusableReply, match="m did not answer with the JSON"):
        read_reply(Reply(text=text, model="m"), Port)


@pytest.mark.parametrize(
    "name", ["small", "nosuch:model", "openai:", "http://", "http://:80", "http://host:port", ""]
)
def test_a_name_without_a_model_is_an_input_error(name: str) -> None:
    with pytest.raises(UnknownModel):
        get_model(name)


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_a_missing_key_is_named_when_the_model_is(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UnknownModel, match=variable):
        get_model(f"{variable.partition('_')[0].lower()}:some-model")


@pytest.mark.parametrize("name", ["openai:gpt-5", "anthropic:claude-haiku-4-5"])
def test_providers_are_known_by_name(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    model = get_model(name)
    assert isinstance(model, RetryingModel)
    assert model.name == name
    assert (model.window_tokens or 0) >= 200_000


def errors_of(module: Any, root: type[Exception]) -> list[type[Exception]]:
    found = inspect.getmembers(module, inspect.isclass)
    return [kind for name, kind in found if issubclass(kind, root) and not name.startswith("_")]


CLIENT_ERRORS = [
    *errors_of(pydantic_ai.exceptions, pydantic_ai.exceptions.AgentRunError),
    *errors_of(openai, openai.OpenAIError),
    *errors_of(anthropic, anthropic.AnthropicError),
]


@pytest.mark.parametrize("kind", CLIENT_ERRORS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_no_error_of_a_client_is_left_untranslated(kind: type[Exception]) -> None:
    said = {"__init__": lambda self: None, "__str__": lambda self: "no", "status_code": 418, "body": None}
    error = type(kind.__name__, (kind,), said)()
    assert isinstance(translate(error, "m"), ModelError)


def test_bugs_go_through_untranslated() -> None:
    with pytest.raises(KeyError), translated("m"):
        raise KeyError("a bug")


def test_every_model_error_has_a_status_or_a_cause_that_gives_it() -> None:
    given = {type(from_status(status, "no", model="m")) for status in range(400, 600)}
    assert given <= {
        kind for _, kind in inspect.getmembers(tamis.errors, inspect.isclass) if issubclass(kind, ModelError)
    }
    assert len(given) == 4
