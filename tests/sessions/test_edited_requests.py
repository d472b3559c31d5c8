"""A request that was shortened is still one that the API takes, whatever was taken out of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from anthropic.types import MessageParam
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from sessions.formats import test_anthropic, test_openai_chat, test_openai_responses
from tamis.messages import Message, Part, Text, ToolResult, whole_units
from tamis.sessions import ApiFormat
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses

SECRET = "masked-out"
REQUESTS: list[tuple[ApiFormat, Any, list[dict[str, Any]]]] = [
    (OpenAIChat(), TypeAdapter(list[ChatCompletionMessageParam]), test_openai_chat.CONVERSATION),
    (OpenAIResponses(), TypeAdapter(list[ResponseInputItemParam]), test_openai_responses.CONVERSATION),
    (Anthropic(), TypeAdapter(list[MessageParam]), test_anthropic.CONVERSATION),
]
each_api = pytest.mark.parametrize(("api", "adapter", "items"), REQUESTS, ids=[r[0].name for r in REQUESTS])


def shortened(part: Part) -> Part:
    return replace(part, text="…") if isinstance(part, Text | ToolResult) else part


@each_api
@given(data=st.data())
def test_any_whole_units_shortened_in_any_way_are_accepted(
    api: ApiFormat, adapter: Any, items: list[dict[str, Any]], data: st.DataObject
) -> None:
    messages = api.decode(items).messages
    front = Message(id="front", role="user", origin="summary", parts=(Text(text="So far: nothing."),))
    kept: list[Message] = [front]
    for unit in whole_units(messages):
        if data.draw(st.booleans()):
            for message in messages[unit.start : unit.stop]:
                parts = [shortened(p) if data.draw(st.booleans()) else p for p in message.parts]
                whole = data.draw(st.booleans())
                kept.append(message.with_parts(parts) if whole else replace(message, parts=tuple(parts)))
    out = api.encode(kept)
    adapter.validate_python(out)
    assert api.encode(api.decode(out).messages) == out


@each_api
def test_no_word_of_a_text_that_was_replaced_is_left(
    api: ApiFormat, adapter: Any, items: list[dict[str, Any]]
) -> None:
    marked = json.loads(json.dumps(items).replace("I look.", SECRET).replace("x = 1", SECRET))
    messages = api.decode(marked).messages
    edited = [replace(m, parts=tuple(shortened(part) for part in m.parts)) for m in messages]
    out = api.encode(edited)
    adapter.validate_python(out)
    assert SECRET in json.dumps(marked)
    assert SECRET not in json.dumps(out)
