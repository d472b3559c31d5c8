"""Regret as it happens: names that the agent used from its past and had not been shown.

A name counts as missed when the past held it, the block did not, and nothing in the iteration itself gave it
before the agent used it.
"""

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from tamis.memory.history import History
from tamis.memory.iterations import Iteration
from tamis.memory.passes import Stages
from tamis.memory.settings import Safety
from tamis.messages import Message, Text, part_text
from tamis.text.needed_names import FirstUses, SearchableContext


@dataclass(frozen=True, kw_only=True, slots=True)
class Regret:
    """What one iteration missed.

    `needed` counts the names it took from the past; `turns` what the agent said or did; `missing_turns` those
    of them that first used a name that was gone. `listed` of the needed names stood in a bare list of names
    and in nothing that was told: they are found, but not what was said of them.
    """

    iteration: int
    needed: int
    missing: tuple[str, ...]
    turns: int
    missing_turns: int
    listed: int = 0


def find_regret(
    iteration: Iteration,
    *,
    shown: str,
    was_said: Callable[[str], bool],
    stands: Callable[[str], bool] = lambda _: False,
    listed: Collection[str] = (),
) -> Regret:
    """Judge an iteration by what the agent went on to use in it.

    `shown` is what it was shown of the past, with the system prompt (the task is added here), and `listed`
    names that stand there in a bare list. `was_said` tells whether the past held a name, `stands` whether it
    was shown word for word beside that.
    """
    texts = (Text(text=shown), Text(text=iteration.task))
    context = SearchableContext([Message(id="shown", role="user", parts=texts)])
    uses = FirstUses(was_said)
    needed: set[str] = set()
    missing: list[str] = []
    turns = missing_turns = 0
    for message in iteration.messages:
        from_past = uses.take(message)
        gone = sorted(name for name in from_past if not stands(name) and name not in context)
        needed |= from_past
        missing += gone
        turns += message.role == "assistant"
        missing_turns += bool(gone)
    return Regret(
        iteration=iteration.number,
        needed=len(needed),
        missing=tuple(missing),
        turns=turns,
        missing_turns=missing_turns,
        listed=sum(name in listed and not stands(name) for name in needed),
    )


class IterationRegretWatch:
    """Judges every iteration that has ended, and holds the latest against what is allowed.

    `regrets` are those of the window, the newest last.
    """

    def __init__(self, settings: Safety) -> None:
        self._settings = settings
        self._shown: dict[int, tuple[str, Stages]] = {}
        self._missed: deque[bool] = deque(maxlen=settings.quality_window)
        self.regrets: deque[Regret] = deque(maxlen=settings.quality_window)

    def expect(self, number: int, shown: str, stages: Stages) -> None:
        """Remember what iteration `number` is shown, or would be: of the past, and of the system prompt."""
        self._shown = {number: (shown, stages)}

    def shown(self, number: int) -> str | None:
        """What an iteration that is not judged yet is shown; None where nothing was expected of it."""
        if number not in self._shown:
            return None
        shown, stages = self._shown[number]
        return "\n".join([shown, *(part_text(part) for m in stages.recent.messages for part in m.parts)])

    def judge(self, iteration: Iteration, history: History) -> Regret | None:
        """What an ended iteration missed, before it becomes the past; None where nothing was expected.

        An iteration in which the agent did nothing says nothing about quality.
        """
        if iteration.number not in self._shown:
            return None
        shown, stages = self._shown.pop(iteration.number)
        since = history.start_of(min(stages.recent.iterations, default=iteration.number))
        kept = (line.line for section in stages.injected.sections for line in section.lines)
        regret = find_regret(
            iteration,
            shown=shown,
            was_said=history.was_said,
            stands=lambda name: history.was_said_since(name, since),
            listed={line.text for line in kept if line.kind == "name"},
        )
        self.regrets.append(regret)
        if regret.turns:
            self._missed.append(bool(regret.missing))
        return regret

    @property
    def rate(self) -> float | None:
        """Iterations that missed something / iterations judged; None while there are too few."""
        if len(self._missed) < self._settings.min_judged:
            return None
        return sum(self._missed) / len(self._missed)

    @property
    def has_dropped(self) -> bool:
        """Whether it is above what is allowed."""
        return self.rate is not None and self.rate > self._settings.max_regret_rate
