"""The texts of a run inside the page: one compressed chunk a point, the worst points first, up to a size.

The page unpacks a chunk when its point is opened. Chunks are made one at a time, so that a run of any size
takes the memory of one point.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import Any

from tamis.evals.hindsight import Hindsight
from tamis.evals.rundir.results import Failure, PointRecord, Result, Run


class InlineTexts:
    """What of a run fits into the page; `embedded` and `index` grow while `chunks` is drawn.

    `room` is how many bytes are left. Whoever writes the page takes off what else goes into it.
    """

    def __init__(
        self,
        run: Run,
        text_of: Callable[[str], str],
        *,
        order: Sequence[PointRecord],
        most: int | None = None,
        room: float,
    ) -> None:
        """Of the points in `order`, `most` (None: as many as fit) go in, while there is `room`."""
        self._text_of = text_of
        self._order = order
        self._most = len(order) if most is None else most
        self._results: dict[str, list[Result]] = {}
        for result in run.results:
            if result.cycle == 1:  # the page tells of further cycles in curves; `tamis view` has their texts
                self._results.setdefault(result.point, []).append(result)
        self.room = room
        self.embedded: list[PointRecord] = []
        self.index: list[dict[str, Any]] = []

    def chunks(self) -> Iterator[tuple[str, str]]:
        """The key of each point that fits, and its texts: JSON, zlib, base64.

        A point that is larger than the room left is passed over; ten, and it ends.
        """
        passed_over = 0
        for point in self._order:
            if len(self.embedded) == self._most or passed_over == 10:
                return
            chunk = self._chunk(point)
            entry = self._entry(point)
            size = len(chunk) + len(json.dumps(entry)) + 200
            if size > self.room:
                passed_over += 1
                continue
            self.room -= size
            self.embedded.append(point)
            self.index.append(entry)
            yield point.key, chunk

    def _chunk(self, point: PointRecord) -> str:
        results = self._results.get(point.key, [])
        content = {
            "span": self._text_of(point.span),
            "needs": [[n.name, n.kind, n.turn, n.uses] for n in point.needs],
            "results": [_shown(r) for r in results],
            "contexts": {r.context: self._text_of(r.context) for r in results if r.context is not None},
        }
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        packed = zlib.compress(text.encode("utf-8", "replace"))
        return base64.b64encode(packed).decode("ascii")

    def _entry(self, point: PointRecord) -> dict[str, Any]:
        """What the page must know of a point before it is opened, to list and sort it."""
        scores = {
            f"{r.method}\n{r.budget}": round(r.score.recall, 4)
            for r in self._results.get(point.key, [])
            if isinstance(r.score, Hindsight)
        }
        return {
            "key": point.key,
            "set": point.set,
            "session": point.session_id,
            "file": PurePath(point.source).name,
            "at": point.label,
            "tokens": point.span_tokens,
            "turns": point.turns_after,
            "needed": len(point.needs),
            "recall": scores,
        }


def _shown(result: Result) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "method": result.method,
        "budget": result.budget,
        "budgetTokens": result.budget_tokens,
        "before": result.tokens_before,
        "after": result.tokens_after,
        "outcome": result.outcome,
        "warnings": result.warnings,
        "context": result.context,
    }
    if isinstance(result.score, Hindsight):
        shown |= {
            "recall": result.score.recall,
            "regret": result.score.regret_rate,
            "refetch": result.score.refetch_tokens,
            "missing": result.score.missing,
        }
    else:
        shown |= {"reason": result.score.reason, "failed": isinstance(result.score, Failure)}
    return shown
