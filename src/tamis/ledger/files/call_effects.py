"""What a tool call does to files: the call's shape decides how it is read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tamis.ledger.files.diffs import (
    DiffStat,
    compare,
    read_patch,
    read_replacements,
    read_structured,
    total,
)
from tamis.ledger.files.file_effects import FileEffect, patch_effect
from tamis.ledger.files.file_tools import (
    FileOperation,
    block_text,
    code_of,
    command_line,
    content_of,
    folder_of,
    move_of,
    patch_text,
    paths_of,
    replacements_of,
    shape_of,
)
from tamis.ledger.files.paths import resolve
from tamis.ledger.files.shell_commands import python_script_effects, shell_effects
from tamis.ledger.files.window_editor import editor_effects, is_window_command, numbered_lines, shown_file
from tamis.messages import ToolCall, ToolResult


def call_effects(
    call: ToolCall, result: ToolResult | None, cwd: str | None, opened: str | None
) -> Iterator[FileEffect]:
    """The deeds of a call, taken at its word; `opened` is the file that a line editor has open.

    Whether it worked is decided elsewhere; the result is used for what it says about the place of the change.
    """
    shape = shape_of(call)
    if shape is None:
        return
    if folder := folder_of(call):
        cwd = resolve(folder, cwd)
    if shape == "shell":
        yield from line_effects(command_line(call) or "", result, cwd, opened)
    elif shape == "python":
        yield from _python(call, cwd)
    elif shape == "patch":
        for patch in read_patch(patch_text(call) or block_text(call) or ""):
            yield patch_effect(patch, cwd)
    elif shape == "move":
        if moved := move_of(call):
            yield FileEffect(path=moved[1], action="renamed", cwd=cwd, origin=moved[0])
    else:
        yield from _on_paths(call, shape, result, cwd, opened)


def line_effects(
    line: str, result: ToolResult | None, cwd: str | None, opened: str | None
) -> Iterator[FileEffect]:
    """The deeds of a command line: of a line editor's, or the shell's."""
    answer = result.text if result else None
    if is_window_command(line, answer):
        yield from editor_effects(line, answer, opened, cwd)
    elif match := re.match(r"\s*str_replace_editor\s+(?=\w)", line):
        yield from _editor_line(line[match.end() :], cwd)
    else:
        yield from shell_effects(line, cwd)


def _on_paths(
    call: ToolCall, shape: FileOperation, result: ToolResult | None, cwd: str | None, opened: str | None
) -> Iterator[FileEffect]:
    answer = result.text if result else ""
    paths = paths_of(call)
    if not paths:
        shown = shown_file(answer) or opened
        paths = [shown] if shown and shape in ("read", "edit", "insert") else []
    for path in paths if shape in ("read", "delete") else paths[:1]:
        base = FileEffect(path=path, action="read", cwd=cwd, certain=not re.search(r"[*?]", path))
        details = result.details if result and result.details else {}
        match shape:
            case "editor":
                yield from _editor(call, base, answer)
            case "read":
                yield base
            case "delete":
                yield replace(base, action="deleted")
            case "write":
                yield _written(base, content_of(call), details)
            case "append":
                yield _added(base, content_of(call), answer)
            case "insert":
                yield _added(base, content_of(call) or _new_text(call), answer)
            case _:
                yield _edited(call, base, details, answer)


def _written(base: FileEffect, content: str | None, details: Mapping[str, Any]) -> FileEffect:
    """A file written whole; the agent's own record may know what was there before."""
    if details.get("type") == "create":
        base = replace(base, action="created", lines_removed=0)
    elif details.get("type") == "update" or details.get("originalFile"):
        base = replace(base, action="modified", content=content)
        hunks = details.get("structuredPatch")
        return (
            base.changed_by(read_structured(base.path, hunks)) if isinstance(hunks, list) and hunks else base
        )
    else:
        base = replace(base, action="written")
    if content is None:
        return base
    change = compare(base.path, "", content)
    return replace(base, lines_added=change.added, content=content, touched=change.touched)


def _added(base: FileEffect, text: str | None, answer: str) -> FileEffect:
    if text is None:
        return replace(base, action="modified")
    change = compare(base.path, "", text)
    names = _shown_names(base.path, text, answer) or change.touched
    return replace(base, action="modified", lines_added=change.added, lines_removed=0, touched=names)


