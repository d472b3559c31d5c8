"""What a conversation is: sessions, messages, parts, the pairing of calls and results, token counts.

Pure values. Nothing here reads a file, a clock or the network.
"""

from tamis.messages.census import Census, take_census
from tamis.messages.conversation import (
    Boundary,
    Media,
    Message,
    NativeRecord,
    Origin,
    Part,
    Role,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unread,
    arguments_text,
    identify,
    message_text,
    part_text,
)
from tamis.messages.pairing import Pairing, PartAddress, cut_messages, pair_calls, whole_units
from tamis.messages.plain_text import prose
from tamis.messages.tokens import (
    MESSAGE_OVERHEAD_TOKENS,
    BytesEstimate,
    Counter,
    ExactCounter,
    count_messages,
    get_counter,
)

__all__ = [
    "MESSAGE_OVERHEAD_TOKENS",
    "Boundary",
    "BytesEstimate",
    "Census",
    "Counter",
    "ExactCounter",
    "Media",
    "Message",
    "NativeRecord",
    "Origin",
    "Pairing",
    "Part",
    "PartAddress",
    "Role",
    "Session",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolResult",
    "Unread",
    "arguments_text",
    "count_messages",
    "cut_messages",
    "get_counter",
    "identify",
    "message_text",
    "pair_calls",
    "part_text",
    "prose",
    "take_census",
    "whole_units",
]
