"""An agent's own compaction, made by tamis: a plugin hands the conversation over and puts back what comes.

Each compaction runs in a process of its own. What the next one needs lies in the archive, beside what was
taken out: the state goes on from the ledger, not from the last brief, as long as the agent's conversation
begins with what the last compaction left. Where it does not (rewound, compacted by somebody else), it is read
anew from what the agent shows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from tamis.archive import Archive
from tamis.compactors import parse_budget
from tamis.compactors.brief import mark_briefs
from tamis.context import Context
from tamis.context.pins import Pin, is_pinned, load_pins
from tamis.errors import InputError, MethodFailed, MissingExtra
from tamis.faults import first_fault
from tamis.integrations.agents.rows import PluginRow, messages_of, rows_of, said
from tamis.messages import Counter, Message, Text, count_messages, part_text

if TYPE_CHECKING:
    from tamis.monitoring.monitor import ContextMonitor

M = TypeVar("M", bound=BaseModel)

EVENT = "session.compact"
"""The event's name, as Claude Code has it."""

WINDOW = 200_000
"""Shares of the window are taken of this where the agent names none, and never of more: a model with a larger
window does not read a larger brief better."""

KEEP = "10%"
BUDGET = "5%"
LEAST, SHARE = 200, 3
"""Where only a summary is wanted it takes at most a third of what it is of, and may take so many tokens."""

UNDO = "undo"
"""As instructions (`/compact undo`): take tamis's last compaction back."""

HAD_BACK = "What was taken out is kept: `tamis recall {archive} WORDS`, then `tamis expand {archive} ID`."


class PluginRequest(BaseModel, extra="ignore"):
    """What a plugin hands over: the rows, and what set the compaction off.

    `since`: the rows are those behind the agent's last summary, `previous`, and all of them are to go; what
    is wanted is the next summary. Else the rows are the whole conversation, and what stays of it is wanted.
    """

    session_id: str
    messages: list[PluginRow]
    trigger: str = "auto"
    instructions: str | None = None
    agent_id: str | None = None
    window: int | None = Field(default=None, ge=1)
    since: bool = False
    previous: str = ""

    @property
    def name(self) -> str:
        """Under which the archive keeps the conversation: that of a sub-agent apart."""
        return f"{self.session_id}/{self.agent_id}" if self.agent_id else self.session_id


def is_compacting(text: str) -> bool:
    """Whether what a hook was given is a conversation to compact."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(given, dict) and given.get("hook_event_name") == EVENT


def read_compacting(text: str) -> PluginRequest:
    """What was handed over as JSON; raises InputError where it is none."""
    return handed_over(text, PluginRequest, remedy="was the agent updated? `tamis doctor` looks")


def handed_over(text: str, kind: type[M], *, remedy: str) -> M:
    """What an agent hands over on standard input; where it is not of this kind, InputError says where."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{first_fault(error, 'standard input')}; {remedy}") from None


