"""`mask`: old tool output replaced by a line that says what it was; everything else stays.

First all output is masked; what room is left then goes to the newest output, which stays as it was. Where
even the masked span is too large, the oldest whole units go.
"""

from dataclasses import replace

from tamis.compactors.account import MessageFate
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.methods.output_placeholder import calls_of_results, describe_output, is_left_out
from tamis.compactors.packing import newest_that_fit
from tamis.messages import Message, Part, ToolCall, ToolResult, count_messages


class Mask(Method):
    """Masks the output of as many of the oldest messages as it must."""

    name = "mask"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Mask, then drop, then give what room is left back to the newest output."""
        masked = _masked(material)
        small = list(material.tokens)
        for i, _, tokens in masked:
            small[i] = tokens
        units = material.units(small)
        kept_units = newest_that_fit([u.tokens for u in units], material.budget_tokens)
        if not kept_units:
            return CannotFit("not one whole message fits the budget, even masked")
        kept = {i for k in kept_units for i in units[k].positions}
        candidates = [m for m in masked if m[0] in kept]
        gains = [material.tokens[i] - tokens for i, _, tokens in candidates]
        room = material.budget_tokens - sum(units[k].tokens for k in kept_units)
        opened = {candidates[k][0] for k in newest_that_fit(gains, room)}
        stand_ins = {i: message for i, message, _ in candidates if i not in opened}
        return Replacement(
            messages=tuple(stand_ins.get(i, material.messages[i]) for i in sorted(kept)),
            told=tuple(_tell(i, kept, stand_ins) for i in range(len(material.messages))),
        )


def _masked(material: Material) -> list[tuple[int, Message, int]]:
    """Position, masked message and its tokens, for every message that masking makes smaller."""
    calls = calls_of_results(material.messages)
    made = []
    for i, message in enumerate(material.messages):
        if message.results:
            parts = (_masked_part(part, calls.get((i, p))) for p, part in enumerate(message.parts))
            made.append((i, message.with_parts(parts)))
    counts = count_messages([m for _, m in made], material.counter)
    return [(i, m, n) for (i, m), n in zip(made, counts, strict=True) if n < material.tokens[i]]


def _masked_part(part: Part, call: ToolCall | None) -> Part:
    if not isinstance(part, ToolResult) or is_left_out(part):
        return part
    line = describe_output(part, call)
    if len(line) >= len(part.text) and not part.media:
        return part
    return replace(part, text=line, media=(), details=None, native=None)


def _tell(position: int, kept: set[int], masked: dict[int, Message]) -> MessageFate:
    if position not in kept:
        return MessageFate("archived", "no room left for anything so old")
    if position in masked:
        return MessageFate("condensed", "its tool output is masked")
    return MessageFate("kept", "not tool output, or among the newest that fit")
