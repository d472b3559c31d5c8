"""Files of text that a user named: read whole, or one clear line."""

from pathlib import Path

from tamis.errors import UnreadableFile


def read_text(path: Path, remedy: str) -> str:
    """The text of a file in UTF-8.

    Raises:
        UnreadableFile: missing, closed to us, or not UTF-8; says why, and the `remedy`.

    >>> read_text(Path("nosuch.toml"), "name a rubric")
    Traceback (most recent call last):
    tamis.errors.UnreadableFile: nosuch.toml: cannot be read (No such file or directory); name a rubric
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        why = error.strerror or str(error)
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not UTF-8"
    raise UnreadableFile(f"{path}: cannot be read ({why}); {remedy}")
