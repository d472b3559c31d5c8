"""The guarantees of every compaction, on sessions made to break them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import tamis
from attacks.line import Line, line
from attacks.made import made_sessions
from tamis.compactors import get_method
from tamis.compactors.check import Budget, check_method
from tamis.compactors.guarantees import ANSWERS, HARD_CHECKS, SAME_BYTES
from tamis.compactors.hostile_sessions import hostile_sessions
from tamis.context import Context
from tamis.errors import TamisError
from tamis.messages import Message, Session, get_counter

BUDGETS = (Budget(tokens=30), Budget(share=0.05), Budget(share=0.3))


def lines(*, is_short: bool) -> Iterator[Line]:
    """One line for each guarantee, over all methods, sessions and budgets."""
    methods = ("ledger",) if is_short else ("ledger", "extractive", "mask", "truncate", "index")
    sessions = [*hostile_sessions(), *made_sessions(6 if is_short else 120)]
    tried = 0
    broken: Counter[str] = Counter()
    examples: dict[str, tuple[str, ...]] = {}
    for name in methods:
        report = check_method(get_method(name), sessions, get_counter(), budgets=BUDGETS)
        tried += report.compactions
        broken.update(report.broken())
        for finding in report.findings:
            guarantee = finding.violation.guarantee
            said = f"{name}, {finding.session_id}, {finding.budget_tokens}: {finding.violation.reason}"
            examples[guarantee] = (*examples.get(guarantee, ())[:4], said)
    for guarantee in (ANSWERS, SAME_BYTES, *HARD_CHECKS):
        yield Line(
            attack=f"made-up sessions: {guarantee}",
            tried=tried,
            broken=broken[guarantee],
            promise="it holds for every session, budget and method",
            examples=examples.get(guarantee, ()),
        )
    yield _live(6 if is_short else 120)
    yield line(
        "made-up sessions: what fits goes to an API",
        "where the session itself can be sent, its compaction can",
        (_sent(session, form) for session in sessions for form in ("anthropic", "openai-chat")),
    )


def _live(count: int) -> Line:
    """Sessions fed to a live context piece by piece: what is sent never exceeds what it may."""
    found = [_fed(session.messages) for session in made_sessions(count)]
    broken = [what for what in found if what]
    return Line(
        attack="made-up sessions, live, compacted again and again",
        tried=len(found),
        broken=len(broken),
        promise="nothing is raised that is not tamis's own, and nothing is lost from the context",
        examples=tuple(broken[:5]),
    )


def _sent(session: Session, form: str) -> str:
    try:
        tamis.compact(session, budget="100%").to(form)
    except TamisError:
        return ""
    for budget in (20, 60, 400):
        made = tamis.compact(session, budget=budget)
        try:
            if made.outcome == "fits":
                made.to(form)
        except TamisError as error:
            return f"{session.id}, {budget}: {error}"
    return ""


def _fed(messages: tuple[Message, ...]) -> str:
    context = Context(window=100_000, budget=200, trigger=None, keep_last=2)
    try:
        for message in messages:
            context.append(message)
            context.compact_now()
    except TamisError:
        return ""
    except Exception as error:  # whatever it is, it is what is looked for
        return f"{type(error).__name__}: {error}"
    left = {message.id for message in context.messages()}
    return "" if messages[-1].id in left else "the newest message is gone"
