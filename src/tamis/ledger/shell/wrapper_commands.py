"""Looking through commands that start other commands: `sudo`, `bash -c`, `timeout 10`, `docker exec` ..."""

import re
from dataclasses import dataclass, replace

from tamis.ledger.shell.script import SimpleCommand


@dataclass(frozen=True, slots=True)
class _Starter:
    """How many words stand between a starter and what it starts; which options take a word of their own."""

    words: int = 0
    options: frozenset[str] = frozenset()


ELSEWHERE = frozenset({"docker", "docker-compose", "kubectl", "podman", "ssh", "xargs"})
"""Starters behind which paths may belong to another machine, or be more than what is written."""

_SHELLS = frozenset({"bash", "dash", "ksh", "sh", "zsh"})
_PLAIN = ("builtin", "bunx", "caffeinate", "command", "exec", "nohup", "setsid", "time")
_CONTAINER = frozenset(
    {"-c", "-e", "-n", "-p", "-u", "-v", "-w", "--env", "--name", "--namespace", "--network", "--user"}
    | {"--volume", "--workdir"}
)
_STARTERS: dict[str, _Starter] = {
    **dict.fromkeys(_PLAIN, _Starter()),
    **dict.fromkeys(("docker", "docker-compose", "kubectl", "podman"), _Starter(2, _CONTAINER)),
    "conda": _Starter(1, frozenset({"-n", "-p"})),
    "env": _Starter(0, frozenset({"-C", "-S", "-u"})),
    "gtimeout": _Starter(1, frozenset({"-k", "-s"})),
    "nice": _Starter(0, frozenset({"-n"})),
    "npx": _Starter(0, frozenset({"-p", "--package"})),
    "pipenv": _Starter(1),
    "pnpm": _Starter(1),
    "poetry": _Starter(1),
    "ssh": _Starter(1, frozenset({"-F", "-i", "-l", "-o", "-p"})),
    "stdbuf": _Starter(0, frozenset({"-e", "-i", "-o"})),
    "sudo": _Starter(0, frozenset({"-C", "-g", "-h", "-p", "-u"})),
    "timeout": _Starter(1, frozenset({"-k", "-s", "--kill-after", "--signal"})),
    "uv": _Starter(1, frozenset({"--extra", "-p", "--python", "--with"})),
    "xargs": _Starter(0, frozenset({"-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"})),
}


def started_by(command: SimpleCommand) -> SimpleCommand | str | None:
    """The command, or the text of the script, that a command starts; None if it is no starter.

    >>> from tamis.ledger.shell.word_expansion import Word
    >>> inner = started_by(SimpleCommand(argv=tuple(Word(text=t) for t in "timeout -k 5 10 rm a".split())))
    >>> [word.text for word in inner.argv]
    ['rm', 'a']
    """
    words = command.argv[1:]
    if command.name in _SHELLS:
        for i, word in enumerate(words):
            if re.fullmatch(r"-[a-z]*c", word.text) and i + 1 < len(words):
                return words[i + 1].text
            if not word.text.startswith("-"):
                return None
        return command.stdin
    if command.name == "eval":
        return " ".join(word.text for word in words)
    starter = _STARTERS.get(command.name)
    if starter is None:
        return None
    rest = words[_skipped([word.text for word in words], starter) :]
    if command.name == "ssh":
        return " ".join(word.text for word in rest)
    return replace(command, argv=rest, certain=command.certain and command.name not in ELSEWHERE)


def _skipped(words: list[str], starter: _Starter) -> int:
    """How many words belong to the starter itself."""
    i, own = 0, starter.words
    while i < len(words):
        text = words[i]
        if text == "--":
            return i + 1
        if text.startswith("-"):
            i += 2 if text in starter.options else 1
        elif re.match(r"\w+=", text):
            i += 1
        elif own:
            own -= 1
            i += 1
        else:
            break
    return i
