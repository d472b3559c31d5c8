"""What shell commands do to files: one table of commands, one small function for each kind.

Redirections are the shell's own; everything else is decided by the command's name. Commands that start other
commands (`sudo`, `bash -c`, `docker exec` ...) are looked through.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise

from tamis.ledger.files.diffs import compare, read_patch
from tamis.ledger.files.file_effects import FileEffect, FileEffectKind, command_effect, patching_effect
from tamis.ledger.files.git import git_effects
from tamis.ledger.files.packages import package_effects
from tamis.ledger.files.paths import looks_like_file
from tamis.ledger.files.python_scripts import read_python
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.script import SimpleCommand
from tamis.ledger.shell.word_expansion import Word
from tamis.ledger.shell.wrapper_commands import ELSEWHERE, started_by

MAX_NESTING = 4
"""How deep `bash -c "bash -c ..."` is followed."""

_NOT_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "-", ""})


@lru_cache(maxsize=512)
def shell_effects(script: str, cwd: str | None = None, nesting: int = 0) -> tuple[FileEffect, ...]:
    r"""What a script does to files when it starts in `cwd`, in order.

    >>> [(d.action, d.path) for d in shell_effects("cat > a.py <<'E'\nx\nE\nmv a.py b.py; head -3 c.py")]
    [('written', 'a.py'), ('renamed', 'b.py'), ('read', 'c.py')]
    """
    return tuple(
        deed for command in parse_script(script, cwd).commands for deed in _command(command, nesting)
    )


def _command(command: SimpleCommand, nesting: int) -> Iterator[FileEffect]:
    for redirect in command.redirects:
        path = redirect.target.text
        if redirect.operator in (">", ">>", ">|", "&>", "&>>") and path not in _NOT_FILES:
            yield _redirection(command, redirect.operator, redirect.target)
        elif redirect.operator == "<" and path not in _NOT_FILES and command.name in _READERS:
            yield command_effect(command, redirect.target, "read")
    if not command.argv:
        return
    for deed in _run(command, nesting):
        yield replace(deed, certain=deed.certain and command.certain, last=deed.last or command.last)


def _redirection(command: SimpleCommand, operator: str, target: Word) -> FileEffect:
    text = _written_text(command)
    added = len(text.splitlines()) if text is not None else None
    append = operator.endswith(">>")
    return FileEffect(
        path=target.text,
        action="written",
        cwd=command.cwd,
        lines_added=added,
        lines_removed=0 if append else None,
        content=None if append else text,
        touched=compare(target.text, "", text).touched if text else (),
        certain=command.certain and target.certain,
        shell=True,
    )


def _written_text(command: SimpleCommand) -> str | None:
    """What a command prints, where its words say it."""
    name = command.name
    if name == "cat" and len(command.argv) == 1:
        return command.stdin
    if name == "tee":
        return command.stdin
    words = command.argv[1:]
    if name == "echo" and all(word.certain for word in words):
        return " ".join(w.text for w in words if w.text not in ("-e", "-n", "-ne", "-en")) + "\n"
    if name in (":", "true") or not command.argv:
        return ""
    return None


def _run(command: SimpleCommand, nesting: int) -> Iterator[FileEffect]:
    name = command.name
    if listed := [*package_effects(command)]:
        yield from listed
        return
    inner = started_by(command)
    if inner is not None and nesting < MAX_NESTING:
        if isinstance(inner, str):
            for deed in shell_effects(inner, command.cwd, nesting + 1):
                yield replace(
                    deed, certain=deed.certain and name not in ELSEWHERE, last=deed.last and command.last
                )
        elif inner.argv:
            yield from _run(inner, nesting + 1)
        return
    handler = _COMMANDS.get(name)
    if handler is not None:
        yield from handler(command)
    elif re.fullmatch(r"python[\d.]*|pypy3?|ipython", name):
        yield from _python(command, nesting)
    elif "/" in command.argv[0].text and name.endswith((".sh", ".py")):
        yield command_effect(command, command.argv[0], "run")


def _operands(command: SimpleCommand, takes_value: str = "") -> list[Word]:
    """The words that are not options nor an option's value."""
    takes = set(takes_value.split())
    found: list[Word] = []
    words = iter(command.argv[1:])
    for word in words:
        if word.text == "--":
            found.extend(words)
        elif word.text.startswith("-") and len(word.text) > 1:
            if word.text in takes:
                next(words, None)
        else:
            found.append(word)
    return found


def _input_file(command: SimpleCommand) -> Word | None:
    """The file that a command reads from its standard input."""
    return next((r.target for r in command.redirects if r.operator == "<"), None)


def _flags(command: SimpleCommand) -> str:
    """All short options run together, long ones with their dashes: `-pi -e` becomes `pi e`."""
    return " ".join(word.text for word in command.argv[1:] if word.text.startswith("-"))


