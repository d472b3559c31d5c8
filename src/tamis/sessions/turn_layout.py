"""Laying messages out as APIs demand: results right behind their calls, under ids that the API takes.

Sessions of other programs break the rules of an API in three ways: something stands between a call and its
result, ids are of another shape or used twice, or one half of a pair is missing. The first two are put
right here; the third is an error, because only the caller knows which half to trust.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from tamis.errors import InputError
from tamis.messages import (
    Message,
    Pairing,
    Part,
    PartAddress,
    Role,
    Text,
    ToolCall,
    ToolResult,
    pair_calls,
    part_text,
)
from tamis.sessions.native import record_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What an API takes as a call id and as a tool's name, and what it is called in an error."""

    format: str
    title: str
    id_characters: str = r"a-zA-Z0-9_-"
    longest_id: int = 64
    longest_name: int = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiTurn:
    """Messages that go out together, and the results that stand right behind them.

    Results whose call is not there stay among the messages' parts.
    """

    messages: tuple[Message, ...]
    results: tuple[ToolResult, ...] = ()


Agree = Callable[[ToolCall, ToolResult], bool]
"""Whether a call and its result can both go out as they are: some calls only take results of their kind."""


def lay_out(
    messages: Sequence[Message],
    limits: Limits,
    *,
    strict: bool,
    join_calls: bool = False,
    agree: Agree = lambda *_: True,
) -> list[ApiTurn]:
    """Messages in turns, each call's result behind the turn of its call, ids as the API takes them.

    Args:
        messages: any messages.
        limits: what the API takes.
        strict: whether half a pair is an error, but for calls that the list ends with.
        join_calls: whether neighbouring assistant messages are one turn, so that parallel calls that were
            recorded one by one are answered together.
        agree: where it says no, both halves lose their records and are written as a plain call and result.
            A pair that keeps them, and stands in one message, stays there: the provider ran that tool.

    Raises:
        InputError: strict, and a call has no result or a result no call.
    """
    messages = _told_by_users(messages)
    pairing = pair_calls(messages)
    if strict:
        _require_pairs(messages, pairing, limits)
    messages = _without_torn_records(messages, pairing, agree)
    ids = call_ids(messages, pairing, limits)
    behind: dict[int, list[PartAddress]] = {}
    for result, call in pairing.call_of.items():
        own = record_of(messages[call.message].parts[call.part], limits.format)
        if call.message != result.message or own is None:
            behind.setdefault(call.message, []).append(result)
    moved = {result for results in behind.values() for result in results}
    turns = []
    for group in _groups(messages, join_calls=join_calls):
        places = sorted((p for m in group for p in behind.get(m, ())), key=lambda p: (p.message, p.part))
        results = (_named(messages[place.message].parts[place.part], ids[place]) for place in places)
        kept = (_without_moved(messages[m], m, moved, ids) for m in group)
        turn = ApiTurn(
            messages=tuple(message for message in kept if message is not None),
            results=tuple(result for result in results if isinstance(result, ToolResult)),
        )
        if turn.messages or turn.results:
            turns.append(turn)
    return turns


def _told_by_users(messages: Sequence[Message]) -> list[Message]:
    """Calls that somebody else than the model made, and what they gave back, as text of a user.

    In some sessions the user has tools too; APIs know calls of the model only.
    """
    if not any(message.calls and message.role != "assistant" for message in messages):
        return list(messages)
    pairing = pair_calls(messages)
    changed: list[Message] = []
    for m, message in enumerate(messages):
        parts: list[Part] = []
        for p, part in enumerate(message.parts):
            call = pairing.call_of.get(PartAddress(message=m, part=p))
            if isinstance(part, ToolCall) and message.role != "assistant":
                parts.append(Text(text=f"[the user called {part_text(part)}]"))
            elif isinstance(part, ToolResult) and call and messages[call.message].role != "assistant":
                parts += [Text(text=f"[it gave back: {part.text}]"), *part.media]
            else:
                parts.append(part)
        if parts != list(message.parts):
            role: Role = "user" if message.role == "tool" else message.role
            message = replace(message.with_parts(parts), role=role)
        changed.append(message)
    return changed


