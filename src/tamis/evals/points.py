"""Compaction points: where a recorded session is cut, so that what followed can judge what was kept."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from tamis.errors import InputError
from tamis.messages import Counter, Message, Session, count_messages, whole_units

MIN_SPAN_TOKENS = 1_000  # a shorter span is not worth compacting, and says nothing about a method


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One cut through one session.

    `system` is the prompt that stays in any case. `span` is what a compaction replaces. `tail` is what the
    agent really did afterwards, up to its own next compaction or the end. `recorded` is the summary that the
    agent made at this very point, where it compacted here itself; `later_summary` the one by which it
    replaced span and tail afterwards.
    """

    session_id: str
    cluster: str
    label: str
    cut: int
    system: tuple[Message, ...] = field(repr=False)
    span: tuple[Message, ...] = field(repr=False)
    tail: tuple[Message, ...] = field(repr=False)
    span_tokens: int
    recorded: Message | None = field(default=None, repr=False)
    later_summary: Message | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class NoPoint:
    """A session without a usable point, and why."""

    session_id: str
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class At:
    """Where to cut: a share of the tokens, a token count, a message number, or the agent's own compactions.

    >>> At.parse("50%").share, At.parse("18k").tokens, At.parse("#120").message, At.parse("own").own
    (0.5, 18000, 120, True)
    """

    share: float | None = None
    tokens: int | None = None
    message: int | None = None
    own: bool = False
    end: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `50%`, `18000` or `18k` (tokens), `#120` (message), `own`, `end` (nothing follows).

        Raises:
            InputError: none of these.
        """
        text = text.strip()
        if text in ("own", "end"):
            return cls(own=text == "own", end=text == "end")
        if (match := re.fullmatch(r"(\d+(?:\.\d+)?)%", text)) and 0 < float(match[1]) < 100:
            return cls(share=float(match[1]) / 100)
        if (match := re.fullmatch(r"#(\d+)", text)) and int(match[1]) > 0:
            return cls(message=int(match[1]))
        if (match := re.fullmatch(r"(\d+)(k?)", text)) and int(match[1]) > 0:
            return cls(tokens=int(match[1]) * (1000 if match[2] else 1))
        raise InputError(
            f"cannot cut at {text!r}; use a share (50%), tokens (18k), a message (#120), own or end"
        )

    def __str__(self) -> str:
        """The shortest form that `parse` reads back."""
        if self.share is not None:
            return f"{self.share * 100:g}%"
        if self.tokens is not None:
            return f"{self.tokens}"
        if self.message is not None:
            return f"#{self.message}"
        return "end" if self.end else "own"


def find_points(session: Session, at: Sequence[At], counter: Counter) -> Iterator[Point | NoPoint]:
    """The session's points, in the order of `at`; the agent's own compactions give one point each.

    At the live end nothing follows: there are questions to ask, but no hindsight to judge by.

    A cut never tears a call from its result. Points that would leave a span of under 1,000 tokens or nothing
    for the agent to do come as `NoPoint` with the reason.
    """
    messages = session.messages
    first = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    tokens = count_messages(messages, counter)
    before = [0, *itertools.accumulate(tokens)]
    starts = [unit.start for unit in whole_units(messages) if unit.start > first]
    for where in at:
        if where.own:
            yield from _own_points(session, first, before)
            continue
        if where.end:
            begin = max((b.index for b in session.boundaries), default=first)
            yield _point(session, "end", range(begin, len(messages)), range(0), before)
            continue
        share = where.share and where.share * (before[-1] - before[first])
        target = share or where.tokens or where.message or 0
        cut = next((s for s in starts if (s if where.message else before[s] - before[first]) >= target), None)
        if cut is None:
            yield NoPoint(
                session_id=session.id, label=str(where), reason="the session ends before this point"
            )
            continue
        end = min((b.index for b in session.boundaries if b.index > cut), default=len(messages))
        yield _point(session, str(where), range(first, cut), range(cut, end), before)


def _own_points(session: Session, first: int, before: Sequence[int]) -> Iterator[Point | NoPoint]:
    if not session.boundaries:
        yield NoPoint(
            session_id=session.id, label="own", reason="the agent did not compact this session itself"
        )
        return
    begins = [first, *(b.index for b in session.boundaries)]
    ends = [*(b.index for b in session.boundaries[1:]), len(session.messages)]
    for i, boundary in enumerate(session.boundaries):
        span, tail = range(begins[i], boundary.index), range(boundary.index, ends[i])
        yield _point(session, f"own:{i + 1}", span, tail, before, summary_id=boundary.summary_id)


def _point(
    session: Session,
    label: str,
    span: range,
    tail: range,
    before: Sequence[int],
    *,
    summary_id: str | None = None,
) -> Point | NoPoint:
    span_tokens = before[span.stop] - before[span.start]
    if span_tokens < MIN_SPAN_TOKENS:
        reason = f"only {span_tokens} tokens before the cut; {MIN_SPAN_TOKENS} are needed"
        return NoPoint(session_id=session.id, label=label, reason=reason)
    followed = session.messages[tail.start : tail.stop]
    recorded = next((m for m in followed if m.id == summary_id), None) if summary_id else None
    followed = tuple(m for m in followed if m is not recorded)
    if label != "end" and not any(m.role == "assistant" for m in followed):
        return NoPoint(session_id=session.id, label=label, reason="the agent does nothing after the cut")
    return Point(
        session_id=session.id,
        cluster=str(session.meta.get("instance_id") or session.id),
        label=label,
        cut=span.stop,
        system=tuple(m for m in session.messages[: span.start] if m.role == "system"),
        span=session.messages[span.start : span.stop],
        tail=followed,
        span_tokens=span_tokens,
        recorded=recorded,
        # the next one after its own was written with that one in view, and would say its words
        later_summary=_summary_behind(session, tail.stop) if summary_id is None else None,
    )


def _summary_behind(session: Session, index: int) -> Message | None:
    summary_id = next((b.summary_id for b in session.boundaries if b.index == index), None)
    return next((m for m in session.messages if m.id == summary_id), None) if summary_id else None
