"""The quality check: every so many compactions, a sample of them is looked at more closely.

It needs no model and nothing of what followed. What must not be missing is read off the span by the ledger,
never taken from what the method says of itself: the newest request, the user's rules, changed files, open
tasks; and questions that the span itself answers, looked up by their words. Both are looked for in all that
the agent sees after the compaction.
"""

import logging
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tamis.compactors.completeness import find_missing
from tamis.errors import InputError
from tamis.evals.probing.exact_scorer import ANSWERED_FROM
from tamis.evals.probing.examination import score_holding
from tamis.evals.probing.passage_index import PassageIndex
from tamis.evals.probing.probe_maker import make_probes
from tamis.ledger import read_ledger
from tamis.messages import Message
from tamis.monitoring.entries import EntrySource, QualityEntry, RunMode

LOG = logging.getLogger("tamis.monitoring")
EVERY = 10
SAMPLE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplacedSpan:
    """A span that was replaced, and all that the agent sees since."""

    source: EntrySource
    mode: RunMode
    span: tuple[Message, ...] = field(repr=False)
    shown: tuple[Message, ...] = field(repr=False)


class QualityCheck:
    """Looks at a sample of the latest compactions every so many of them, in a thread of its own.

    A check that is due while another one runs is left out: the agent is never waited for, nor slowed down
    twice.

    Args:
        every: so many compactions from one check to the next.
        sample: so many of those are looked at.
        beside: False checks before `take` returns.
        seed: for the sample; the same compactions give the same sample.

    Raises:
        InputError: a number below 1.
    """

    def __init__(
        self, *, every: int = EVERY, sample: int = SAMPLE, beside: bool = True, seed: int = 0
    ) -> None:
        if every < 1 or sample < 1:
            raise InputError(f"a quality check of {sample} runs every {every}; give 1 or more of both")
        self._latest: deque[ReplacedSpan] = deque(maxlen=every)
        self._sample = sample
        self._beside = beside
        self._random = random.Random(seed)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def take(self, replaced: ReplacedSpan, tell: Callable[[QualityEntry], None]) -> None:
        """Take in a compaction; where a check is due, `tell` is called with what it found."""
        with self._lock:
            self._latest.append(replaced)
            if len(self._latest) < (self._latest.maxlen or 0):
                return
            if self._thread is not None and self._thread.is_alive():
                return
            chosen = self._random.sample(self._latest, min(self._sample, len(self._latest)))
            self._latest.clear()
            thread = threading.Thread(target=_check, args=(chosen, tell), name="tamis-quality", daemon=True)
            if self._beside:
                self._thread = thread
                thread.start()
        if not self._beside:
            _check(chosen, tell)

    def close(self) -> None:
        """Wait for the check that runs."""
        if self._thread is not None:
            self._thread.join()


def _check(chosen: Sequence[ReplacedSpan], tell: Callable[[QualityEntry], None]) -> None:
    try:
        for who in sorted({(one.source, one.mode) for one in chosen}):
            tell(check_quality([one for one in chosen if (one.source, one.mode) == who]))
    except Exception:  # one evaluation's run: nobody's work may end by it
        LOG.exception("a quality check failed")


def check_quality(chosen: Sequence[ReplacedSpan]) -> QualityEntry:
    """What is there of what must not be missing, over all of them; they are of one source and mode.

    >>> from tamis.messages import Text
    >>> asked = Message(id="1", role="user", parts=(Text(text="Never change prices.csv, it is theirs."),))
    >>> kept = check_quality([ReplacedSpan(source="context", mode="active", span=(asked,), shown=(asked,))])
    >>> gone = check_quality([ReplacedSpan(source="context", mode="active", span=(asked,), shown=())])
    >>> kept.score, gone.score
    (1.0, 0.0)
    """
    demanded = there = asked = found = 0
    for one in chosen:
        state = read_ledger(one.span).state
        wanted = len(find_missing(state, ()))
        demanded += wanted
        there += wanted - len(find_missing(state, one.shown))
        index = PassageIndex(one.shown)
        held = [score_holding(probe, index) for probe in make_probes(one.span, state=state).probes]
        asked += sum(share is not None for share in held)
        found += sum(share is not None and share >= ANSWERED_FROM for share in held)
    return QualityEntry(
        source=chosen[0].source,
        mode=chosen[0].mode,
        runs=len(chosen),
        demanded=demanded,
        there=there,
        asked=asked,
        found=found,
    )
