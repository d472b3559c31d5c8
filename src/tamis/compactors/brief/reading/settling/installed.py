"""What was installed on the way, and the failures for want of it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.statement import Statement

_INSTALLS = re.compile(r"\b(?:pip3?|npm|yarn|pnpm|conda|uv)(?: pip)? (?:install|add|i) ([^;&|\n]{1,300})")
_PACKAGE = re.compile(r"@?[A-Za-z][\w./-]{0,80}(?:@[\w.^~-]{1,30})?")
_WAS_THERE = re.compile(r"(?m)^Requirement already satisfied: ([\w.-]{1,80})")
_NEWLY = re.compile(r"(?m)(?:^Successfully installed|(?<=\d)) ([A-Za-z][\w.-]{0,60}?)-(?=\d)")
NOT_THERE = re.compile(r"(?:No module named|Cannot find module) '?([\w@/-]{1,80})")


def installed_by(command: str, output: str) -> list[str]:
    """The packages that a command line which went well has installed.

    >>> installed_by("cd shop && pip install -q rows==2 cells 2>&1 | tail -1", "")
    ['rows', 'cells']
    >>> installed_by("pip install rows cells", "Requirement already satisfied: rows in /usr/lib")
    ['cells']
    """
    found = None if re.search(r"\bERR(?:OR)?\b|\berror:", output) else _INSTALLS.search(command)
    words = (re.split(r"[=<>\[]", word.strip("'\""))[0] for word in found[1].split()) if found else ()
    there = {_name(name) for name in _WAS_THERE.findall(output)} - {_name(n) for n in _NEWLY.findall(output)}
    names = (word for word in words if _PACKAGE.fullmatch(word) and not word.endswith(".txt"))
    return [name for name in names if _name(name) not in there]


def _name(package: str) -> str:
    return package.lower().replace("_", "-")


def with_installed(statements: Sequence[Statement], names: Collection[str], turn: int) -> list[Statement]:
    """The statements; a failure for want of a package says that it has been installed since."""
    return [
        replace(s, text=f"{s.text} ({lacked[1]} was installed since, #{turn})")
        if s.kind == "failed" and (lacked := NOT_THERE.search(s.text)) and lacked[1] in names
        else s
        for s in statements
    ]
