"""Markdown's own: tables, and text that it shows as it is."""

import re
from collections.abc import Iterable, Sequence

from tamis.evals.controls import is_control

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all columns but the first are set to the right."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    r"""Text that Markdown and its HTML show as it is, on one line.

    >>> escaped("a_b <c>")
    'a\\_b \\<c\\>'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def method_name(method: str) -> str:
    """A method, marked where it is a control arm."""
    return f"*{escaped(method)}* (control)" if is_control(method) else escaped(method)


def folded(summary: str, *blocks: str) -> Iterable[str]:
    """Blocks that are folded away under a line of HTML."""
    yield f"<details><summary>{summary}</summary>"
    yield from blocks
    yield "</details>"
