"""Finding the sessions on this machine: which stores are there, and what lies in them.

Folders are listed and files looked up. Opened are databases, for the list of what is in them, and, of files
under a path that was given, the beginning: by it one knows whose session it is, or that it is none.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from tamis.audit.databases import list_sessions
from tamis.audit.stores import STORES, Machine, Store, roots_of
from tamis.errors import InputError, UnknownFormat, UnreadableFile
from tamis.sessions import Document, detect
from tamis.sessions.formats.opencode import files_of

NAMED = "named by you"
"""What stands for the agent in a path that was given, until its files are looked at."""

_CONFLICTED = ("*.icloud", "*.sync-conflict-*", "*conflicted copy*", "*.tmp", "*.part", "*.lock")
_SUB_AGENT = ("agent-*.jsonl", "*/subagents/*")
_NO_SESSIONS = frozenset({".git", "node_modules", "__pycache__", ".venv"})


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredSession:
    """A session that was found, or a file that may hold some.

    `inside` is its id where one file holds all (a database). `modified` is seconds since 1970.
    """

    store: Store
    path: Path
    bytes: int
    modified: float
    inside: str | None = None

    @property
    def is_sub_agent(self) -> bool:
        """Whether it is the run of a sub-agent, which has a file of its own."""
        return any(fnmatch(self.path.name, p) or fnmatch(self.path.as_posix(), p) for p in _SUB_AGENT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """What could not be read: where, what kind of trouble that is, and in full."""

    path: Path
    kind: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Discovery:
    """What was found: sessions, where it was looked for them, what was closed or half there."""

    sessions: tuple[StoredSession, ...]
    looked: tuple[tuple[str, Path], ...]
    troubles: tuple[Trouble, ...]


def discover_sessions(machine: Machine, paths: Sequence[Path] = (), *, only: bool = False) -> Discovery:
    """Find every session in the stores of agents, and under the paths; `only` there, if that is said.

    Raises:
        UnreadableFile: one of the paths is not there.
    """
    sessions: list[StoredSession] = []
    looked: list[tuple[str, Path]] = []
    troubles: list[Trouble] = []
    seen: set[tuple[int, int, str | None]] = set()
    for store, root in _roots(machine, paths, only=only):
        looked.append((store.agent, root))
        for stored in _in_root(store, root, troubles):
            status = stored.path.stat()
            identity = (status.st_dev, status.st_ino, stored.inside)  # two links to one file are one
            if identity not in seen:
                seen.add(identity)
                sessions.append(stored)
    return Discovery(sessions=tuple(sessions), looked=tuple(looked), troubles=tuple(troubles))


def _roots(machine: Machine, paths: Sequence[Path], *, only: bool) -> Iterator[tuple[Store, Path]]:
    for store in () if only else STORES:
        yield from ((store, root) for root in roots_of(store, machine))
    for path in paths:
        if not path.exists():
            raise UnreadableFile(f"{path}: no such file or folder; check what --path names")
        yield Store(agent=NAMED, name="", roots=(str(path),), patterns=("*",)), path


def _in_root(store: Store, root: Path, troubles: list[Trouble]) -> Iterator[StoredSession]:
    for path in [root] if root.is_file() else _files(store, root, troubles):
        half = partial(Trouble, path=path, kind="half synced or half written")
        if any(fnmatch(path.name, pattern) for pattern in _CONFLICTED):
            if not path.name.endswith(".lock"):
                troubles.append(half(reason=f"{path}: left by a sync or by a write that did not end"))
            continue
        try:
            status = path.stat()
            if status.st_size:
                yield from _stored(store, path, status)
            else:
                why = "empty: not written yet, or not synced to this machine"
                troubles.append(half(reason=f"{path}: {why}"))
        except OSError as error:
            troubles.append(_closed(path, error))
        except InputError as error:
            kind = "without a session" if isinstance(error, UnknownFormat) else "not readable"
            kind = kind if store.agent == NAMED else "a database of an unknown version"
            troubles.append(Trouble(path=path, kind=kind, reason=str(error)))


def _stored(store: Store, path: Path, status: os.stat_result) -> Iterator[StoredSession]:
    if store.agent == NAMED:
        store = _writer_of(path)
    if store.kind in ("files", "opencode-storage"):
        size = status.st_size
        if store.kind == "opencode-storage":
            size += sum(file.stat().st_size for file in files_of(path))
        yield StoredSession(store=store, path=path, bytes=size, modified=status.st_mtime)
        return
    for row in list_sessions(path, store.kind):
        yield StoredSession(store=store, path=path, bytes=row.bytes, modified=row.modified, inside=row.id)


def _writer_of(path: Path) -> Store:
    """Whose file it is: the agent's that keeps such files, else called by its format."""
    name = detect(Document(path)).name
    known = next((store for store in STORES if store.name == name), None)
    return Store(known.agent if known else name, name, (), (), marks=known.marks if known else ())


def _files(store: Store, root: Path, troubles: list[Trouble]) -> Iterator[Path]:
    """The files below a root that match, and what of it is closed."""
    if not root.is_dir():
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=closed.append):
        deeper = store.depth is None or len(Path(folder).parts) - len(root.parts) < store.depth
        folders[:] = sorted(f for f in folders if f not in _NO_SESSIONS) if deeper else []
        for path in (Path(folder) / name for name in sorted(names)):
            below = path.relative_to(root).as_posix()
            placeholder = path.name.removeprefix(".").removesuffix(".icloud")
            called = (below, f"/{below}", placeholder)
            if any(fnmatch(name, pattern) for name in called for pattern in store.patterns):
                yield path
    troubles.extend(_closed(Path(error.filename or root), error) for error in closed)


def _closed(path: Path, error: OSError) -> Trouble:
    why = error.strerror or str(error)
    return Trouble(path=path, kind="not allowed to be read", reason=f"{path}: {why}; check its permissions")
