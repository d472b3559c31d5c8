"""What is known of the files while a session is read: which exist, which were changed, what scripts hold.

From it a deed becomes an event of the trail: writing is creating or modifying, `git checkout .` names the
files that it puts back, a copy of a backup over its original reverts it. All of it lives in one plain
dictionary, so that reading can stop and go on.
"""

import fnmatch
import posixpath
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tamis.ledger.events import FileAction, FileChange
from tamis.ledger.files.file_effects import FileEffect
from tamis.ledger.files.git import EVERYTHING
from tamis.ledger.files.paths import is_absolute, is_copy_of, is_within, resolve

MAX_SCRIPTS = 50
MAX_SCRIPT_CHARS = 20_000
"""Scripts and patches that the session wrote are kept up to this many and this long, newest first."""

MAX_KNOWN = 5_000
"""Paths that are remembered, and as many folders and backups; the first known are forgotten first."""

_SCRIPT_ENDINGS = (".py", ".sh", ".bash", ".patch", ".diff", ".txt")


class Worktree:
    """The files as far as they are known. `memory` is filled in place and holds nothing but JSON."""

    def __init__(self, memory: dict[str, Any]) -> None:
        self._there: dict[str, bool] = memory.setdefault("there", {})
        self._changed: dict[str, bool] = memory.setdefault("changed", {})
        self._folders: dict[str, bool] = memory.setdefault("folders", {})
        self._scripts: dict[str, str] = memory.setdefault("scripts", {})
        self._backups: dict[str, list[Any]] = memory.setdefault("backups", {})
        self._stashed: list[list[str]] = memory.setdefault("stashed", [])

    def content(self, deed: FileEffect) -> str | None:
        """What a file that the session wrote holds, if it is small and was last written whole."""
        return self._scripts.get(resolve(deed.path, deed.cwd))

    def apply(self, deed: FileEffect) -> Iterator[FileChange]:
        """The changes that a deed amounts to; they are taken note of."""
        path = resolve(deed.path, deed.cwd)
        match deed.action:
            case "renamed" | "copied" if deed.origin:
                yield from self._transfer(deed, resolve(deed.origin, deed.cwd), path)
            case "deleted":
                yield from self._delete(deed, path)
            case "reverted":
                yield from self._revert(deed, path)
            case "modified" if deed.verb == "git stash pop":
                for name in self._stashed.pop() if self._stashed else []:
                    yield self._note(replace(deed, certain=True), name, "modified")
            case "modified" | "read" if _is_pattern(path):
                yield from self._pattern(deed, path)
            case "read":
                yield self._note(deed, path, "read")
            case "ensured":
                if not self._there.get(path):
                    yield self._note(replace(deed, lines_added=0, lines_removed=0), path, "created")
            case "created" | "modified":
                yield self._note(deed, path, deed.action)
            case "written" | "copied":
                known = self._is_there(path)
                if not known and deed.lines_removed is None and deed.lines_added is not None:
                    deed = replace(deed, lines_removed=0)
                yield self._note(deed, path, "modified" if known else "created")

    def _is_there(self, path: str) -> bool:
        """Whether a file is known, or one whose known path is an end of this one, or the other way round."""
        if path in self._there:
            return self._there[path]
        if is_absolute(path):
            parts = path.split("/")
            return any(self._there.get("/".join(parts[at:])) for at in range(1, len(parts) - 1))
        return "/" in path and any(
            there and known.endswith(f"/{path}") for known, there in self._there.items()
        )

    def _note(self, deed: FileEffect, path: str, action: FileAction, origin: str | None = None) -> FileChange:
        self._there[path] = action != "deleted"
        folder = posixpath.dirname(path)
        while folder and folder not in self._folders:
            self._folders[folder] = True
            folder = posixpath.dirname(folder)
        if action in ("created", "modified", "renamed"):
            self._changed[path] = True
        if action in ("deleted", "reverted"):
            self._changed.pop(path, None)
        if action != "read":
            self._remember(deed, path)
        for known in (self._there, self._folders, self._changed, self._backups):
            while len(known) > MAX_KNOWN:
                del known[next(iter(known))]
        return FileChange(
            path=path,
            action=action,
            lines_added=deed.lines_added,
            lines_removed=deed.lines_removed,
            touched=deed.touched,
            renamed_from=origin,
            certain=deed.certain,
        )

    def _remember(self, deed: FileEffect, path: str) -> None:
        """Keep what a script holds, as long as that is known."""
        text, before = deed.content, self._scripts.pop(path, None)
        if text is None and before is not None and deed.revise is not None:
            text = deed.revise(before)
        if text is None or len(text) > MAX_SCRIPT_CHARS or not path.endswith(_SCRIPT_ENDINGS):
            return
        self._scripts[path] = text
        if len(self._scripts) > MAX_SCRIPTS:
            del self._scripts[next(iter(self._scripts))]

    def _transfer(self, deed: FileEffect, origin: str, target: str) -> Iterator[FileChange]:
        if target in self._folders and not self._there.get(target):
            target = posixpath.join(target, posixpath.basename(origin))
        backup = self._backups.get(origin)
        held = self._scripts.get(origin)
        if backup is None and not self._there.get(target) and is_copy_of(origin, target):
            backup = [target, False]  # taken before the session, or under another name of its folder
        restored = backup is not None and backup[0] == target
        if deed.action == "copied":
            self._backups[target] = [origin, origin in self._changed]
        else:
            self._backups.pop(origin, None)
        deed = replace(deed, content=held)
        if restored and backup is not None and not backup[1]:
            if deed.action == "renamed":
                yield self._note(deed, origin, "deleted")
            yield self._note(deed, target, "reverted")
        elif deed.action == "renamed":
            inside = [path for path in self._changed if path != origin and is_within(path, origin)]
            for path in inside:
                yield self._moved(deed, path, target + path[len(origin) :])
            if not inside and self._there.get(target):  # written beside a file, then put in its place
                yield self._note(deed, origin, "deleted")
                yield self._note(deed, target, "modified")
            elif not inside:
                yield self._moved(deed, origin, target)
        else:
            yield self._note(deed, target, "modified" if self._there.get(target) else "created")

    def _moved(self, deed: FileEffect, origin: str, target: str) -> FileChange:
        self._there[origin] = False
        self._changed.pop(origin, None)
        self._scripts.pop(origin, None)
        return self._note(deed, target, "renamed", origin)

    def _delete(self, deed: FileEffect, path: str) -> Iterator[FileChange]:
        if _is_pattern(path):
            names = self._matching(path)
        else:
            there = (known for known, is_there in self._there.items() if is_there)
            names = [known for known in there if known != path and is_within(known, path)]
        for name in names:
            yield self._note(replace(deed, certain=True), name, "deleted")
        if not names:
            yield self._note(deed, path, "deleted")

    def _revert(self, deed: FileEffect, path: str) -> Iterator[FileChange]:
        everything = deed.path == EVERYTHING
        names = [known for known in self._changed if known != path and (everything or is_within(known, path))]
        if deed.verb == "git stash":
            self._stashed.append(names or [path])
        for name in names:
            yield self._note(deed, name, "reverted")
        if not names and not everything:
            yield self._note(deed, path, "reverted")

    def _pattern(self, deed: FileEffect, path: str) -> Iterator[FileChange]:
        """A file pattern: the files known to match, uncertain as there may be more or fewer."""
        if deed.action == "modified":
            for name in self._matching(path) or [path]:
                yield self._note(replace(deed, certain=False), name, "modified")

    def _matching(self, pattern: str) -> list[str]:
        return [known for known, there in self._there.items() if there and fnmatch.fnmatch(known, pattern)]


def _is_pattern(path: str) -> bool:
    return any(char in path for char in "*?[")
