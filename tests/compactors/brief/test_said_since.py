"""What the agent said that something said or done since makes needless or untrue."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts, use
from compactors.conversations import run, say
from tamis.messages import Message, Text, Thinking

FIRST = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")


def test_what_was_thought_goes_where_the_message_itself_or_one_behind_an_answer_tells_the_outcome() -> None:
    wanted = Thinking(text="The user explicitly wanted `rows.csv` to stay as it was.")
    outcome = Text(text="`rows.csv` stays, and the empty rows of it are skipped.")
    answer = use("q", "AskUserQuestion", 'User has answered your questions: "Sort?"="No".', questions=[])
    before = Message(id="t", role="assistant", parts=(wanted,))
    closing = Message(id="c", role="assistant", parts=(wanted, outcome))
    assert not texts([TASK, *FIRST, closing], "thought")
    assert not texts([TASK, before, *answer, *FIRST, say("assistant", outcome.text)], "thought")
    assert texts([TASK, before, *FIRST], "thought")


ROWS = "/work/shop/src/rows.py"


def attempt(name: str, guess: str, then: str, old: str = "a = 1", new: str = "a = 2") -> list[Message]:
    ran = run(f"{name}-r", "python try.py", f"rows: {new}", 0)
    return [
        say("assistant", guess, id=f"{name}-g"),
        *edit(name, ROWS, old, new),
        *ran,
        say("assistant", then),
    ]


def test_a_cause_that_was_supposed_goes_where_the_fault_stands_behind_the_edit() -> None:
    guess = "The fault is likely in `count`, which reads the head."
    still = "`read_rows` is still returning the empty row."
    assert guess not in texts([TASK, *attempt("a", guess, still)])
    assert guess in texts([TASK, *attempt("a", guess, "`read_rows` returns no empty row now.")])
    [edited] = [text for text in texts([TASK, *attempt("a", guess, still)], "changed") if "a = 2" in text]
    assert edited.endswith("(the fault still stood, #6)")


def test_what_an_edit_was_hoped_to_do_and_praise_of_a_script_go() -> None:
    hope = "We've added a check to `count`, which should prevent the empty row."
    praise = "The `try.py` script looks good as it is. It covers all cases of `count`."
    for words in (hope, praise):
        assert words.partition(". ")[0] not in "\n".join(
            texts([TASK, *attempt("a", "See `count`.", words), *LAST])
        )


LAST = attempt("z", "One more edit of `count`.", "Done.", "b = 1", "b = 2")


def test_what_an_overtaken_run_printed_is_not_counted_up() -> None:
    seen = "The output reveals some details:\n1. `count` is called with `None` first.\n2. `rows` is not."
    assert any("`count` is called" in text for text in texts([TASK, *attempt("a", "See `count`.", seen)]))
    assert not any(
        "`count` is called" in text for text in texts([TASK, *attempt("a", "See `count`.", seen), *LAST])
    )


def test_an_offer_is_gone_with_its_items_once_the_user_asks_for_something_else() -> None:
    offer = "If you want a clean tree, pick one:\n1. Delete `rows.log`.\n2. Ignore `rows.log` in git."
    span = [TASK, *FIRST, say("assistant", f"The rows are skipped.\n\n{offer}")]
    assert any("Delete" in text for text in texts(span))
    assert not any("Delete" in text for text in texts([*span, say("user", "Now sort the rows.", id="n")]))


def test_of_ways_that_were_offered_the_one_that_was_chosen_is_told() -> None:
    ways = "Two ways:\n1. On disk - `rows.db` holds them\n2. In memory - quick, lost at night\n\nWhich one?"
    answer = 'User has answered your questions: "Where are the rows kept?"="In memory (best)".'
    span = [TASK, say("assistant", ways), *use("q", "AskUserQuestion", answer, questions=[]), *FIRST]
    assert "2. In memory - quick, lost at night" in texts(span)
    assert not any("On disk" in text for text in texts(span))


def test_what_was_made_goes_with_its_list_where_a_later_answer_tells_how_it_is_now() -> None:
    made = "I added `cells` to the shop from your fork, pinned to one.\n\n- Put `#0a1b2c3` into `pack.json:4`"
    other = "The lamp of the shop is described in `lamp.md` now."
    now = say(
        "assistant",
        "The shop now pulls `cells` from the main branch of your fork.\n\n- Changed `pack.json:4`",
    )
    span = [
        TASK,
        *FIRST,
        say("assistant", f"{made}\n\n{other}", id="s"),
        say("user", "Have it pull main.", id="u"),
        now,
    ]
    said = texts(span)
    assert not any("pinned" in text or "0a1b2c3" in text for text in said)
    assert other in said
    assert any(text.startswith("The shop now pulls") for text in said)


def test_the_message_of_a_commit_is_its_title_where_the_report_says_the_rest() -> None:
    body = "The reader keeps the last row of each page and counts the empty ones apart."
    commit = run("c", f'git commit -m "Keep the last row" -m "{body}"', "[main 0a1b2c3] Keep the last row", 0)
    span = [TASK, *FIRST, *commit]
    assert any(body in text for text in texts([*span, say("assistant", "It is done.")], "committed"))
    told = texts([*span, say("assistant", f"Done. {body}")], "committed")
    assert told == ["committed 0a1b2c3: Keep the last row"]
