"""The file trail: which files a session created, changed, read, deleted and renamed, off its tool calls.

A call is read when its result is there, so that what failed leaves no trace. A call that never got a result
counts as uncertain once the conversation has gone on without it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.ledger.events import Source
from tamis.ledger.extract import EventDraft, OpenCall, ReadContext
from tamis.ledger.files.call_effects import call_effects
from tamis.ledger.files.diffs import read_patch
from tamis.ledger.files.effect_results import judge_shell, refused
from tamis.ledger.files.file_effects import FileEffect, patch_effect
from tamis.ledger.files.file_tools import command_line, shape_of
from tamis.ledger.files.shell_commands import python_script_effects, shell_effects
from tamis.ledger.files.window_editor import is_window_command, shown_file
from tamis.ledger.files.worktree import Worktree
from tamis.ledger.shell.parser import parse_script
from tamis.messages import Message, Text, ToolCall, ToolResult, part_text

MAX_PATH_CHARS = 400

MAX_WAITING = 256
"""Calls that wait for a result; the oldest are given up, so that logs without results do not pile up."""


def extract_files(message: Message, context: ReadContext) -> Iterator[EventDraft]:
    """The `FileChange` drafts of a message: of the calls that its results answer.

    >>> from tamis.messages import Message, ToolCall, ToolResult
    >>> context = ReadContext(cwd="/repo")
    >>> call = ToolCall(id="c", name="bash", arguments={"command": "echo hi > a.txt"})
    >>> context.calls["c"] = OpenCall(call=call, source=Source(message_id="1", part=0, start=0, end=9))
    >>> result = ToolResult(call_id="c", text="", exit_code=0)
    >>> [d.value.action for d in extract_files(Message(id="2", role="tool", parts=(result,)), context)]
    ['created']
    """
    memory = context.memory.setdefault("files", {"tree": {}, "open": None, "waiting": {}, "answers": 0})
    tree = Worktree(memory["tree"])
    if message.role in ("assistant", "user"):
        yield from _unanswered(message, context, tree)
    for part in message.parts:
        if isinstance(part, ToolCall):
            memory["waiting"][part.id] = [context.cwd, memory["answers"]]
            if len(memory["waiting"]) > MAX_WAITING:
                del memory["waiting"][next(iter(memory["waiting"]))]
        elif isinstance(part, ToolResult):
            cwd, _ = memory["waiting"].pop(part.call_id, [context.cwd, 0])
            opened = context.calls.get(part.call_id)
            memory["answers"] += 1
            if opened is None:
                continue
            yield from _drafts(opened, part, cwd, context, tree)
            memory["open"] = shown_file(part.text) or memory["open"]
            if message.cwd is None:
                _follow(opened.call, part, context)


def _unanswered(message: Message, context: ReadContext, tree: Worktree) -> Iterator[EventDraft]:
    """Earlier calls that will get no answer any more: somebody spoke after them, or others were answered."""
    memory = context.memory["files"]
    spoken = message.role == "user" and any(isinstance(part, Text) for part in message.parts)
    here = {part.call_id for part in message.results}
    for call_id, (cwd, answers) in list(memory["waiting"].items()):
        if call_id in here or not (spoken or memory["answers"] > answers):
            continue
        del memory["waiting"][call_id]
        if opened := context.calls.get(call_id):
            yield from _drafts(opened, None, cwd, context, tree)


def _drafts(
    opened: OpenCall, result: ToolResult | None, cwd: str | None, context: ReadContext, tree: Worktree
) -> Iterator[EventDraft]:
    call = opened.call
    shape = shape_of(call)
    if shape is None:
        return
    deeds = tuple(call_effects(call, result, cwd, context.memory["files"]["open"]))
    if result is None:
        deeds = tuple(replace(deed, certain=False) for deed in deeds)
    elif _is_shell(call, result):
        deeds = judge_shell(deeds, result)
    elif refused(result, reading=shape == "read"):
        return
    text = part_text(call) if deeds else ""
    for deed in deeds:
        for effect in _effects(deed, tree, result) if deed.action == "run" else [deed]:
            if not _is_path(effect.path):
                continue
            for change in tree.apply(effect):
                place = _place(effect, text, opened.source)
                yield EventDraft(kind="file", subject=change.path, value=change, source=place)


def _effects(deed: FileEffect, tree: Worktree, result: ToolResult | None) -> Iterator[FileEffect]:
    """What running a script or applying a patch does; its text is known if the session wrote it."""
    text, verb = tree.content(deed), deed.verb or ""
    if verb.startswith("git apply"):
        effects = _patched(text, deed, result.text if result else "")
    elif text is None:
        return
    elif deed.path.endswith(".py") or verb.startswith("python"):
        text, died = _before_death(text, deed.path, result)
        deed = replace(deed, certain=deed.certain or died)
        effects = [e for e in python_script_effects(text, deed.cwd, deed.arguments) if e.action != "read"]
    else:
        effects = list(shell_effects(text, deed.cwd))
    for effect in effects:
        if effect.action != "run":
            yield replace(effect, certain=effect.certain and deed.certain)


def _before_death(script: str, path: str, result: ToolResult | None) -> tuple[str, bool]:
    """The lines of a script that ran before the one at which it died by its traceback, and whether it did."""
    name = re.escape(path.rpartition("/")[2])
    died = re.search(rf'File "[^"\n]*{name}", line (\d+), in <module>', result.text) if result else None
    lines = script.splitlines()[: int(died[1]) - 1 if died else None]
    return "\n".join(lines), died is not None


def _patched(text: str | None, deed: FileEffect, answer: str) -> list[FileEffect]:
    """The files of a patch; where its text is not known, those that the answer names."""
    if text is None:
        names = _PATCHING.findall(answer)
        effects = [FileEffect(path=name, action="modified", cwd=deed.cwd) for name in dict.fromkeys(names)]
    else:
        effects = [replace(patch_effect(patch, deed.cwd), verb="git") for patch in read_patch(text)]
    return [replace(e, action="reverted") for e in effects] if (deed.verb or "").endswith("-R") else effects


_PATCHING = re.compile(r"^(?:patching file|Checking patch) ['\"]?(.+?)['\"]?(?:\.\.\.)?$", re.MULTILINE)


def _is_shell(call: ToolCall, result: ToolResult) -> bool:
    line = command_line(call)
    return line is not None and not is_window_command(line, result.text)


def _is_path(path: str) -> bool:
    """Whether a word can stand in the trail: not a script, not only a variable or a substitution."""
    if not path or len(path) > MAX_PATH_CHARS or "\n" in path:
        return False
    return not re.search(r"\$\(|`|<\(|^\$\{?\w+\}?$|^[*?]+$|://", path.removeprefix("file://"))


def _place(deed: FileEffect, text: str, source: Source) -> Source:
    """Where the call names the file; the whole call where it does not."""
    for name in (deed.path, deed.path.rsplit("/", 1)[-1]):
        start = text.find(json.dumps(name, ensure_ascii=False)[1:-1])
        if name and start >= 0:
            return Source(message_id=source.message_id, part=source.part, start=start, end=start + len(name))
    return source


_REPORTED_BY_TOOL = re.compile(r"Current (?:working )?directory: ((?:(?!Current )[^)\]\n])+)[)\]]")
_REPORTED = re.compile(rf"{_REPORTED_BY_TOOL.pattern}|^[^\s@]+@[^\s:]+:(/\S*) [#$] ?$", re.MULTILINE)
_KEEPS_FOLDER = frozenset({"execute_bash", "bash_session", "terminal"})


def _follow(call: ToolCall, result: ToolResult, context: ReadContext) -> None:
    """Where the agent's shell stands now: what it reports, else a `cd` in a shell that is known to stay open.

    Most agents start every command in a fresh shell; there, only a bare `cd` is taken to mean what it says.
    """
    tail = result.text[-1000:]
    reported = (_REPORTED if "@" in tail else _REPORTED_BY_TOOL).findall(tail)
    if reported:
        context.cwd = "".join(reported[-1])
        return
    line = command_line(call)
    if line is None or "cd" not in line:
        return
    script = parse_script(line, context.cwd)
    if (call.name in _KEEPS_FOLDER or not script.commands) and not result.is_error:
        context.cwd = script.cwd
