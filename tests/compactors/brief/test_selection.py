"""Selection: what gives most beside what is chosen, in a budget."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tamis.compactors.brief.choice.selection import KEPT, Candidate, Novelty, choose
from tamis.compactors.brief.reading.statement import Statement, StatementKind

WORDS = [
    "amber",
    "birch",
    "cedar",
    "dune",
    "elder",
    "fjord",
    "grove",
    "heath",
    "islet",
    "jetty",
    "knoll",
    "ledge",
    "marsh",
    "north",
    "orbit",
    "plain",
]


def said(
    text: str, *leads: Statement, kind: StatementKind = "said", flags: tuple[str, ...] = ()
) -> Statement:
    return Statement(kind=kind, text=text, turn=0, place=(0, 0), leads=leads, flags=flags)


def candidate(
    what: Statement, *, tokens: int = 10, worth: float = 10.0, episode: int = 0, required: int = 0
) -> Candidate:
    return Candidate(statement=what, tokens=tokens, worth=worth, episode=episode, required=required)


def test_what_is_worth_most_per_token_is_chosen_first() -> None:
    stock = [candidate(said("amber birch"), worth=1), candidate(said("cedar dune"), worth=9)]
    assert choose(stock, 20) == [1]


def test_a_few_vague_words_are_told_only_where_others_lean_on_them() -> None:
    vague = said("amber works", flags=("vague",))
    assert choose([candidate(vague)], 20) == []
    assert choose([candidate(vague), candidate(said("cedar dune", vague))], 40) == [1, 0]


def test_that_something_was_done_is_told_where_it_says_what_or_answers() -> None:
    for flags, chosen in ((("change", "vague"), []), (("change",), [0]), (("change", "reply", "vague"), [0])):
        assert choose([candidate(said("amber made", kind="concluded", flags=flags))], 20) == chosen


def test_what_says_the_same_again_gives_way_to_what_is_new() -> None:
    stock = [
        candidate(said("amber birch cedar dune"), worth=9),
        candidate(said("amber birch cedar dune"), worth=8.9),
        candidate(said("elder fjord grove heath"), worth=3),
    ]
    assert choose(stock, 30) == [0, 2]


def test_novelty_falls_with_what_is_said_already() -> None:
    novelty = Novelty([said("amber birch"), said("amber cedar"), said("dune elder")])
    assert novelty[1] == 1.0
    novelty.choose(0)
    assert 0 < novelty[1] < 1
    assert novelty[2] == 1.0


def test_another_change_of_the_same_file_is_as_new_as_if_it_were_of_another() -> None:
    path = "amber/birch/cedar.py"
    changes = [
        Statement(kind="changed", text=f"edited {path}: `{old}` → `{old}s`", turn=at, place=(0, 0), key=path)
        for at, old in enumerate(("dune", "elder"))
    ]
    novelty = Novelty(changes)
    novelty.choose(0)
    assert novelty[1] == 1.0


def test_the_request_and_the_agents_words_do_not_stand_for_each_other() -> None:
    request, cause = said("amber birch cedar", kind="asked"), said("amber birch cedar", kind="found")
    novelty = Novelty([request, cause])
    novelty.choose(0)
    assert novelty[1] == 1.0
    novelty = Novelty([request, cause])
    novelty.choose(1)
    assert novelty[0] == 1.0


def test_the_more_of_a_statement_is_said_the_less_the_rest_counts() -> None:
    told = said(" ".join(WORDS[:10]))
    others = [said(" ".join((*WORDS[:10][: 10 - new], *WORDS[10:][:new]))) for new in (1, 2, 3, 4, 5)]
    novelty = Novelty([told, *others])
    novelty.choose(0)
    left = [novelty[at] for at in range(1, 6)]
    assert left == sorted(left)
    assert all(more - less < 0.3 for less, more in pairwise(left))


def test_what_it_leans_on_is_taken_with_it() -> None:
    lead = said("amber birch:", flags=("opens",))
    stock = [candidate(lead, worth=0.1), candidate(said("cedar dune", lead), worth=9)]
    assert sorted(choose(stock, 40)) == [0, 1]


def test_a_request_and_its_answer_are_weighed_as_one() -> None:
    answer = said("heath islet jetty", kind="concluded")
    request = candidate(said("amber birch cedar", answer, kind="asked"), worth=60)
    other = candidate(said("knoll ledge marsh"), tokens=30, worth=60)
    assert choose([request, candidate(answer, tokens=10, worth=9), other], 60, header_tokens=0)[:2] == [0, 1]
    assert choose([request, candidate(answer, tokens=40, worth=1), other], 60, header_tokens=0) == [2]


def test_what_it_leans_on_and_has_no_room_keeps_it_out() -> None:
    lead = said("amber birch:", flags=("opens",))
    stock = [candidate(lead, worth=0.1, tokens=90), candidate(said("cedar dune", lead), worth=9)]
    assert choose(stock, 40) == []


def test_what_only_opens_something_is_never_alone() -> None:
    assert choose([candidate(said("amber birch:", flags=("opens",)), worth=99)], 100) == []
    assert choose([candidate(said("amber birch", flags=("heading",)), worth=99)], 100) == []


def test_what_is_required_comes_before_what_is_worth_more() -> None:
    stock = [
        candidate(said("amber birch"), worth=99, tokens=12),
        candidate(said("cedar dune", kind="asked"), worth=1, required=1),
    ]
    assert choose(stock, 30) == [1]


def test_what_is_required_takes_no_more_than_its_share_beside_others() -> None:
    stock = [
        candidate(said("amber birch", kind="asked"), required=1),
        candidate(said("cedar dune", kind="asked"), required=2, tokens=50, worth=0.1),
        candidate(said("elder fjord"), worth=40, tokens=60),
    ]
    assert choose(stock, 100) == [0, 2]


def test_the_first_that_is_required_may_take_more() -> None:
    stock = [candidate(said("amber birch", kind="asked"), required=1, tokens=60, worth=0.1)]
    assert choose(stock, 100) == [0]


def test_what_is_kept_stands_before_all_else() -> None:
    stock = [candidate(said("amber"), worth=99), candidate(said("cedar"), worth=0.001, required=KEPT)]
    assert choose(stock, 20) == [1]


def test_an_episode_that_is_told_gives_way_to_one_that_is_not() -> None:
    stock = [candidate(said(word), worth=10, tokens=10) for word in WORDS[:6]]
    stock.append(candidate(said("plain"), worth=9.5, tokens=10, episode=1))
    assert 6 in choose(stock, 60)


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 40), st.integers(0, 4)), max_size=16),
    st.integers(0, 200),
)
def test_the_choice_never_takes_more_than_there_is(sizes: list[tuple[int, int, int]], room: int) -> None:
    stock = [
        candidate(said(WORDS[at]), tokens=tokens, worth=worth, episode=episode)
        for at, (tokens, worth, episode) in enumerate(sizes)
    ]
    chosen = choose(stock, room)
    assert sum(stock[at].tokens for at in chosen) <= room
    assert len(set(chosen)) == len(chosen)


def test_who_speaks_of_a_change_has_not_told_that_it_was_made() -> None:
    talk = said("It says `Left` and should say `Right`.")
    change = said("edited a.py: `Left` → `Right`", kind="changed")
    novelty = Novelty([talk, change])
    novelty.choose(0)
    assert novelty[1] == 1.0


def test_an_item_that_was_said_before_stays_in_its_list() -> None:
    opener = said("dune elder", flags=("opens",))
    items = [said(text, opener, flags=("item",)) for text in ("amber birch", "fjord grove")]
    stock = [
        candidate(said("amber birch cedar"), worth=20),
        candidate(opener, worth=1),
        candidate(items[1], worth=9),
        candidate(items[0], worth=9),
    ]
    assert set(choose(stock, 100)) == {0, 1, 2, 3}


def test_an_edit_is_not_left_out_beside_an_older_one_of_the_same_file() -> None:
    first, again, run = (
        Statement(kind=kind, text=text, turn=turn, place=(0, 0), key=key)
        for turn, (kind, text, key) in enumerate(
            [
                ("changed", "amber birch cedar dune elder", "rows.py"),
                ("changed", "amber birch cedar dune fjord", "rows.py"),
                ("ran", "grove heath", "ls"),
            ]
        )
    )
    stock = [candidate(first, worth=30), candidate(again), candidate(run, worth=6)]
    assert choose(stock, 29) == [0, 1]


def test_what_is_required_does_not_use_up_the_turn_of_its_episode() -> None:
    must = candidate(said("amber birch cedar dune"), tokens=40, required=2)
    beside = candidate(said("elder fjord grove"), worth=10.0)
    elsewhere = candidate(said("heath islet jetty"), worth=8.0, episode=1)
    assert choose([must, beside, elsewhere], 100, header_tokens=0) == [0, 1, 2]


def test_alike_words_of_the_user_under_headings_of_their_own_are_each_told() -> None:
    heads = [said("heath", kind="asked"), said("marsh", kind="asked")]
    alike = [said("amber birch cedar", head, kind="asked") for head in heads]
    novelty = Novelty([*alike, said("amber birch cedar", kind="asked")])
    novelty.choose(0)
    assert novelty[1] == 1.0
    assert novelty[2] == 0.0


def test_a_change_is_told_with_the_short_request_that_it_was_made_for() -> None:
    question = said("Shall I mend the gauge of the weir?", flags=("question",))
    order = said("yes, mend the gauge", question, kind="asked", flags=("whole",))
    changed = said("amber birch", kind="changed")
    stock = [candidate(question), candidate(order, worth=0.1), candidate(changed, worth=90)]
    assert choose(stock, 40) == [2, 1, 0]
    assert choose([candidate(question, tokens=60), *stock[1:]], 40) == [2]
    stock[1] = candidate(said("proceed", question, kind="asked", flags=("whole",)), worth=0.1)
    assert 1 not in choose(stock, 40)


def test_each_of_a_few_items_is_told_before_more_is_said_of_one() -> None:
    over = said("What was mended in the two readers of amber and birch:", flags=("opens",))
    first, second, third = (said(f"- {word}", over, flags=("item",)) for word in WORDS[:3])
    more = said("elder and fjord", first, flags=("item", "runs-on"))
    stock = [candidate(s, worth=9.0 if s is more else 1.0) for s in (over, first, more, second, third)]
    assert sorted(choose(stock, 60)) == [0, 1, 2, 3, 4]
    assert 2 not in choose(stock, 45)


def test_of_a_few_that_are_counted_or_only_announced_all_are_told_or_none() -> None:
    for opener, flags in (("Two faults in amber:", ("opens",)), ("I added:", ("opens", "vague"))):
        over = said(opener, flags=flags)
        items = [said(f"- {word}", over, flags=("item",)) for word in WORDS[:2]]
        stock = [candidate(s, worth=w) for s, w in ((over, 0.1), (items[0], 9.0), (items[1], 1.0))]
        assert choose(stock, 35) == []
        assert sorted(choose(stock, 50)) == [0, 1, 2]


def test_a_report_is_told_with_the_short_sentence_that_it_begins_with() -> None:
    begins = Statement(
        kind="concluded", text="Amber is done.", turn=1, place=(0, 0), key="0", flags=("reply", "state")
    )
    rest = Statement(kind="concluded", text="cedar dune elder", turn=1, place=(0, 20), key="1")
    assert sorted(choose([candidate(begins, worth=0.1), candidate(rest)], 40)) == [0, 1]


def test_of_a_long_message_a_third_is_left_for_what_was_done_but_not_for_copied_text() -> None:
    asked = [candidate(said(f"- {word} {n}", kind="asked"), worth=30) for n, word in enumerate(WORDS[:9])]
    done = [candidate(said("elm was felled", kind="changed"), worth=9)]
    copied = [candidate(said("fir stood", kind="passage"), worth=1)]
    room = sum(c.tokens for c in asked)
    assert len(asked) in choose([*asked, *done], room)
    assert len(asked) not in choose([*asked, *copied], room)


def test_the_third_step_of_the_users_stands_with_those_before_it() -> None:
    over = said("The plan for the weir:", kind="asked", flags=("opens",))
    steps = [said(f"{n}. {word}", over, kind="asked", flags=("item",)) for n, word in enumerate(WORDS[:3], 1)]
    stock = [candidate(over), *(candidate(s, worth=9.0 if s is steps[2] else 0.1) for s in steps)]
    assert sorted(choose(stock, 60)) == [0, 1, 2, 3]
    assert 3 not in choose(stock, 3 * stock[1].tokens)
