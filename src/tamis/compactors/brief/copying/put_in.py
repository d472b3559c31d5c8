"""What calls put into files, as later edits left it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from tamis.compactors.brief.reading.edits.code_lines import unfenced
from tamis.ledger.files.file_tools import content_of, paths_of, replacements_of
from tamis.messages import ToolCall
from tamis.messages.conversation import Part

Replaced = tuple[str, str]
"""What an edit took out, and what it put in; two empty texts for a file that was written anew."""

MOST_TEXT, HEADING_WORDS = 1_200, 7
"""Characters of a text in Markdown that is copied with its code; a longer heading says what is done there."""

_WORD = re.compile(r"\w")
_HEADING = re.compile(r"(#{1,6}) \S")
_SUMS_UP = re.compile(
    r"\b(?:summary|tl;?dr|recommend\w{0,8}|decisions?|conclusions?|findings|verdict|non-?goals|follow-?ups?"
    r"|(?:open|unresolved|remaining|outstanding|next) (?:questions?|issues?|items?|points?|work|steps?)"
    r"|todo|limitations|risks)\b",
    re.IGNORECASE,
)
"""In the heading of a section that tells what a text comes to."""

LEFT_OUT = "…"
"""Stands for lines of a text that are not copied."""


class LaterEdits:
    """What later calls did to each file, gathered on the way from the newest call back."""

    def __init__(self, changed: Mapping[str, int]) -> None:
        self._changed = changed
        self._replaced: dict[str, list[tuple[int, Replaced]]] = {}
        self._known: dict[str, int] = {}  # the newest edit of each file that says what it took out

    def of(self, name: str) -> Sequence[Replaced]:
        """The edits of a file that came later, in their order."""
        return [pair for _, pair in self._replaced.get(name, ())]

    def newest_in(self, name: str, piece: str, turn: int) -> int:
        """The turn of the newest edit most of which stands in a piece of what a call put in, or much of it.

        That of the call itself, `turn`, where no later edit put anything into the piece.
        """
        lines = {line for line in piece.splitlines() if _WORD.search(line)}
        shares: list[tuple[bool, int, int]] = []
        for at, (old, new) in self._replaced.get(name, ()):
            fresh = {*filter(_WORD.search, map(str.rstrip, new.splitlines()))} - {
                *map(str.rstrip, old.splitlines())
            }
            own = len(fresh & lines)
            is_most = 2 * own > len(fresh)
            shares.append((is_most, at if is_most else own, at))
        _, many, newest = max(shares, default=(False, 0, turn))
        return newest if many else turn

    def are_unknown(self, name: str, turn: int) -> bool:
        """Whether a command has changed the file since then, who knows where."""
        return bool(name) and self._changed.get(name, -1) > max(turn, self._known.get(name, -1))

    def add(self, call: ToolCall, name: str, turn: int) -> None:
        """Count an edit that came before all that are known."""
        self._known.setdefault(name, turn)
        own = [(turn, pair) for pair in replacements_of(call) or [("", "")]]
        self._replaced[name] = [*own, *self._replaced.get(name, ())]


def edited_file(part: Part) -> str:
    """The name of the one file that a call edits, where it says what it takes out; else empty."""
    if not isinstance(part, ToolCall):
        return ""
    names = {path.rpartition("/")[2] for path in paths_of(part)}
    return names.pop() if len(names) == 1 and (replacements_of(part) or content_of(part)) else ""


def wrote(part: Part, piece: str) -> bool:
    """Whether a call itself put in each line of a piece."""
    if not isinstance(part, ToolCall):
        return True
    lines = {
        line.rstrip()
        for text in (content_of(part) or "", *dict(replacements_of(part)).values())
        for line in text.splitlines()
    }
    return {*lines, LEFT_OUT}.issuperset(piece.splitlines())


def text_put_in(call: ToolCall, later: Sequence[Replaced]) -> str:
    """What a call put into its file, without the lines that stood there before."""
    pairs = replacements_of(call)
    fresh = (
        _added(old, _as_it_is(new, [*pairs[at:], *later]))
        for at, (old, new) in enumerate(pairs, 1)
        if not {*new.splitlines()} <= {*old.splitlines()}
    )
    whole = _as_it_is(content_of(call) or "", later)
    return "\n".join(_sections(whole) if is_long_text(call) else [whole] if whole else fresh)


def is_long_text(call: ToolCall) -> bool:
    """Whether a call writes a text in Markdown of some length."""
    return len(content_of(call) or "") > MOST_TEXT and edited_file(call).endswith(".md")


def _sections(text: str) -> Iterator[str]:
    """The lines of the sections that sum a text up, decide, or say what is open, with what is below them.

    The headings tell of the rest, and no part of that stands for itself.
    """
    depth, is_cut = 0, False
    for line in unfenced(text):
        if line and (found := _HEADING.match(line)) and not 0 < depth < len(found[1]):
            is_told = len(found[1]) > 1 and len(line.split()) <= HEADING_WORDS and _SUMS_UP.search(line)
            depth = len(found[1]) if is_told else 0
            yield from [LEFT_OUT] * bool(is_told and is_cut)
            is_cut = not is_told
        if depth:
            yield LEFT_OUT if line is None else line


def _as_it_is(text: str, later: Sequence[Replaced]) -> str:
    """What was put into a file as later edits left it; empty where that is not known."""
    for old, new in later:
        if old and old in text:
            text = text.replace(old, new, 1)
            continue
        gone = {line.strip() for line in old.splitlines() if line.strip() and line.strip() not in new}
        if not old or not gone.isdisjoint(map(str.strip, text.splitlines())):
            return ""
    return text


def _added(old: str, new: str) -> str:
    """What is new in a text, with a mark where lines that stood there before stand between.

    A bracket between new lines stays: it closes what they open.
    """
    before, lines = old.splitlines(), new.splitlines()
    steps = SequenceMatcher(None, before, lines, autojunk=False).get_opcodes()
    fresh = [at for tag, _, _, k, m in steps if tag != "equal" for at in range(k, m)]
    told: list[str] = []
    for last, at in zip([*fresh[:1], *fresh], fresh, strict=False):
        between = lines[last + 1 : at]
        told += [LEFT_OUT] if any(_WORD.search(line) for line in between) else between
        told.append(lines[at])
    return "\n".join(told)
