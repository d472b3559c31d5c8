"""The newest text word for word: what room is left goes to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tamis.compactors.brief.copying.pieces import (
    FEW_LINES,
    PIECE_CHARS,
    begun,
    piece_spoken_of,
    pieces_of,
    says_little,
)
from tamis.compactors.brief.copying.put_in import LaterEdits, edited_file, wrote
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
from tamis.compactors.brief.reading.deeds.service_calls import fetches
from tamis.compactors.brief.reading.deeds.taken_up import ASKS, Spoken
from tamis.compactors.brief.reading.settling.overtaken import file_names
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

SETTLED = 3
"""Before so many of the user's newest messages, what was asked is settled."""

SOURCE_CHARS, END_CHARS = 60, 90
"""Of what gave a passage, and of an end that says nothing without what stood before it."""

SAVED_CHARS = 400

_SAVED = re.compile(r"\b[Ss]aved to:?\s{1,3}(\S{1,300})")
"""Where the rest of an output lies: who reads that file looks on at the output."""

_AWAY = re.compile(r"cd \S{0,200}?([^\s/]{1,60})/? (?:&&|;) ")
_TIED = re.compile(r"\n| && ")
"""Of a long line of several commands the head is not what printed."""


def passages_of(
    messages: Sequence[Message],
    turns: Sequence[int],
    budget_tokens: int,
    changed: Mapping[str, int] | None = None,
    *,
    is_wide: bool = False,
) -> Iterator[Statement]:
    """Pieces of tool results and of what was written into files, the newest messages first.

    `changed` says when files of a name were changed last: a look at one before that shows what is no more. A
    look at code serves what is done next: behind an edit or an answer it is for spare room, as a part of much
    code is, of which the edit tells; so is a page behind which files were changed. Of a long output, the part
    that was spoken of then comes before the others; a roll is not copied: what was seen in it was said. Where
    `is_wide`, the budget has room for all of that, the newest first.
    """
    yield from _Walk(messages, turns, changed or {}, LOOKED_AT * budget_tokens, is_wide=is_wide).passages()


