"""What the agent said that something said or done since makes needless or untrue."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, reading_of, section, texts, todo, use
from compactors.conversations import run, say
from tamis.compactors.brief.reading.settling.disproved import disproved
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


def test_a_search_in_vain_goes_where_what_it_sought_is_told_of_later() -> None:
    sought = use("g", "Grep", "No matches found", pattern='skip_empty_rows"', path="src")
    later = say("assistant", "`skip_empty_rows` is in `rows.py` and returns nothing.")
    gone = [s.text for s in disproved(reading_of([TASK, *sought, later]).statements)]
    assert gone == ['Grep `skip_empty_rows"` in src → nothing found']
    assert not [*disproved(reading_of([TASK, *sought, say("assistant", "It reads rows.")]).statements)]


def test_a_fault_that_is_spoken_of_long_after_an_edit_is_not_laid_to_it() -> None:
    looks = [m for n in range(4) for m in run(f"look{n}", f"cat page{n}.txt", f"page {n}", 0)]
    span = [TASK, *attempt("a", "See `count`.", "Next."), *looks, say("assistant", "The page still fails.")]
    assert not any("fault still stood" in text for text in texts(span, "changed"))


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


def test_what_a_run_left_out_stands_behind_what_is_claimed_of_it() -> None:
    claim = "End to end, `./shop sync` takes 0.3 s."
    ran = run("s", "./shop sync --no-cloud-sync", "created\n0.3 total", 0)
    assert f"{claim} (run with --no-cloud-sync)" in texts([TASK, *FIRST, *ran, say("assistant", claim)])
    whole = run("s", "./shop sync", "created\n0.3 total", 0)
    assert claim in texts([TASK, *FIRST, *ran, *whole, say("assistant", claim)])


def test_a_task_that_the_last_list_leaves_out_undone_is_told() -> None:
    first = todo(("Read the rows", "in_progress"), ("Write unit tests of the lamp", "pending"))
    last = todo(("Read the rows", "completed"))
    span = [TASK, *first, *FIRST, *last, say("assistant", "The implementation is complete.")]
    line = "- [ ] Write unit tests of the lamp (left off the list of tasks undone, #5)"
    assert line in section(brief(span), "State")
    named = todo(("Read the rows", "completed"), ("Write the unit tests of the lamp", "completed"))
    assert "left off" not in brief([TASK, *first, *FIRST, *named])


def test_an_apology_and_the_cheer_over_a_step_tell_nothing() -> None:
    said = "Sorry about that — I'll make sure to ask before the next one of these. Step 5 complete!"
    assert not any(
        word in text
        for text in texts([TASK, *FIRST, say("assistant", said), *LAST])
        for word in ("Sorry", "Step 5")
    )
