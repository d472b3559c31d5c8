"""The sink of entries: writes the log, feeds the metrics, and samples compactions for the quality check."""

import warnings
from collections.abc import Sequence
from functools import partial

from tamis.context.listener import tell
from tamis.monitoring.decision_log import DecisionLog
from tamis.monitoring.entries import EntrySource, LogEntry, LostLinesEntry, RunMode
from tamis.monitoring.metrics import Observation, Recorder, observations, zeros
from tamis.monitoring.quality import QualityCheck, ReplacedSpan


class EntrySink:
    """Takes entries from anywhere, in any thread, and never raises for what a log or a recorder does.

    Args:
        log: where every entry is written down; None writes nothing.
        recorders: what is fed with the metrics.
        quality: looks at a sample of compactions from time to time; None does not.
        with_details: write down what the method warned of, which may hold words of the session.
    """

    def __init__(
        self,
        *,
        log: DecisionLog | None = None,
        recorders: Sequence[Recorder] = (),
        quality: QualityCheck | None = None,
        with_details: bool = False,
    ) -> None:
        self.log = log
        self.with_details = with_details
        self._recorders = tuple(recorders)
        self._quality = quality
        self._has_warned = False

    def note(self, entry: LogEntry) -> None:
        """Write an entry down and count it."""
        if self.log is not None and not self.log.write(entry):
            self._warn_once(self.log.trouble or "")
            self._record(LostLinesEntry(lines=1))
        self._record(entry)

    def announce(self, source: EntrySource, mode: RunMode) -> None:
        """Set the counters of a source to zero, so that the first event of each shows as a rise."""
        for observation in zeros(source, mode):
            self._give_all(observation)

    def replaced(self, replaced: ReplacedSpan) -> None:
        """A span was replaced: from time to time it is looked at how well."""
        if self._quality is not None:
            self._quality.take(replaced, self.note)

    def close(self) -> None:
        """Wait for a quality check that runs, and let go of the log."""
        if self._quality is not None:
            self._quality.close()
        if self.log is not None:
            self.log.close()

    def _record(self, entry: LogEntry) -> None:
        for observation in observations(entry):
            self._give_all(observation)

    def _give_all(self, observation: Observation) -> None:
        for recorder in self._recorders:
            tell(partial(recorder.record, observation))

    def _warn_once(self, trouble: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"{trouble}; the work goes on", RuntimeWarning, stacklevel=3)
