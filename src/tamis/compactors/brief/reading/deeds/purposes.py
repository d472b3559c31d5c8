"""What a script that the agent made is for, in the words by which the agent announced it."""

import re
from collections.abc import Mapping, Sequence

from tamis.compactors.brief.reading.statement import Statement

LEAST_CHARS = 12
"""A shorter purpose says nothing: `test this`."""

_ANNOUNCES = re.compile(
    r"\b(?:let me|let['’]s|let us|(?:i|we)(?:['’]ll| will)) "
    r"(?:now |also |first |just |start by |try to ){0,3}([^\n]{1,200}?)[:.]{0,3}\Z",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"(?:install \S+ and )?(?:creat|writ|mak|add|us)(?:e|ing) (?:a|an|another|some|the|one)\b[^,;]{0,60}?"
    r"\b(to (?!the\b|a\b|an\b)|that |which |for )",
    re.IGNORECASE,
)
_NAMES_ONLY = re.compile(r"(?:call|name|creat|writ|mak|add|edit|fix|implement|us)(?:e|ing)?\b", re.IGNORECASE)

_HOPES = re.compile(
    r"\b(?:ensure|make sure|verify|confirm|validate)\b|\A(?:debug|fix|check|test|try|run) (?:this|it|that)\b"
    r"|\A(?:update|modify|fix|change|adjust|improve|rewrite|correct) (?:the|my|this|our) (?:\w{1,20} )?"
    r"(?:test|script|check)\b",
    re.IGNORECASE,
)
"""What a file is hoped to show, which its run tells, or what is done to the file itself."""


def purpose_of(announcement: str) -> str:
    """What for something is made, of the sentence that announces it; empty where it does not say.

    >>> purpose_of("Now let me create a small script to see what an empty row does:")
    'to see what an empty row does'
    >>> purpose_of("Let me check if lists have the same issue:"), purpose_of("We'll call it `a.py`.")
    ('to check if lists have the same issue', '')
    """
    found = _ANNOUNCES.search(announcement)
    words = found[1] if found else ""
    if made := _MAKES.match(words):
        words = words[made.start(1) :]
    elif _NAMES_ONLY.match(words):
        return ""
    else:
        words = f"to {words}"
    return words if len(words) >= LEAST_CHARS else ""


def purposes(statements: Sequence[Statement]) -> Mapping[int, str]:
    """What the files were written for that the agent announced in the same message; empty for a hope."""
    said: dict[int, str] = {}
    found: dict[int, str] = {}
    for s in statements:
        if s.kind in ("said", "found", "thought") and _ANNOUNCES.search(s.text):
            said[s.turn] = purpose_of(s.text)
        elif s.kind == "changed" and said.get(s.turn) and s.text.startswith("wrote "):
            found[id(s)] = "" if _HOPES.search(said[s.turn].removeprefix("to ")) else said[s.turn]
    return found
