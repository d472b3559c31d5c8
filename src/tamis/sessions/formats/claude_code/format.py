"""Claude Code's session logs (`~/.claude/projects/**/*.jsonl`), and the web export's `{"loglines": [...]}`.

One JSON object a line. What the format is like, and what is made of it:

- Each content block of a reply stands on a line of its own; lines with the same `message.id` are one message.
- Sub-agent runs (`isSidechain`, or embedded in `agent_progress` lines) are sidechains, by `agentId`. A file
  that holds nothing but one such run is read as that run.
- Text that a person did not type (`isMeta`, output of local commands, notices of interruption, API errors)
  has the origin `meta`. A slash command with arguments is the user's; one without is `meta`.
- What the user typed while the agent worked is logged as `queue-operation` lines only; it is read as a user
  message where it was handed to the agent.
- A compaction is a `compact_boundary` line and a user line with `isCompactSummary`: a `Boundary`, and a
  message of origin `summary`. The lighter `microcompact_boundary`, which clears old tool
  output without a summary, is counted in `meta["microcompactions"]`.
- The main thread is the order of the file. After a rewind the abandoned messages stay in it, since what they
  did to files stays done; `meta["branches"]` names the messages where a new branch begins.
- A resumed session may repeat lines: a `uuid` is read once.
- Every other line is kept and written back as it was, behind the message that it followed.
"""

import re
from collections.abc import Iterator
from typing import Any

from tamis.messages import Session
from tamis.sessions.document import Document, Record
from tamis.sessions.formats.claude_code.lines import NOT_CONVERSATION
from tamis.sessions.formats.claude_code.reader import read_records
from tamis.sessions.formats.claude_code.writer import write_lines
from tamis.sessions.loose import as_dict, as_list, as_text, file_stem

_EXPORT = re.compile(r'\A\s*\{\s*"loglines"\s*:')


class ClaudeCode:
    """Claude Code JSONL: read and written."""

    name = "claude-code"
    title = "Claude Code JSONL"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure where a line holds a message in Claude Code's envelope."""
        if document.kind == "json":
            return 0.95 if _EXPORT.match(document.head) else 0.0
        return max(map(_likeness, document.head_records), default=0.0)

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        if document.kind == "jsonl":
            records: Iterator[Record] = document.records()
        else:
            lines = as_list(as_dict(document.data).get("loglines"))
            records = (Record(i, line, "") for i, line in enumerate(lines, 1) if isinstance(line, dict))
        yield read_records(records, name=file_stem(document.path.name), source=str(document.path))

    def write(self, session: Session) -> Iterator[str]:
        """One line a record; what was read and not changed comes out with every field that it had."""
        return write_lines(session)


def _likeness(record: dict[str, Any]) -> float:
    kind = as_text(record.get("type"))
    if kind in ("user", "assistant") and "content" in as_dict(record.get("message")):
        return 0.95 if {"uuid", "sessionId", "isSidechain"} & record.keys() else 0.8
    if kind == "summary" and "leafUuid" in record:
        return 0.9
    if kind == "system" and {"subtype", "uuid", "isSidechain"} <= record.keys():
        return 0.9
    if kind == "progress" and "parentToolUseID" in record:
        return 0.9
    bookkeeping = kind in NOT_CONVERSATION - {"system", "progress"}
    return 0.8 if bookkeeping and {"sessionId", "messageId"} & record.keys() else 0.0
