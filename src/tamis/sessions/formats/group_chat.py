"""Conversations of several agents: AutoGen's group chats and Magentic-One's runs, as Who&When gathers them.

An object with a `history` of `{role, content, name}`. In a group chat the role is a point of view, not a
speaker, so the speaker is taken from `name`; in a Magentic-One run the role is the speaker, and says to whom
(`Orchestrator (-> WebSurfer)`) or that it is only a thought. Each message keeps its `author`. The code that
an agent wrote is a call once a terminal ran it, and what the terminal said is its result.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tamis.messages import Message, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.envelope import sample
from tamis.sessions.loose import as_dict, as_list, as_text, content_text

_KEYS = ("history", "chat_history")
_PEOPLE = {"human", "user", "user_proxy", "userproxy"}
_TERMINALS = {"computer_terminal", "computerterminal", "code_executor", "codeexecutor"}
_ADDRESSED = re.compile(r"\A(.+?) \((?:-> ([^()\n]+)|([a-z][a-z ]*))\)")
_ENDED = re.compile(r"exitcode: (-?\d+) \([^()\n]*\)\n(?:Code output: ?)?|exit code was: (-?\d+)")
_CODE = re.compile(r"^```(\w*+)[^\n]*+\n(.*?)(?:(?P<end>^```[ \t]*$\n?)|\Z)", re.DOTALL | re.MULTILINE)
_SHELLS = {"sh", "bash", "shell", "console"}
_LEDGER = "Updated Ledger:"
"""How the orchestrator's note on its progress begins, which no other agent gets to see."""


class GroupChat:
    """Multi-agent runs with a `history`: read only."""

    name = "group-chat"
    title = "Multi-agent group chat (AutoGen, Magentic-One)"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by speakers: names beside roles, or roles that are no API's."""
        found = sample(document, _KEYS)
        if not any(isinstance(found.fields.get(key), list) for key in _KEYS):
            return 0.0
        items = [item for item in found.items if isinstance(item.get("content"), str)]
        named = sum(bool(as_text(item.get("name"))) for item in items)
        addressed = any(_ADDRESSED.fullmatch(as_text(item.get("role"))) for item in items)
        return 0.9 if addressed or named * 2 > len(items) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one run of the file."""
        data = as_dict(document.data)
        history = next((as_list(data[key]) for key in _KEYS if isinstance(data.get(key), list)), [])
        reading = _Reading()
        for agent, prompt in as_dict(data.get("system_prompt")).items():
            reading.builder.add("system", as_text(prompt), author=agent)
        for number, entry in enumerate(history, 1):
            reading.entry(number, as_dict(entry))
        apart = {*_KEYS, "system_prompt"}
        reading.builder.meta |= {key: value for key, value in data.items() if key not in apart}
        yield reading.builder.session(document)


class _Reading:
    """Collects the messages, and remembers who last wrote code that nobody ran yet."""

    def __init__(self) -> None:
        self.builder = SessionBuilder(format=GroupChat.name)
        self._code_at: int | None = None
        self._runs = 0

    def entry(self, number: int, entry: Mapping[str, Any]) -> None:
        text = content_text(entry.get("content"))
        speaker = as_text(entry.get("name")).strip() or as_text(entry.get("role")).strip()
        if not speaker or not isinstance(entry.get("content"), str | list):
            self.builder.miss(number, "an entry without a speaker or a text")
        elif not text.strip():
            return
        elif number == 1 or speaker.lower() in _PEOPLE:
            self.builder.add("user", text)  # the first entry is the task, whoever it is put to
        elif speaker.lower() in _TERMINALS:
            self._ran(text, speaker)
        else:
            self._spoke(text, speaker)

    def _spoke(self, text: str, speaker: str) -> None:
        addressed = _ADDRESSED.fullmatch(speaker)
        author, to, aside = addressed.groups() if addressed else (speaker, None, None)
        thought = aside == "thought" and text.startswith(_LEDGER)
        part: Part = Thinking(text=text) if thought else Text(text=text)
        self.builder.add("assistant", [part], author=f"{author} -> {to}" if to else author)
        if not thought and _blocks(text):
            self._code_at = len(self.builder.messages) - 1

    def _ran(self, text: str, speaker: str) -> None:
        """What a terminal said: the result of the newest code, or a word of the program's own."""
        ended = _ENDED.search(text)
        if ended is None or self._code_at is None:
            self.builder.add("user", text, origin="meta", author=speaker)
            return
        self._runs += 1
        call_id = f"run-{self._runs}"
        wrote = self.builder.messages[self._code_at]
        self.builder.messages[self._code_at] = wrote.with_parts(_with_call(wrote, call_id))
        self._code_at = None
        said = text[ended.end() :] if ended[1] else text
        result = ToolResult(call_id=call_id, text=said, exit_code=int(ended[1] or ended[2]))
        self.builder.add("tool", [result], author=speaker)


def _blocks(text: str) -> list[re.Match[str]]:
    return [block for block in _CODE.finditer(text) if block["end"]]


def _with_call(message: Message, call_id: str) -> Iterator[Part]:
    """The message with its blocks of code as one call where the first of them stood."""
    text = message.text
    blocks = _blocks(text)
    code = "\n".join(block[2].rstrip("\n") for block in blocks)
    language = blocks[0][1].lower()
    if before := text[: blocks[0].start()].strip("\n"):
        yield Text(text=before)
    if language in _SHELLS:
        yield ToolCall(id=call_id, name="bash", arguments={"command": code})
    else:
        yield ToolCall(id=call_id, name=language or "python", arguments={"code": code})
    rest = [text[a.end() : b.start()] for a, b in pairwise(blocks)]
    if after := "\n".join([*rest, text[blocks[-1].end() :]]).strip("\n"):
        yield Text(text=after)
