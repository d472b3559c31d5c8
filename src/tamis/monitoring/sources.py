"""Sources of `tamis monitor`: a decision log, or the metrics of a program that runs."""

import http.client
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from tamis.errors import InputError
from tamis.monitoring.decision_log import LogLine, LogReader, find_logs
from tamis.monitoring.entries import DecisionEntry
from tamis.monitoring.metrics import observations
from tamis.monitoring.prometheus import read_metrics
from tamis.monitoring.tally import RULES, Alert, AlertRule, SourceFigures, Tally, figures_of, judge

SHOWN = 8
TIMEOUT_S = 5.0
MAX_SCRAPE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedDecision:
    """A decision as it is listed: when it was written down, and what it was."""

    at: str
    decision: DecisionEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceReport:
    """What one source says now.

    Of a log: `lines` that the figures are over (the newest), when the first and the last were written,
    `unread` lines that were cut or are none of a log's, and the newest decisions but for the untouched ones.
    The figures of a URL are since its program began.
    """

    name: str
    kind: Literal["log", "url"]
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
        tally = Tally()
        for line in self._lines:
            for observation in observations(line.entry):
                tally.record(observation)
        decided = (
            ListedDecision(at=line.at, decision=line.entry)
            for line in reversed(self._lines)
            if isinstance(line.entry, DecisionEntry) and line.entry.decision != "untouched"
        )
        figures = figures_of(tally)
        return SourceReport(
            name=str(self._path),
            kind="log",
            figures=figures,
            alerts=judge(figures, self._rules),
            lines_lost=int(tally.sum("log_lines_lost")),
            lines=len(self._lines),
            unread=self._reader.unread,
            first_at=self._lines[0].at if self._lines else None,
            last_at=self._lines[-1].at if self._lines else None,
            newest=tuple(islice(decided, SHOWN)),
        )


class UrlSource:
    """A program's metrics; of a URL without a path, those at /metrics."""

    def __init__(self, url: str, rules: Sequence[AlertRule] = RULES) -> None:
        self._rules = rules
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"{url!r} cannot be asked; give http://HOST:PORT of a running proxy, or a log")
        self._url = f"{url.rstrip('/')}/metrics" if parts.path in ("", "/") else url

    def look(self) -> SourceReport:
        """Scrape once; raises InputError where nothing answers, or something else does."""
        tally = read_metrics(self._scraped())
        figures = figures_of(tally)
        return SourceReport(
            name=self._url,
            kind="url",
            figures=figures,
            alerts=judge(figures, self._rules),
            lines_lost=int(tally.sum("log_lines_lost")),
        )

    def _scraped(self) -> str:
        asked = urllib.request.Request(self._url, headers={"accept": "text/plain;version=0.0.4"})
        try:
            with urllib.request.urlopen(asked, timeout=TIMEOUT_S) as answer:
                data: bytes = answer.read(MAX_SCRAPE_BYTES)
        except urllib.error.HTTPError as error:
            raise InputError(f"{self._url} answers {error.code}; give the URL of a tamis proxy") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = error.reason if isinstance(error, urllib.error.URLError) else error
            raise InputError(f"nothing answers at {self._url} ({why}); is the proxy running?") from None
        return data.decode("utf-8", "replace")


MonitoredSource = LogSource | UrlSource


def open_sources(names: list[str], *, last: int, rules: Sequence[AlertRule] = RULES) -> list[MonitoredSource]:
    """The sources by these names: URLs, log files, folders of them; their figures are held to the rules.

    Raises:
        InputError: one of them is not there, or is no log.
    """
    sources: list[MonitoredSource] = []
    for name in names:
        if "://" in name:
            sources.append(UrlSource(name, rules))
        else:
            sources += (LogSource(path, rules, last=last) for path in find_logs(Path(name)))
    return sources
