"""SWE-agent trajectories (`.traj`): one JSON object with `trajectory`, `history` and `info`.

`history` is what the model saw, `trajectory` what happened, step by step; one assistant entry of the history
is one step. Demonstrations (`is_demo`) are left out: they are somebody else's session. What the model asked
for is text up to version 0.7 and a tool call from 1.0 on. See https://swe-agent.com/latest/usage/trajectories/

The ground truth that the file holds beside the conversation goes into `Session.meta`: `final_diff` (the
submission), and one entry per step in `open_files` (None where no file was open) and `working_dirs`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tamis.messages import Message, Origin, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, content_text, parse_arguments, tool_call

EDITOR_COMMANDS = frozenset(
    {"open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append", "search_dir"}
    | {"search_file", "find_file", "filemap", "str_replace_editor", "view_image", "submit"}
)
"""SWE-agent's own commands; any other first word is the shell's."""


class SweAgent:
    """Reads SWE-agent trajectories, 0.x and 1.x."""

    name = "swe-agent"
    title = "SWE-agent .traj"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Certain where the head names the keys of a step beside `trajectory` or `history`."""
        head = document.head
        if document.kind != "json" or not head.lstrip().startswith("{"):
            return 0.0
        if '"trajectory"' in head and '"action"' in head and '"observation"' in head:
            return 0.95
        own = '"message_type"' in head or '"is_demo"' in head or '"agent"' in head
        return 0.9 if own and ('"history"' in head or '"trajectory"' in head) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        data = as_dict(document.data)
        history = [item for item in as_list(data.get("history")) if not as_dict(item).get("is_demo")]
        steps = [as_dict(step) for step in as_list(data.get("trajectory"))]
        info = as_dict(data.get("info"))
        states = [_state(step) for step in steps]
        working_dirs = tuple(_known(state.get("working_dir")) for state in states)
        builder = SessionBuilder(
            format=self.name,
            first_cwd=next((folder for folder in working_dirs if folder), None),
            meta={
                "final_diff": as_text(info.get("submission")) or None,
                "exit_status": info.get("exit_status"),
                "open_files": tuple(_known(state.get("open_file")) for state in states),
                "working_dirs": working_dirs,
                "environment": data.get("environment"),
                "info": {k: v for k, v in info.items() if k not in ("submission", "exit_status")},
            },
        )
        _converse(builder, history, steps)
        yield builder.session(document)


def _converse(builder: SessionBuilder, history: Sequence[Any], steps: Sequence[dict[str, Any]]) -> None:
    """Read the messages in order. The n-th assistant entry is step n, where there are as many of both."""
    if not any(as_dict(item).get("role") == "assistant" for item in history):
        history = [*history, *_history_of(steps)]
    turns = sum(as_dict(item).get("role") == "assistant" for item in history)
    aligned = steps if turns == len(steps) else ()
    messages = builder.messages
    waiting: list[ToolCall] = []
    turn = -1
    for number, raw in enumerate(history, 1):
        item = as_dict(raw)
        role, text = item.get("role"), content_text(item.get("content"))
        if role == "assistant":
            turn += 1
            step = aligned[turn] if aligned else {}
            parts = _said(item, text, turn)
            waiting = [part for part in parts if isinstance(part, ToolCall)]
            origin: Origin = "meta" if _is_harness(item) else "conversation"
            cwd = _cwd_before(aligned, turn)
            messages.append(Message(id="", role="assistant", parts=parts, origin=origin, cwd=cwd))
            # What came of the last action stands in the trajectory alone.
            answered = any(as_dict(rest).get("role") in ("user", "tool") for rest in history[number:])
            if turn + 1 == turns and step.get("observation") and not answered:
                messages.append(_answer(waiting, content_text(step["observation"]), item, origin))
        elif role in ("user", "tool"):
            messages.append(_answer(waiting, text, item, "conversation"))
            waiting = []
        elif role == "system":
            messages.append(Message(id="", role="system", parts=(Text(text=text),)))
        else:
            builder.miss(number, f"history entry with the role {role!r}")


def _said(item: dict[str, Any], text: str, turn: int) -> tuple[Part, ...]:
    parts: list[Part] = [
        Thinking(text=as_text(block.get("thinking")), signature=block.get("signature"))
        for block in map(as_dict, as_list(item.get("thinking_blocks")))
        if as_text(block.get("thinking"))
    ]
    thought = item.get("thought") if isinstance(item.get("thought"), str) else text
    if thought:
        parts.append(Text(text=thought))
    action = as_text(item.get("action"))
    calls = [as_dict(call) for call in as_list(item.get("tool_calls"))]  # as litellm writes them down
    for call in calls:
        function, call_id = as_dict(call.get("function")), as_text(call.get("id")) or f"step-{turn}"
        parts.append(tool_call(call_id, as_text(function.get("name")) or "bash", function.get("arguments")))
    if not calls and action.strip() and not _is_harness(item):
        first = action.split(maxsplit=1)[0]
        name = first if first in EDITOR_COMMANDS else "bash"
        parts.append(ToolCall(id=f"step-{turn}", name=name, arguments={"command": action}))
    return tuple(parts)


def _answer(waiting: list[ToolCall], text: str, item: dict[str, Any], origin: Origin) -> Message:
    """What came back for the calls that wait; where there are several, all of it for the one it names."""
    if not waiting:
        return Message(id="", role="user", parts=(Text(text=text),), origin=origin)
    named = set(map(str, as_list(item.get("tool_call_ids"))))
    calls = [call for call in waiting if call.id in named] or waiting[:1]
    results = tuple(ToolResult(call_id=call.id, name=call.name, text=text) for call in calls)
    return Message(id="", role="tool", parts=results)


def _history_of(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A history made of the steps alone, for files that were stripped of theirs."""
    entries: list[dict[str, Any]] = []
    for step in steps:
        entries.append({"role": "assistant", "content": step.get("response"), **step})
        entries.append({"role": "user", "content": step.get("observation")})
    return entries[:-1]


def _is_harness(item: dict[str, Any]) -> bool:
    """`exit_cost`, `exit_format` and their like are written by SWE-agent itself, in the model's place."""
    return as_text(item.get("action")).startswith("exit_")


def _state(step: dict[str, Any]) -> dict[str, Any]:
    """The state of a step: JSON text up to 0.7, an object from 1.0 on."""
    return parse_arguments(step.get("state"))[0]


def _cwd_before(steps: Sequence[dict[str, Any]], turn: int) -> str | None:
    """The working directory as the action of this step began.

    Up to 0.7 a step records the state that it started from; from 1.0 on, the one that it left.
    """
    if not steps:
        return None
    before = turn if isinstance(steps[turn].get("state"), str) else max(turn - 1, 0)
    return _known(_state(steps[before]).get("working_dir"))


def _known(value: object) -> str | None:
    """SWE-agent writes `n/a` for no file."""
    return value if isinstance(value, str) and value not in ("", "n/a") else None
