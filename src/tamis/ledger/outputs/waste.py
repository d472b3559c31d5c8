"""Tokens of a session that say again what stands elsewhere in it.

Read off the ledger and the messages: the same output twice, and views of a file that was read again or
changed afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.ledger.events import Event, FileChange
from tamis.ledger.files.file_tools import command_line, first_path
from tamis.messages import Counter, Message, PartAddress, ToolCall, ToolResult, arguments_text, pair_calls
from tamis.messages.reprs import shortened

MAX_LISTED = 10
"""How many of the biggest are named; sums go over all."""

MIN_TOKENS = 20
"""A shorter output repeated ("ok") is no waste worth naming."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolOutput:
    """One tool result: where it stands (message position), what was asked, and its tokens."""

    turn: int
    tool: str
    asked: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FileViews:
    """A file that was seen more than once, or changed after it was seen.

    `superseded_tokens` are those of views before its newest change: they no longer hold. `reread_tokens` are
    those of further views before the newest one; they may have shown another part of the file.
    """

    path: str
    views: int
    superseded_tokens: int
    reread_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Waste:
    """What could go without a loss.

    `repeated_tokens` are those of outputs that stood there before, byte for byte; `superseded_tokens` and
    `reread_tokens` are sums over all files of `FileViews`. An output may be repeated and superseded.
    """

    output_tokens: int
    repeated_outputs: int
    repeated_tokens: int
    superseded_tokens: int
    reread_tokens: int
    files: tuple[FileViews, ...]
    biggest: tuple[ToolOutput, ...]


def find_waste(messages: Sequence[Message], events: Sequence[Event], counter: Counter) -> Waste:
    """Find the waste in messages; `events` are what the ledger read in them."""
    results = [
        (PartAddress(message=m, part=p), part)
        for m, message in enumerate(messages)
        for p, part in enumerate(message.parts)
        if isinstance(part, ToolResult)
    ]
    counts = counter.count_many([part.text for _, part in results])
    tokens = {place: n for (place, _), n in zip(results, counts, strict=True)}
    repeated = _repeated(results, tokens)
    files = _file_views(messages, events, tokens)
    return Waste(
        output_tokens=sum(counts),
        repeated_outputs=len(repeated),
        repeated_tokens=sum(tokens[place] for place in repeated),
        superseded_tokens=sum(file.superseded_tokens for file in files),
        reread_tokens=sum(file.reread_tokens for file in files),
        files=tuple(files[:MAX_LISTED]),
        biggest=_biggest(messages, results, tokens),
    )


def _repeated(
    results: Sequence[tuple[PartAddress, ToolResult]], tokens: dict[PartAddress, int]
) -> list[PartAddress]:
    seen: set[str] = set()
    again = []
    for place, part in results:
        if tokens[place] >= MIN_TOKENS and part.text in seen:
            again.append(place)
        seen.add(part.text)
    return again


def _file_views(
    messages: Sequence[Message], events: Sequence[Event], tokens: dict[PartAddress, int]
) -> list[FileViews]:
    """Per file, the results that showed it; the file with the most waste first, those without left out."""
    position = {message.id: i for i, message in enumerate(messages)}
    result_of = pair_calls(messages).result_of
    views: dict[str, list[PartAddress]] = {}
    changed: dict[str, int] = {}
    for event in events:
        if not isinstance(event.value, FileChange):
            continue
        if event.value.action != "read":
            changed[event.value.path] = event.turn
            continue
        call = PartAddress(message=position[event.source.message_id], part=event.source.part)
        place = result_of.get(call, call)
        if place in tokens:
            views.setdefault(event.value.path, []).append(place)
    files = [
        _views_of(path, list(dict.fromkeys(places)), changed.get(path, -1), tokens)
        for path, places in views.items()
    ]
    wasteful = [file for file in files if file.superseded_tokens or file.reread_tokens]
    return sorted(wasteful, key=lambda file: -(file.superseded_tokens + file.reread_tokens))


def _views_of(
    path: str, places: Sequence[PartAddress], changed: int, tokens: dict[PartAddress, int]
) -> FileViews:
    holding = [place for place in places if place.message > changed]
    return FileViews(
        path=path,
        views=len(places),
        superseded_tokens=sum(tokens[place] for place in places if place.message <= changed),
        reread_tokens=sum(tokens[place] for place in holding[:-1]),
    )


def _biggest(
    messages: Sequence[Message],
    results: Sequence[tuple[PartAddress, ToolResult]],
    tokens: dict[PartAddress, int],
) -> tuple[ToolOutput, ...]:
    call_of = pair_calls(messages).call_of
    biggest = sorted(results, key=lambda item: -tokens[item[0]])[:MAX_LISTED]
    outputs = []
    for place, part in biggest:
        asked = call_of.get(place)
        call = messages[asked.message].parts[asked.part] if asked else None
        outputs.append(
            ToolOutput(
                turn=place.message,
                tool=call.name if isinstance(call, ToolCall) else part.name or "unknown",
                asked=_in_a_line(call) if isinstance(call, ToolCall) else "",
                tokens=tokens[place],
            )
        )
    return tuple(outputs)


def _in_a_line(call: ToolCall) -> str:
    """What people would name the call by: its command, its path, or its arguments."""
    return shortened(command_line(call) or first_path(call) or arguments_text(call), 80)
