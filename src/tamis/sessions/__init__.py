"""Reading and writing session files: a room for each format, chosen by what the file holds.

    session = read("session.jsonl")              # exactly one session
    for session in read_all("results.json"):     # files that hold several
        ...
    write(session, "short.jsonl", "claude-code")

Sources are opened for reading only and are never written to.
"""

from tamis.sessions.atomic import write_atomic
from tamis.sessions.document import Document
from tamis.sessions.format import ApiFormat, Format, WritableFormat
from tamis.sessions.formats import FORMATS
from tamis.sessions.formats.anthropic import Anthropic
from tamis.sessions.formats.openai_chat import OpenAIChat
from tamis.sessions.formats.openai_responses import OpenAIResponses
from tamis.sessions.native import Native, json_text, plain
from tamis.sessions.registry import Found, detect, find_sessions, get_format, read, read_all, write

__all__ = [
    "FORMATS",
    "Anthropic",
    "ApiFormat",
    "Document",
    "Format",
    "Found",
    "Native",
    "OpenAIChat",
    "OpenAIResponses",
    "WritableFormat",
    "detect",
    "find_sessions",
    "get_format",
    "json_text",
    "plain",
    "read",
    "read_all",
    "write",
    "write_atomic",
]
