"""A recorded session as if it had been kept within a window: what would have been taken out, and needed."""

from __future__ import annotations

import warnings
from typing import Any

from tamis.context import Context
from tamis.messages import Counter, Session, get_counter
from tamis.monitoring.live_regret import RegretWatch
from tamis.monitoring.monitor import Monitor


def replay_session(
    session: Session,
    monitor: Monitor | None = None,
    *,
    window: int,
    tokenizer: str | Counter = "o200k_base",
    **settings: Any,
) -> RegretWatch:
    """Feed a recorded session to a live context, and watch; the entries say that it was a shadow.

    The agent that was recorded had everything: what it read or called again it read again in any case. The
    names say what the compactions would have cost.

    Args:
        session: what was recorded.
        monitor: what is told of it, if anything.
        window: the tokens that the model would have taken.
        tokenizer: as for `tamis.compact`.
        settings: those of `Context`.

    Raises:
        BadBudget: as for `Context`.

    >>> from tamis.messages import Message, Text, identify
    >>> said = [Text(text=f"Part {n} has the marker quartz-{n:04d}. " * 8) for n in range(40)]
    >>> messages = identify([Message(id="", role="user", parts=(text,)) for text in said])
    >>> replay_session(Session(id="s", format="native", messages=messages), window=2_000).is_watching
    True
    """
    counter = get_counter(tokenizer) if isinstance(tokenizer, str) else tokenizer
    listener = (monitor or Monitor()).context(session.id, tokenizer=counter, mode="shadow")
    context = Context(window=window, tokenizer=counter, listener=listener, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # what failed is among the decisions
        context.extend(session.messages)
    return listener.regret
