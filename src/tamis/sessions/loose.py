"""Taking what is expected out of JSON of unknown shape, without trusting it.

Session files are written by many versions of many programs. A reader asks for what it needs; where the
value is of another kind it gets the empty one of the kind it asked for.
"""

from __future__ import annotations

from typing import Any


def as_dict(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def content_text(value: object) -> str:
    """The text of a message's content: a string, or a list of blocks of which some hold `text`.

    >>> content_text([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}])
    'a\\nb'
    """
    if isinstance(value, str):
        return value
    blocks = [
        block if isinstance(block, str) else as_text(as_dict(block).get("text")) for block in as_list(value)
    ]
    return "\n".join(block for block in blocks if block)


def file_stem(name: str) -> str:
    """A file's name without the endings that say what kind of file it is.

    >>> file_stem("django__django-11001.traj.json.gz"), file_stem("v1.2-notes.md")
    ('django__django-11001', 'v1.2-notes')
    """
    endings = (".gz", ".xz", ".json", ".jsonl", ".traj", ".md", ".txt")
    while True:
        shorter = next((name.removesuffix(end) for end in endings if name.endswith(end)), name)
        if shorter in (name, ""):
            return name
        name = shorter
