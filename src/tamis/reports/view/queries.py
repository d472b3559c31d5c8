"""Lists of answers and of contexts, page by page: filtered, searched, and beside those of another arm."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, Field

from tamis.evals.probing.exact_scorer import ANSWERED_FROM

PAGE: Final = 50
"""How many rows one page has."""

AnswerFilter: TypeAlias = Literal["all", "wrong", "right", "missing", "better", "worse"]
Order: TypeAlias = Literal["worst", "difference", "session"]

_SCORES: Mapping[AnswerFilter, str] = {
    "all": "1",
    "wrong": f"a.{{value}} < {ANSWERED_FROM}",
    "right": f"a.{{value}} >= {ANSWERED_FROM}",
    "missing": "a.{value} IS NULL",
    "better": "a.{value} > b.{value}",
    "worse": "a.{value} < b.{value}",
}
_ORDERS: Mapping[Order, str] = {
    "worst": "a.{value} IS NULL, a.{value}",
    "difference": "b.{value} IS NULL OR a.{value} IS NULL, a.{value} - b.{value}",
    "session": "1",
}

_MOST: Final = 2**31
"""No number in a query is larger: SQLite takes no more than 64 bits."""


class ArmChoice(BaseModel, extra="forbid", frozen=True):
    """Whose answers or contexts: of a method at a budget after so many cycles, as a reader answered."""

    run: Annotated[int, Field(ge=0, lt=_MOST)]
    method: str
    budget: str
    cycle: Annotated[int, Field(ge=0, lt=_MOST)] = 1
    reader: str = ""


class Query(BaseModel, extra="forbid", frozen=True):
    """What is to be listed. `b` is the arm that `a` is set beside; without it nothing is compared."""

    a: ArmChoice
    b: ArmChoice | None = None
    set_name: str = ""
    kind: str = ""
    score: AnswerFilter = "all"
    search: str = ""
    order: Order = "worst"
    page: Annotated[int, Field(ge=0, le=1_000_000)] = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """One page of rows, of `total`."""

    rows: tuple[dict[str, Any], ...]
    total: int
    page: int
    pages: int


@dataclass
class _Where:
    """Conditions with their values, as SQL takes them."""

    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def add(self, condition: str, *values: Any) -> None:
        self.conditions.append(condition)
        self.values += values


def list_answers(connection: sqlite3.Connection, query: Query) -> Listing:
    """The answers of an arm, each beside the other arm's answer to the same question at the same point.

    Words are looked for in the question, what was expected, the session's name, and what was answered: for
    that the connection has a function `says(key, word)`.
    """
    where = _arm(query.a, reader=True)
    join = """
        FROM answers a
        JOIN probes p ON p.run = a.run AND p.point = a.point AND p.id = a.probe
        JOIN points t ON t.run = a.run AND t.key = a.point
        LEFT JOIN answers b ON b.run = ? AND b.method = ? AND b.budget = ? AND b.cycle = ? AND b.reader = ?
            AND b.unit = a.unit AND b.probe = a.probe"""
    if query.kind:
        where.add("p.kind = ?", query.kind)
    for word in query.search.casefold().split():
        where.add("(instr(p.searched, ?) OR instr(lower(t.session), ?) OR says(a.said, ?))", word, word, word)
    columns = """a.key, p.kind, p.question, t.set_name, t.session, t.label, a.score, a.held, b.key AS other,
        b.score AS other_score"""
    return _page(connection, query, columns, join, where, value="score")


def list_contexts(connection: sqlite3.Connection, query: Query) -> Listing:
    """The contexts of an arm, each beside the other arm's at the same point."""
    where = _arm(query.a, reader=False)
    join = """
        FROM results a
        JOIN points t ON t.run = a.run AND t.key = a.point
        LEFT JOIN results b ON b.run = ? AND b.method = ? AND b.budget = ? AND b.cycle = ? AND ? IS NOT NULL
            AND b.unit = a.unit"""
    for word in query.search.casefold().split():
        where.add("instr(lower(t.session), ?)", word)
    columns = """a.key, t.set_name, t.session, t.label, t.tokens, a.tokens_after, t.needed, a.missing,
        a.outcome, a.recall AS score, a.reason, b.key AS other, b.recall AS other_score"""
    return _page(connection, query, columns, join, where, value="recall")


def _arm(arm: ArmChoice, *, reader: bool) -> _Where:
    where = _Where()
    for column in ("run", "method", "budget", "cycle", *(("reader",) if reader else ())):
        where.add(f"a.{column} = ?", getattr(arm, column))
    return where


def _page(
    connection: sqlite3.Connection, query: Query, columns: str, join: str, where: _Where, *, value: str
) -> Listing:
    if query.set_name:
        where.add("t.set_name = ?", query.set_name)
    where.add(_SCORES[query.score].format(value=value))
    other = query.b
    beside = (other.run, other.method, other.budget, other.cycle, other.reader) if other else (None,) * 5
    source = f"{join} WHERE {' AND '.join(where.conditions)}"
    values = (*beside, *where.values)
    total: int = connection.execute(f"SELECT count(*) {source}", values).fetchone()[0]
    order = f"{_ORDERS[query.order].format(value=value)}, t.set_name, t.session, t.label, a.key"
    found = connection.execute(
        f"SELECT {columns} {source} ORDER BY {order} LIMIT ? OFFSET ?", (*values, PAGE, query.page * PAGE)
    )
    names = [column[0] for column in found.description]
    rows = tuple(dict(zip(names, row, strict=True)) for row in found)
    return Listing(rows=rows, total=total, page=query.page, pages=max(1, -(-total // PAGE)))