def _all(action: FileEffectKind, takes_value: str = "") -> Callable[[SimpleCommand], Iterator[FileEffect]]:
    """Every operand is a file to which `action` is done."""

    def deeds(command: SimpleCommand) -> Iterator[FileEffect]:
        for word in _operands(command, takes_value):
            if word.text not in _NOT_FILES:
                yield command_effect(command, word, action)

    return deeds


def _scripted(
    brings_script: str, in_place: str, takes_value: str = ""
) -> Callable[[SimpleCommand], Iterator[FileEffect]]:
    """`sed`, `perl`, `awk`: a script first, unless an option brings it, then files; maybe edited in place."""

    def deeds(command: SimpleCommand) -> Iterator[FileEffect]:
        flags = [word.text for word in command.argv[1:] if word.text.startswith("-")]
        bringers = [flag for flag in flags if re.fullmatch(brings_script, flag)]
        edits = any(re.match(in_place, flag) for flag in flags)
        words = [
            w for w in _operands(command, " ".join([takes_value, *bringers])) if w.text not in _NOT_FILES
        ]
        for word in words if bringers else words[1:]:
            if "=" not in word.text or edits:
                yield command_effect(command, word, "modified" if edits else "read")

    return deeds


def _grep(command: SimpleCommand) -> Iterator[FileEffect]:
    """A search in one named file shows that file; a search through many is a search."""
    flags = _flags(command)
    if re.search(r"(^| )-[a-zA-Z]*[rRlcqL]|--(recursive|files|count|quiet)", flags):
        return
    words = _operands(
        command, "-e -f -m -A -B -C --include --exclude --exclude-dir --color -g -t --type --glob"
    )
    files = words if re.search(r"(^| )-[a-zA-Z]*[ef]( |$)", flags) else words[1:]
    if len(files) == 1 and files[0].certain and looks_like_file(files[0].text):
        yield command_effect(command, files[0], "read")


def _transfer(command: SimpleCommand, *, action: FileEffectKind) -> Iterator[FileEffect]:
    """Files that are moved or copied to the last word, or into it."""
    *sources, target = [*_operands(command, "-t -S"), Word(text="")]
    if target.text == "" and sources:
        target = sources.pop()
    for source in sources:
        into = len(sources) > 1 or target.text.endswith("/") or target.text in (".", "..", "~")
        name = source.text.rstrip("/").rsplit("/", 1)[-1]
        path = f"{target.text.rstrip('/')}/{name}" if into else target.text
        end = Word(text=path, certain=target.certain and source.certain)
        yield command_effect(command, end, action, source)


def _tee(command: SimpleCommand) -> Iterator[FileEffect]:
    append = re.search(r"(^| )(-\w*a|--append)", _flags(command))
    for word in _operands(command):
        if word.text not in _NOT_FILES:
            deed = _redirection(command, ">>" if append else ">", word)
            yield replace(deed, shell=False, verb="tee")


def _patch(command: SimpleCommand) -> Iterator[FileEffect]:
    words = _operands(command, "-i -p -d --input --directory")
    reverse = re.search(r"(^| )-\w*R|--reverse", _flags(command))
    source = _input_file(command)
    for flag, value in pairwise(command.argv):
        source = value if flag.text in ("-i", "--input") else source
    if re.search(r"--dry-run|--check", _flags(command)):
        return
    if command.stdin:
        yield from (patching_effect(patch, command) for patch in read_patch(command.stdin))
    elif source:
        yield replace(command_effect(command, source, "run"), verb="git apply -R" if reverse else "git apply")
    elif words:
        yield command_effect(command, words[0], "modified")


def _apply_patch(command: SimpleCommand) -> Iterator[FileEffect]:
    text = command.stdin or " ".join(word.text for word in command.argv[1:])
    yield from (patching_effect(patch, command) for patch in read_patch(text))


def _formatter(
    only_with: str = "", not_with: str = r"--check|--diff|--list|(^| )-c( |$)"
) -> Callable[[SimpleCommand], Iterator[FileEffect]]:
    """A formatter may leave a file as it is, so what it does is uncertain; only named files count."""

    def deeds(command: SimpleCommand) -> Iterator[FileEffect]:
        words = " ".join(word.text for word in command.argv[1:])
        if (only_with and not re.search(only_with, words)) or re.search(not_with, words):
            return
        for word in _operands(command, "-l --line-length --config --profile -t --target-version"):
            if word.certain and looks_like_file(word.text):
                yield replace(command_effect(command, word, "modified"), certain=False)

    return deeds


def _download(option: str) -> Callable[[SimpleCommand], Iterator[FileEffect]]:
    def deeds(command: SimpleCommand) -> Iterator[FileEffect]:
        words = command.argv[1:]
        for flag, value in pairwise(words):
            if re.fullmatch(option, flag.text) and value.text not in _NOT_FILES:
                yield command_effect(command, value, "written")

    return deeds


def _link(command: SimpleCommand) -> Iterator[FileEffect]:
    words = _operands(command)
    if len(words) == 2:
        yield command_effect(command, words[1], "created")