def call_ids(messages: Sequence[Message], pairing: Pairing, limits: Limits) -> dict[PartAddress, str]:
    """The id that each call and result goes by in the API, by place.

    An id that the API takes stays; one that it does not take is spelled with the characters that it takes and
    told apart by a hash; a second call of the same id gets a number. What was read from this API keeps its
    own id.
    """
    ids: dict[PartAddress, str] = {}
    taken: set[str] = set()
    for m, message in enumerate(messages):
        for p, part in enumerate(message.parts):
            here = PartAddress(message=m, part=p)
            if isinstance(part, ToolResult):
                call = pairing.call_of.get(here)
                ids[here] = ids[call] if call in ids else _fitting(part.call_id, limits)
            elif isinstance(part, ToolCall):
                own = record_of(part, limits.format) is not None
                ids[here] = part.id if own else _unused(_fitting(part.id, limits), taken, limits.longest_id)
                taken.add(ids[here])
    return ids


def tool_name(name: str, limits: Limits) -> str:
    """The tool's name in letters that the API takes: `functions.exec` is `functions_exec`."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[: limits.longest_name] or "unnamed"


def _fitting(call_id: str, limits: Limits) -> str:
    if re.fullmatch(f"[{limits.id_characters}]{{1,{limits.longest_id}}}", call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    spelled = re.sub(f"[^{limits.id_characters}]", "_", call_id)
    return f"{spelled[: limits.longest_id - 9]}_{digest}"


def _unused(call_id: str, taken: set[str], longest: int) -> str:
    candidate, n = call_id, 1
    while candidate in taken:
        n += 1
        candidate = f"{call_id[: longest - len(str(n)) - 1]}_{n}"
    return candidate


def _named(part: Part, call_id: str) -> Part:
    if isinstance(part, ToolCall):
        return replace(part, id=call_id)
    return replace(part, call_id=call_id) if isinstance(part, ToolResult) else part


def _groups(messages: Sequence[Message], *, join_calls: bool) -> list[list[int]]:
    """Positions of the messages of each turn: neighbouring assistant messages together where asked for."""
    if not join_calls:
        return [[m] for m in range(len(messages))]
    keyed = groupby(range(len(messages)), key=lambda m: messages[m].role == "assistant" or -m - 1)
    return [list(members) for _, members in keyed]


def _without_torn_records(messages: Sequence[Message], pairing: Pairing, agree: Agree) -> list[Message]:
    """The messages, both halves of each pair that does not agree without their records."""
    changed = list(messages)
    for pair in pairing.result_of.items():
        call, result = (messages[place.message].parts[place.part] for place in pair)
        if isinstance(call, ToolCall) and isinstance(result, ToolResult) and not agree(call, result):
            for place in pair:
                parts = list(changed[place.message].parts)
                parts[place.part] = replace(parts[place.part], native=None)
                changed[place.message] = changed[place.message].with_parts(parts)
    return changed


def _without_moved(
    message: Message, m: int, moved: Set[PartAddress], ids: Mapping[PartAddress, str]
) -> Message | None:
    """The message under its ids, without results that stand behind their calls; None if nothing is left."""
    places = [PartAddress(message=m, part=p) for p in range(len(message.parts))]
    parts = tuple(_named(message.parts[at.part], ids.get(at, "")) for at in places if at not in moved)
    if parts == message.parts:
        return message
    return replace(message, parts=parts) if parts else None


def _require_pairs(messages: Sequence[Message], pairing: Pairing, limits: Limits) -> None:
    for place in pairing.orphan_results:
        result = messages[place.message].parts[place.part]
        if isinstance(result, ToolResult):
            raise InputError(
                f"message {place.message + 1} has a result for call {result.call_id!r}, but that call is not "
                f"in front of it, and {limits.title} refuses that; keep the call too, or leave the result out"
            )
    for place in pairing.open_calls:
        call = messages[place.message].parts[place.part]
        behind = messages[place.message + 1 :]
        if isinstance(call, ToolCall) and any(message.role != "assistant" for message in behind):
            raise InputError(
                f"call {call.id!r} ({call.name}) in message {place.message + 1} has no result, and "
                f"{limits.title} refuses that; add a result for it, or leave the call out"
            )
