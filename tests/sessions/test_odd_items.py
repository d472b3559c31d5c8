"""JSON that looks like a message, and is none, is read without a crash and written back as it was."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.sessions import ApiFormat, Document, Format
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.gptme.reader import Gptme
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses
from tamis.sessions.formats.openhands.reader import OpenHands
from tamis.sessions.formats.tau import Tau2Bench, TauBench

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", "x", "{", '{"a": 1}']))
WORDS = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "tool",
        "function",
        "message",
        "text",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "web_search_call",
        "tool_use",
        "tool_result",
        "thinking",
        "image_url",
        "image",
        "document",
        "run",
        "recall",
        "ActionEvent",
        "MessageEvent",
        "input_image",
    ]
)
KEYS = st.sampled_from(
    [
        "role",
        "type",
        "content",
        "text",
        "tool_calls",
        "function_call",
        "function",
        "name",
        "arguments",
        "id",
        "tool_call_id",
        "call_id",
        "output",
        "summary",
        "input",
        "tool_use_id",
        "source",
        "image_url",
        "action",
        "observation",
        "args",
        "extras",
        "cause",
        "kind",
        "timestamp",
        "thinking_blocks",
        "refusal",
        "choices",
        "messages",
        "system",
        "traj",
        "simulations",
        "task_id",
        "history",
        "tool_call",
        "llm_message",
        "data",
    ]
)
VALUES = st.recursive(
    LEAVES | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
ITEMS = st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=4)
APIS: list[ApiFormat] = [OpenAIChat(), OpenAIResponses(), Anthropic()]
FORMATS: list[Format] = [*APIS, OpenHands(), Gptme(), TauBench(), Tau2Bench()]


@pytest.mark.parametrize("api", APIS, ids=[api.name for api in APIS])
@given(items=ITEMS)
def test_odd_items_are_decoded_and_written_back(api: ApiFormat, items: list[dict[str, Any]]) -> None:
    session = api.decode(items)
    assert json.loads("".join(api.write(session))) == items
    with suppress(InputError):  # half a pair: nothing else may be raised
        assert isinstance(api.encode(session.messages), list)


@pytest.mark.parametrize("reader", FORMATS, ids=[reader.name for reader in FORMATS])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES | ITEMS, lines=st.booleans())
def test_odd_files_are_read(reader: Format, value: Any, lines: bool, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    whole = [value] if not isinstance(value, list) or not lines else value
    path.write_text("\n".join(json.dumps(entry) for entry in whole) or "[]")
    assert 0.0 <= reader.sniff(Document(path)) <= 1.0
    with suppress(InputError):  # not JSON after all: nothing else may be raised
        assert all(session.format == reader.name for session in reader.read(Document(path)))
