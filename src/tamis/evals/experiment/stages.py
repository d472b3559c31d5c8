"""The stages of a compaction point: where it is cut again, cycle after cycle, and what is sought there."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tamis.evals.hindsight import NameCache, Need, Needs, needed_names, tokens_beside
from tamis.evals.points import Point
from tamis.evals.statements.keypoints import KeyPoints, PlaceCache, find_key_points
from tamis.messages import Counter, Message, count_messages, whole_units


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """One cycle at a point: the point as it stands then, what came since the last cut, what is looked for."""

    cycle: int
    point: Point
    new: tuple[Message, ...]
    new_tokens: tuple[int, ...]
    needs: Needs
    sought: KeyPoints
    beside_tokens: tuple[int, ...]


def stages_of(
    point: Point, cycles: int, counter: Counter, *, names_of: NameCache, places_of: PlaceCache
) -> tuple[Stage, ...]:
    """The stages of a point, the first at its own cut; fewer than `cycles` where the tail is too short."""

    def stage(cycle: int, then: Point, new: tuple[Message, ...], new_tokens: Sequence[int]) -> Stage:
        return Stage(
            cycle=cycle,
            point=then,
            new=new,
            new_tokens=tuple(new_tokens),
            needs=needed_names(then, names_of),
            sought=find_key_points(then, places_of=places_of),
            beside_tokens=tokens_beside(then, counter),
        )

    stages = [stage(1, point, point.span, count_messages(point.span, counter))]
    tokens = count_messages(point.tail, counter) if cycles > 1 else []
    earlier = 0
    for cut in _cuts(point.tail, tokens, cycles):
        if not any(m.role == "assistant" for m in point.tail[cut:]):
            break  # nothing is done behind this cut that could judge it
        then = replace(
            point,
            cut=point.cut + cut,
            span=(*point.span, *point.tail[:cut]),
            tail=point.tail[cut:],
            span_tokens=point.span_tokens + sum(tokens[:cut]),
            recorded=None,
        )
        stages.append(stage(len(stages) + 1, then, point.tail[earlier:cut], tokens[earlier:cut]))
        earlier = cut
    return tuple(stages)


def _cuts(tail: Sequence[Message], tokens: Sequence[int], cycles: int) -> list[int]:
    """Where the tail is cut, without tearing a pair; each place once."""
    before = [0, *itertools.accumulate(tokens)]
    starts = [unit.start for unit in whole_units(tail) if unit.start > 0]
    wanted = (before[-1] * k / cycles for k in range(1, cycles))
    found = (next((s for s in starts if before[s] >= at), None) for at in wanted)
    return sorted({cut for cut in found if cut is not None})


def lasting_needs(stages: Sequence[Stage], names_of: NameCache) -> tuple[Need, ...]:
    """What was needed at the first cut and is said by nobody until the last one, where there are several."""
    if len(stages) == 1:
        return ()
    said = {name.text for stage in stages[1:] for message in stage.new for name in names_of(message)}
    return tuple(need for need in stages[0].needs.needs if need.name not in said)
