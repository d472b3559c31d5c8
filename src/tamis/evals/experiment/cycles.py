"""True drift: one point compacted again and again, as an agent that works on would be.

The tail behind a point is cut into as many stretches as there are cycles, of about the same tokens, whole
calls and results in each. In each cycle a method gets its own last answer and the stretch that came since,
nothing else, and the budget in tokens of the first cycle; what was needed is told anew behind each cut.

What only memory can keep is told by the point's *lasting* names: needed behind the first cut, and said by no
message between the first cut and the last. Whether they stand in the context after each cycle is the curve
of survival.
"""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.evals.hindsight import KindScore, Need, Needs
from tamis.evals.points import Point
from tamis.messages import Counter, Message, count_messages, whole_units
from tamis.text.names import KINDS, Name, NameKind
from tamis.text.needed_names import SearchableContext


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """One cycle at a point: the point as it stands then, and what came since the last cut."""

    cycle: int
    point: Point
    new: tuple[Message, ...]
    new_tokens: tuple[int, ...]


def stages_of(point: Point, cycles: int, counter: Counter) -> tuple[Stage, ...]:
    """The stages of a point, the first at its own cut; fewer than `cycles` where the tail is too short."""
    first = Stage(cycle=1, point=point, new=point.span, new_tokens=tuple(count_messages(point.span, counter)))
    if cycles == 1:
        return (first,)
    tokens = count_messages(point.tail, counter)
    stages = [first]
    earlier = 0
    for cut in _cuts(point.tail, tokens, cycles):
        if not any(m.role == "assistant" for m in point.tail[cut:]):
            break  # nothing is done behind this cut that could judge it
        stages.append(
            Stage(
                cycle=len(stages) + 1,
                point=replace(
                    point,
                    cut=point.cut + cut,
                    span=(*point.span, *point.tail[:cut]),
                    tail=point.tail[cut:],
                    span_tokens=point.span_tokens + sum(tokens[:cut]),
                    recorded=None,
                ),
                new=point.tail[earlier:cut],
                new_tokens=tuple(tokens[earlier:cut]),
            )
        )
        earlier = cut
    return tuple(stages)


def _cuts(tail: Sequence[Message], tokens: Sequence[int], cycles: int) -> list[int]:
    """Where the tail is cut, without tearing a pair; each place once."""
    before = [0, *itertools.accumulate(tokens)]
    starts = [unit.start for unit in whole_units(tail) if unit.start > 0]
    wanted = (before[-1] * k / cycles for k in range(1, cycles))
    found = (next((s for s in starts if before[s] >= at), None) for at in wanted)
    return sorted({cut for cut in found if cut is not None})


def lasting_needs(
    needs: Needs, stages: Sequence[Stage], names_of: Callable[[Message], Collection[Name]]
) -> tuple[Need, ...]:
    """What was needed at the first cut and is said by nobody until the last one."""
    if len(stages) == 1:
        return ()
    said = {name.text for stage in stages[1:] for message in stage.new for name in names_of(message)}
    return tuple(need for need in needs.needs if need.name not in said)


def lasting_kept(lasting: Sequence[Need], messages: Sequence[Message]) -> Mapping[NameKind, KindScore]:
    """How many of the lasting names stand in a context, by kind."""
    context = SearchableContext(messages)
    kept = [(need.kind, need.name in context) for need in lasting]
    return {
        kind: KindScore(needed=len(of_kind), found=sum(of_kind))
        for kind in KINDS
        if (of_kind := [found for k, found in kept if k == kind])
    }
