"""What a conversation is: sessions, messages, parts, the pairing of calls and results, token counts.

Pure values. Nothing here reads a file, a clock or the network.
"""

from tamis.messages.conversation import (
    Boundary,
    Media,
    Message,
    NativeRecord,
    Part,
    Role,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unread,
    identify,
    part_text,
)
from tamis.messages.pairing import Pairing, pair_calls, whole_units
from tamis.messages.tokens import (
    BytesEstimate,
    Counter,
    ExactCounter,
    count_messages,
    get_counter,
)

__all__ = [
    "Boundary",
    "BytesEstimate",
    "Counter",
    "ExactCounter",
    "Media",
    "Message",
    "NativeRecord",
    "Pairing",
    "Part",
    "Role",
    "Session",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolResult",
    "Unread",
    "count_messages",
    "get_counter",
    "identify",
    "pair_calls",
    "part_text",
    "whole_units",
]
