"""Methods that keep whole messages: full, nothing, truncate, head-tail."""

from __future__ import annotations

from compactors.conversations import compact, fates, ids, lines, run, say

FIRST = say("user", "Fix the importer.", id="first")
BIG = run("big", "cat log", lines("log", 80), 0)
SMALL = run("small", "ls", "a.py b.py", 0)
LAST = say("user", "And then?", id="last")


def test_full_takes_nothing_out_even_over_the_budget() -> None:
    made = compact("full", [FIRST, *BIG], 20)
    assert made.outcome == "unmet"
    assert ids(made) == ["first", "big-call", "big-result"]


def test_nothing_takes_everything_out() -> None:
    made = compact("nothing", [FIRST, *BIG], 20)
    assert (made.outcome, made.messages, made.tokens_after) == ("fits", (), 0)
    assert fates(made) == ["archived"] * 3


def test_truncate_keeps_the_newest_and_never_half_a_pair() -> None:
    made = compact("truncate", [FIRST, *BIG, *SMALL, LAST], 45)
    assert ids(made) == ["first", "small-call", "small-result", "last"]
    made = compact("truncate", [FIRST, *BIG, *SMALL, LAST], 20)
    assert ids(made) == ["first", "last"]


def test_truncate_goes_on_to_older_messages_past_one_that_is_too_large() -> None:
    made = compact("truncate", [FIRST, *BIG], 20)
    assert ids(made) == ["first"]
    assert fates(made) == ["kept", "archived", "archived"]


def test_head_tail_keeps_both_ends() -> None:
    middle = [say("assistant", f"step {n}", id=f"s{n}") for n in range(20)]
    made = compact("head-tail", [FIRST, *middle, LAST], 40)
    kept = ids(made)
    assert kept[0] == "first"
    assert kept[-1] == "last"
    assert "s10" not in kept


def test_head_tail_keeps_a_long_first_message_if_the_budget_holds_it() -> None:
    long_first = say("user", lines("request", 5), id="first")
    middle = [say("assistant", f"step {n}", id=f"s{n}") for n in range(20)]
    made = compact("head-tail", [long_first, *middle, LAST], 45)
    assert ids(made)[0] == "first"
    assert "s19" in ids(made)
    assert "s0" not in ids(made)
