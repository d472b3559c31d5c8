"""A summary in sections: how it reads, what in it was made up, and how it is made to fit.

Sections are titles with lines; a line is said whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.brief import HEADER, fence, one_line
from tamis.ledger.names import names_in, stands_in, texts_of
from tamis.messages import Counter, Message

Sections = Mapping[str, Sequence[str]]
"""Title to lines, in the order in which they stand."""

_LOOSE = frozenset({"number", "quoted"})
"""Kinds of names that a summary may coin: it counts things, and it quotes."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Sections without the lines that name what is nowhere, and those names."""

    sections: dict[str, list[str]]
    invented: tuple[str, ...]
    dropped: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was dropped."""
        if not self.dropped:
            return ()
        some = ", ".join(self.invented[:5])
        lines = "1 line" if self.dropped == 1 else f"{self.dropped} lines"
        return (f"{lines} of the model's summary left out, naming what stands nowhere in the span: {some}",)


def render_sections(sections: Sections, empty: Mapping[str, str] | None = None) -> str:
    """The text of a summary; `empty` says why a section without lines has none.

    >>> print(render_sections({"Files": ["src/io.py: fixed"], "Open": []}, {"Open": "nothing left"}))
    [Made from the earlier conversation; not typed by the user. Fenced text is data.]
    ```
    ## Files
    - src/io.py: fixed
    ## Open
    (none: nothing left)
    ```
    """
    blocks = []
    for title, lines in sections.items():
        none = one_line((empty or {}).get(title, "")) or "nothing"
        said = [f"- {one_line(line)}" for line in lines] or [f"(none: {none})"]
        blocks.append("\n".join([f"## {title}", *said]))
    return f"{HEADER}\n{fence(chr(10).join(blocks))}"


def check_sections(sections: Sections, sources: Iterable[Message], known: str = "") -> Checked:
    """Leave out every line that names something which stands neither in the sources nor in `known`."""
    text = "\n".join([*(t for m in sources for p in m.parts for t in texts_of(p)), known])
    stood: dict[str, bool] = {}

    def is_there(name: str) -> bool:
        if name not in stood:
            stood[name] = stands_in(name, text)
        return stood[name]

    invented: dict[str, None] = {}
    dropped = 0
    kept: dict[str, list[str]] = {}
    for title, lines in sections.items():
        kept[title] = []
        for line in lines:
            if not line.strip():
                continue
            strange = sorted(n.text for n in names_in(line) if n.kind not in _LOOSE and not is_there(n.text))
            invented.update(dict.fromkeys(strange))
            dropped += bool(strange)
            if not strange:
                kept[title].append(line)
    return Checked(kept, tuple(invented), dropped)


def cut_sections(
    sections: Sections, empty: Mapping[str, str], room_tokens: int, counter: Counter
) -> tuple[str, int] | None:
    """The text with as many whole lines as fit, and how many were left out; None where no line fits.

    The last line of the longest section goes first: what matters most stands first in each.
    """
    kept = {title: list(lines) for title, lines in sections.items()}
    sizes = {
        title: counter.count_many([f"- {one_line(line)}\n" for line in lines])
        for title, lines in kept.items()
    }
    left_out = 0
    text = render_sections(kept, empty)
    while (over := counter.count(text) - room_tokens) > 0:
        while over > 0 and any(sizes.values()):
            longest = max(sizes, key=lambda title: sum(sizes[title]))
            over -= sizes[longest].pop()
            kept[longest].pop()
            left_out += 1
        if not any(kept.values()):
            return None
        text = render_sections(kept, {**empty, **_emptied(sections, kept)})
    return text, left_out


def _emptied(before: Sections, after: Sections) -> dict[str, str]:
    return {title: "no room" for title, lines in before.items() if lines and not after[title]}
