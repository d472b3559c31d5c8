"""Evaluating sessions that are at hand, in one call: `tamis.evaluate`."""

from __future__ import annotations

from collections.abc import Sequence

from tamis._version import __version__
from tamis.compactors import parse_budget
from tamis.errors import InputError
from tamis.evals.experiment.trial import OWN_BUDGET
from tamis.evals.results import Run, Settings
from tamis.evals.runner import evaluate_session, merge
from tamis.messages import Session, get_counter


def evaluate(
    sessions: Sequence[Session],
    *,
    methods: Sequence[str],
    budgets: Sequence[str | int | float],
    at: Sequence[str] = ("50%",),
    tokenizer: str = "o200k_base",
) -> Run:
    """Measure every method at every budget at every compaction point of the sessions.

    Args:
        sessions: recorded sessions, as `tamis.read` gives them.
        methods: names as `tamis.get_method` takes them.
        budgets: tokens (4_000), shares of the span (0.05, "5%"), or "own".
        at: where to cut each session: `50%`, `18k`, `#120`, `own`.
        tokenizer: what counts as a token.

    Returns:
        The run: points, results, and what was not measured. `tamis.evals.summary.summarise` averages it.

    Raises:
        InputError: no sessions, or a method, budget or place that is none.

    >>> from tamis.messages import Message, Text
    >>> talk = [Message(id=str(i), role=r, parts=(Text(text=f"see src/file_{i}.py. " * 300),))
    ...         for i, r in enumerate(["user", "assistant"] * 2)]
    >>> session = Session(id="talk", format="messages", messages=tuple(talk))
    >>> run = evaluate([session], methods=["index", "nothing"], budgets=[0.5])
    >>> [result.method for result in run.results]
    ['index', 'nothing']
    """
    if not sessions:
        raise InputError("there are no sessions to evaluate")
    settings = Settings(
        methods=tuple(methods),
        budgets=tuple(str(budget) for budget in budgets),
        at=tuple(at),
        tokenizer=tokenizer,
    )
    for budget in budgets:
        if budget != OWN_BUDGET:
            parse_budget(budget)  # a wrong one is an error now, not a hole in every row of the table
    parts = [
        evaluate_session(session, settings, source=session.source or session.id, set_name=session.format)
        for session in sessions
    ]
    together = merge(parts)
    return Run(
        tamis=__version__,
        settings=settings,
        exact_tokens=get_counter(tokenizer).exact,
        sessions=together.sessions,
        messages=together.messages,
        points=together.points,
        results=together.results,
        skipped=together.skipped,
    )
