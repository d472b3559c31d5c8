"""Which tools touch files, and in which shape they are told to: one table of words, a few names that mislead.

Agents name their tools differently and their arguments too, but the shapes are few: a path to read, a path
and a content, a path with old and new text, a patch, a command line. A tool that is not known is told by the
words of its name and by its arguments, so `my_edit_file(path, old_string, new_string)` is an edit.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

from tamis.ledger.outputs.commands import command_of, name_words
from tamis.messages import ToolCall

FileOperation = Literal[
    "read", "write", "append", "edit", "insert", "delete", "move", "patch", "editor", "shell", "python"
]

_NAMES: Mapping[str, FileOperation | None] = {
    "str_replace_editor": "editor",
    "str_replace_based_edit_tool": "editor",
    "text_editor": "editor",
    "editor": "editor",
    "replace": "edit",
    "save": "write",
    "goto": "read",
    "scroll_up": "read",
    "scroll_down": "read",
    "code_execution": "python",
    "search_replace": "edit",
    "search_and_replace": "edit",
    "find_and_replace": "edit",
    "undo_edit": "edit",
    "undo": None,
}
"""Names whose words say too little or the wrong thing."""

_PYTHON = frozenset({"ipython", "jupyter", "python"})
_NO_FILE = frozenset(
    {"agent", "browser", "checklist", "definitions", "diagnostics", "dir", "directory", "fetch", "filemap"}
    | {"find", "folder", "glob", "grep", "issue", "list", "ls", "lsp", "memory", "mkdir", "plan", "query"}
    | {"resource", "search", "skill", "subagent", "symbol", "symbols", "task", "tasks", "todo", "todos"}
    | {"tree", "url", "web"}
)
"""A tool with one of these words lists, searches or does something else than work on one file."""

_WORDS: tuple[tuple[frozenset[str], FileOperation], ...] = (
    (frozenset({"patch"}), "patch"),
    (frozenset({"delete", "remove", "unlink", "rm"}), "delete"),
    (frozenset({"move", "rename", "mv"}), "move"),
    (frozenset({"append"}), "append"),
    (frozenset({"insert"}), "insert"),
    (frozenset({"edit", "replace", "diff", "modify", "update", "multiedit", "change"}), "edit"),
    (frozenset({"write", "create", "save", "new"}), "write"),
    (frozenset({"read", "view", "open", "cat", "show", "get"}), "read"),
)
"""The first line that shares a word with the tool's name says the shape."""

_PATHS = (
    *("filepath", "path", "targetfile", "absolutepath", "filename", "file", "notebookpath", "targetfilepath"),
    *("relativeworkspacepath", "pathinproject", "uri", "relativepath", "paths", "filepaths", "files"),
    "filenames",
)
"""Arguments by their plain names (see `simple_arguments`), the likeliest first; so for all that follow."""

_CONTENTS = (
    *("content", "filetext", "contents", "filecontent"),
    *("filecontents", "codecontent", "text", "newsource"),
)
_OLD = ("oldstring", "oldstr", "oldtext", "search", "targetcontent", "oldcontent", "old", "find", "original")
_NEW = (
    *("newstring", "newstr", "newtext", "replace", "replacementcontent", "newcontent", "new", "replacement"),
    *("newsource",),
)
_EDITS = ("edits", "replacementchunks", "replacements", "changes", "operations", "diffs")
_PATCHES = ("patch", "diff", "input", "patchtext", "content", "unifieddiff")
_BLOCKS = ("diff", "patch", "edits", "content", "blocks")
_SOURCES = ("source", "sourcepath", "src", "from", "oldpath", "frompath", "sourcefile")
_TARGETS = (
    *("destination", "destinationpath", "dst", "dest", "to"),
    *("newpath", "topath", "target", "targetfile"),
)
_FOLDERS = ("workdir", "cwd", "dirpath", "directory", "workingdirectory")


def shape_of(call: ToolCall) -> FileOperation | None:
    """How the call is told what to do to which file; None if it is about no file.

    >>> edit = {"path": "a", "old_string": "x", "new_string": "y"}
    >>> shape_of(ToolCall(id="1", name="my_edit_file", arguments=edit))
    'edit'
    >>> shape_of(ToolCall(id="1", name="list_dir", arguments={"path": "src"}))
    """
    name = _own_name(call.name)
    words = name_words(name)
    if words & _PYTHON:
        return "python"
    if command_line(call) is not None:
        return "shell"
    if name.lower() in _NAMES:
        return _NAMES[name.lower()]
    if patch_text(call) is not None:
        return "patch"
    if words & _NO_FILE:
        return None
    for known, shape in _WORDS:
        if words & known:
            return "edit" if shape == "patch" and first_path(call) else shape
    arguments = simple_arguments(call.arguments)
    return "edit" if first_path(call) and _first(arguments, _OLD) and "newstring" in arguments else None


