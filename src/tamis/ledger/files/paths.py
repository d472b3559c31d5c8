"""File paths as sessions write them: resolving, normalising, and telling whether two mean the same file.

Text only; the file system is never asked. Both slashes are understood, the answer has forward ones.
"""

import posixpath
import re
from urllib.parse import unquote

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_ROOTED = ("/", "~", "$")
_TEMPORARY = re.compile(r"(?:/private)?/(?:tmp|var/tmp|var/folders|dev)/|\$\{?TMP|\$\(mktemp")
_TRIAL = re.compile(
    r"(?:^|/)(?:repro|test|fix|debug|check|simple|demo|example|analy[sz]e|compare|verify|edge|patch|add)"
    r"[\w-]{0,60}\.\w{1,5}$|^/tmp/|\.(?:orig|bak|backup|patch|log)$"
)
_ASIDE = re.compile(
    r"\.(?:patch|diff|bak|backup|orig|rej|save|tmp|swp|log|out|err|pid)(?:\.?\d+)?\Z|~\Z|(?:\A|/)(?:patch|diff)\.txt\Z"
    r"|(?:\A|/)\.git/|\.\w{1,5}\.(?:new|old|copy|mod)\d*\Z",
    re.IGNORECASE,
)

_BACKUP = re.compile(r"\.(?:bak|backup|orig|old|save|copy)(?:\.?\d+)?\Z|~\Z", re.IGNORECASE)


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


def is_temporary(path: str) -> bool:
    """Whether a path lies where files are not kept.

    >>> is_temporary("/tmp/a.py"), is_temporary("/repo/tmp.py")
    (True, False)
    """
    return _TEMPORARY.match(path) is not None


def is_trial(path: str) -> bool:
    """Whether an agent makes a file of this name to try something out.

    >>> is_trial("/repo/test_rows.py"), is_trial("/repo/src/rows.py")
    (True, False)
    """
    return _TRIAL.search(path) is not None


def is_aside(path: str) -> bool:
    """Whether a file is no part of the work itself: a backup, a patch, a log.

    >>> [is_aside(p) for p in ("src/a.py.bak", "patch.txt", "src/patch.py", "CHANGELOG.md")]
    [True, True, False, False]
    """
    return _ASIDE.search(path) is not None


def is_copy_of(copy: str, path: str) -> bool:
    """Whether a file is by its name a copy of another: that one's name with an ending for backups.

    >>> is_copy_of("src/a.py.orig", "src/a.py"), is_copy_of("src/a.py.new", "src/a.py")
    (True, False)
    """
    name = posixpath.basename(copy)
    return name.startswith(posixpath.basename(path)) and _BACKUP.search(name) is not None