def _diff(command: SimpleCommand) -> Iterator[FileEffect]:
    for word in _operands(command, "-U -C"):
        if word.certain and looks_like_file(word.text):
            yield command_effect(command, word, "read")


def _python(command: SimpleCommand, nesting: int) -> Iterator[FileEffect]:
    words = command.argv[1:]
    for i, word in enumerate(words):
        if word.text == "-c" and i + 1 < len(words):
            argv = ("-c", *(w.text for w in words[i + 2 :]))
            yield from python_script_effects(words[i + 1].text, command.cwd, argv, nesting)
            return
        if word.text == "-m":
            module = replace(command, argv=words[i + 1 :])
            if module.argv and module.name in _COMMANDS:
                yield from _COMMANDS[module.name](module)
            return
        if word.text == "-":
            break
        if not word.text.startswith("-"):
            yield replace(command_effect(command, word, "run"), arguments=tuple(w.text for w in words[i:]))
            return
    if command.stdin:
        yield from python_script_effects(command.stdin, command.cwd, ("-",), nesting)
    elif source := _input_file(command):
        yield command_effect(command, source, "run")


def python_script_effects(
    code: str, cwd: str | None, argv: tuple[str, ...] = (), nesting: int = 0
) -> Iterator[FileEffect]:
    """What Python code does to files, its shell commands included."""
    effects = read_python(code, cwd, argv)
    for deed in effects.deeds:
        yield replace(deed, verb="python")
    if nesting < MAX_NESTING:
        for script in effects.shell:
            yield from shell_effects(script, cwd, nesting + 1)


def _run_script(command: SimpleCommand) -> Iterator[FileEffect]:
    words = _operands(command)
    if words:
        yield command_effect(command, words[0], "run")


def _ruff(command: SimpleCommand) -> Iterator[FileEffect]:
    first = next((w.text for w in command.argv[1:]), "")
    if first == "format" or "--fix" in _flags(command):
        yield from _formatter()(replace(command, argv=command.argv[:1] + command.argv[2:]))


_READERS = frozenset({"cat", "less", "more", "head", "tail", "nl", "sed", "awk", "grep"})

_FORMATTERS: dict[str, Callable[[SimpleCommand], Iterator[FileEffect]]] = {
    **dict.fromkeys(("black", "isort", "rustfmt", "docformatter", "goimports-reviser"), _formatter()),
    **dict.fromkeys(
        ("autopep8", "yapf", "clang-format", "autoflake", "shfmt"), _formatter(r"-\w*[iw]|--in-place")
    ),
    **dict.fromkeys(("gofmt", "gofumpt", "goimports", "2to3", "ktlint"), _formatter(r"-w|-F", "^$")),
    **dict.fromkeys(("prettier", "biome"), _formatter(r"--write|-w")),
    **dict.fromkeys(("eslint", "stylelint", "rubocop"), _formatter(r"--fix|-a|-A")),
    "pyupgrade": _formatter(),
    "ruff": _ruff,
}
FORMATTERS = frozenset(_FORMATTERS)
"""Programs that may lay a file out anew, and change nothing of what it says."""

_COMMANDS: dict[str, Callable[[SimpleCommand], Iterator[FileEffect]]] = {
    **dict.fromkeys(("cat", "less", "more", "nl", "bat", "batcat", "tac", "xxd", "od", "view"), _all("read")),
    **dict.fromkeys(("head", "tail"), _all("read", "-n -c --lines --bytes")),
    **dict.fromkeys(
        ("sed", "gsed"), _scripted(r"-\w*[ef]|--expression|--file", r"-[nErsz]*i|--in-place", "-l")
    ),
    "perl": _scripted(r"-\w*[eE]", r"-[a-zA-Z0]*i", "-I"),
    "ruby": _scripted(r"-\w*e", r"-[a-zA-Z]*i", "-I"),
    **dict.fromkeys(("awk", "gawk", "mawk"), _scripted(r"-f|--file", r"-i$|--in-place", "-F -v -i")),
    **dict.fromkeys(("grep", "egrep", "fgrep", "rg", "ag", "zgrep"), _grep),
    **dict.fromkeys(("diff", "cmp", "colordiff"), _diff),
    **dict.fromkeys(("vim", "vi", "nvim", "nano", "emacs", "ed", "ex"), _all("modified", "-c -s")),
    **dict.fromkeys(("rm", "unlink", "trash"), _all("deleted")),
    "touch": _all("ensured", "-d -r -t"),
    "tee": _tee,
    "mv": partial(_transfer, action="renamed"),
    **dict.fromkeys(("cp", "install"), partial(_transfer, action="copied")),
    "ln": _link,
    "git": git_effects,
    "patch": _patch,
    **dict.fromkeys(("apply_patch", "applypatch"), _apply_patch),
    **dict.fromkeys(("bash", "sh", "zsh", "source", "."), _run_script),
    **_FORMATTERS,
    "curl": _download(r"-\w*o|--output"),
    "wget": _download(r"-\w*O|--output-document"),
}