def simple_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments under lower-case names without separators: `filePath` and `file_path` are one."""
    return {_plain_name(key): value for key, value in arguments.items()}


@lru_cache(maxsize=1024)
def _plain_name(argument: str) -> str:
    return re.sub(r"[^a-z]", "", argument.lower())


@lru_cache(maxsize=1024)
def _own_name(tool: str) -> str:
    """A tool's name without what says where it comes from."""
    return re.sub(r"^(?:mcp__.+__|functions\.|.*[:/])", "", tool)


def command_line(call: ToolCall) -> str | None:
    """The command line that a call is: the shell's, or that of an agent whose every tool is told by a line.

    >>> command_line(ToolCall(id="1", name="open", arguments={"command": "open a.py 10"}))
    'open a.py 10'
    """
    line = call.arguments.get("command")
    if isinstance(line, str) and line.split(maxsplit=1)[:1] == [call.name]:
        return line
    return command_of(call)


def paths_of(call: ToolCall) -> list[str]:
    """Every path that the arguments name."""
    return list(dict.fromkeys(path for path in _paths(call.arguments) if path))


def first_path(call: ToolCall) -> str | None:
    """The first path that the arguments name."""
    return next(iter(paths_of(call)), None)


def _paths(arguments: Any) -> Iterator[str]:
    if isinstance(arguments, list):
        for item in arguments:
            if isinstance(item, str):
                yield item
            else:
                yield from _paths(item)
    elif isinstance(arguments, Mapping):
        simple = simple_arguments(arguments)
        for key in _PATHS:
            value = simple.get(key)
            if isinstance(value, str):
                yield _unquoted(value)
            elif value is not None:
                yield from _paths(value)
        if isinstance(simple.get("args"), (list, Mapping)):
            yield from _paths(simple["args"])


def content_of(call: ToolCall) -> str | None:
    """The whole new content of a file, where the call carries it."""
    return _first(simple_arguments(call.arguments), _CONTENTS)


def code_of(call: ToolCall) -> str:
    """The Python code that the call runs."""
    return _first(call.arguments, ("code", "source", "input", "script", "command")) or ""


def replacements_of(call: ToolCall) -> list[tuple[str, str]]:
    """Pairs of old and new text."""
    arguments = simple_arguments(call.arguments)
    edits = next((arguments[key] for key in _EDITS if isinstance(arguments.get(key), list)), None)
    items = [simple_arguments(item) for item in edits if isinstance(item, Mapping)] if edits else [arguments]
    pairs = [(_first(item, _OLD), _first(item, _NEW)) for item in items]
    return [(old or "", new or "") for old, new in pairs if old is not None or new is not None]


def patch_text(call: ToolCall) -> str | None:
    """A patch among the arguments, or the arguments themselves where a tool takes bare text."""
    arguments = simple_arguments(call.arguments)
    candidates = [call.raw_arguments, *(arguments.get(key) for key in _PATCHES)]
    for text in candidates:
        if isinstance(text, str) and _IS_PATCH.search(text):
            return text
    return None


_IS_PATCH = re.compile(r"^(?:\*\*\* Begin Patch|diff --git )|^--- \S.*\n\+\+\+ \S", re.MULTILINE)


def block_text(call: ToolCall) -> str | None:
    """SEARCH/REPLACE blocks or a bare diff among the arguments."""
    return _first(simple_arguments(call.arguments), _BLOCKS)


def move_of(call: ToolCall) -> tuple[str, str] | None:
    """Where a file is moved from and to."""
    arguments = simple_arguments(call.arguments)
    source = _first(arguments, _SOURCES) or first_path(call)
    target = _first(arguments, _TARGETS)
    return (source, target) if source and target else None


def folder_of(call: ToolCall) -> str | None:
    """The working directory that the call itself asks for."""
    return _first(simple_arguments(call.arguments), _FOLDERS) or None


def _first(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((value for key in keys if isinstance(value := arguments.get(key), str)), None)


def _unquoted(path: str) -> str:
    return path[1:-1] if len(path) > 1 and path[0] == path[-1] == '"' else path.strip()
