"""Going on from an earlier brief: what stays, to the byte, and what does not."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

from compactors.conversations import COUNTER, lines, request, run, say
from tamis.compactors import Compaction, CompactionRequest, get_method, run_compactor
from tamis.compactors.ledger.continuing import Kept, Stock, fill, keep_beginning
from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import Row
from tamis.compactors.ledger.selection import Candidate
from tamis.ledger.mentions import Mentions
from tamis.messages import Message

ROOM = 200


def rule(text: str, worth: float = 1.0) -> Candidate:
    item = Item(section="rules", text=text, order=(0,), worth=worth, quote=True)
    return Candidate(what=item, tokens=COUNTER.count(text), worth=worth, names=frozenset())


def stock(*items: Candidate, **likelihood: float) -> Stock:
    names = [
        Candidate(what=n, tokens=COUNTER.count(f" {n}"), worth=0, names=frozenset({n})) for n in likelihood
    ]
    return Stock(items=items, names=names, likelihood=likelihood, mentions=Mentions())


def said(text: str) -> Row:
    return Row(section="rules", text=text, quote=True)


def test_what_the_ledger_would_say_again_stands_again() -> None:
    kept = keep_beginning(
        [said("never a"), said("never b")], stock(rule("never a"), rule("never b")), ROOM, COUNTER
    )
    assert [row.text for row in kept.rows] == ["never a", "never b"]


def test_a_row_that_holds_no_more_ends_the_beginning() -> None:
    rows = [said("never a"), said("never b"), said("never c")]
    kept = keep_beginning(rows, stock(rule("never a"), rule("never c")), ROOM, COUNTER)
    assert [row.text for row in kept.rows] == ["never a"]


def test_a_list_stays_as_far_as_its_names_are_known() -> None:
    row = Row(section="where", text="names", names=("kept_one", "kept_two", "given_up"))
    kept = keep_beginning([row], stock(kept_one=0.5, kept_two=0.5), ROOM, COUNTER)
    assert [row.names for row in kept.rows] == [("kept_one", "kept_two")]


def test_what_is_no_longer_worth_its_room_is_given_up_from_the_end() -> None:
    old, new = ([f"{age}_name_{n}" for n in range(many)] for age, many in (("old", 60), ("new", 200)))
    likelihood = dict.fromkeys(old, 0.01) | dict.fromkeys(new, 0.9)
    rows = [said("never a"), Row(section="where", text="names", names=tuple(old))]
    kept = keep_beginning(rows, stock(rule("never a"), **likelihood), 2 * ROOM, COUNTER)
    assert kept.rows[0].text == "never a"
    assert sum(len(row.names) for row in kept.rows) < 10


def test_what_was_kept_is_not_chosen_again_and_counts_for_the_value() -> None:
    supply = stock(rule("never a"), one_name=0.5)
    kept = keep_beginning([said("never a")], supply, ROOM, COUNTER)
    assert [c.what for c in kept.candidates] == [supply.items[0].what]
    choice = fill(supply, kept, ROOM)
    assert (choice.items, choice.names) == ([], ["one_name"])
    assert choice.value == fill(supply, Kept(), ROOM).value


TASK = say("user", "Please add a --json flag to src/report.py. Never touch src/legacy.py.", id="task")


def step(n: int) -> tuple[Message, ...]:
    return run(f"look-{n}", f"cat src/part_{n}.py", lines(f"def part_{n}", 60), 0)


def briefs(*spans: tuple[Message, ...], budget: int = 400) -> list[Compaction]:
    made: list[Compaction] = []
    for span in spans:
        previous = replace(made[-1], carry=json.loads(json.dumps(dict(made[-1].carry)))) if made else None
        made.append(run_compactor(get_method("ledger"), replace(request(span, budget), previous=previous)))
    return made


def test_each_brief_begins_with_a_beginning_of_the_one_before() -> None:
    made = briefs((TASK, *step(0), *step(1)), step(2), step(3))
    for one, next_one in pairwise(c.messages[0].text for c in made):
        asked = one[: one.index("## Rules")]
        assert "--json" in asked
        assert next_one.startswith(asked)


def test_what_was_replaced_does_not_stay_for_the_sake_of_the_cache() -> None:
    first = say("user", "The budget cap is $800. Never go above it.", id="first")
    later = say("user", "Change of plan: keep the budget cap under $500.", id="later")
    one, two = briefs((first, *step(0), *step(1)), (*step(2), later))
    assert "$800" in one.messages[0].text
    assert "$800" not in two.messages[0].text
    assert "$500" in two.messages[0].text


def test_a_carry_without_rows_is_taken_as_it_is() -> None:
    first = run_compactor(get_method("ledger"), request((TASK, *step(0), *step(1)), 400))
    bare = replace(first, carry={k: v for k, v in first.carry.items() if k != "rows"})
    asked = CompactionRequest(span=step(2), budget_tokens=400, counter=COUNTER, previous=bare)
    assert run_compactor(get_method("ledger"), asked).outcome == "fits"
