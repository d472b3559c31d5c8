"""Items of OpenAI Responses that are calls, and which of them are recalls."""

from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.dialect import Body, Items, RecallCall

_CALLS = ("function_call", "custom_tool_call")


def is_recall(item: Body) -> bool:
    """Whether an item of the output is a recall."""
    return item.get("type") == "function_call" and item.get("name") == TOOL_NAME


def is_call(item: Body) -> bool:
    """Whether an item waits for an answer of the agent."""
    return item.get("type") in _CALLS or (
        str(item.get("type")).endswith("_call") and bool(item.get("call_id"))
    )


def call_of(item: Body) -> RecallCall:
    """The recall that an item is."""
    return RecallCall(id=str(item.get("call_id")), arguments=str(item.get("arguments") or ""))


def only_recalls(items: Items) -> Items:
    """The items without the calls that the agent would have to answer."""
    return [item for item in items if is_recall(item) or not is_call(item)]


def call_item(call: RecallCall) -> dict[str, Any]:
    """The recall as an item without an id: the API would look for the reasoning that an id belongs to."""
    return {"type": "function_call", "call_id": call.id, "name": TOOL_NAME, "arguments": call.arguments}
