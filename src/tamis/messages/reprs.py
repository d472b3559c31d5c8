"""Values as a prompt and a notebook show them: short, whatever their size."""

import html
from collections.abc import Mapping

SHORT = 60
"""How much of a text stands in a short form, in characters."""


def shortened(text: str, limit: int = SHORT) -> str:
    """The beginning of a text on one line.

    >>> shortened("one  two" + chr(10) + "three", 10)
    'one two t…'
    """
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[: limit - 1]}…"


def html_page(title: str, facts: Mapping[str, object], text: str = "") -> str:
    """A heading, a table of facts and a text that can be scrolled, as a notebook shows them."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
        for name, value in facts.items()
    )
    style = "max-height:24em;overflow:auto;white-space:pre-wrap"
    shown = f"<pre style='{style}'>{html.escape(text)}</pre>" if text else ""
    return f"<div><b>{html.escape(title)}</b><table>{rows}</table>{shown}</div>"
