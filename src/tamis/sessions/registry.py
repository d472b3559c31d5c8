"""Finding the format of a file, and reading and writing sessions by it."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from tamis.errors import InputError, OutputExists, UnknownFormat, UnreadableFile
from tamis.messages import Session
from tamis.plugins import FORMS, load_object
from tamis.sessions.atomic import write_atomic
from tamis.sessions.document import Document, printable
from tamis.sessions.format import Format, WritableFormat
from tamis.sessions.formats import FORMATS

ENTRY_POINT_GROUP = "tamis.formats"
"""A package adds a format by naming its class, which is made without arguments, in this group."""

SURE_ENOUGH = 0.1
"""A format that is less sure than this does not claim the file."""


def all_formats() -> tuple[Format, ...]:
    """Our own formats, then those that installed packages add under the entry point group `tamis.formats`.

    A plug-in that cannot be loaded is left out with a warning, so that the others stay usable.
    """
    added: list[Format] = []
    for entry in _entries():
        try:
            added.append(_load(entry.name, entry.value))
        except InputError as error:
            warnings.warn(f"the installed format {entry.name} is left out: {error}", stacklevel=2)
    return (*FORMATS, *added)


def get_format(name: str) -> Format:
    """The format called `name`, as in `--as`, or at `package.module:Class` or `path/to/file.py:Class`.

    Raises:
        InputError: no such format (the message lists them), or it cannot be loaded (it says why).

    >>> get_format("claude-code").title
    'Claude Code JSONL'
    """
    for known in FORMATS:
        if known.name == name:
            return known
    added = {entry.name: entry.value for entry in _entries()}
    if name in added:
        return _load(name, added[name])
    if ":" in name:
        return _load(name, name)
    names = ", ".join([*(f.name for f in FORMATS), *added])
    raise UnknownFormat(f"unknown format {name!r}; choose one of {names}, or give {FORMS}")


@cache
def _entries() -> tuple[EntryPoint, ...]:
    """The installed entry points: looked up once, as every file that is recognised asks for them."""
    return tuple(entry_points(group=ENTRY_POINT_GROUP))


@cache
def _load(name: str, target: str) -> Format:
    found = load_object(target, name=name, kind="format", error=UnknownFormat)
    if not isinstance(found, Format):
        raise UnknownFormat(f"{target} is no format: it needs name, title, streams, many, sniff() and read()")
    return found


def detect(document: Document) -> Format:
    """The format that is surest of the document; the earlier one where two are equally sure.

    Raises:
        UnreadableFile: missing, empty, binary, not UTF-8, broken.
        UnknownFormat: no format claims it.
    """
    scores = [(_sureness(known, document), known) for known in all_formats()]
    sureness, best = max(scores, key=lambda scored: scored[0])
    if sureness < SURE_ENOUGH:
        raise UnknownFormat(
            f"{document.path}: {_describe(document)}, but no session format that tamis knows; "
            "`tamis formats` lists them, and --format names one to try"
        )
    return best


def _sureness(known: Format, document: Document) -> float:
    try:
        return known.sniff(document)
    except InputError:
        raise
    except Exception as error:
        if known in FORMATS:
            raise
        warnings.warn(f"the format {known.name} failed to look at {document.path}: {error!r}", stacklevel=2)
        return 0.0


def _sessions(chosen: Format, document: Document) -> Iterator[Session]:
    """What the format reads; whatever somebody else's reader raises becomes one line."""
    try:
        yield from chosen.read(document)
    except InputError:
        raise
    except Exception as error:
        if chosen in FORMATS:
            raise
        raise UnreadableFile(f"{document.path}: the format {chosen.name} failed: {error!r}") from error


