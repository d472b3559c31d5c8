"""What package managers do to the files that list what a project needs."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.ledger.files.file_effects import FileEffect, command_effect
from tamis.ledger.shell.script import SimpleCommand
from tamis.ledger.shell.word_expansion import Word

_LISTS = {"go": "go.mod go.sum", "cargo": "Cargo.toml Cargo.lock", "npm": "package.json package-lock.json"}
_LISTS |= {"pnpm": "package.json pnpm-lock.yaml", "yarn": "package.json yarn.lock"}
_LISTS |= {"bun": "package.json bun.lock", "uv": "pyproject.toml uv.lock"}
_LISTS |= {"poetry": "pyproject.toml poetry.lock"}
PACKAGERS = frozenset(_LISTS)
_CHANGES = re.compile(
    r"\A(?:go mod tidy|(?:go get|(?:npm|pnpm|bun) (?:i|install|rm|un|uninstall)|(?!go )\w+ (?:add|remove))"
    r"(?: -[a-zA-Z]| --(?:save|dev|exact|optional|peer)[\w-]*)* [^-\s])"
)
_ELSEWHERE = re.compile(r" (?:-[gCFw]|--(?:global|prefix|cwd|dir|filter|package|project|script|dry-run))\b")


def package_effects(command: SimpleCommand) -> Iterator[FileEffect]:
    """The lists of the folder at hand, where packages are added or removed by name; not certain.

    Its arguments are the names of the packages: an output that lists one shows that it was done.

    >>> argv = tuple(Word(text=t) for t in "npm install -D vitest".split())
    >>> [deed.path for deed in package_effects(SimpleCommand(argv=argv))]
    ['package.json', 'package-lock.json']
    """
    asked = " ".join([command.name, *(word.text for word in command.argv[1:])])
    if command.name in PACKAGERS and _CHANGES.match(asked) and not _ELSEWHERE.search(asked):
        packages = tuple(re.split(r"(?<=.)[@#]", word.text)[0] for word in command.argv[2:])
        for name in _LISTS[command.name].split():
            deed = command_effect(command, Word(text=name), "modified")
            yield replace(deed, certain=False, arguments=packages)
