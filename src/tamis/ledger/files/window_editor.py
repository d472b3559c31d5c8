"""The line editor of SWE-agent: `open F`, `goto 10`, `edit 10:20 ... end_of_edit`, `create F`.

The editor works on the file that was opened last, so its commands do not name it; what it answers does:
`[File: /repo/a.py (120 lines total)]`. An edit that its linter turns down is not made.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.ledger.files.definitions import touched
from tamis.ledger.files.file_effects import FileEffect

_COMMAND = re.compile(
    r"\A\s*(open|goto|scroll_up|scroll_down|create|edit|insert|append)\b[ \t]*(.*)", re.DOTALL
)
_FILE = re.compile(r"^\[File: (.+?) \((\d+) lines? total\)\]", re.MULTILINE)
_RANGE = re.compile(r"\A(\d+):(\d+)[ \t]*\n")
_END = "end_of_edit"
_REFUSED = ("have NOT been applied", "No file open", "Usage: ", "Error: ")


def shown_file(answer: str) -> str | None:
    """The file that the editor shows in an answer."""
    match = _FILE.search(answer) if "[File: " in answer else None
    return match[1] if match else None


def is_window_command(command: str, answer: str | None) -> bool:
    """Whether a command line is the editor's and not the shell's: the words are common, the answer is not."""
    match = _COMMAND.match(command)
    if match is None:
        return False
    return bool(_RANGE.match(match[2])) or (
        answer is not None and (shown_file(answer) is not None or refused(answer))
    )


def refused(answer: str) -> bool:
    """Whether the editor did not do what it was told."""
    return _REFUSED[0] in answer or answer.lstrip().startswith(_REFUSED[1:])


def editor_effects(
    command: str, answer: str | None, opened: str | None, cwd: str | None
) -> Iterator[FileEffect]:
    """What one editor command does; `opened` is the file opened last, for where the answer names none."""
    match = _COMMAND.match(command)
    if match is None or (answer is not None and refused(answer)):
        return
    verb, rest = match[1], match[2]
    named = rest.split()[0].strip("\"'") if verb in ("open", "create") and rest.split() else None
    path = (shown_file(answer) if answer else None) or named or opened
    if path is None:
        return
    seen = FileEffect(path=path, action="read", cwd=cwd, certain=answer is not None)
    modified = replace(seen, action="modified")
    if verb == "create":
        yield replace(seen, action="created", lines_added=0, lines_removed=0, content="\n")
    elif verb == "edit":
        yield _edited(modified, rest, answer or "")
    elif verb in ("insert", "append"):
        yield modified
    else:
        yield seen


def _edited(modified: FileEffect, rest: str, answer: str) -> FileEffect:
    """The change with what the words of an `edit` and its answer tell of it."""
    match = _RANGE.match(rest)
    if match is None:
        return modified
    first, last = int(match[1]), int(match[2])
    text = _without_end(rest[match.end() :])
    new = text.splitlines()
    shown = numbered_lines(answer)
    numbers = sorted(shown)
    lines = [shown[n] for n in numbers]
    changed = [i for i, n in enumerate(numbers) if first <= n < first + max(len(new), 1)]
    total = _FILE.search(answer)
    removed = max(last - first + 1, 0)
    if total:  # a range that reaches behind the end of the file removes no more than there was
        removed = min(removed, max(int(total[2]) - len(new) + removed - first + 1, 0))
    names = touched(modified.path, lines, changed) or touched(modified.path, new, range(len(new)))
    return replace(
        modified,
        lines_added=len(new),
        lines_removed=removed,
        touched=names,
        revise=lambda old: _spliced(old, first, last, text),
    )


def _without_end(text: str) -> str:
    """The new text of an edit without the line that closes it, and without its last line break."""
    trimmed = text.rstrip()
    if trimmed == _END or trimmed.endswith(f"\n{_END}"):
        text = trimmed.removesuffix(_END)
    return text.removesuffix("\n")


def _spliced(text: str, first: int, last: int, new: str) -> str:
    """A text with its lines `first` to `last` (from 1) replaced."""
    lines = text.split("\n")
    return "\n".join([*lines[: first - 1], new, *lines[last:]])


_NUMBERED = re.compile(r"^[ \t]*(\d+)(?::|\t|→)(.*)$", re.MULTILINE)


def numbered_lines(text: str) -> dict[int, str]:
    r"""Lines that a tool shows with their numbers: `12:text`, or as `cat -n` does.

    >>> numbered_lines("[File: a.py]\n1:def f():\n2:    pass")
    {1: 'def f():', 2: '    pass'}
    """
    return {int(number): line for number, line in _NUMBERED.findall(text)}
