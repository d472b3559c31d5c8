"""Reading and writing session files: one file per format, chosen by what the file holds.

    session = read("session.jsonl")              # exactly one session
    for session in read_all("results.json"):     # files that hold several
        ...
    write(session, "short.jsonl", "claude-code")

Sources are opened for reading only and are never written to.
"""

from tamis.sessions.document import Document
from tamis.sessions.format import ApiFormat, Format, WritableFormat
from tamis.sessions.formats import FORMATS
from tamis.sessions.registry import Found, detect, find_sessions, get_format, read, read_all, write

__all__ = [
    "FORMATS",
    "ApiFormat",
    "Document",
    "Format",
    "Found",
    "WritableFormat",
    "detect",
    "find_sessions",
    "get_format",
    "read",
    "read_all",
    "write",
]
