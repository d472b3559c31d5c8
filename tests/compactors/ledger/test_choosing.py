"""Choosing under a budget: what is required first, then most per token, and never more than the room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.compactors.ledger.items import TITLES, Item, Section
from tamis.compactors.ledger.selection import REQUIRED_SHARES, Candidate, Choice, choose, names_within


def item(text: str, section: Section = "known", *, worth: float = 0.0, required: int = 0) -> Item:
    return Item(section=section, text=text, order=(0,), worth=worth, required=required)


def candidate(what: Item | str, tokens: int, *names: str) -> Candidate:
    worth = what.worth if isinstance(what, Item) else 0.0
    return Candidate(what=what, tokens=tokens, worth=worth, names=frozenset(names))


def chosen(choice: Choice) -> list[str]:
    return [*(i.text for i in choice.items), *choice.names]


def test_the_most_for_the_tokens_comes_first() -> None:
    names = [candidate("dear", 10, "dear"), candidate("cheap", 2, "cheap")]
    assert chosen(choose([], names, {"dear": 0.9, "cheap": 0.5}, 11)) == ["cheap"]
    assert chosen(choose([], names, {"dear": 0.9, "cheap": 0.5}, 12)) == ["cheap", "dear"]


def test_a_name_that_stands_in_what_was_said_is_not_listed_again() -> None:
    said = candidate(item("uses a", worth=1.0), 4, "a")
    assert chosen(
        choose([said], [candidate("a", 1, "a"), candidate("b", 1, "b")], {"a": 0.2, "b": 0.2}, 50)
    ) == [
        "uses a",
        "b",
    ]


def test_of_two_that_bring_the_same_names_one_is_enough() -> None:
    both = [candidate(item("one"), 4, "a", "b"), candidate(item("two"), 5, "a", "b")]
    assert chosen(choose(both, [], {"a": 0.5, "b": 0.5}, 50)) == ["one"]


def test_what_says_nothing_new_is_left_out_however_much_room_there_is() -> None:
    assert chosen(choose([candidate(item("idle"), 1)], [candidate("x", 1, "x")], {"x": 0.0}, 1_000)) == []


def test_what_is_required_comes_before_what_gains_more() -> None:
    rule = candidate(item("never", "rules", required=1), 8)
    names = [candidate(f"n{i}", 1, f"n{i}") for i in range(200)]
    choice = choose([rule], names, {f"n{i}": 0.9 for i in range(200)}, 100)
    assert chosen(choice)[0] == "never"
    assert len(choice.names) == 92


def test_required_items_are_placed_in_their_order() -> None:
    rules = [candidate(item(str(n), "rules", required=n), 30) for n in (3, 1, 2)]
    room = int(60 / REQUIRED_SHARES["rules"]) + 1
    assert chosen(choose(rules, [], {}, room)) == ["1", "2"]


def test_what_is_required_and_did_not_fit_is_named() -> None:
    long_rule = item("a long rule", "rules", required=1)
    choice = choose([candidate(long_rule, 90)], [], {}, 100)
    assert (choice.items, choice.left_out) == ([], [long_rule])


def test_what_did_not_fit_as_required_still_competes() -> None:
    long_rule = item("a long rule", "rules", required=1, worth=1.0)
    choice = choose([candidate(long_rule, 90)], [], {}, 100)
    assert (choice.items, choice.left_out) == ([long_rule], [])


@st.composite
def choices(draw: st.DrawFn) -> tuple[list[Candidate], list[Candidate], dict[str, float], int]:
    letters = st.frozensets(st.sampled_from("abcdefgh"), max_size=4)
    items = [
        Candidate(
            what=item(
                f"item {n}",
                draw(st.sampled_from(list(TITLES))),
                worth=(worth := draw(st.floats(0, 2))),
                required=draw(st.sampled_from([0, 0, 1, 2])),
            ),
            tokens=draw(st.integers(1, 60)),
            worth=worth,
            names=draw(letters),
        )
        for n in range(draw(st.integers(0, 12)))
    ]
    names = [candidate(c, draw(st.integers(1, 9)), c) for c in draw(letters)]
    likelihood = {c: draw(st.floats(0, 1)) for c in "abcdefgh"}
    return items, names, likelihood, draw(st.integers(0, 200))


@given(choices())
def test_the_room_is_never_exceeded_and_nothing_is_taken_twice(
    asked: tuple[list[Candidate], list[Candidate], dict[str, float], int],
) -> None:
    items, names, likelihood, room = asked
    choice = choose(items, names, likelihood, room)
    tokens = {(c.what.text if isinstance(c.what, Item) else c.what): c.tokens for c in (*items, *names)}
    taken = chosen(choice)
    assert sum(tokens[t] for t in taken) <= room
    assert len(set(taken)) == len(taken)
    assert not {i.text for i in choice.left_out} & set(taken)


@given(choices())
def test_the_same_candidates_give_the_same_choice(
    asked: tuple[list[Candidate], list[Candidate], dict[str, float], int],
) -> None:
    assert chosen(choose(*asked)) == chosen(choose(*asked))


@pytest.mark.parametrize(
    ("name", "known", "within"),
    [
        ("src/app/io.py", {"io.py", "app", "py", "other"}, {"src/app/io.py", "io.py", "app", "py"}),
        ("a.b_c.d", {"b_c", "c", "a.b_c"}, {"a.b_c.d", "b_c", "a.b_c"}),
        ("--dry-run", {"dry", "--dry", "run", "-run"}, {"--dry-run", "dry", "run", "-run"}),
        ("plain", {"lain", "plai"}, {"plain"}),
        ("/etc/hosts", {"/etc", "hosts", "/hosts"}, {"/etc/hosts", "/etc", "hosts", "/hosts"}),
    ],
)
def test_names_that_can_be_read_within_a_name(name: str, known: set[str], within: set[str]) -> None:
    assert names_within(name, known.__contains__) == within


def test_a_very_long_name_is_taken_as_it_is() -> None:
    path = "/".join("abcdefghijklmn")
    assert names_within(path, lambda _: True) == {path}
