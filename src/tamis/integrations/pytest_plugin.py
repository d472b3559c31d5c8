"""A pytest plug-in: the fixture `tamis_gate` fails a test where a compaction method has become worse.

    def test_as_good_as_released(tamis_gate):
        tamis_gate.runs("runs/new", baseline="runs/released", margin=0.05)

    def test_mine_is_not_worse_than_masking(tamis_gate):
        tamis_gate.sessions("tests/sessions", method="mine.py:Mine", against="mask", margin=0.02)

It is loaded into every pytest run of an environment that has tamis, so the rest of tamis is imported only
where a test asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tamis.evals.regression_gate import GateVerdict
    from tamis.evals.rundir.results import Run

PathLike = str | Path


class TamisGate:
    """Fails the test where a method is worse by a margin, or where it cannot be shown that it is not."""

    def runs(
        self,
        run: PathLike,
        *,
        baseline: PathLike,
        margin: float,
        figure: str = "recall",
        method: str | None = None,
        against: str | None = None,
    ) -> GateVerdict:
        """Judge one run directory of `tamis eval -o` by another; the verdict, where it passes.

        Args:
            run: what is judged.
            baseline: what it is judged by.
            margin: so much worse, in the figure's own unit, would be too much.
            figure: what has to hold; `tamis gate --help` lists what there is.
            method: only this method; every one of the baseline by default.
            against: the baseline's method; the one of the same name by default.

        Raises:
            pytest.fail.Exception: it is worse, or it could not be shown that it is not.
            TamisError: the runs cannot be read, or not be compared.
        """
        __tracebackhide__ = True
        from tamis.evals import read_run

        now, then = read_run(Path(run)), read_run(Path(baseline))
        return _judge(now, then, margin=margin, figure=figure, method=method, against=against)

    def sessions(
        self,
        paths: PathLike | Sequence[PathLike],
        *,
        method: str,
        against: str,
        margin: float,
        figure: str = "recall",
        budgets: Sequence[str | int | float] = ("10%",),
        at: Sequence[str] = ("50%",),
    ) -> GateVerdict:
        """Measure two methods on recorded sessions, and judge one by the other.

        Args:
            paths: session files, or folders of them.
            method: what is judged, named as for `tamis eval -m`.
            against: what it is judged by.
            margin: so much worse, in the figure's own unit, would be too much.
            figure: what has to hold; one that needs no reader.
            budgets: the budgets to measure at.
            at: where to cut the sessions.

        Raises:
            pytest.fail.Exception: it is worse, or it could not be shown that it is not.
            TamisError: a session cannot be read, or something that was named does not exist.
        """
        __tracebackhide__ = True
        from tamis.compactors import get_method

        run = _measure(paths, methods=(method, against), budgets=budgets, at=at)
        own, other = get_method(method).name, get_method(against).name  # what results call them
        return _judge(run, run, margin=margin, figure=figure, method=own, against=other)


@pytest.fixture(scope="session")
def tamis_gate() -> TamisGate:
    """Fail the test where a compaction method is worse by more than a margin."""
    return TamisGate()


def _judge(
    now: Run, then: Run, *, margin: float, figure: str, method: str | None, against: str | None
) -> GateVerdict:
    __tracebackhide__ = True
    from tamis.evals.inference.outcome_measures import get_figure
    from tamis.evals.regression_gate import gate

    verdict = gate(now, then, get_figure(figure), margin=margin, method=method, against=against)
    if not verdict.passed:
        pytest.fail(f"tamis gate: {verdict.reason}", pytrace=False)
    return verdict


def _measure(
    paths: PathLike | Sequence[PathLike],
    *,
    methods: Sequence[str],
    budgets: Sequence[str | int | float],
    at: Sequence[str],
) -> Run:
    from tamis.evals import evaluate
    from tamis.sessions import find_sessions, read_all

    found = find_sessions([paths] if isinstance(paths, str | Path) else paths)
    sessions = [session for file in found if file.format is not None for session in read_all(file.path)]
    return evaluate(sessions, methods=methods, budgets=budgets, at=at)
