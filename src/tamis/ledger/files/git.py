"""What `git` does to files of the working tree."""

from collections.abc import Iterator
from dataclasses import replace

from tamis.ledger.files.diffs import read_patch
from tamis.ledger.files.file_effects import FileEffect, command_effect, patching_effect
from tamis.ledger.files.paths import looks_like_file, resolve
from tamis.ledger.shell.script import SimpleCommand
from tamis.ledger.shell.word_expansion import Word

EVERYTHING = "."
"""A path that stands for the whole working tree, relative to the command's directory."""

_GLOBAL_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_VALUES = frozenset({"-m", "-s", "--source", "-b", "-B", "-p", "--message", "--strategy"})


def git_effects(command: SimpleCommand) -> Iterator[FileEffect]:
    """The deeds of one `git` command: `mv`, `rm`, `checkout`, `restore`, `reset`, `stash`, `clean`, `apply`.

    >>> from tamis.ledger.shell.word_expansion import Word
    >>> argv = tuple(Word(text=t) for t in "git checkout HEAD -- a.py".split())
    >>> [(deed.action, deed.path) for deed in git_effects(SimpleCommand(argv=argv))]
    [('reverted', 'a.py')]
    """
    words = list(command.argv[1:])
    cwd = command.cwd
    while words and words[0].text.startswith("-"):
        flag = words.pop(0).text
        if flag in _GLOBAL_VALUES and words:
            value = words.pop(0)
            cwd = resolve(value.text, cwd) if flag == "-C" else cwd
    if not words:
        return
    verb, *rest = words
    command = replace(command, cwd=cwd)
    match verb.text:
        case "mv":
            names = _operands(rest)
            for source in names[:-1]:
                yield command_effect(command, names[-1], "renamed", source)
        case "rm" if not _has(rest, "--cached"):
            for word in _operands(rest):
                yield command_effect(command, word, "deleted")
        case "checkout" if not _has(rest, "-b", "-B", "--orphan"):
            for word in _checked_out(rest):
                yield command_effect(command, word, "reverted")
        case "restore" if not (_has(rest, "--staged", "-S") and not _has(rest, "--worktree", "-W")):
            for word in _operands(rest):
                yield command_effect(command, word, "reverted")
        case "reset" if _has(rest, "--hard"):
            yield command_effect(command, Word(text=EVERYTHING), "reverted")
        case "stash":
            yield from _stash(rest, command)
        case "apply" | "am" if not _has(rest, "--check", "--stat", "--numstat", "--summary"):
            yield from _apply(rest, command)


def _operands(words: list[Word]) -> list[Word]:
    found: list[Word] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.text in _VALUES:
            skip = True
        elif not word.text.startswith("-"):
            found.append(word)
    return found


def _has(words: list[Word], *flags: str) -> bool:
    return any(word.text in flags for word in words)


def _checked_out(words: list[Word]) -> list[Word]:
    """The files of `git checkout`: what stands behind `--`, else whatever looks like a path, not a branch."""
    texts = [word.text for word in words]
    if "--" in texts:
        return words[texts.index("--") + 1 :]
    return [w for w in _operands(words) if w.text == EVERYTHING or looks_like_file(w.text)]


def _stash(words: list[Word], command: SimpleCommand) -> Iterator[FileEffect]:
    """Putting changes away reverts them; taking them out again brings back what was there."""
    verb = words[0].text if words else "push"
    if verb.startswith("-") or verb in ("push", "save"):
        names = [w for w in _operands(words[1:]) if looks_like_file(w.text)] or [Word(text=EVERYTHING)]
        for word in names:
            yield replace(command_effect(command, word, "reverted"), verb="git stash")
    elif verb in ("pop", "apply"):
        yield replace(command_effect(command, Word(text=EVERYTHING), "modified"), verb="git stash pop")


def _apply(words: list[Word], command: SimpleCommand) -> Iterator[FileEffect]:
    if not command.stdin:
        files = [redirect.target for redirect in command.redirects if redirect.operator == "<"]
        for word in _operands(words) or files:
            yield replace(
                command_effect(command, word, "run"),
                verb="git apply -R" if _has(words, "-R", "--reverse") else "git apply",
            )
        return
    for patch in read_patch(command.stdin):
        yield patching_effect(patch, command)
