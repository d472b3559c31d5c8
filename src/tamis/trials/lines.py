"""A file of finished things, a line each: one process writes it, and may be killed at any moment."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tamis.errors import InputError


@contextmanager
def open_lines(path: Path, *, begin: Callable[[], None]) -> Iterator[tuple[IO[bytes], bytes]]:
    """The file, to add lines to, and its whole lines; one that was cut while it was written is taken off.

    Args:
        path: the file; its folder is made.
        begin: called once nobody else writes there, before the lines are read.

    Raises:
        InputError: another process writes there, or it cannot be written.
    """
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("ab+")
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}); give another with -o") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"another tamis ab writes to {folder}; give another folder with -o") from None
        begin()
        file.seek(0)
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        file.truncate(len(whole))
        yield file, whole
