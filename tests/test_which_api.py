"""Whose messages a list of dictionaries holds, told by what only one API has."""

import pytest

from tamis.api import which_api

SAID = {"role": "assistant", "content": "Here it is."}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


@pytest.mark.parametrize(
    "item",
    [
        {"type": "web_search_call", "id": "a", "status": "completed"},
        {"type": "mcp_call", "id": "a", "name": "find", "arguments": "{}"},
        {"type": "custom_tool_call_output", "call_id": "a", "output": "ok"},
        {"role": "user", "content": [{"type": "input_text", "text": "Look."}]},
    ],
)
def test_only_responses_types_its_items(item: dict[str, object]) -> None:
    assert which_api([{"role": "user", "content": "Begin."}, item, SAID]) == "openai-responses"


@pytest.mark.parametrize(
    "block",
    [
        PICTURE,
        {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "a", "content": []},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "abc"}},
    ],
)
def test_some_blocks_are_anthropics_only(block: dict[str, object]) -> None:
    assert (
        which_api([{"role": "user", "content": [block, {"type": "text", "text": "See this."}]}, SAID])
        == "anthropic"
    )


def test_an_answer_of_anthropics_is_no_item_of_responses() -> None:
    answer = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}],
    }
    assert which_api([{"role": "user", "content": "Begin."}, answer]) == "anthropic"