def compact_rows(
    asked: PluginRequest,
    archive: Archive,
    *,
    counter: Counter,
    listener: ContextMonitor | None = None,
) -> dict[str, Any]:
    """The rows that stand in for the conversation, and its tokens before and after.

    Everything that is taken out is in the archive when this returns. With the instructions `undo` they are
    those of before the last compaction, and what came since.

    Raises:
        MethodFailed: nothing could be made smaller; the agent's own compaction is then the better one.
        BadArchive: the archive cannot be written; nothing was replaced.
    """
    shown = mark_briefs(messages_of(asked.messages))
    window = min(asked.window or WINDOW, WINDOW)
    tokens = parse_budget(BUDGET).resolve(window)
    if asked.since:  # a summary is wanted of a short conversation, too
        tokens = min(tokens, max(LEAST, sum(count_messages(shown, counter)) // SHARE))
    settings: dict[str, Any] = {
        "window": window,
        "budget": tokens,
        "keep_last": 0 if asked.since else KEEP,
        "tokenizer": counter,
        "trigger": None,
        "listener": listener,
    }
    context, new = _taken_up(asked, shown, archive, settings)
    if listener is not None and context.appended:  # what was asked back since is seen in what came since
        listener.regret.compacted(tuple(archive.messages(asked.name)), shown=tuple(context.messages()))
    context.extend(new)
    before = context.tokens
    if not asked.since and (asked.instructions or "").strip().lower() == UNDO:
        if not context.undo():
            raise MethodFailed("there is no compaction by tamis to take back")
        return _answer(context.messages(), asked, before, context.tokens)
    for pin in context.pins:
        context.unpin(pin)
    for pin in (Pin(text=HAD_BACK.format(archive=archive.path)), *load_pins(archive)):
        context.pin(pin.text)
    made = context.compact_now()
    if made is None or made.outcome != "fits":
        raise MethodFailed(
            f"the conversation of {before} tokens is no smaller for it; the agent compacts it itself"
        )
    messages: Sequence[Message] = context.messages()
    if context.last_failure is not None:  # what the next one needs could not be kept: it reads anew
        raise MethodFailed(context.last_failure)
    archive.save_snapshot(mark_of(asked.session_id), {"replaced": asked.agent_id is None})
    return _answer(messages, asked, before, context.tokens)


def _answer(messages: Sequence[Message], asked: PluginRequest, before: int, after: int) -> dict[str, Any]:
    tokens = {"tokensBefore": before, "tokensAfter": after}
    if asked.since:
        return {"summary": _summary_of(messages), **tokens}
    return {"messages": rows_of(messages, asked.messages), **tokens}


def _summary_of(messages: Sequence[Message]) -> str:
    """What a summary has to say of what is left: its text, and its calls and results in words."""
    return "\n\n".join("\n".join(filter(None, map(part_text, message.parts))) for message in messages)


def mark_of(session_id: str) -> str:
    """Under which is noted whether a session's last compaction was made by tamis."""
    return f"{EVENT}:{session_id}"


def compact_logged(asked: PluginRequest, archive: Archive, *, counter: Counter) -> dict[str, Any]:
    """As `compact_rows`, with each decision written into the log beside the archive, for `tamis monitor`.

    A log that cannot be written is no reason not to compact, nor is monitoring that wants an extra.
    """
    try:
        from tamis.monitoring import DecisionLog, Monitor

        log = DecisionLog(log_beside(archive.path))
    except (InputError, MissingExtra):
        return compact_rows(asked, archive, counter=counter)
    monitor = Monitor(log=log)
    try:
        listener = monitor.context(asked.name, tokenizer=counter)
        return compact_rows(asked, archive, counter=counter, listener=listener)
    finally:
        monitor.close()


def _taken_up(
    asked: PluginRequest, shown: Sequence[Message], archive: Archive, settings: dict[str, Any]
) -> tuple[Context, Sequence[Message]]:
    """The context as the last compaction left it and what came since, or a new one and all."""
    own = [message for message in shown if not is_pinned(message)]
    if asked.since and asked.previous:
        told = Message(id="previous", role="user", parts=(Text(text=asked.previous),), origin="summary")
        own = [told, *own]
    fresh = Context(archive=archive, session_id=asked.name, **settings)
    try:
        context = Context.resume(archive, asked.name, **settings)
    except InputError:  # of another version: what the agent shows says it all
        return fresh, own
    left: Sequence[Message] = context.messages()
    if not left:
        return fresh, own
    if asked.since:
        goes_on = _summary_of(left) == asked.previous.strip()
        return (context, shown) if goes_on else (fresh, own)
    goes_on = [*map(said, left)] == [*map(said, shown[: len(left)])]
    return (context, shown[len(left) :]) if goes_on else (fresh, own)


def log_beside(path: Path) -> Path:
    """The decision log that belongs to an archive.

    >>> log_beside(Path(".claude/tamis.archive")).as_posix()
    '.claude/tamis.archive.decisions.jsonl'
    """
    return path.with_name(f"{path.name}.decisions.jsonl")
