"""What the programs in a script are for: which only read, which only prepare, which do the work."""

from __future__ import annotations

import hashlib
import re
import shlex

from tamis.ledger.files.paths import resolve
from tamis.ledger.shell.parser import SimpleCommand, parse_script
from tamis.text.cues.phrases import word_set

READING = frozenset(
    word_set("""
    ag awk bat batcat cat column cut diff egrep fd fgrep file find grep
    head hexdump jq less ls more nl od pwd rg sed sort stat strings
""")
    | {"tac", "tail", "tee", "tree", "tr", "type", "uniq", "wc", "which", "xargs", "xxd", "zcat"}
)
"""Programs that print what others wrote: an error message in their output is a quotation."""

READING_GIT = frozenset({"blame", "branch", "diff", "grep", "log", "ls-files", "show", "status"})

PREPARING = frozenset(
    word_set("""
    cd chmod clear cp echo export mkdir mv printf pushd popd rm set sleep
""")
    | {"source", ".", "touch", "true", ":", "ulimit", "unset", "wait"}
)
"""Programs that set the scene for the one that matters."""

WRAPPERS = frozenset({"command", "env", "exec", "nice", "nohup", "stdbuf", "sudo", "time", "timeout"})
"""Programs that run another; their own options and numbers stand before it."""

LOG_ENDINGS = (".log", ".out", ".err", ".txt")
"""Who reads one of these sees what a program printed after all."""

MAX_SUBJECT_CHARS = 200

_PLAIN = re.compile(r"[^\s'\"\\$`|&;<>()]+")


def only_reads(command: str, cwd: str | None) -> bool:
    """Whether a command line prints nothing but what stands in files.

    >>> only_reads("cd src && grep -rn 'error:' . | head", None), only_reads("cat build.log", None)
    (True, False)
    """
    commands = [words for words in map(_words, parse_script(command, cwd).commands) if words]
    return any(_reads(words) for words in commands) and all(
        words[0] in PREPARING or _reads(words) for words in commands
    )


def run_subject(command: str, cwd: str | None) -> str:
    r"""What a command line is a run of, however it was prepared, and however its output was trimmed.

    A long one is cut, and a hash keeps it apart from others.

    >>> run_subject("cd /repo && CI=1 timeout 60 pytest  -q tests 2>&1 | tail -20", "/repo")
    'pytest -q tests'
    >>> run_subject("cat > a.py <<'E'\nprint(1)\nE\npython a.py; echo $?", "/repo")
    'python a.py'
    """
    commands = [(words, c) for c in parse_script(command, cwd).commands if (words := _words(c))]
    work = [(words, c) for words, c in commands if words[0] not in PREPARING and not _trims(words)]
    if not work:
        return _cut(" ".join(command.split()))
    folder = work[0][1].cwd
    moved = folder is not None and folder != (resolve(cwd) if cwd else cwd)
    lines = [f"cd {folder}"] if moved else []
    lines += [" ".join(_quoted(word) for word in words) for words, _ in work]
    return _cut(" && ".join(lines))


def _words(command: SimpleCommand) -> list[str]:
    """The words of a command without what merely wraps it."""
    words = [word.text for word in command.argv]
    while words and _name(words[0]) in WRAPPERS and len(words) > 1:
        rest = words[1:]
        while rest and (rest[0].startswith("-") or rest[0].rstrip("smhd").isdigit() or "=" in rest[0]):
            rest = rest[1:]
        words = rest
    return [_name(words[0]), *words[1:]] if words else []


def _name(program: str) -> str:
    """`/usr/bin/python` is `python`; a script of the project keeps its path."""
    return program.rsplit("/", 1)[-1] if program.startswith(("/usr/", "/bin/", "/opt/")) else program


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(" ".join(word.split()))


def _reads(words: list[str]) -> bool:
    if any(word.endswith(LOG_ENDINGS) for word in words[1:]):
        return False
    if words[0] == "git":
        return next((word for word in words[1:] if not word.startswith(("-", "/"))), "") in READING_GIT
    return words[0] in READING


def _trims(words: list[str]) -> bool:
    """Whether a program only prints or trims; a search or a listing of its own is no work either."""
    return words[0] in READING


def _cut(subject: str) -> str:
    if len(subject) <= MAX_SUBJECT_CHARS:
        return subject
    digest = hashlib.sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{subject[:MAX_SUBJECT_CHARS]} #{digest}"
