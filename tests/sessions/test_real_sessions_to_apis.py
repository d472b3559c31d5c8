"""Real sessions of every format go out to every API, in a shape that its client takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import MessageParam
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from sessions.api_formats import assert_accepted_and_stable, whole
from tamis.messages import Message
from tamis.sessions import ApiFormat, find_sessions, read_all
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses

FILES_PER_SET = 4
"""Enough for every set and format; the whole folder would take minutes."""

APIS: list[tuple[ApiFormat, Any]] = [
    (OpenAIChat(), TypeAdapter(list[ChatCompletionMessageParam])),
    (OpenAIResponses(), TypeAdapter(list[ResponseInputItemParam])),
    (Anthropic(), TypeAdapter(list[MessageParam])),
]


def some_conversations(folder: Path) -> Iterator[tuple[Message, ...]]:
    for group in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = [found.path for found in find_sessions([group]) if found.format is not None]
        for path in files[:: max(1, len(files) // FILES_PER_SET)]:
            for session in list(read_all(path))[:20]:
                yield whole(session.messages)


@pytest.mark.parametrize(("api", "adapter"), APIS, ids=[api.name for api, _ in APIS])
def test_real_sessions_are_accepted_and_stable(real_sessions: Path, api: ApiFormat, adapter: Any) -> None:
    tried = 0
    for messages in some_conversations(real_sessions):
        spoken = messages
        while api.name == "anthropic" and spoken and spoken[0].role != "user":
            spoken = whole(tuple(message for message in spoken[1:]))
        assert_accepted_and_stable(api, adapter, spoken)
        tried += 1
    assert tried > 50
