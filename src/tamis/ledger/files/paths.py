"""File paths as sessions write them: resolving, normalising, and telling whether two mean the same file.

Text only; the file system is never asked. Both slashes are understood, the answer has forward ones.
"""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_ROOTED = ("/", "~", "$")


def is_absolute(path: str) -> bool:
    """Whether a path stands on its own: from the root, a home, a drive, or an unexpanded variable.

    >>> [is_absolute(p) for p in ("/a", "~/a", "C:/a", "$HOME/a", "a")]
    [True, True, True, True, False]
    """
    return path.startswith(_ROOTED) or bool(_DRIVE.match(path))


def resolve(path: str, cwd: str | None = None) -> str:
    """The path without `.`, `..`, doubled slashes and `file://`, joined to the working directory if relative.

    >>> resolve("./src//a/../b.py", "/repo"), resolve("~/x/./y"), resolve("file:///a%20b")
    ('/repo/src/b.py', '~/x/y', '/a b')
    """
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"))
    if "\\" in path and (_DRIVE.match(path) or "/" not in path):
        path = path.replace("\\", "/")
    if cwd and not is_absolute(path):
        path = f"{cwd}/{path}"
    clean = posixpath.normpath(path) if path else path
    return clean[1:] if clean.startswith("//") else clean


def same_file(a: str, b: str) -> bool:
    """Whether two paths may mean one file: equal, or one is the end of the other at a component boundary.

    >>> same_file("src/a.py", "/repo/src/a.py"), same_file("a.py", "/repo/aa.py")
    (True, False)
    >>> same_file("/a.py", "/b/a.py")
    False
    """
    a, b = resolve(a), resolve(b)
    short, long = sorted((a, b), key=len)
    return short == long or (not is_absolute(short) and long.endswith("/" + short))


def is_within(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies below it; both resolved already.

    >>> is_within("/repo/a/b", "/repo"), is_within("/repository/a", "/repo"), is_within("a/b", ".")
    (True, False, True)
    """
    if folder == ".":
        return not is_absolute(path)
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def looks_like_file(path: str) -> bool:
    """Whether a bare word is likelier a file than a folder, a branch or an option: it has an extension.

    >>> [looks_like_file(p) for p in ("src/a.py", ".gitignore", "main", "-x", "v1.2", "src/")]
    [True, True, False, False, False, False]
    """
    name = posixpath.basename(path)
    return not path.startswith("-") and bool(re.search(r"\.[A-Za-z]\w*$", name))
