"""Paths as they are told: from the folder of the work."""

import re

_WORDS = re.compile(r"[^\s`'\"(),;:]+")
_PRINTED = re.compile(r" → (?!`)")
"""Between a call and what it printed; the two sides of an edit are quoted."""

_SEARCHED = re.compile(r"`[^`]{1,300}\| ?(?:[ef]?grep|rg|sed|awk) ")


def told_from(root: str, text: str) -> str:
    """A text with its paths told from a folder; as it is where two of them would become one.

    What was printed stays as it was printed, but for the frames of a traceback.

    A root inside another path or an address stays: without it, neither would lead anywhere. So does one in
    quotes, where it is a value, and one in lines that are then searched: it may be what is found.

    >>> told_from("/repo", "cp /repo/.env .env; cat /repo/a.md"), told_from("/repo", "cat /repo/a.md")
    ('cp /repo/.env .env; cat /repo/a.md', 'cat a.md')
    >>> told_from("/repo", "open file:///repo/a.md")
    'open file:///repo/a.md'
    """
    if not root or _SEARCHED.search(text):
        return text
    own, frame = rf"(?<![\w/'\"]){re.escape(root)}/", rf"(?<=File \"){re.escape(root)}/"
    words = _PRINTED.split(text, maxsplit=1)[0]
    told = re.sub(frame, "", re.sub(own, "", words) + text[len(words) :])
    return text if len({*_WORDS.findall(told)}) < len({*_WORDS.findall(text)}) else told
