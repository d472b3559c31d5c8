"""The newest text word for word: what room is left goes to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tamis.compactors.brief.copying.pieces import (
    FEW_LINES,
    PIECE_CHARS,
    begun,
    pieces_of,
    says_little,
    shares_of,
    standing_over,
)
from tamis.compactors.brief.copying.put_in import LaterEdits, edited_file, is_long_text, wrote
from tamis.compactors.brief.copying.spent import Spent, only_looks, seeks
from tamis.compactors.brief.reading.deeds.action import ANSWERED, HELPER
from tamis.compactors.brief.reading.deeds.call_text import (
    arguments_of,
    name_of,
    placed,
    search_words,
    shortened,
)
from tamis.compactors.brief.reading.deeds.rolls import is_roll
from tamis.compactors.brief.reading.deeds.taken_up import ASKS, Spoken
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.settling.told_paths import told_from
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.files.definitions import is_source
from tamis.ledger.files.file_tools import command_line, paths_of, replacements_of
from tamis.ledger.files.paths import is_trial
from tamis.ledger.outputs.commands import command_of
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.programs import run_subject
from tamis.messages import Message, ToolCall, ToolResult
from tamis.messages.conversation import Part

LOOKED_AT = 10
"""Characters of newest text that are looked at, per token of the budget."""

LOOKED_INTO = 30
"""Pieces of one output that are looked at for the one that is spoken of, whatever has room."""

SETTLED, LATE = 3, 12
"""Before so many of the user's newest messages, what was asked is settled; an output before so many of the
last messages was answered, and what it gave is told in the answer."""

SOURCE_CHARS, END_CHARS = 60, 90
"""Of what gave a passage, and of an end that says nothing without what stood before it."""

_AWAY = re.compile(r"cd \S{0,200}?([^\s/]{1,60})/? (?:&&|;) ")
_TIED = re.compile(r"\n| && ")
"""Of a long line of several commands the head is not what printed."""


def passages_of(
    messages: Sequence[Message],
    turns: Sequence[int],
    budget_tokens: int,
    changed: Mapping[str, int] | None = None,
    *,
    root: str = "",
    tail: Sequence[Message] = (),
    is_wide: bool = False,
) -> Iterator[Statement]:
    """Pieces of tool results and of what was written into files, the newest messages first.

    Room that is left does not make a text worth reading. Outputs that nothing answered yet are copied, the
    last ones that were taken up, and what the agent wrote; of one that it went on from, the part spoken of.
    `changed` says when files of a name were changed last: a look at one before that shows what is no more. A
    look at code serves what is done next: behind an edit or an answer it is for spare room, as a part of much
    code is, of which the edit tells; so is a page behind which files were changed. A roll is not copied: what
    was seen in it was said. `tail` stands behind what is told and may change files and answer as well; paths
    are told from `root`. Where `is_wide`, the budget has room for all that was shown, the newest first.
    """
    walk = _Walk(
        messages, turns, changed or {}, LOOKED_AT * budget_tokens, root=root, tail=tail, is_wide=is_wide
    )
    yield from walk.passages()


@dataclass(frozen=True, slots=True)
class _Copy:
    """The pieces of one part: how much each shares with what was said, and what they are worth."""

    pieces: Sequence[str]
    shares: Sequence[float]
    is_roll: bool
    is_spare: bool
    is_behind_work: bool

    @property
    def spoken_of(self) -> int | None:
        """The piece that shares most; None where there is one, or none is an output's."""
        return self.shares.index(max(self.shares)) if len(self.shares) > 1 else None

    def is_aside(self, at: int) -> bool:
        """Whether another piece is spoken of."""
        return self.spoken_of not in (None, at)

    def spares(self, at: int) -> int:
        """How far a piece is for spare room only: 0 to 2, or 3 for an aside behind the work."""
        return self.is_roll or self.is_spare + self.is_aside(at) * (1 + self.is_behind_work)


