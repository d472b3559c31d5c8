"""Reversals: what the agent took back is not told as what it found."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts
from compactors.conversations import run, say
from tamis.compactors.brief.reading.settling.reversals import without_forecasts
from tamis.messages import Message, Text, Thinking

WHERE = "/repo/src/rows.py"


def spoken(*messages: str) -> list[Message]:
    return [TASK, *(say("assistant", text) for text in messages)]


def test_a_thought_that_the_next_sentence_takes_back_goes() -> None:
    span = spoken(
        "The loader never calls `read_rows` itself. Actually, `read_rows` is called by `open_table`."
    )
    assert texts(span, "said", "found", "concluded") == ["Actually, `read_rows` is called by `open_table`."]


def test_a_remark_on_something_else_takes_nothing_back() -> None:
    span = spoken("The loader skips `read_rows`. Actually, `write_table` is slow, too.")
    assert len(texts(span, "said", "found", "concluded")) == 2


def test_a_later_place_of_the_fault_takes_back_an_earlier_one_with_what_leans_on_it() -> None:
    span = spoken(
        "The problem is in the `loader.py` file. It parses each row twice.",
        "The problem was in `writer.py`, which drops the last row.",
    )
    assert texts(span, "said", "found", "concluded") == [
        "The problem was in `writer.py`, which drops the last row."
    ]


def test_the_place_of_the_fault_of_another_request_stands() -> None:
    first = spoken("The problem is in the `loader.py` file.")
    span = [
        *first,
        say("user", "And the report is empty."),
        say("assistant", "The bug is in `report.py` here."),
    ]
    assert "The problem is in the `loader.py` file." in texts(span)


def test_what_is_denied_later_is_no_finding() -> None:
    span = spoken(
        "`RowTable` has access to `ctx.rowKind` here.", "So `RowTable` doesn't have `rowKind` at all."
    )
    assert texts(span, "said", "found", "concluded") == ["So `RowTable` doesn't have `rowKind` at all."]


def test_a_path_that_may_be_missing_always_exists_no_more() -> None:
    span = spoken(
        "The folder `~/.rows/tmp` always exists.", "`~/.rows/tmp` is a folder that may or may not exist."
    )
    assert len(texts(span, "said", "found", "concluded")) == 1


def test_an_alternative_that_is_decided_against_goes() -> None:
    span = spoken(
        "We could fall back to `$HOME` there. For now, I'll keep `read_rows` simple: it returns an error."
    )
    assert not any("fall back" in text for text in texts(span))


def test_who_owns_up_takes_back_the_account_before() -> None:
    span = spoken("The issue is that `read_rows` drops the last row of a table. The loader is fine.")
    span += [say("user", "But the last row is there.")]
    span += [
        say(
            "assistant",
            "You're right. The cause is that it sorts: each row of a table is kept, the last first.",
        )
    ]
    assert not any("drops the last row" in text for text in texts(span))
    assert "The loader is fine." in texts(span)


def test_pardon_without_another_account_takes_nothing_back() -> None:
    span = spoken("The issue is that `read_rows` drops the last row.", "You're right, I should have said so.")
    assert any("drops the last row" in text for text in texts(span))


def test_what_was_called_correct_goes_where_the_agent_turns_round() -> None:
    span = spoken(
        "Empty rows are skipped. That's the correct behavior. The export keeps empty rows, though. "
        "So actually, the loader should keep empty rows, too."
    )
    assert not any("correct behavior" in text for text in texts(span))


def test_an_edit_of_a_file_that_was_put_back_is_gone() -> None:
    back = run("b", "git checkout src/rows.py", "Updated 1 path from the index", 0)
    tried = [TASK, *edit("e", "src/rows.py", "limit = 1", "limit = 2"), *back]
    assert texts(tried, "changed") == ["reverted src/rows.py"]
    done = [*tried, *edit("f", "src/rows.py", "limit = 1", "limit = 3")]
    assert texts(done, "changed")[-1] == "edited src/rows.py: `limit = 1` → `limit = 3`"


def test_an_edit_that_was_committed_before_is_not_gone() -> None:
    made = run("c", "git commit -am 'Limit rows'", "[main 0a1b2c3] Limit rows", 0)
    back = run("b", "git checkout src/rows.py", "Updated 1 path from the index", 0)
    span = [TASK, *edit("e", "src/rows.py", "limit = 1", "limit = 2"), *made, *back]
    assert "edited src/rows.py: `limit = 1` → `limit = 2`" in texts(span, "changed")


def test_a_call_that_was_put_wrongly_is_gone_once_it_is_put_right() -> None:
    wrong = run("a", "python ../check.py", "python: can't open file '/check.py': [Errno 2] No such file", 2)
    right = run("b", "python /work/check.py", "KeyError: 'rows'", 1)
    assert texts([TASK, *wrong, *right], "failed") == ["ran `python /work/check.py` → KeyError: 'rows'"]


def test_an_edit_whose_line_a_later_edit_keeps_stays() -> None:
    first = edit("e", WHERE, "name = 1\nlimit = 5", "name = 1")
    later = edit("f", WHERE, "name = 1", "name = 1\nwidth = 5")
    step, whole = texts([TASK, *first, *later], "changed")
    assert step == f"edited {WHERE} (edited again, #3)"
    assert whole.endswith("(all of #1-3): `limit = 5` → `width = 5`")


def test_what_an_approval_leaned_on_goes_with_it() -> None:
    first = say("assistant", "Blank rows are not in the count. That's actually correct behaviour.", id="1")
    turned = say("assistant", "Actually, we should put blank rows in the count.", id="2")
    assert "not in the count" not in " ".join(texts([TASK, first, turned]))


def test_what_was_thought_on_the_way_to_owning_up_goes() -> None:
    parts = (
        Thinking(text="The real cause is that `read_rows` should keep the head."),
        Text(text="You're right, sorry. The cause is the test's own head, which `read_rows` drops."),
    )
    span = [TASK, Message(id="m", role="assistant", parts=parts)]
    assert not any("should keep" in text for text in texts(span))


def test_what_the_agent_owns_to_have_misstated_goes() -> None:
    span = [
        TASK,
        say("assistant", "The check only exists in `open_rows`. The names in `save_rows` are fine."),
        say("user", "Add the check that only exists in open_rows to read_rows, too."),
        say("assistant", "It is there already. My earlier review incorrectly stated where the check exists."),
    ]
    told = texts(span, "said", "found", "concluded")
    assert "The check only exists in `open_rows`." not in told
    assert "The names in `save_rows` are fine." in told


def test_what_was_not_seen_and_then_found_is_taken_back() -> None:
    missed = say("assistant", "I don't see the `read_rows` method in the `Loader` class.", id="missed")
    found = run("g", "grep -n read_rows src/a.py", "Found 2 matches: line 7: def read_rows(self):", 0)
    assert "I don't see" in " ".join(texts([TASK, missed]))
    assert "I don't see" not in " ".join(texts([TASK, missed, *found]))


def test_what_was_not_seen_and_was_looked_for_goes() -> None:
    missed = say("assistant", "I don't see any loader of rows. Let me check the other files.", id="missed")
    assert "I don't see" not in " ".join(texts([TASK, missed, *run("g", "ls src", "load.py", 0)]))
    only = say("assistant", "I don't see any loader of rows.", id="missed")
    assert "I don't see" in " ".join(texts([TASK, only, *run("g", "ls src", "load.py", 0)]))


def test_that_a_look_was_cut_off_goes_where_the_rest_is_read() -> None:
    words = "I have the loaders, but `rows.md` was partly truncated. I’m reading it in full now."
    span = spoken(words, "The rows are read from `rows.md` twice.")
    assert texts(span, "said", "found", "concluded") == ["The rows are read from `rows.md` twice."]


def test_what_limits_a_claim_is_one_with_it() -> None:
    claim = "`load` won't read the old rows. The notes do not say so. This is fine, as `read` still does."
    assert claim in texts(spoken(claim))


def test_what_is_to_be_undone_stands_with_its_reason() -> None:
    words = "This means that our edit of `read_rows` was unnecessary. Let's revert that change and look on."
    assert any(
        "unnecessary. Let's revert that change" in text for text in texts([TASK, say("assistant", words)])
    )


def test_an_answer_to_what_the_user_did_not_mean_goes() -> None:
    span = [
        say("user", "How do I push the rows?"),
        *spoken("The rows of `ledger.toml` are pushed by `shop sync`."),
    ]
    meant = [*span, say("user", "I meant the rows of the till.", id="meant")]
    assert any("shop sync" in text for text in texts(span))
    assert not any("shop sync" in text for text in texts(meant))


def test_of_what_a_value_is_the_correction_stands() -> None:
    span = spoken(
        "The row number is passed as an integer.",
        'The row number is passed as a string "17", not as an integer 17.',
    )
    assert texts(span, "said", "found", "concluded") == [
        'The row number is passed as a string "17", not as an integer 17.'
    ]


def test_a_run_that_came_to_nothing_is_not_told_by_what_it_printed() -> None:
    span = [
        TASK,
        *run("a", "python mend_rows.py", "Mended rows.py"),
        say("assistant", "The script didn't work."),
    ]
    assert not any("Mended rows.py" in text for text in texts(span))


PROPOSAL = "The limit is too large: 90 rows.\n\nI'd set it to ~20 rows. Want me to lower it?"


def agreed(*behind: Message) -> list[Message]:
    changed = edit("a", WHERE, "LIMIT = 90", "LIMIT = 25")
    return [TASK, say("assistant", PROPOSAL), say("user", "yes please"), *changed, *behind]


def test_what_was_proposed_goes_once_the_agent_has_told_what_it_did() -> None:
    assert any("~20" in text for text in texts(agreed()))
    assert not any("~20" in text for text in texts(agreed(say("assistant", "Changed the limit to 25 rows."))))


def test_a_proposal_that_is_not_answered_stands_as_it_is() -> None:
    assert "The limit is too large: 90 rows." in texts([TASK, say("assistant", PROPOSAL)])


def test_what_was_thought_on_the_way_to_finding_nothing_goes() -> None:
    mused = Thinking(text="The loader takes its rows from the `ROWS_INPUT` variable.")
    span = [
        TASK,
        Message(id="m", role="assistant", parts=(mused, Text(text="Let me look."))),
        *run("r", "ls", "", 0),
    ]
    assert any("ROWS_INPUT" in text for text in texts(span))
    assert not any(
        "ROWS_INPUT" in text for text in texts([*span, say("assistant", "I cannot reproduce it.")])
    )


def test_what_was_not_done_goes_once_it_is_said_to_be_done() -> None:
    lost = "The rows of the second table have length 0, so they were not restored."
    found = "The rows of the second table were restored: they have length 4, but under another name."
    assert lost not in texts(spoken(lost, found))
    assert lost in texts(spoken(lost, "If the rows of the second table were restored, we would see them."))
    assert lost in texts(spoken(lost, "The columns of the head were restored."))


def test_what_seems_not_to_be_in_the_file_at_hand_goes_with_the_next_look() -> None:
    seems = "After reviewing the loader, it seems that the limit of rows is not handled in this file."
    assert seems not in texts(spoken(seems, "`read_rows` in `loader.py` sets the limit."))
    assert seems in texts(spoken("`read_rows` reads rows.", seems))


def test_a_sentence_that_trails_off_goes_once_more_is_said() -> None:
    assert texts(spoken("Perhaps `read_rows` keeps the head...", "`read_rows` drops the head.")) == [
        TASK.text,
        "`read_rows` drops the head.",
    ]


def test_what_is_ready_for_a_commit_is_not_once_it_is_committed() -> None:
    ready = say("assistant", "The changes of `read_rows` are ready for commit.")
    commit = run("c", "git commit -m 'Read rows'", "[main 0a1b2c3] Read rows", 0)
    assert "are ready" in " ".join(texts([TASK, *commit, ready]))
    assert "are ready" not in " ".join(texts([TASK, ready, *commit]))


def test_what_the_agent_advised_against_goes_where_it_came_to_want_it() -> None:
    against = "I'd skip the `prune` step for old shelves, as it adds failure modes."
    turned = "The `prune` step for old shelves that I previously skipped becomes worth it."
    span = [TASK, say("assistant", against), say("user", "It runs for months."), say("assistant", turned)]
    assert against not in texts(span)
    assert against in texts(span[:2])


def test_a_guess_where_a_file_lies_goes_with_the_next_look() -> None:
    guess = "The shelf files might be named differently or located in an unexpected place."
    span = [TASK, say("assistant", guess), *run("a", "ls", "shelf.py"), say("assistant", "It is shelf.py.")]
    assert guess not in texts(span)
    assert guess in texts(span[:2])


def test_of_an_item_only_the_sentence_with_the_forecast_goes() -> None:
    text = "Ways:\n1. Oil the wheel. It would take an hour.\n2. It should rest."
    assert without_forecasts(text) == "Ways:\n1. Oil the wheel."


def test_what_was_said_of_an_edit_that_went_into_the_wrong_file_goes() -> None:
    span = spoken("We'll put the limit of `read_rows` at the top of the file.")
    span += [*edit("w", WHERE, "x = 1", "limit = 9"), say("assistant", "It seems I edited the wrong file.")]
    assert not any("the top of the file" in text for text in texts(span))


def test_a_draft_that_is_written_out_when_the_user_agrees_goes() -> None:
    draft = "Normalization matters most:\n- Lower the case of each heron\n- Strip the tail\n- Sort by place"
    other = "The barn has three doors:\n- one for herons\n- one for stoats"
    final = "### Normalization steps (in this order)\n1. Keep the case of each heron.\n2. Strip the tail."
    span = [TASK, say("assistant", f"{draft}\n\n{other}\n\nIf you want, I can write it out for `heron.md`.")]
    assert draft in texts(span)
    agreed = texts([*span, say("user", "Yes please"), say("assistant", final)])
    assert draft not in agreed
    assert other in agreed
    assert draft in texts([*span, say("user", "Why the tail?"), say("assistant", final)])


def test_a_guess_that_the_agent_turns_from_goes() -> None:
    guess = "Perhaps the gate of `rows.py` was shut for a day."
    span = spoken(f"{guess} But I should rather focus on the mill.", "The mill of `rows.py` stands.")
    assert guess not in texts(span)
    assert guess in texts(spoken(guess, "The mill of `rows.py` stands."))


def test_putting_a_file_back_goes_with_the_edits_that_it_undoes_once_the_file_is_edited_again() -> None:
    back = run("b", "git checkout src/rows.py", "Updated 1 path from the index", 0)
    span = [TASK, *edit("e", "src/rows.py", "limit = 1", "limit = 2"), *back]
    again = edit("f", "src/rows.py", "limit = 1", "limit = 3")
    assert texts([*span, *again], "changed") == ["edited src/rows.py: `limit = 1` → `limit = 3`"]
    asked = say("user", "Now make it three.", id="three")
    assert "reverted src/rows.py" in texts([*span, asked, *again], "changed")


def test_of_what_is_thought_aloud_the_end_is_told() -> None:
    span = spoken(
        "The loop over `rows` skips the head. If `rows` is empty, `rows[0]` fails. There is a doubt."
        " Actually, `rows` is never empty here, so only the head of the table is lost."
    )
    assert texts(span, "said", "found", "concluded") == [
        "Actually, `rows` is never empty here, so only the head of the table is lost."
    ]


def test_a_doubt_that_the_same_message_dispels_is_not_told() -> None:
    span = spoken(
        "However, the cell of `weights` could be blank. Actually, that's probably fine."
        " The reader `read_rows` fills it with a zero."
    )
    assert texts(span, "said", "found", "concluded") == ["The reader `read_rows` fills it with a zero."]


def test_a_message_that_turns_often_leads_up_to_its_end() -> None:
    way = "The table of `sacks` is sorted twice. Wait, the mill sorts nothing. Hmm, the shed may sort it."
    span = spoken(f"{way} Actually, `barn.py` sorts the oats on its own.")
    assert texts(span, "said", "found", "concluded") == ["Actually, `barn.py` sorts the oats on its own."]


def test_an_answer_goes_whole_where_it_is_shown_to_be_wrong() -> None:
    answer = "The local tables override the shared tables. So only `local.ini` is read by the mill."
    seen = say("assistant", "Both tables are there: they merge, not override!")
    span = [*spoken(answer), say("user", "Please try it."), seen]
    assert not any("local" in text for text in texts(span, "said", "found", "concluded"))
    supposed = [*spoken("If the local tables override the shared tables, one row is left."), seen]
    assert any("local" in text for text in texts(supposed, "said", "found", "concluded"))


def test_what_would_not_work_goes_where_it_now_works() -> None:
    span = [*spoken("A `rows.ini` alone won't work because:\n1. nobody reads it\n2. the mill is older")]
    assert "won't work" in " ".join(texts(span))
    span += [*edit("a", WHERE, "read()", "read('rows.ini')"), say("assistant", "`rows.ini` works now.")]
    assert "won't work" not in " ".join(texts(span))


def test_a_report_that_is_made_anew_takes_the_place_of_the_first() -> None:
    report = "## Tables\n\nThe mill writes {} tables of oats.\n\n## Places\n\nThey lie in `{}/oats`."
    asked = say("user", "No, look again.")
    anew = say("assistant", "## Summary (corrected)\n\n" + report.format("four", "shed"))
    told = " ".join(texts([*spoken(report.format("nine", "barn")), asked, anew]))
    assert "barn" not in told
    assert "shed" in told


def test_a_list_that_a_message_begins_with_tells_what_was_seen() -> None:
    span = spoken(
        "So:\n- `sum(1)` works\n- `sum(2)` fails\n\nThe loop over `rows` fails. Actually, `rows` is a tuple."
        " Wait, `rows` is empty. Actually, `rows` is never empty here, so only the head is lost."
    )
    assert texts(span, "said", "found", "concluded") == [
        "So:\n- `sum(1)` works\n- `sum(2)` fails",
        "Actually, `rows` is never empty here, so only the head is lost.",
    ]
