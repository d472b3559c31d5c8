"""Reading the sessions that a command is given."""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tamis.errors import InputError, OutputExists
from tamis.messages import Session
from tamis.sessions import Document, detect, find_sessions, read_all

STDIN = "-"
"""The path that means standard input, or standard output."""


def require_output(output: str, *, force: bool = False, beside: str | None = None) -> None:
    """Make sure that a file can be written before there is work to lose; `beside` is written too.

    Raises:
        OutputExists: there is something of that name, or both are one file.
        InputError: the folder is missing or may not be written to.
    """
    target = Path(output)
    if beside is not None and target.resolve() == Path(beside).resolve():
        raise OutputExists(f"{output} is the archive too; name another file with -o")
    if target.is_dir():
        raise OutputExists(f"{output} is a folder; name a file to write")
    if target.exists() and not force:
        raise OutputExists(f"{output} exists; name another file, or overwrite it with --force")
    if target.parent.exists() and not target.parent.is_dir():
        raise InputError(f"{target}: cannot write there (its folder is a file); choose another place")
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: no such folder; create it first")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{target.parent}: may not be written to; choose another place")


def read_session(path: str, *, input_format: str | None, session_id: str | None) -> Session:
    """The one session that is meant; of the path `-`, that on standard input."""
    return choose_session(read_sessions(path, input_format), path, session_id)


def read_sessions(path: str, input_format: str | None) -> list[Session]:
    """Every session of a file; of the path `-`, those on standard input."""
    return _from_stdin(input_format) if path == STDIN else list(read_all(path, input_format))


def choose_session(sessions: Sequence[Session], path: str, session_id: str | None) -> Session:
    """The one that is meant by its id, the end of that from `#` on, or its number from 1.

    Raises:
        InputError: there are several and none was chosen, or not the one that was.
    """
    path = "standard input" if path == STDIN else path
    if session_id is None:
        if len(sessions) == 1:
            return sessions[0]
        some = f"{len(sessions)} sessions ({', '.join(s.id for s in sessions[:3])} ...)"
        remedy = "`tamis show FILE` lists them; choose one with --session ID or number"
        raise InputError(f"{path} holds {some}; {remedy}")
    for number, session in enumerate(sessions, 1):
        if session_id in (session.id, str(number), "#" + session.id.rpartition("#")[2]):
            return session
    remedy = f"give an id, or a number from 1 to {len(sessions)}"
    raise InputError(f"{path} has no session {session_id!r}; {remedy}")


def _from_stdin(input_format: str | None) -> list[Session]:
    """The sessions on standard input. Formats look at files, so it becomes one for as long as that takes."""
    with tempfile.TemporaryDirectory(prefix="tamis-") as folder:
        spooled = Path(folder) / "stdin"
        with spooled.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            return [replace(session, source=None) for session in read_all(spooled, input_format)]
        except InputError as error:
            raise type(error)(str(error).replace(str(spooled), "standard input")) from None


def find_files(paths: Sequence[str]) -> tuple[list[tuple[str, Path]], list[tuple[Path, str]]]:
    """The session files with the name of their set, and what was passed over in folders, with the reason.

    Raises:
        InputError: a file that was named is no session, or there is none at all.
    """
    files: list[tuple[str, Path]] = []
    passed_over: list[tuple[Path, str]] = []
    for path in map(Path, paths):
        if not path.is_dir():
            detect(Document(path))
            files.append((path.resolve().parent.name, path))
            continue
        for found in find_sessions([path]):
            if found.format is None:
                passed_over.append((found.path, found.skipped or "not a session"))
            else:
                files.append((path.resolve().name, found.path))
    if not files:
        raise InputError(f"no session at or below {', '.join(paths)}; `tamis formats` lists what is read")
    return files, passed_over
