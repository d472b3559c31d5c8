"""Sources of `tamis monitor`: decision logs."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tamis.monitoring.decision_log import LogLine, LogReader, find_logs
from tamis.monitoring.entries import DecisionEntry, LostLinesEntry
from tamis.monitoring.tally import RULES, Alert, AlertRule, SourceFigures, figures_of, judge

SHOWN = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedDecision:
    """A decision as it is listed: when it was written down, and what it was."""

    at: str
    decision: DecisionEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceReport:
    """What one log says now.

    `lines` that the figures are over (the newest), when the first and the last were written, `unread` lines
    that were cut or are none of a log's, and the newest decisions but for the untouched ones.
    """

    name: str
    figures: tuple[SourceFigures, ...]
    alerts: tuple[Alert, ...]
    lines_lost: int
    lines: int = 0
    unread: int = 0
    first_at: str | None = None
    last_at: str | None = None
    newest: tuple[ListedDecision, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MonitorReport:
    """What every source says."""

    sources: tuple[SourceReport, ...]


class LogSource:
    """A decision log; the figures are over its newest lines."""

    def __init__(self, path: Path, rules: Sequence[AlertRule] = RULES, *, last: int) -> None:
        self._rules = rules
        self._path = path
        self._reader = LogReader(path)
        self._lines: deque[LogLine] = deque(maxlen=last)

    def look(self) -> SourceReport:
        """Read what is new, and count."""
        self._lines.extend(self._reader.read())
        entries = [line.entry for line in self._lines]
        decided = (
            ListedDecision(at=line.at, decision=line.entry)
            for line in reversed(self._lines)
            if isinstance(line.entry, DecisionEntry) and line.entry.decision != "untouched"
        )
        figures = figures_of(entries)
        return SourceReport(
            name=str(self._path),
            figures=figures,
            alerts=judge(figures, self._rules),
            lines_lost=sum(entry.lines for entry in entries if isinstance(entry, LostLinesEntry)),
            lines=len(self._lines),
            unread=self._reader.unread,
            first_at=self._lines[0].at if self._lines else None,
            last_at=self._lines[-1].at if self._lines else None,
            newest=tuple(islice(decided, SHOWN)),
        )


def open_sources(names: Sequence[str], *, last: int, rules: Sequence[AlertRule] = RULES) -> list[LogSource]:
    """The logs by these names: files, and folders of them; their figures are held to the rules.

    Raises:
        InputError: one of them is not there, or is no log.
    """
    return [LogSource(path, rules, last=last) for name in names for path in find_logs(Path(name))]