def read_all(path: str | Path, format: str | None = None) -> Iterator[Session]:  # noqa: A002
    """Every session in the file, in order.

    Args:
        path: the file, plain, `.gz` or `.xz`.
        format: the name of its format, where the content should not decide.

    Raises:
        UnreadableFile: it cannot be read, or nothing in it could be understood.
        UnknownFormat: no format knows it.
    """
    document = Document(path)
    chosen = get_format(format) if format else detect(document)
    found, lost = False, 0
    for session in _sessions(chosen, document):
        if session.messages or session.sidechains or not session.unread:
            found = True
            yield session
        lost += len(session.unread)
    if not found:
        what = f"none of its {lost} records could be understood" if lost else "there is no session in it"
        hint = "check it, or name its format with --format"
        raise UnreadableFile(f"{document.path}: read as {chosen.title}, {what}; {hint}")


def read(path: str | Path, format: str | None = None) -> Session:  # noqa: A002
    """The one session in the file.

    Raises:
        InputError: the file holds several sessions; use `read_all`.
        UnreadableFile: it cannot be read, or nothing in it could be understood.
        UnknownFormat: no format knows it.
    """
    sessions = read_all(path, format)
    first = next(sessions)
    more = sum(1 for _ in sessions)
    if more:
        raise InputError(f"{path} holds {more + 1} sessions, not one; use read_all, or name one of them")
    return first


def write(session: Session, path: str | Path, format: str, *, force: bool = False) -> Path:  # noqa: A002
    """Write the session to a new file in the named format, whole or not at all; returns the path.

    Raises:
        OutputExists: the path exists and `force` was not given, or it is the file the session came from.
        InputError: no such format, or one that cannot be written; or the folder is missing.
    """
    chosen = get_format(format)
    if not isinstance(chosen, WritableFormat):
        names = ", ".join(f.name for f in all_formats() if isinstance(f, WritableFormat))
        raise InputError(f"{chosen.title} can be read but not written; choose one of {names}")
    source, target = Path(session.source or ""), Path(path)
    if session.source is not None and source.exists() and target.exists() and source.samefile(target):
        raise OutputExists(f"{path} is the file that the session was read from; choose another name")
    return write_atomic(path, chosen.write(session), force=force)


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundFile:
    """A file that was looked at: `format` is the name of its format, or None, and `skipped` says why."""

    path: Path
    format: str | None = None
    skipped: str | None = None


def find_sessions(
    paths: Iterable[str | Path], *, chosen: Callable[[Path], bool] | None = None
) -> Iterator[FoundFile]:
    """Every file at or below the paths, in sorted order, and whether it is a session.

    Only the head of each file is read. A path that does not exist raises; a file in a folder that is no
    session comes out with the reason, so that it can be shown and counted.

    Args:
        paths: files and folders.
        chosen: looks only at files for which this is true.

    Raises:
        UnreadableFile: a path is missing.
    """
    for path in paths:
        for file in _files(Path(path)):
            if isinstance(file, FoundFile):
                yield file
            elif chosen is None or chosen(file):
                try:
                    yield FoundFile(path=file, format=detect(Document(file)).name)
                except InputError as error:
                    yield FoundFile(path=file, skipped=str(error))


def _files(path: Path) -> Iterator[Path | FoundFile]:
    """The files at or below a path, and the folders below it that may not be looked into."""
    if "\0" in str(path) or not path.exists():
        raise UnreadableFile(f"{printable(path)}: no such file or folder; check the path")
    if not path.is_dir():
        yield path
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=closed.append):
        folders[:] = sorted(f for f in folders if not f.startswith(".git"))
        for name in sorted(names):
            yield Path(folder) / name
    for error in closed:
        place, why = Path(error.filename or path), error.strerror or "it cannot be listed"
        yield FoundFile(path=place, skipped=f"{printable(place)}: {why}; check its permissions")


def _describe(document: Document) -> str:
    if document.kind == "jsonl" and document.head_records:
        keys = list(document.head_records[0])
        return f"JSON lines with the keys {', '.join(keys[:6])}{' ...' if len(keys) > 6 else ''}"
    return f"text that begins {document.head.strip()[:40]!r}"
