"""Which tool result answers which tool call, and where a conversation can be cut without tearing them.

APIs refuse a result without its call and a call without its result, so whoever takes messages out must know
what belongs together. Ids are compared exactly. Where an id is used again (some agents restart their
counters), a result answers the latest open call with its id.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.errors import InputError
from tamis.messages.conversation import Message, ToolCall, ToolResult


@dataclass(frozen=True, kw_only=True, slots=True)
class PartAddress:
    """A part's address: position of the message, position of the part in it."""

    message: int
    part: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairing:
    """The calls and results of a message list, matched.

    `result_of` maps each answered call to its result, `call_of` the other way round. `open_calls` never got
    a result (or not yet); `orphan_results` answer no call that is there.
    """

    result_of: dict[PartAddress, PartAddress]
    call_of: dict[PartAddress, PartAddress]
    open_calls: tuple[PartAddress, ...]
    orphan_results: tuple[PartAddress, ...]

    @property
    def whole(self) -> bool:
        """Whether every call has its result and every result its call."""
        return not self.open_calls and not self.orphan_results


def pair_calls(messages: Sequence[Message]) -> Pairing:
    """Match calls and results by exact id, in order; parallel calls and repeated ids included.

    >>> from tamis.messages import Message, ToolCall, ToolResult
    >>> call = Message(id="1", role="assistant", parts=(ToolCall(id="c", name="ls"),))
    >>> result = Message(id="2", role="tool", parts=(ToolResult(call_id="c", text="a.py"),))
    >>> pair_calls([call, result]).whole, pair_calls([result]).whole
    (True, False)
    """
    waiting: dict[str, list[PartAddress]] = {}
    result_of: dict[PartAddress, PartAddress] = {}
    orphans: list[PartAddress] = []
    for m, message in enumerate(messages):
        for p, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                waiting.setdefault(part.id, []).append(PartAddress(message=m, part=p))
            elif isinstance(part, ToolResult):
                here = PartAddress(message=m, part=p)
                if calls := waiting.get(part.call_id):
                    result_of[calls.pop()] = here
                else:
                    orphans.append(here)
    still_open = sorted((c for calls in waiting.values() for c in calls), key=lambda c: (c.message, c.part))
    call_of = {result: call for call, result in result_of.items()}
    return Pairing(
        result_of=result_of, call_of=call_of, open_calls=tuple(still_open), orphan_results=tuple(orphans)
    )


def whole_units(messages: Sequence[Message]) -> list[range]:
    """Cut a message list into the smallest runs that can be kept or dropped without tearing a pair.

    Consecutive ranges that cover the list: a message without calls is a unit of its own; an assistant message
    with calls, its results and everything between them are one.
    """
    last = list(range(len(messages)))
    for call, result in pair_calls(messages).result_of.items():
        last[call.message] = max(last[call.message], result.message)
    units: list[range] = []
    start, end = 0, -1
    for i in range(len(messages)):
        end = max(end, last[i])
        if i == end:
            units.append(range(start, end + 1))
            start = end + 1
    return units


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A conversation in three: the prompt that stays, the span that is replaced, the tail that stays."""

    system: tuple[Message, ...]
    span: tuple[Message, ...]
    tail: tuple[Message, ...]


def cut_messages(messages: Sequence[Message], *, keep_last: int = 0) -> Cut:
    """Cut a conversation where a compaction may replace what is older.

    System messages at the beginning stay. At least the last `keep_last` messages stay, more where a call
    would be torn from its result; so does a call at the very end whose result is still to come.

    >>> from tamis.messages import Text
    >>> talk = [Message(id=r, role=r, parts=(Text(text=r),)) for r in ("system", "user", "assistant")]
    >>> [m.id for m in cut_messages(talk, keep_last=1).span]
    ['user']

    Raises:
        InputError: `keep_last` is no number of messages.
    """
    if not isinstance(keep_last, int) or keep_last < 0:
        raise InputError(f"keep_last is {keep_last!r}; give 0 or the number of newest messages to keep")
    start = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    body = messages[start:]
    at = max(0, len(body) - keep_last)
    waiting = {place.message for place in pair_calls(body).open_calls}
    last_reply = max((i for i, m in enumerate(body) if m.role == "assistant"), default=len(body))
    if last_reply in waiting and all(m.role == "tool" for m in body[last_reply + 1 :]):
        at = min(at, last_reply)
    at = next((unit.start for unit in whole_units(body) if unit.start < at < unit.stop), at)
    return Cut(system=tuple(messages[:start]), span=tuple(body[:at]), tail=tuple(body[at:]))
