"""Reading and writing session files: a room for each format, chosen by what the file holds.

    session = read("session.jsonl")              # exactly one session
    for session in read_all("results.json"):     # files that hold several
        ...
    write(session, "short.jsonl", "claude-code")

Sources are opened for reading only and are never written to.
"""

from tamis.messages import NativeRecord
from tamis.sessions.atomic import write_atomic
from tamis.sessions.blocks import read_blocks, result_content
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document, Line, Record
from tamis.sessions.format import ApiFormat, Format, WritableFormat
from tamis.sessions.formats import FORMATS
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses
from tamis.sessions.loose import (
    as_dict,
    as_list,
    as_text,
    content_text,
    first_text,
    iso_time,
    parse_arguments,
    tool_call,
)
from tamis.sessions.media import media_at
from tamis.sessions.native import json_text, plain
from tamis.sessions.registry import (
    FoundFile,
    all_formats,
    detect,
    find_sessions,
    get_format,
    read,
    read_all,
    write,
)

__all__ = [
    "FORMATS",
    "Anthropic",
    "ApiFormat",
    "Document",
    "Format",
    "FoundFile",
    "Line",
    "NativeRecord",
    "OpenAIChat",
    "OpenAIResponses",
    "Record",
    "SessionBuilder",
    "WritableFormat",
    "all_formats",
    "as_dict",
    "as_list",
    "as_text",
    "content_text",
    "detect",
    "find_sessions",
    "first_text",
    "get_format",
    "iso_time",
    "json_text",
    "media_at",
    "parse_arguments",
    "plain",
    "read",
    "read_all",
    "read_blocks",
    "result_content",
    "tool_call",
    "write",
    "write_atomic",
]
