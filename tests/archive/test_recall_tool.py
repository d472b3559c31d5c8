from __future__ import annotations

import json
from pathlib import Path

import pytest
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionToolParam
from pydantic import TypeAdapter

from compactors.conversations import say
from tamis.archive import Archive, answer_call, tool_definitions
from tamis.errors import InputError


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive.open(tmp_path / "a")
    archive.put("s", [say("user", "The port is 8080.", id="1"), say("assistant", "端口 noted", id="2")])
    return archive


def test_the_definition_is_what_the_apis_take() -> None:
    TypeAdapter(ChatCompletionToolParam).validate_python(tool_definitions("openai")[0])
    TypeAdapter(ToolParam).validate_python(tool_definitions("anthropic")[0])


@pytest.mark.parametrize("shape", ["openai", "openai-responses", "anthropic", "mcp"])
def test_the_definition_has_the_same_bytes_every_time(shape: str) -> None:
    first = tool_definitions(shape)  # type: ignore[arg-type]
    text = json.dumps(first)
    first[0]["changed"] = True
    assert json.dumps(tool_definitions(shape)) == text  # type: ignore[arg-type]


def test_another_shape_is_refused() -> None:
    with pytest.raises(InputError, match="choose one of openai"):
        tool_definitions("soap")  # type: ignore[arg-type]


def test_words_lead_to_an_id_and_the_id_to_the_message(archive: Archive) -> None:
    line = answer_call(archive, "recall", {"words": "port"})
    assert "The port is 8080." in line
    assert answer_call(archive, "recall", {"id": line.split()[0]}) == "The port is 8080."


def test_the_number_that_a_brief_cites_leads_to_the_message_too(archive: Archive) -> None:
    assert answer_call(archive, "recall", {"id": "#1"}, "s") == "端口 noted"
    assert answer_call(archive, "recall", {"id": "#1"}, ["s"]) == "端口 noted"


@pytest.mark.parametrize("invented", ["17", "ffff", "message 1"])
def test_an_id_that_was_made_up_beside_words_does_not_stop_the_search(
    archive: Archive, invented: str
) -> None:
    assert "The port is 8080." in answer_call(archive, "recall", {"words": "port", "id": invented})


def test_a_model_is_not_told_where_the_archive_is(archive: Archive) -> None:
    assert str(archive.path) not in answer_call(archive, "recall", {"id": "ffff"})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "no word to look for"),
        ({"words": "nosuchword"}, "fewer or other words"),
        ({"id": "ffff"}, "holds no message"),
        ({"id": "../../etc"}, "not an id"),
        ({"words": "port", "limit": "many"}, "whole number"),
        ({"words": "port", "limit": -1}, "limit of -1"),
    ],
)
def test_a_call_that_cannot_be_answered_says_why(
    archive: Archive, arguments: dict[str, object], says: str
) -> None:
    assert says in answer_call(archive, "recall", arguments)


def test_calls_of_other_tools_are_not_answered(archive: Archive) -> None:
    with pytest.raises(InputError, match="bash"):
        answer_call(archive, "bash", {})


def test_a_call_that_is_kept_to_its_sessions_is_given_nothing_of_another(archive: Archive) -> None:
    (foreign,) = archive.put("theirs", [say("user", "The port is 9999.", id="1")])
    own = ("s", "another-of-mine")
    assert "9999" not in answer_call(archive, "recall", {"words": "port"}, own)
    assert "8080" in answer_call(archive, "recall", {"words": "port"}, own)
    assert "holds no message" in answer_call(archive, "recall", {"id": foreign}, own)
    assert "9999" in answer_call(archive, "recall", {"id": foreign}, "theirs")
