"""Results of tau-bench and tau2-bench: many simulated service conversations in one file.

tau-bench writes a list of runs, each with `traj`, a list of OpenAI chat messages; its few-shot files hold one
transcript a line as text (`messages_display`), in which the calls themselves are not recorded. tau2-bench
writes `simulations`; there the user has tools too (`requestor`), whose calls stand in the user's messages.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.messages import (
    Media,
    Message,
    Part,
    Role,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unread,
    identify,
)
from tamis.sessions.blocks import tool_result
from tamis.sessions.document import Document
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_chat.reader import read_parts
from tamis.sessions.loose import as_dict, as_list, as_text, file_stem, tool_call

_TURN = re.compile(r"^(user|assistant|tool): ", re.MULTILINE)
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


class TauBench:
    """Reads the results and few-shot transcripts of tau-bench."""

    name = "tau-bench"
    title = "tau-bench results"
    streams = False
    many = True

    def sniff(self, document: Document) -> float:
        """Certain where runs hold `traj` beside their task, or lines hold `messages_display`."""
        if document.kind == "jsonl":
            return 0.95 if all("messages_display" in record for record in document.head_records) else 0.0
        first = next(iter(as_list(document.head_value)), None)
        run = as_dict(first)
        return 0.95 if isinstance(run.get("traj"), list) and "task_id" in run else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """One session a run, named by its task and trial."""
        stem, source = file_stem(document.path.name), str(document.path)
        if document.kind == "jsonl":
            for record in document.records():
                shown = as_text(as_dict(record.value).get("messages_display"))
                lost = record.reason or ("" if shown else "no messages_display in this line")
                yield Session(
                    id=f"{stem}#{record.line}",
                    format=self.name,
                    messages=identify([*_displayed(shown)]),
                    unread=(Unread(line=record.line, reason=lost),) if lost else (),
                    source=source,
                )
            return
        for n, run in enumerate(map(as_dict, as_list(document.data)), 1):
            session = OpenAIChat().decode([i for i in as_list(run.get("traj")) if isinstance(i, dict)])
            missing = () if "traj" in run else (Unread(line=n, reason="a run without traj"),)
            yield replace(
                session,
                id=f"{stem}#{run.get('task_id', n)}.{run.get('trial', 0)}",
                format=self.name,
                unread=session.unread + missing,
                source=source,
                meta={key: value for key, value in run.items() if key != "traj"},
                native=None,
            )


class Tau2Bench:
    """Reads the results of tau2-bench."""

    name = "tau2-bench"
    title = "tau2-bench results"
    streams = False
    many = True

    def sniff(self, document: Document) -> float:
        """Certain where the file names its simulations, or opens with the settings of a run."""
        head = as_dict(document.head_value)
        if isinstance(head.get("simulations"), list):
            return 0.95
        info = as_dict(head.get("info"))
        return 0.9 if {"user_info", "agent_info"} <= info.keys() else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """One session a simulation, the agent's policy in front as its system prompt."""
        data = as_dict(document.data)
        info = as_dict(data.get("info"))
        environment = as_dict(info.get("environment_info"))
        tasks = {str(as_dict(task).get("id")): task for task in as_list(data.get("tasks"))}
        model = as_text(as_dict(info.get("agent_info")).get("llm")) or as_text(data.get("model"))
        stem = file_stem(document.path.name)
        for n, entry in enumerate(as_list(data.get("simulations")), 1):
            run = as_dict(entry)
            policy = as_text(run.get("policy")) or as_text(environment.get("policy"))
            front = [Message(id="policy", role="system", parts=(Text(text=policy),))] if policy else []
            listed, unread = _simulated(as_list(run.get("messages")))
            aside = {key: value for key, value in run.items() if key not in ("messages", "policy")}
            task = tasks.get(str(run.get("task_id")))
            yield Session(
                id=f"{stem}#{run.get('task_id', n)}.{run.get('trial', 0)}",
                format=self.name,
                messages=identify([*front, *listed]),
                unread=tuple(unread),
                model=model or None,
                tools=tuple(as_dict(tool) for tool in as_list(environment.get("tool_defs"))),
                source=str(document.path),
                meta={"domain": environment.get("domain_name") or data.get("domain"), "task": task, **aside},
            )


def _displayed(text: str) -> Iterator[Message]:
    """The turns of a transcript. `None` stands where the assistant only called; the call is not told."""
    starts = list(_TURN.finditer(text))
    calls = 0
    for n, turn in enumerate(starts, 1):
        following = starts[n] if n < len(starts) else None
        role = _ROLES[turn[1]]
        said = text[turn.end() : following.start() if following else None].rstrip("\n")
        if role == "tool":
            parts: tuple[Part, ...] = (ToolResult(call_id=f"call-{calls}", text=said),)
        else:
            parts = () if said == "None" else (Text(text=said),)
        if role == "assistant" and following and following[1] == "tool":
            calls += 1
            parts += (ToolCall(id=f"call-{calls}", name="unknown"),)
        yield Message(id="", role=role, parts=parts)


def _simulated(items: Sequence[Any]) -> tuple[list[Message], list[Unread]]:
    messages: list[Message] = []
    unread: list[Unread] = []
    for n, item in enumerate(items, 1):
        record = as_dict(item)
        for one in as_list(record.get("tool_messages")) or [record]:
            role = _ROLES.get(as_text(as_dict(one).get("role")))
            if role is None:
                unread.append(Unread(line=n, reason=f"message with the role {as_dict(one).get('role')!r}"))
            else:
                messages.append(_message(role, as_dict(one)))
    return messages, unread


def _message(role: Role, record: dict[str, Any]) -> Message:
    if role == "tool":
        content = as_text(record.get("content"))
        call_id, details = as_text(record.get("id")), {"requestor": record.get("requestor")}
        parts: list[Part] = [tool_result(call_id, content, failed=record.get("error"), details=details)]
    else:
        parts = [*_reasoning(record), *_said(record)]
        for call in map(as_dict, as_list(record.get("tool_calls"))):
            parts.append(tool_call(as_text(call.get("id")), as_text(call.get("name")), call.get("arguments")))
    when = as_text(record.get("timestamp")) or None
    return Message(id="", role=role, parts=tuple(parts), timestamp=when)


def _said(record: Mapping[str, Any]) -> list[Part]:
    content = as_text(record.get("content"))
    if record.get("is_audio"):
        script = as_text(record.get("audio_script_gold"))
        sound = Media(kind="audio", data=content or None)
        return [*([Text(text=script)] if script else []), sound]
    return [Text(text=content)] if content else []


def _reasoning(record: Mapping[str, Any]) -> list[Part]:
    """What a model thought, where its provider's own answer was kept beside the message."""
    raw = as_dict(record.get("raw_data"))
    for answer in (raw, *as_list(raw.get("choices"))[:1]):
        message = {**as_dict(as_dict(answer).get("message")), "role": "assistant"}
        for part in read_parts(message, lambda _, name: name):
            if isinstance(part, Thinking):
                return [replace(part, native=None)]
    return []
