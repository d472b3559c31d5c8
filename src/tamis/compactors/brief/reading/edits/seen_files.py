"""What is known of the files' text while a session is read: what was shown, and what edits came to."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.files.paths import is_temporary, is_within, same_file
from tamis.ledger.files.window_editor import numbered_lines
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import version_steps

NO_RESULT = "(no result on record)"
"""Stands for the answer of a call that the agent went on from without one."""

MOST_REMEMBERED = 20_000
"""Characters of a file written or read whole that are remembered, to say what a later rewriting changes."""

FEW_LINES, LEAST_TEXT, WINDOW_LINES = 8, 12, 100
"""An edit of no more lines is told beside what stood there first; a longer one, what stood at the run. A
line of so many characters is known again. A file of fewer lines than a window has was shown whole."""

NUMBERED_LINE = re.compile(r"(?m)^ *\d+[→\t]")
_NUMBERED = re.compile(r"^\s{0,12}\d{1,7}\s?[→|:\t-]")


def is_later(before: str, text: str) -> bool:
    r"""Whether a text is what a file that was known came to: most of it stands, and it is whole.

    >>> is_later("one\ntwo\nthree", "one\nthree"), is_later("one\ntwo\nthree", "one\ntwo")
    (True, False)
    """
    lines, now = before.split(), text.split()
    same = sum((Counter(lines) & Counter(now)).values())
    return lines != now and lines[-1:] == now[-1:] and same > max(len(lines), len(now)) // 2


@dataclass(slots=True)
class EditedLines:
    """Lines of a file that edits put in: from where on, what stands there now, and what stood there first.

    Text that was put in the place of text is as one line, of which it is not known where it stands. `passed`
    are the turns of edits of many places.
    """

    first: int
    now: list[str]
    was: list[str]
    turns: set[int]
    passed: set[int] = field(default_factory=set)

    @property
    def end(self) -> int:
        """The number of the line behind them."""
        return self.first + len(self.now)


def _joined(edits: list[EditedLines], edit: EditedLines) -> EditedLines:
    """An edit in one with those of the same lines, whose place it takes; those further down are shifted."""
    first, old = edit.first, edit.was
    end = first + len(old)
    within = sorted((e for e in edits if e.first < end and first < e.end), key=lambda e: e.first)
    edits[:] = [e for e in edits if e.end <= first or end <= e.first]
    for lines in edits:
        lines.first += (len(edit.now) - len(old)) * (lines.first >= end)
    if within:
        was: list[str] = []
        at = first
        for lines in within:
            was += [*old[at - first : max(lines.first - first, 0)], *lines.was]
            at = lines.end
        above = within[0].now[: max(first - within[0].first, 0)]
        below = within[-1].now[end - within[-1].first :]
        turns = edit.turns.union(*(lines.turns for lines in within))
        was += old[max(at - first, 0) :]
        edit = EditedLines(first - len(above), [*above, *edit.now, *below], was, turns)
    edits.append(edit)
    return edit


def _take_in(edits: list[EditedLines], old: str, new: str, turn: int) -> None:
    """Take in new text for old with the edits whose text it changes, or holds; one that it cuts is lost."""
    if around := [e for e in edits if old and old in e.now[0]]:
        for edit in around:
            edit.now[0] = edit.now[0].replace(old, new)
            (edit.turns if len(around) == 1 else edit.passed).add(turn)
        return
    lines = {line for line in map(str.strip, old.splitlines()) if len(line) >= LEAST_TEXT}
    turns = {turn}
    for edit in [e for e in edits if not lines.isdisjoint(map(str.strip, e.now[0].splitlines()))]:
        edits.remove(edit)
        turns |= edit.turns if edit.now[0] in old else set()
        old = old.replace(edit.now[0], edit.was[0], 1)
    edits.append(EditedLines(0, [new], [old], turns))


@dataclass(slots=True)
class SeenFiles:
    """What each file held when it was last written or read whole, and which lines a window showed.

    `about` are the words of what was asked, `turn` is that of the call which is read; `mended` are earlier
    edits, by path and turn, that are told with its own, as nothing was run between them; `found` says when a
    file was looked at last, `unsure` that a change has no result on record; `told` is what an edit of lines
    made of what; `tried_in` are repositories that were made to try something out; `changed`, all that was;
    `older`, what was there before.
    """

    written: dict[str, str] = field(default_factory=dict)
    shown: dict[str, dict[int, str]] = field(default_factory=dict)
    printed: dict[str, int] = field(default_factory=dict)
    own: dict[str, list[EditedLines]] = field(default_factory=dict)
    fresh: dict[str, list[EditedLines]] = field(default_factory=dict)
    """What edits put in, and what those did behind which nothing was run yet."""

    about: frozenset[str] = frozenset()
    turn: int = -1
    mended: set[tuple[str, int]] = field(default_factory=set)
    found: dict[str, int] = field(default_factory=dict)
    unsure: bool = False
    told: tuple[str, str] | None = None
    tried_in: set[str] = field(default_factory=set)
    older: set[str] = field(default_factory=set)
    changed: dict[str, None] = field(default_factory=dict)

    def put_in(self, path: str, first: int, last: int, new: Sequence[str]) -> tuple[str, str] | None:
        """Take in an edit of lines: what it changes into what, together with the edits that it mends.

        None where the lines were not shown before.
        """
        old = self.lines(path, first, last)
        if len(old) < last - first + 1:
            self.own.pop(path, None)
            self.fresh.pop(path, None)
            return None
        layers = self.own.setdefault(path, []), self.fresh.setdefault(path, [])
        whole, since = (_joined(layer, EditedLines(first, [*new], old, {self.turn})) for layer in layers)
        few = len(whole.now) == len(new) <= FEW_LINES and any(map(str.strip, whole.was))
        if len(since.now) > len(new) and not {*map(str.strip, new)} <= {*map(str.strip, old)}:
            since = EditedLines(first, [*new], old, {self.turn})  # of a part: the rest was put in before
        told = whole if few and whole.was != whole.now else since
        idle = {self.turn} if told.was == told.now else set()
        self.mended |= {(path, turn) for turn in (since.turns - {self.turn}) | idle}
        self.told = "\n".join(told.was), "\n".join(told.now)
        return self.told

    def standing(self, statements: list[Statement]) -> list[Statement]:
        """The statements without the edits that the newest call mends; a file that it found was written."""
        gone, self.mended = self.mended, set()
        if not gone and not self.unsure:
            return statements
        left = [s for s in statements if s.kind != "changed" or (s.key, s.turn) not in gone]
        return [
            replace(s, text=s.text[: -len(NO_RESULT)].rstrip())
            if s.text.endswith(NO_RESULT) and self.found.get(s.key, -1) > s.turn
            else s
            for s in left
        ]

    def run(self) -> None:
        """Something was run: later edits mend no earlier ones."""
        self.fresh.clear()

    def take_in(self, output: str) -> None:
        """Remember the lines of an output, and when: what a script puts in among them was there before."""
        if len(self.printed) < MOST_REMEMBERED:
            lines = (_NUMBERED.sub("", line).strip() for line in output[:MOST_REMEMBERED].splitlines())
            self.printed |= dict.fromkeys(lines, self.turn)

    def see(self, path: str, text: str) -> tuple[str, str]:
        """Take in a file as a whole, its lines perhaps numbered: what it held before, if known, and holds."""
        before, now = self.written.pop(path, ""), NUMBERED_LINE.sub("", text[: MOST_REMEMBERED + 1])
        if len(text) <= MOST_REMEMBERED:
            self.written[path] = now
        return before, now

    def edit(self, path: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Put new text in the place of old, which is noted, and in the file if that is known."""
        for pair in pairs:
            _take_in(self.own.setdefault(path, []), *pair, self.turn)
        text = self.written.pop(path, None)
        if text is not None and all(text.count(old) == 1 for old, _ in pairs):
            for old, new in pairs:
                text = text.replace(old, new, 1)
            self.see(path, text)

    def text_of(self, path: str) -> str:
        """What is known of the text of a file: the whole, or what edits put in and windows showed."""
        put_in = "\n".join(line for e in self.own.get(path, ()) for line in e.now)
        shown = "\n".join(line for _, line in sorted(self.shown.get(path, {}).items()))
        return self.written.get(path) or f"{put_in}\n{shown}"

    def script_of(self, command: str) -> str:
        """What a command line runs, as far as its text is known: itself, and the files that it names."""
        windows = {
            path: "\n".join(shown[n] for n in sorted(shown))
            for path, shown in self.shown.items()
            if {*shown} == {*range(1, len(shown) + 1)} and len(shown) < WINDOW_LINES
        }
        put_in = {path: "\n".join(line for e in own for line in e.now) for path, own in self.own.items()}
        line = cut_heredocs(command)[0]
        anew = {r.target.text for c in parse_script(command).commands if c.stdin for r in c.redirects}
        texts = (windows | put_in | self.written).items()
        named = (
            text
            for path, text in texts
            if path.rpartition("/")[2] in line and not any(same_file(path, new) for new in anew)
        )
        return "\n".join([command, *named])

    def is_trial(self, command: str, cwd: str | None) -> bool:
        """Whether a command line works in a repository that was made where files are not kept."""
        folder = next((c.cwd for c in parse_script(command, cwd).commands[::-1] if c.name == "git"), None)
        if not folder or not cwd or is_temporary(f"{cwd}/") or not is_temporary(f"{folder}/"):
            return False
        if any(step[1:2] == ["init"] for step in version_steps(command)):
            self.tried_in.add(folder)
        return any(is_within(folder, made) for made in self.tried_in)

    def lose(self, path: str) -> None:
        """Forget what a file held, as something has changed it, who knows where."""
        self.take_twins(path)
        self.written.pop(path, None)
        self.own.pop(path, None)

    def take_twins(self, path: str) -> None:
        """What a file that is changed held by another name is its own: `./rows.py`, `/work/rows.py`."""
        for name in [name for name in self.written if name != path and same_file(name, path)]:
            self.written.setdefault(path, self.written.pop(name))

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