def _edited(call: ToolCall, base: FileEffect, details: Mapping[str, Any], answer: str) -> FileEffect:
    """An edit: what the agent recorded of it, else the blocks that it sent, else its old and new texts."""
    base = replace(base, action="modified")
    hunks = details.get("structuredPatch")
    if isinstance(hunks, list) and hunks:
        original = details.get("originalFile")
        source = original if isinstance(original, str) else None
        return base.changed_by(read_structured(base.path, hunks, source))
    pairs = replacements_of(call)
    block = block_text(call)
    if block and (change := read_replacements(base.path, block)):
        return base.changed_by(change)
    if block and (patches := read_patch(f"--- a\n+++ b\n{block}" if block.startswith("@@") else block)):
        return base.changed_by(total(patch.change for patch in patches))
    if not pairs:
        return base
    if pairs[0][0] == "" and len(pairs) == 1:  # nothing to look for: the file is new, or its end is meant
        return replace(_written(base, pairs[0][1], details), action="written", content=None)
    changed = base.changed_by(total(_compared(base.path, old, new, answer) for old, new in pairs))
    return replace(changed, revise=lambda text: _replaced(text, pairs))


def _replaced(text: str, pairs: list[tuple[str, str]]) -> str:
    for old, new in pairs:
        text = text.replace(old, new, 1)
    return text


def _compared(path: str, old: str, new: str, answer: str) -> DiffStat:
    change = compare(path, old, new)
    names = _shown_names(path, new, answer)
    return replace(change, touched=names) if names else change


def _shown_names(path: str, new: str, answer: str) -> tuple[str, ...]:
    """The definitions around a change, where the tool shows the place with line numbers."""
    shown = numbered_lines(answer)
    lines = [shown[n] for n in sorted(shown)]
    wanted = new.splitlines()
    if not lines or not wanted:
        return ()
    first, last = wanted[0], wanted[-1]
    for i in range(len(lines) - len(wanted) + 1):
        found = lines[i : i + len(wanted)]
        # The new text may begin and end in the middle of a line.
        whole = found[1:-1] == wanted[1:-1] and found[0].endswith(first) and found[-1].startswith(last)
        if whole or (len(wanted) == 1 and first in found[0]):
            return compare(path, "", "\n".join(found), context=lines[:i]).touched
    return ()


def _new_text(call: ToolCall) -> str | None:
    pairs = replacements_of(call)
    return pairs[0][1] if pairs else None


def _editor(call: ToolCall, base: FileEffect, answer: str) -> Iterator[FileEffect]:
    """Anthropic's text editor: one tool with a `command`."""
    command = call.arguments.get("command")
    if command == "view":
        if "files and directories" not in answer[:200]:
            yield base
    elif command == "create":
        yield _written(base, content_of(call), {})
    elif command == "str_replace":
        yield _edited(call, base, {}, answer)
    elif command == "insert":
        yield _added(base, _new_text(call), answer)
    elif command in ("undo_edit", "delete", "rename"):
        yield replace(base, action="deleted" if command == "delete" else "modified")


def _editor_line(words: str, cwd: str | None) -> Iterator[FileEffect]:
    """The same editor as a command line: `create a.py --file_text '...'`."""
    match = re.match(r"(\w+)\s+(\S+)", words)
    if match is None:
        return
    options = dict(re.findall(r"--(\w+)\s+'((?:[^']|'\"'\"'|'\\'')*)'", words))
    arguments = {**options, "command": match[1], "path": match[2]}
    yield from _editor(
        ToolCall(id="", name="str_replace_editor", arguments=arguments),
        FileEffect(path=match[2], action="read", cwd=cwd),
        "",
    )


def _python(call: ToolCall, cwd: str | None) -> Iterator[FileEffect]:
    code = code_of(call)
    magic = re.match(r"%%(?:bash|sh)\s*\n", code)
    if magic:
        yield from shell_effects(code[magic.end() :], cwd)
        return
    lines = code.splitlines()
    for line in lines:
        if line.lstrip().startswith("!"):
            yield from shell_effects(line.lstrip()[1:], cwd)
    plain = "\n".join(line for line in lines if not line.lstrip().startswith(("!", "%")))
    yield from python_script_effects(plain, cwd)
