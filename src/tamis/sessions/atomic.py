"""Writing a file so that it is there whole or not at all."""

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tamis.errors import InputError, OutputExists

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_atomic(path: str | Path, chunks: Iterable[str], *, force: bool = False) -> Path:
    r"""Write text to `path` through a temporary file beside it, and return the path.

    Readers see the old file or the new one, never a part; a failure on the way leaves nothing behind.

    Args:
        path: where to write, UTF-8. Its folder must exist.
        chunks: the text, in pieces; drawn one at a time. A lone surrogate, which UTF-8 cannot hold, is
            written as `\udXXX`: in JSON the same character again.
        force: replace a file that is there already.

    Raises:
        OutputExists: there is a file (and no `force`), or a folder of that name.
        InputError: the folder is missing or may not be written to, or the disk is full.

    >>> target = Path(tempfile.mkdtemp()) / "a.txt"
    >>> write_atomic(target, ["one\n", "two\n"]).read_text()
    'one\ntwo\n'
    """
    target = Path(path)
    if target.is_dir():
        raise OutputExists(f"{target} is a folder; name a file to write")
    _refuse_existing(target, force=force)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except FileNotFoundError:
        raise InputError(f"{target.parent}: no such folder; create it first") from None
    except OSError as error:
        raise InputError(f"{target}: cannot write there ({error.strerror}); choose another place") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            for chunk in chunks:
                stream.write(chunk)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode_for(target))
        _refuse_existing(target, force=force)  # it may have come while we wrote
        temporary.replace(target)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise InputError(
            f"{target}: cannot be written, there is no room ({error.strerror}); make room, or write elsewhere"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _refuse_existing(target: Path, *, force: bool) -> None:
    if not force and target.exists():
        raise OutputExists(
            f"{target} exists; name another file, or overwrite it (--force; in Python, force=True)"
        )


def _mode_for(target: Path) -> int:
    """The permissions of the file that is replaced, else what the umask leaves of rw for all."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
