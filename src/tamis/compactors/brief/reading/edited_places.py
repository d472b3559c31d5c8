"""What edits touch: by the names in it, what was said before one is known to be of the same."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tamis.compactors.brief.reading.call_text import JOINT
from tamis.compactors.brief.reading.code_lines import REMARK
from tamis.compactors.brief.reading.statement import Statement

_NAME = re.compile(r"[^\W\d]\w{2,80}")
_IS_NAME = re.compile(r"[a-z][A-Z]|\w_\w")
_TICKED = re.compile(r"`([^`\n]{2,80})`")
_WHERE = re.compile(r"\A\S{0,200}\.\w{1,8}(?:$|:\d)")
"""A file, or a place in it."""


@dataclass(frozen=True, slots=True)
class EditedPlace:
    """The file of an edit, the names in the code that it changes, and its turn."""

    file: str
    names: frozenset[str]
    turn: int

    def touches(self, text: str) -> bool:
        """Whether a text names anything that the edit changes: an identifier, or what stands in ticks.

        >>> place = EditedPlace("rows.py", frozenset({"read_rows", "limit"}), 7)
        >>> place.touches("`limit` is too large"), place.touches("the limit of rows.py is too large")
        (True, False)
        """
        ticked = (words for words in _TICKED.findall(text) if not _WHERE.match(words))
        named = {name for words in ticked for name in _NAME.findall(words)}
        named |= {name for name in _NAME.findall(text) if _IS_NAME.search(name)}
        return not named.isdisjoint(self.names)


def edited_places(statements: Iterable[Statement]) -> list[EditedPlace]:
    """What each edit changes but for remarks, in order.

    >>> text = "edited a.py (read): added `# of rows ⏎ limit = 9`"
    >>> edit = Statement(kind="changed", text=text, turn=7, place=(0, -1), key="a.py")
    >>> sorted(edited_places([edit])[0].names)
    ['added', 'edited', 'limit', 'read']
    """
    places = []
    for s in statements:
        if s.kind == "changed" and "outline" not in s.flags:
            told = s.text.replace(s.key, "").replace("`", " ⏎ ")
            code = " ".join(line for line in JOINT.split(told) if not REMARK.match(line.strip()))
            places.append(EditedPlace(s.key.rpartition("/")[2], frozenset(_NAME.findall(code)), s.turn))
    return places
