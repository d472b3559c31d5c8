"""Coding agents' hooks: before one compacts, keep what it takes out; after, tell what its summary left out.

An agent runs the hook's command with a JSON object on its standard input (`session_id`, `transcript_path`,
`hook_event_name`; `trigger` of a compaction, `source` of a start) and takes
`hookSpecificOutput.additionalContext` from what a SessionStart hook prints. Claude Code and Codex have the
same events; Gemini CLI has PreCompress, and none behind a compression.
https://code.claude.com/docs/en/hooks, https://developers.openai.com/codex/hooks,
https://geminicli.com/docs/hooks/reference

Claude Code 2.1.330 runs PreCompact, then SessionStart, and only then writes the summary to its log: there the
brief is whole. Where the log has the summary already, the brief leaves away what that says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from tamis.archive import Archive
from tamis.integrations.agents.compaction import handed_over, mark_of
from tamis.integrations.agents.summary_gaps import brief_beside
from tamis.messages import Counter, Message, Session
from tamis.sessions import read

DEFAULT_BUDGET = 2_000
BEFORE_COMPACTION = ("PreCompact", "PreCompress")
MOST_CHARS = 9_500
"""Claude Code puts no more than 10,000 characters of a hook into the context."""

BESIDE = "What the summary of the conversation so far leaves out, read off the session's own log by tamis."
BEFORE = "What the conversation held before it was summarised, read off the session's own log by tamis."
"""Said where the summary is not known: Claude Code 2.1 writes it to the log when its hooks have run."""

HAD_BACK = "The messages themselves: `tamis recall {archive} WORDS`, then `tamis expand {archive} ID`."


class HookCall(BaseModel):
    """What an agent hands to a hook, as far as it is used here; `form` is the format of its sessions."""

    session_id: str
    transcript_path: str
    hook_event_name: str
    source: str | None = None
    trigger: str | None = None
    form: str = Field(default="claude-code", exclude=True)

    def read_session(self) -> Session:
        """The conversation as the agent's log has it now."""
        return read(Path(self.transcript_path).expanduser(), self.form)

    @property
    def mark(self) -> str:
        """Under which is noted how far the conversation had come when it was compacted."""
        return f"{self.form}-hook:{self.session_id}"


def read_call(text: str, form: str = "claude-code") -> HookCall:
    """The call that an agent with sessions of this format handed over; raises InputError for others."""
    remedy = "an agent runs this command with a hook's JSON on standard input"
    return handed_over(text, HookCall, remedy=remedy).model_copy(update={"form": form})


def answer_hook(
    call: HookCall, archive: Archive, *, counter: Counter, budget_tokens: int = DEFAULT_BUDGET
) -> Mapping[str, Any] | None:
    """Do what the event asks for, and give what is to be printed as JSON, if anything.

    `PreCompact` or `PreCompress` keeps the conversation in the archive; `SessionStart` after a compaction
    tells what was said before it, less what its summary says where that is known; nothing where tamis made
    the compaction itself. Other events are nothing to this hook.

    Raises:
        UnreadableFile: the transcript cannot be read.
        BadArchive: the archive cannot be written or read.
    """
    mark = mark_of(call.session_id)
    if call.hook_event_name in BEFORE_COMPACTION:
        archive.save_snapshot(mark, {"replaced": False})  # the agent's own compaction begins
        keep_span(call, archive)
    elif call.hook_event_name == "SessionStart" and call.source == "compact":
        if (archive.load_snapshot(mark) or {}).get("replaced"):
            return None  # the brief stands in the conversation already
        text = tell_what_is_missing(call, archive, counter=counter, budget_tokens=budget_tokens)
        if text is not None:
            return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}
    return None


def keep_span(call: HookCall, archive: Archive) -> None:
    """Put what is about to be compacted into the archive, and note how far the conversation had come."""
    session = call.read_session()
    since = session.boundaries[-1].index if session.boundaries else 0
    archive.put(call.session_id, session.messages[since:])
    archive.save_snapshot(call.mark, {"messages": len(session.messages)})


def tell_what_is_missing(
    call: HookCall, archive: Archive, *, counter: Counter, budget_tokens: int
) -> str | None:
    """The brief of what was said before the compaction, as far as its summary does not say it."""
    session = call.read_session()
    mark = archive.load_snapshot(call.mark) or {}
    before = compacted_part(session, int(mark.get("messages", 0)))
    frame = f"{BESIDE if before.summary else BEFORE} {HAD_BACK.format(archive=archive.path)}"
    room = budget_tokens - counter.count(frame)
    while room > 0:
        brief = brief_beside(before.summary, before.messages, budget_tokens=room, counter=counter)
        if brief is None:
            return None
        text = f"{frame}\n{brief}"
        if len(text) <= MOST_CHARS:
            return text
        room = room * MOST_CHARS // len(text) - 1
    return None


def has_new_summary(call: HookCall, archive: Archive) -> bool:
    """Whether the log tells of the compaction that was noted last."""
    mark = archive.load_snapshot(call.mark) or {}
    session = call.read_session()
    return bool(compacted_part(session, int(mark.get("messages", 0))).summary)


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactedPart:
    """What the newest compaction of a session stands for, and what its summary says; "" where not known."""

    messages: tuple[Message, ...]
    summary: str


def compacted_part(session: Session, messages_then: int = 0) -> CompactedPart:
    """What was compacted last. `messages_then` are those that were there when it began, 0 where not known.

    A log that does not tell of that compaction yet gives what was there, and no summary.
    """
    last = session.boundaries[-1] if session.boundaries else None
    if last is None or last.index < messages_then:
        return CompactedPart(messages=session.messages[: messages_then or None], summary="")
    summary = next((m.text for m in session.messages if m.id == last.summary_id), "")
    return CompactedPart(messages=session.messages[: last.index], summary=summary)
