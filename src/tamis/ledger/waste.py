"""Tokens of a session that say again what stands elsewhere in it: the part that goes first.

Read off the ledger and the messages: the same output twice, and views of a file that was read again or
changed afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.ledger.events import Event, FileChange
from tamis.ledger.tools import command_line, first_path
from tamis.messages import Counter, Message, ToolCall, ToolResult, pair_calls
from tamis.messages.model import arguments_text
from tamis.messages.pairing import Place

MAX_LISTED = 10
"""How many of the biggest are named; sums go over all."""

MIN_TOKENS = 20
"""A shorter output repeated ("ok") is no waste worth naming."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """One tool result: where it stands (message position), what was asked, and its tokens."""

    turn: int
    tool: str
    asked: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StaleView:
    """A file whose older views no longer hold: how often it was seen, and the tokens of all but the newest.

    A view that a later write made stale counts even where the file was not read again.
    """

    path: str
    views: int
    stale_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Waste:
    """What could go without a loss.

    `repeated_tokens` are those of outputs that stood there before, byte for byte; `stale_tokens` those of
    views of files that were seen or changed later. An output may count in both.
    """

    output_tokens: int
    repeated_outputs: int
    repeated_tokens: int
    stale_tokens: int
    stale_views: tuple[StaleView, ...]
    biggest: tuple[Output, ...]


def find_waste(messages: Sequence[Message], events: Sequence[Event], counter: Counter) -> Waste:
    """Look for it. `events` are the ledger's over the same messages."""
    results = [
        (Place(message=m, part=p), part)
        for m, message in enumerate(messages)
        for p, part in enumerate(message.parts)
        if isinstance(part, ToolResult)
    ]
    counts = counter.count_many([part.text for _, part in results])
    tokens = {place: n for (place, _), n in zip(results, counts, strict=True)}
    repeated = _repeated(results, tokens)
    stale = _stale_views(messages, events, tokens)
    return Waste(
        output_tokens=sum(counts),
        repeated_outputs=len(repeated),
        repeated_tokens=sum(tokens[place] for place in repeated),
        stale_tokens=sum(view.stale_tokens for view in stale),
        stale_views=tuple(stale[:MAX_LISTED]),
        biggest=_biggest(messages, results, tokens),
    )


def _repeated(results: Sequence[tuple[Place, ToolResult]], tokens: dict[Place, int]) -> list[Place]:
    seen: set[str] = set()
    again = []
    for place, part in results:
        if tokens[place] >= MIN_TOKENS and part.text in seen:
            again.append(place)
        seen.add(part.text)
    return again


def _stale_views(
    messages: Sequence[Message], events: Sequence[Event], tokens: dict[Place, int]
) -> list[StaleView]:
    """Per file, the results that showed it before its newest reading or writing; that with the most first."""
    position = {message.id: i for i, message in enumerate(messages)}
    result_of = pair_calls(messages).result_of
    views: dict[str, list[Place]] = {}
    last_touch: dict[str, int] = {}
    for event in events:
        if not isinstance(event.value, FileChange):
            continue
        last_touch[event.value.path] = event.turn
        call = Place(message=position[event.source.message_id], part=event.source.part)
        place = result_of.get(call, call)
        if event.value.action == "read" and place in tokens:
            views.setdefault(event.value.path, []).append(place)
    found = []
    for path, places in views.items():
        stale = [place for place in dict.fromkeys(places) if place.message < last_touch[path]]
        if stale:
            found.append(
                StaleView(path=path, views=len(places), stale_tokens=sum(tokens[place] for place in stale))
            )
    return sorted(found, key=lambda view: -view.stale_tokens)


def _biggest(
    messages: Sequence[Message], results: Sequence[tuple[Place, ToolResult]], tokens: dict[Place, int]
) -> tuple[Output, ...]:
    call_of = pair_calls(messages).call_of
    biggest = sorted(results, key=lambda item: -tokens[item[0]])[:MAX_LISTED]
    outputs = []
    for place, part in biggest:
        asked = call_of.get(place)
        call = messages[asked.message].parts[asked.part] if asked else None
        outputs.append(
            Output(
                turn=place.message,
                tool=call.name if isinstance(call, ToolCall) else part.name or "unknown",
                asked=_in_a_line(call) if isinstance(call, ToolCall) else "",
                tokens=tokens[place],
            )
        )
    return tuple(outputs)


def _in_a_line(call: ToolCall, width: int = 80) -> str:
    """What people would name the call by: its command, its path, or its arguments."""
    line = " ".join((command_line(call) or first_path(call) or arguments_text(call)).split())
    return line if len(line) <= width else line[: width - 1] + "…"