@dataclass(frozen=True, slots=True)
class _Copy:
    """The pieces of one part: which of them is spoken of, and what they are worth."""

    pieces: Sequence[str]
    spoken_of: int | None
    is_roll: bool
    is_spare: bool
    is_behind_work: bool

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
        is_wide: bool,
    ) -> None:
        self._is_wide = is_wide
        self._messages, self._turns, self._changed = messages, turns, changed
        self._calls = {call.id: call for message in messages for call in message.calls}
        self._places = {
            call.id: f"{turn}.{index}"
            for message, turn in zip(messages, turns, strict=True)
            for index, call in enumerate(message.parts)
            if isinstance(call, ToolCall)
        }
        outputs = (r.text[:SAVED_CHARS] for m in messages for r in m.results)
        saved = {path.rpartition("/")[2] for text in outputs for path in _SAVED.findall(text)}
        self._at_hand = changed.keys() | saved
        self._cwd = next((m.cwd for m in reversed(messages) if m.cwd), None)
        self._worked = max(changed.values(), default=-1)
        told = (t for m, t in zip(messages, turns, strict=True) if m.role == "assistant" and not m.calls)
        self._acted = max([self._worked, *told])
        heard = [t for m, t in zip(messages, turns, strict=True) if m.role == "user" and _is_said(m)]
        self._settled = heard[-SETTLED] if len(heard) >= SETTLED else -1
        self._is_spent = Spent(messages, self._calls, changed)
        self._spoken = Spoken()
        for message, turn in zip(messages, turns, strict=True):
            self._spoken.take(message, turn)
        self._left = {True: chars, False: chars}  # characters, for spare room or not
        self._copied: set[str] = set()
        self._edits = LaterEdits(changed)
        self._run: set[str] = set()
        self._behind: Message | None = None  # what the agent said and did next

    def passages(self) -> Iterator[Statement]:
        """What is copied, in the order in which it is met."""
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
        spent = self._is_spent(part, turn) and not is_old
        if spent or self._edits.are_unknown(name, turn) or line in self._run:
            return
        if line is not None:
            self._run.add(line)
        copy = self._copy(part, call, turn)
        for at, piece in enumerate(copy.pieces):
            spares, whole, piece = copy.spares(at), piece, begun(piece) if at else piece
            self._left[spares > 0] -= len(piece)
            if self._left[spares > 0] < 0:
                break
            is_end = at > 0 and piece.count("\n") < FEW_LINES and (copy.is_spare or len(piece) < END_CHARS)
            little = copy.is_roll or is_end or says_little(piece)
            little = little or self._is_idle(part, piece, turn, spoken_of=copy.spoken_of == at)
            place = turn if wrote(part, piece) else self._edits.newest(name)
            little = little or (place > turn and is_trial(name))
            if piece in self._copied or (little and not self._is_wide):
                continue
            self._copied.add(piece)
            since = f", begun at #{turn}" * (place > turn)
            voice = _voice(part, call, self._cwd) + ", further down" * (at > 0) + since
            voice += ", as it was then" * is_old
            key = f"{turn}.{index}" if call is None else self._places[call.id]
            yield Statement(
                kind="passage",
                text=f"#{place} {voice}:\n{piece}{' …' * (at + 1 < len(copy.pieces))}",
                turn=place,
                place=(index, at),
                key=key,
                flags=(*("spare", "detail")[:spares], *["runs-on"] * (at > 0 and piece == whole)),
            )
        if name and isinstance(part, ToolCall):
            self._edits.add(part, name, turn)

    def _copy(self, part: Part, call: ToolCall | None, turn: int) -> _Copy:
        """The pieces of a part, as many as there is room for."""
        looks = call is not None and isinstance(part, ToolResult) and self._only_looks(call, part, turn)
        looks = looks and not self._is_wide
        room = max(0, self._left[looks]) // PIECE_CHARS + 2
        name = edited_file(part)
        pieces = list(islice(pieces_of(part, call, self._edits.of(name)), room))
        about, rolls = None, False
        if isinstance(part, ToolResult):
            is_list = not self._is_wide and (not looks or (call is not None and seeks(call)))  # and no file
            rolls = turn <= self._acted and not part.is_error and is_list and _is_roll(pieces)
            about = piece_spoken_of(pieces, [self._behind] if self._behind else self._newest())
        is_spare = looks or (is_source(name) and len(pieces) > 1)
        return _Copy(pieces, about, rolls, is_spare, turn <= self._worked)

    def _is_idle(self, part: Part, piece: str, turn: int, *, spoken_of: bool) -> bool:
        """Whether the agent went on from code or hits that it saw, or from a file that it wrote whole.

        So it is with an output with hardly a word of which it went on: a file can be looked at again; of what
        else is printed, a name that was taken up is enough.
        """
        call = self._calls.get(part.call_id) if isinstance(part, ToolResult) else None
        if call is None or not isinstance(part, ToolResult):
            is_whole = isinstance(part, ToolCall) and not replacements_of(part)
            return is_whole and turn < self._spoken.last
        if not part.is_error and (HELPER.fullmatch(call.name) or ANSWERED.match(part.text)):
            return True  # it is told by its sentences
        if turn >= self._spoken.last:
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

    def _only_looks(self, call: ToolCall, result: ToolResult, turn: int) -> bool:
        """Whether a call looked at something of which what came later tells."""
        looks = _SAVED.search(result.text, 0, SAVED_CHARS) or only_looks(
            call, result.text, self._at_hand, documents=turn < self._settled
        )
        return bool(turn <= self._acted and looks) or (turn <= self._worked and fetches(call.arguments))

    def _newest(self) -> Sequence[Message]:
        """The user's newest words, and the last two messages."""
        heard = (m for m in reversed(self._messages) if _is_said(m))
        return [*islice((m for m in heard if m.role == "user"), 1), *self._messages[-2:]]


def _files_of(call: ToolCall) -> Sequence[str]:
    line = command_line(call)
    return [*file_names(line)] if line is not None else paths_of(call)


def _is_roll(pieces: Sequence[str]) -> bool:
    return is_roll("\n".join(pieces).splitlines(), members=len(pieces) > 1)


def _is_said(message: Message) -> bool:
    return bool(message.text) and message.origin == "conversation"


def _voice(part: Part, call: ToolCall | None, cwd: str | None) -> str:
    """What gave a passage, by the command, as from `cwd`, or the file's name; `call` gave a result."""
    source = part if isinstance(part, ToolCall) else call
    if source is None:
        return "printed"
    line = command_line(source)
    name = ", ".join(path.rpartition("/")[2] for path in paths_of(source))
    named = f"{name_of(source)} {name if '.' in name else arguments_of(source)}"
    shell = placed(command_of(source) or "", cwd)
    if len(shell) > SOURCE_CHARS and _TIED.search(cut_heredocs(shell)[0].strip()):
        line = run_subject(command_of(source) or "", cwd, placed=True)
    what = placed(line, cwd) if line else search_words(source).replace("`", "") or named
    if away := _AWAY.match(what):  # what was run tells more than the way to where
        what = what[away.end() :]
    told = f"`{shortened(one_line(what), SOURCE_CHARS)}`" + (f" in {away[1]}" if away else "")
    verb = "put into" if replacements_of(source) else "wrote"
    return f"{told} printed" if isinstance(part, ToolResult) else f"{verb} {name or told}"
