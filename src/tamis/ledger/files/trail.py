"""Folding what was done to a file into what the file is now."""

from collections.abc import Iterator
from dataclasses import replace

from tamis.ledger.events import FileAction, FileChange
from tamis.ledger.state import FileState

MAX_TOUCHED = 40
"""How many functions and sections a file's state names; the newest are kept."""


def fold_change(before: FileState | None, change: FileChange) -> FileState:
    """The state of the file at `change.path` after the change.

    For a rename, `before` is the state of the file under its old name, or None where it was never met.

    >>> made = fold_change(None, FileChange(path="a.py", action="created", lines_added=3))
    >>> edited = fold_change(made, FileChange(path="a.py", action="modified", lines_added=2, lines_removed=1))
    >>> edited.status, edited.lines_added, edited.lines_removed, edited.writes
    ('created', 5, 1, 2)
    """
    if before is None:
        before = FileState(path=change.path, status="read", born=change.action == "created")
    status = _status(before, change.action)
    if change.action == "read":
        return replace(before, status=status, reads=before.reads + 1)
    if change.action == "reverted":
        before = replace(before, touched=(), lines_added=None, lines_removed=None)
    return replace(
        before,
        path=change.path,
        status=status,
        touched=_joined(before.touched, change.touched),
        lines_added=_sum(before.lines_added, change.lines_added),
        lines_removed=_sum(before.lines_removed, change.lines_removed),
        writes=before.writes + 1,
        renamed_from=before.renamed_from or change.renamed_from,
        certain=change.certain or (before.status == status and before.certain),
    )


def end_subject(path: str) -> str:
    """What a file is known by of which perhaps only the end of its path is known."""
    return path if path.startswith(("/", "~")) else f"*/{path}"


def subjects_of_ends(path: str) -> Iterator[str]:
    """What a file may be known by, the surest first: the ends of its path, the longest first.

    >>> list(subjects_of_ends("/app/io.py"))
    ['*/app/io.py', '*/io.py']
    """
    if not path.startswith(("/", "*/")):
        yield f"*/{path}"
    known = 2 if path.startswith("*/") else 0
    for at in range(known, len(path)):
        if path[at] == "/":
            yield f"*{path[at:]}"


def _status(before: FileState, action: FileAction) -> FileAction:
    match action:
        case "read":  # whoever can read a deleted file has got it back, as it was
            return "read" if before.status == "deleted" else before.status
        case "deleted":
            return "deleted"
        case "reverted":
            return "created" if before.born else "reverted"
        case "renamed":
            return "created" if before.born else "renamed"
        case "created" | "modified":
            if before.born:
                return "created"
            return "renamed" if before.status == "renamed" else "modified"


def _joined(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))[-MAX_TOUCHED:]


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b
