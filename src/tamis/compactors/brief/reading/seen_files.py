"""What is known of the files' text while a session is read: what was shown, and what edits came to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.files.window_editor import numbered_lines

MOST_REMEMBERED = 20_000
"""Characters of a file written or read whole that are remembered, to say what a later rewriting changes."""

_NUMBERED_LINE = re.compile(r"(?m)^ *\d+[→\t]")
_NUMBERED = re.compile(r"^\s{0,12}\d{1,7}\s?[→|:\t-]")


@dataclass(slots=True)
class EditedLines:
    """Lines of a file that edits put in: from where on, what stands there now, and what stood there first.

    `turns` are those of the edits behind which nothing was run yet.
    """

    first: int
    now: list[str]
    was: list[str]
    turns: set[int]

    @property
    def end(self) -> int:
        """The number of the line behind them."""
        return self.first + len(self.now)


@dataclass(slots=True)
class SeenFiles:
    """What each file held when it was last written or read whole, and which lines a window showed.

    `turn` is that of the call which is read; `mended` are earlier edits, by path and turn, that are told with
    its own, as nothing was run between them.
    """

    written: dict[str, str] = field(default_factory=dict)
    shown: dict[str, dict[int, str]] = field(default_factory=dict)
    printed: set[str] = field(default_factory=set)
    own: dict[str, list[EditedLines]] = field(default_factory=dict)
    turn: int = -1
    mended: set[tuple[str, int]] = field(default_factory=set)

    def put_in(self, path: str, first: int, last: int, new: Sequence[str]) -> tuple[str, str] | None:
        """Take in an edit of lines: what it changes into what, together with the edits that it mends.

        None where the lines were not shown before.
        """
        old = self.lines(path, first, last)
        end, own = max(last + 1, first), self.own.get(path, [])
        apart = [lines for lines in own if lines.end <= first or end <= lines.first]
        within = sorted((lines for lines in own if lines not in apart), key=lambda lines: lines.first)
        for lines in apart:
            lines.first += (len(new) - (end - first)) * (lines.first >= end)
        self.own[path] = apart
        if len(old) < end - first:
            return None
        was: list[str] = []
        at = first
        for lines in within:
            was += [*old[at - first : max(lines.first - first, 0)], *lines.was]
            at = lines.end
        was += old[max(at - first, 0) :]
        above = within[0].now[: max(first - within[0].first, 0)] if within else []
        below = within[-1].now[end - within[-1].first :] if within else []
        turns = {turn for lines in within for turn in lines.turns}
        here = EditedLines(first - len(above), [*above, *new, *below], was, turns | {self.turn})
        apart.append(here)
        self.mended |= {(path, turn) for turn in turns}
        by_itself = not turns and (above or below)
        return "\n".join(old if by_itself else was), "\n".join(new if by_itself else here.now)

    def standing(self, statements: list[Statement]) -> list[Statement]:
        """The statements without the edits that the newest has mended."""
        gone, self.mended = self.mended, set()
        return (
            [s for s in statements if s.kind != "changed" or (s.key, s.turn) not in gone]
            if gone
            else statements
        )

    def run(self) -> None:
        """Something was run: later edits mend no earlier ones, and what was put in of itself is there."""
        for lines in (lines for own in self.own.values() for lines in own):
            lines.turns = set()
            lines.was = lines.was if any(map(str.strip, lines.was)) else lines.now

    def take_in(self, output: str) -> None:
        """Remember the lines of an output: what a script puts in among them was there before."""
        if len(self.printed) < MOST_REMEMBERED:
            self.printed.update(
                _NUMBERED.sub("", line).strip() for line in output[:MOST_REMEMBERED].splitlines()
            )

    def see(self, path: str, text: str) -> None:
        """Take in a file as a whole; its lines may come with their numbers."""
        self.written.pop(path, None)
        if len(text) <= MOST_REMEMBERED:
            self.written[path] = _NUMBERED_LINE.sub("", text)

    def edit(self, path: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Put new text in the place of old in a file that is known."""
        text = self.written.pop(path, None)
        if text is not None and all(old in text for old, _ in pairs):
            for old, new in pairs:
                text = text.replace(old, new, 1)
            self.see(path, text)

    def show(self, path: str, answer: str, *, changed: bool) -> None:
        """Take in a window; behind a change, what stood further down has other numbers."""
        window = numbered_lines(answer)
        if window:
            before = self.shown.get(path, {})
            kept = {n: line for n, line in before.items() if not changed or n < min(window)}
            self.shown[path] = kept | window

    def lines(self, path: str, first: int, last: int) -> list[str]:
        """The lines from `first` to `last`; none where not all were shown."""
        shown = self.shown.get(path, {})
        if last - first >= len(shown) or any(n not in shown for n in range(first, last + 1)):
            return []
        return [shown[n] for n in range(first, last + 1)]
