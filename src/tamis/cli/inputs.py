"""Options that several commands share, and reading the session that a command is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tamis.messages import Session

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")


def complete_method(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of methods, for the shell's completion."""
    from tamis.compactors import METHODS, MODEL_METHODS, list_plugins, peers

    asking = (f"{name}@" for name in (*MODEL_METHODS, *peers.MODEL_PEERS, *peers.FOLDER_PEERS))
    known = (*METHODS, *peers.PEERS, *asking, *list_plugins())
    return [name for name in known if name.startswith(incomplete)]


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of formats, for the shell's completion."""
    from tamis.sessions import FORMATS

    return [known.name for known in FORMATS if known.name.startswith(incomplete)]


def session_options(command: F) -> F:
    """`--format` and `--session`: how to read the file, and which of its sessions is meant."""
    command = click.option(
        "--session",
        "session_id",
        metavar="ID",
        help="Which session, where the file holds several: id or number.",
    )(command)
    return click.option(
        "--format",
        "input_format",
        metavar="FORMAT",
        help="The file's format, if not by its content.",
        shell_complete=complete_format,
    )(command)


def tokenizer_option(command: F) -> F:
    """`--tokenizer`: what counts as a token."""
    return click.option(
        "--tokenizer",
        default="o200k_base",
        show_default=True,
        metavar="NAME",
        help="o200k_base, cl100k_base, or estimate.",
    )(command)


def require_output(output: str, *, force: bool = False, beside: str | None = None) -> None:
    """Make sure that a file can be written, before there is work to lose.

    Args:
        output: the file.
        force: one that is there may be replaced.
        beside: another file that the command writes, which must not be the same.

    Raises:
        OutputExists: there is something of that name, or both are one file.
        InputError: the folder is missing or may not be written to.
    """
    from tamis.errors import InputError, OutputExists

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
    """The one session that is meant.

    Raises:
        InputError: the file holds several and none was chosen, or not the one that was.
    """
    from tamis.errors import InputError
    from tamis.sessions import read_all

    sessions = list(read_all(path, input_format))
    if session_id is None:
        if len(sessions) == 1:
            return sessions[0]
        some = ", ".join(s.id for s in sessions[:3])
        raise InputError(
            f"{path} holds {len(sessions)} sessions ({some} ...); choose one with --session ID or number"
        )
    for number, session in enumerate(sessions, 1):
        if session_id in (session.id, str(number)):
            return session
    raise InputError(
        f"{path} has no session {session_id!r}; give an id, or a number from 1 to {len(sessions)}"
    )


def find_files(paths: Sequence[str]) -> tuple[list[tuple[str, Path]], list[tuple[Path, str]]]:
    """The session files with the name of their set, and what was passed over in folders, with the reason.

    Raises:
        InputError: a file that was named is no session, or there is none at all.
    """
    from tamis.errors import InputError
    from tamis.sessions import Document, detect, find_sessions

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