class _Walk:
    """The way from the newest message back, with what was met on it."""

    def __init__(
        self,
        messages: Sequence[Message],
        turns: Sequence[int],
        changed: Mapping[str, int],
        chars: int,
        *,
        root: str,
        tail: Sequence[Message],
        is_wide: bool,
    ) -> None:
        self._is_wide, self._root = is_wide, root
        end = self._end = max(turns, default=-1) + 1
        failed = {r.call_id for m in tail for r in m.results if r.is_error}
        edits = [call for m in tail for call in m.calls if edited_file(call) and call.id not in failed]
        later = {edited_file(call): end for call in edits}
        self._messages, self._turns, self._changed = messages, turns, {**changed, **later}
        self._calls = {call.id: call for message in messages for call in message.calls}
        self._places = {
            call.id: f"{turn}.{index}"
            for message, turn in zip(messages, turns, strict=True)
            for index, call in enumerate(message.parts)
            if isinstance(call, ToolCall)
        }
        self._lost = _without_answer([*messages, *tail])
        self._cwd = next((m.cwd for m in reversed(messages) if m.cwd), None)
        self._worked = max(changed.values(), default=-1)
        heard = [t for m, t in zip(messages, turns, strict=True) if m.role == "user" and _is_said(m)]
        self._settled = heard[-SETTLED] if len(heard) >= SETTLED else -1
        self._late = ([-1] * LATE + [*turns, *(end for _ in tail)])[-LATE]
        self._is_spent = Spent(messages, self._calls, self._changed)
        self._spoken = Spoken()
        for message, turn in zip(messages, turns, strict=True):
            self._spoken.take(message, turn)
        self._answered = self._spoken.last
        for message in tail:
            self._spoken.take(message, end)
        self._left = {True: chars, False: chars}  # characters, for spare room or not
        said = (m.text for m in reversed(messages) if m.role == "user" and _is_said(m))
        self._asked = next(said, "")
        self._copied: set[str] = set()
        self._unspoken: list[tuple[float, Statement]] = []  # what shares most with what was said before
        self._beside: list[tuple[float, Statement]] = []
        self._edits = LaterEdits(self._changed)
        for call in reversed(edits):
            self._edits.add(call, edited_file(call), end)
        self._run: set[str] = set()
        answers = (message for message in tail if message.role == "assistant")
        self._behind = next(answers, None)  # what the agent said and did next

    def passages(self) -> Iterator[Statement]:
        """What is copied at once; then of long outputs that nothing was said of yet what shares most."""
        yield from self._met()
        most = max((share for share, _ in self._unspoken), default=0.0)
        for share, passage in self._unspoken:
            yield passage if share == most else replace(passage, flags=("spare", *passage.flags))
        for _, passage in sorted(self._beside, key=lambda each: -each[0]):
            self._left[True] -= len(passage.text)
            if self._left[True] < 0:
                return
            yield passage

    def _met(self) -> Iterator[Statement]:
        """What is copied at once; the pieces of a long output that nothing was said of yet are gathered."""
        for message, turn in zip(reversed(self._messages), reversed(self._turns), strict=True):
            if max(self._left.values()) < 0 or (turn < self._settled and not self._is_wide):
                return
            if message.origin != "conversation" or turn < 0:
                continue
            for index, part in enumerate(message.parts):
                yield from self._of_part(part, turn, index)
            self._behind = message if message.role == "assistant" else self._behind

    def _of_part(self, part: Part, turn: int, index: int) -> Iterator[Statement]:
        call = self._calls.get(part.call_id) if isinstance(part, ToolResult) else None
        line = command_line(call) if call is not None else None
        name = edited_file(part)
        is_old = self._is_wide and self._is_spent.is_old(part, turn)
        printed = part.text if isinstance(part, ToolResult) else ""
        looks = call is not None and only_looks(call, printed, (), documents=True)
        is_open = turn >= self._answered and (not printed or turn > self._worked)
        is_named = call is not None and not is_open and any(map(self._asks_of, _files_of(call)))
        is_answered = bool(printed) and not (is_open or self._is_wide or is_named)
        spent = (self._is_spent(part, turn) and not is_old) or (is_answered and turn < self._late)
        is_lost = isinstance(part, ToolCall) and part.id in self._lost
        if spent or is_lost or self._edits.are_unknown(name, turn) or line in self._run:
            return
        if line is not None:
            self._run.add(line)
        copy = self._copy(part, call, turn, looks=looks, is_answered=is_answered)
        told: set[int] = set()
        for at, piece in enumerate(copy.pieces):
            is_beside = bool(printed) and copy.is_aside(at) and not self._is_wide
            if is_beside and self._behind:
                continue
            whole, piece = piece, begun(piece) if at else piece
            spares = 2 if is_answered else max(is_named, copy.spares(at))
            self._left[spares > 0] -= 0 if is_beside else len(piece)
            if self._left[spares > 0] < 0:
                break
            is_end = at > 0 and piece.count("\n") < FEW_LINES and (copy.is_spare or len(piece) < END_CHARS)
            little = copy.is_roll or is_end or says_little(piece)
            little = little or self._is_idle(
                part, piece, turn, is_open=is_open or is_named, spoken_of=copy.spoken_of == at
            )
            place = turn if wrote(part, piece) else self._edits.newest_in(name, piece, turn)
            is_later = place >= self._end  # edited in what stands behind the brief
            place = turn if is_later else place
            little = little or (place > turn and is_trial(name))
            if piece in self._copied or (little and not self._is_wide):
                continue
            self._copied.add(piece)
            told.add(at)
            since = f", begun at #{turn}" * (place > turn) + ", as edited since" * is_later
            voice = _voice(part, call, self._cwd, self._root) + ", further down" * (
                at > 0 and (bool(printed) or at - 1 in told)
            )
            over = standing_over(copy.pieces[:at], piece)
            voice += f" under `{over}`" * bool(over) + since
            voice += ", as it was then" * is_old
            key = f"{turn}.{index}" if call is None else self._places[call.id]
            passage = Statement(
                kind="passage",
                text=f"#{place} {voice}:\n{piece}{' …' * (at + 1 < len(copy.pieces))}",
                turn=place,
                place=(index, at),
                key=key,
                flags=(*("spare", "detail")[:spares], *["runs-on"] * (at > 0 and piece == whole)),
            )
            if is_beside:
                self._beside.append((copy.shares[at], passage))
            elif printed and is_open and copy.spoken_of == at:
                self._unspoken.append((copy.shares[at], passage))
            else:
                yield passage
        if name and isinstance(part, ToolCall):
            self._edits.add(part, name, turn)

    def _copy(self, part: Part, call: ToolCall | None, turn: int, *, looks: bool, is_answered: bool) -> _Copy:
        """The pieces of a part, as many as there is room for."""
        room = max(max(0, self._left[is_answered]) // PIECE_CHARS + 2, LOOKED_INTO)
        name = edited_file(part)
        pieces = list(islice(pieces_of(part, call, self._edits.of(name)), room))
        shares: Sequence[float] = ()
        rolls = False
        if isinstance(part, ToolResult):
            is_list = not looks or (call is not None and seeks(call))  # and no file
            rolls = is_answered and not part.is_error and is_list and _is_roll(pieces)
            says = self._behind is not None and self._behind.text
            by = [self._behind] if self._behind and says else self._newest()
            shares = shares_of(pieces, by)
        is_spare = is_source(name) and len(pieces) > 1
        return _Copy(pieces, shares, rolls, is_spare, turn <= self._worked)

    def _is_idle(self, part: Part, piece: str, turn: int, *, is_open: bool, spoken_of: bool) -> bool:
        """Whether the agent went on from code or hits that it saw, or what it wrote whole, or to try.

        So it is with an output with hardly a word of which it went on: a file can be looked at again; of what
        else is printed, a name that was taken up is enough. While it `is_open`, nothing was said since.
        """
        call = self._calls.get(part.call_id) if isinstance(part, ToolResult) else None
        if call is None or not isinstance(part, ToolResult):
            is_whole = isinstance(part, ToolCall) and not (replacements_of(part) or is_long_text(part))
            return not is_open and (is_whole or is_trial(edited_file(part)))
        if not part.is_error and (HELPER.fullmatch(call.name) or ANSWERED.match(part.text)):
            return True  # it is told by its sentences
        if is_open:
            return False
        at_hand = only_looks(call, part.text, (), documents=True)
        names = _files_of(call)
        if all(map(ASKS.match, run_subject(command_line(call) or "", self._cwd).split(" && "))):
            return True
        if at_hand and (seeks(call) or (names and all(map(is_source, names)))):
            return True
        if spoken_of and not at_hand and self._spoken.takes_up(piece, turn):
            return False
        return not self._spoken.takes_most(piece, turn)

    def _asks_of(self, path: str) -> bool:
        """Whether the user's newest words name a file."""
        name = path.rpartition("/")[2]
        return "." in name and name in self._asked

    def _newest(self) -> Sequence[Message]:
        """The newest words of the user and of the agent, and the last two messages."""
        said = [m for m in reversed(self._messages) if _is_said(m)]
        newest = (next((m for m in said if m.role == role), None) for role in ("user", "assistant"))
        return [*filter(None, newest), *self._messages[-2:]]


def _without_answer(messages: Sequence[Message]) -> set[str]:
    """The edits that others went on from before they were made, where the session keeps results of edits."""
    answered = {result.call_id for message in messages for result in message.results}
    *before, _ = [m.calls for m in messages if m.calls] or [()]
    edits = {call.id for calls in before for call in calls if edited_file(call)}
    return set() if edits.isdisjoint(answered) else edits - answered


def _files_of(call: ToolCall) -> Sequence[str]:
    line = command_line(call)
    return [*file_names(line)] if line is not None else paths_of(call)


def _is_roll(pieces: Sequence[str]) -> bool:
    return is_roll("\n".join(pieces).splitlines(), members=len(pieces) > 1)


def _is_said(message: Message) -> bool:
    return bool(message.text) and message.origin == "conversation"


def _voice(part: Part, call: ToolCall | None, cwd: str | None, root: str) -> str:
    """What gave a passage: the command, as from `cwd`, or the file, as from `root`; `call` gave a result."""
    source = part if isinstance(part, ToolCall) else call
    if source is None:
        return "printed"
    line = command_line(source)
    name = ", ".join(told_from(root, path) if root else path.rpartition("/")[2] for path in paths_of(source))
    named = f"{name_of(source)} {name if '.' in name else arguments_of(source)}"
    shell = placed(command_of(source) or "", cwd)
    if len(shell) > SOURCE_CHARS and _TIED.search(cut_heredocs(shell)[0].strip()):
        line = run_subject(command_of(source) or "", cwd, placed=True)
    what = placed(line, cwd) if line else search_words(source).replace("`", "") or named
    most = len(what) if what == named and "." in name else SOURCE_CHARS
    if away := _AWAY.match(what):  # what was run tells more than the way to where
        what = what[away.end() :]
    told = f"`{shortened(one_line(what), most)}`" + (f" in {away[1]}" if away else "")
    verb = "put into" if replacements_of(source) else "wrote"
    return f"{told} printed" if isinstance(part, ToolResult) else f"{verb} {name or told}"
