"""What says nothing by itself: a scrap of code, a question that was answered, a promise."""

from __future__ import annotations

from compactors.brief.talk import DONE, TASK, brief, edit, section, texts, told
from compactors.conversations import run, say
from tamis.compactors.brief.reading.edits.hunks import telling_lines
from tamis.compactors.brief.reading.speech.utterances import agent_statements, sentences_of_request
from tamis.compactors.brief.reading.statement import Statement
from tamis.messages import Message, Text, Thinking

ROWS = edit("e", "/work/shop/src/rows.py", "rows = []", "rows = set()")


def about(words: str, *messages: Message) -> list[Statement]:
    """The statements that hold these words."""
    return [s for s in told([TASK, *messages]) if words in s.text]


def test_a_question_that_the_agent_answers_itself_is_told_only_before_its_answer() -> None:
    words = "What if two rows of `a.csv` are alike? Actually, `read` drops the second."
    asked, answer = agent_statements(say("assistant", words), 0)
    assert "opens" in asked.flags
    assert answer.leads == (asked,)


def test_a_question_that_points_at_a_place_leans_on_the_sentence_that_names_it() -> None:
    said = "The lamps of the quay were mended. The harbour is still dark. Do we have the same there?"
    *_, named, asked = sentences_of_request(Statement(kind="asked", text=said, turn=0, place=(0, 0)))
    assert asked.leads == (named,)


def test_what_the_agent_supposes_and_goes_on_from_counts_for_little() -> None:
    asked, _ = agent_statements(say("assistant", "What if `a.csv` is empty? The reader skips it."), 0)
    assert "opens" in asked.flags
    [last] = agent_statements(say("assistant", "What if `a.csv` is empty?"), 0)
    assert "opens" not in last.flags


def said(text: str) -> list[Statement]:
    return list(agent_statements(say("assistant", text), 0))


def test_a_sentence_is_one_with_the_one_that_turns_it() -> None:
    text = "The run skips `a.csv`. However, we need to make sure that the rows are read at all. It is quick."
    assert [s.text for s in said(text)] == [text.removesuffix(" It is quick."), "It is quick."]
    assert len(said("The run skips `a.csv`. But let me look at `rows.py` again.")) == 2
    assert len(said("The run skips `a.csv`.\n\nHowever, `b.csv` is read twice.")) == 2


def test_a_list_of_what_is_supposed_is_one_with_what_puts_it_aside() -> None:
    text = "What if two rows are alike? For example:\n- `a` and `a`\n- `a` and `A`\n\nBut that is not ours."
    asked, listed = said(text)
    assert listed.text == "For example:\n- `a` and `a`\n- `a` and `A`\nBut that is not ours."
    assert listed.leads == (asked,)


def test_a_sentence_is_one_with_the_short_list_that_turns_it() -> None:
    text = (
        "Only `a.csv` is in the request. But to name the rows, I need to:\n1. Read `b.csv`\n2. Write `c.csv`"
    )
    [only] = said(text)
    assert only.text == text
    assert "item" in only.flags


def test_a_thought_stands_where_another_leans_on_it_though_it_was_said() -> None:
    parts = (
        Thinking(text="Four tables lie in `rows`. Only two of them are new."),
        Text(text="`rows` has four tables."),
    )
    thoughts = [
        s for s in agent_statements(Message(id="m", role="assistant", parts=parts), 0) if s.kind == "thought"
    ]
    assert thoughts[1].leads == (thoughts[0],)


def test_a_bare_conclusion_is_one_with_what_it_comes_to() -> None:
    [only] = said("So: no new table. A line in the guide would do.")
    assert only.text == "So: no new table. A line in the guide would do."


def test_a_line_that_gives_one_thing_leans_on_the_sentence_over_it() -> None:
    made, branch, path = said("I made the task.\n\nBranch: `rows`\nPath: `/work/rows`")
    assert (branch.leads, path.leads) == ((made,), (branch,))


def test_what_says_nothing_but_it_goes_where_the_sentence_before_is_not_told() -> None:
    text = "The settings file looks good. We need no changes to it as `rows` is in the list."
    assert said(text)[1].leads
    assert not about("changes to it", say("assistant", text, id="a"), *ROWS)
    assert said("Four files lie there. Only two of them are ours.")[1].leads


def test_a_list_leans_on_the_words_that_its_opener_goes_back_to() -> None:
    first, listed = said("Two things of `a.csv` are amiss. Let's take them one by one:\n1. Heads\n2. Tails")
    assert listed.leads == (first,)


def test_that_a_phase_is_done_is_no_heading() -> None:
    assert not about("Phase 2", say("assistant", "**Phase 2 Analysis Complete**\n\nRows: 4.", id="a"), *ROWS)


def test_one_of_several_headings_leans_on_those_over_it() -> None:
    text = "## Review of the reader\n\n### Issues\n\n#### 1. Heads are lost\n\n`rows.py` drops them."
    title, issues, first, _ = said(text)
    assert first.leads == (title, issues)
    assert not issues.leads


def test_what_names_items_by_their_numbers_leans_on_them() -> None:
    text = (
        "Changes:\n1. `a` is in\n2. `b` is out\n\n### Issues\n\n"
        "#### 1. Heads are lost\n\n`rows.py` drops them.\n\n"
        "#### 2. Tails are kept\n\n`rows.py` keeps them.\n\n#### 3. Sums are wrong\n\n`sums.py` rounds."
        "\n\n### Verdict\n\nI would mend items 1 and 3 of `rows.py` first."
    )
    [verdict] = about("items 1 and 3", say("assistant", text, id="a"), *ROWS)
    assert [lead.text for lead in verdict.leads[-2:]] == ["1. Heads are lost", "3. Sums are wrong"]


def test_what_an_editor_shows_the_agent_alone_is_not_spoken_of() -> None:
    assert not about("diagnostics", *ROWS, say("assistant", "The diagnostics are old ones.", id="a"), *ROWS)
    [kept] = about("diagnostics", *ROWS, say("assistant", "The diagnostics show `rows`.", id="a"), *ROWS)
    assert not kept.leads


def test_that_a_check_of_the_agents_own_found_nothing_to_do_counts_for_little() -> None:
    look = run("r", "grep rows src/rows.py", "rows = set()\n", 0)
    assert not about("still used", *look, say("assistant", "Good, `rows` is still used.", id="a"), *ROWS)
    longer = "Good, `rows` is still used in `load_rows`, `keep_rows` and in the tests of both."
    [kept] = about("still used", *look, say("assistant", longer, id="a"), *ROWS)
    assert "slight" in kept.flags
    assert not about("still used", *ROWS, say("assistant", "Good, `rows` is still used.", id="a"), *ROWS)
    [ran] = about("still used", *ROWS, say("assistant", longer, id="a"), *ROWS)
    assert "slight" not in ran.flags


def test_half_a_call_is_no_sample_of_code() -> None:
    code = "```\n{}\n    rows,\n    heads,\n    skip=True,\n)\n```"
    report = "I made `read` skip rows in `src/rows.py`. It is called so:\n" + code
    ask = say("user", "Now the guide, please.", id="ask")
    for opening, is_told in (("read(", False), ("rows = read(file,", True)):
        lines = texts([TASK, *ROWS, say("assistant", report.format(opening), id="a"), ask])
        assert any(line == f"{opening} …" for line in lines) is is_told
        assert not any(line.startswith("read(") for line in lines)


def test_a_promise_to_put_it_somewhere_goes_where_it_was_done() -> None:
    promise = say("assistant", "We'll add it right after the `read` method of `Rows`.", id="promise")
    assert not about("right after", promise, *ROWS)


def test_what_begins_with_a_circumstance_and_a_pronoun_leans_on_the_sentence_before() -> None:
    words = "The test wants `a` before `b`. With a set and `sorted`, this will still be true."
    first, second = agent_statements(say("assistant", words), 0)
    assert second.leads == (first,)


def test_a_remark_of_surprise_goes_with_the_run_that_it_is_about() -> None:
    remark = say("assistant", "Interesting - the row was found because `cache` holds it.", id="remark")
    [found] = about("was found", *run("r", "shop list", "Row: 7\n", 0), remark)
    assert [lead.text for lead in found.leads] == ["ran `shop list` → Row: 7"]


def test_of_a_long_text_lines_that_stand_together_are_told() -> None:
    lines = [f"export interface Row{n} {{\n  rows?: T;\n  name: string;\n}}" for n in range(4)]
    text = "\n".join(lines).splitlines()
    assert telling_lines(text, "rows.ts", 60) == "export interface Row0 { ⏎   rows?: T; ⏎   name: string; …"


def test_in_little_room_a_request_that_is_not_shown_is_not_named_by_its_number() -> None:
    long = say("user", "Please make src/rows.py skip the empty rows of each table. " * 9, id="task")
    assert all("#0" not in line for line in section(brief([long, DONE], 60), "Next"))


def test_what_is_said_of_an_output_does_not_lean_on_the_edit_before_the_run() -> None:
    shown = say("assistant", "The output shows that `rows` holds five rows, not three.", id="shown")
    assert [s.leads for s in about("five rows", *ROWS, shown)] == [()]


def test_a_verdict_is_one_with_what_the_agent_makes_of_it() -> None:
    span = [TASK, say("assistant", "Not necessarily.\n\nFor `rows.py` alone, yes: run the local loader.")]
    assert "Not necessarily. For `rows.py` alone, yes: run the local loader." in texts(span)


def test_what_is_said_behind_a_guess_leans_on_it() -> None:
    span = [TASK, say("assistant", "Maybe the fault was brief. The error came up in an earlier run.")]
    told_last = told(span)[-1]
    assert [lead.text for lead in told_last.leads] == ["Maybe the fault was brief."]


def test_what_is_also_possible_leans_on_what_it_stands_beside() -> None:
    guesses = (
        "EDUCATED GUESSES\n\n- The miller may have painted the sign.\n- His brother is also a possibility."
    )
    *_, last = agent_statements(say("assistant", guesses), 1)
    assert "The miller" in last.text or any("The miller" in lead.text for lead in last.leads)


def test_an_outcry_is_not_told_with_what_follows_it() -> None:
    cried = say("assistant", "Ah! So the bug is that `read_rows` drops the last of the rows.", id="c")
    assert [s.leads for s in about("drops the last", cried, *ROWS, DONE)] == [()]


def test_what_tells_the_reader_to_do_a_thing_is_one_with_what_restricts_it() -> None:
    order = "For a look at the mill, run the gauge or the weir flow."
    limit = "If your mill has one, use it; this mill does not show a `weir` command."
    assert f"{order} It is quick. {limit}" in texts(
        [TASK, say("assistant", f"{order} It is quick.\n\n{limit}")]
    )
    assert order in texts([TASK, say("assistant", f"{order} The gauge stands still.")])


def test_a_label_that_says_it_leans_on_the_paragraph_before() -> None:
    words = "Raise the limit of `read`.\n\n**What fault it finds:** a table that is read twice."
    first, label = agent_statements(say("assistant", words), 0)
    assert label.leads == (first,)


def test_what_speaks_of_one_of_several_leans_on_what_names_it() -> None:
    words = "One way is a cache for `read`. Same order of rows. It costs memory regardless."
    words += " Add the cache only if it is slow."
    said = list(agent_statements(say("assistant", words), 0))
    assert [s.leads for s in said] == [(), *((s,) for s in said[:-1])]


def test_an_answer_in_bold_stands_with_the_question_that_is_a_heading() -> None:
    words = "## Does `load` do the same?\n\n**No — it opens each table once.** It keeps them open."
    asked, answer, _ = agent_statements(say("assistant", words), 0)
    assert answer.leads == (asked,)


def test_what_was_said_of_a_proposal_goes_with_it_when_it_is_done() -> None:
    words = "I'd keep one row of `rows` instead. It finds `rows` that stand twice.\n\nShall I do it?"
    span = [say("assistant", words, id="p"), say("user", "yes", id="y"), *ROWS]
    assert about("stand twice", *span[:2])
    assert not about("stand twice", *span, say("assistant", "Fixed: `rows` is a set.", id="d"))


def test_a_verdict_on_a_run_stands_with_it_and_one_on_a_run_that_is_not_told_is_not_told() -> None:
    first, again = (run(name, "python rows.py", f"Row: {name}\n", 0) for name in "78")
    verdict = say("assistant", "The script has two problems, but the rest works well for now.", id="v")
    [told_so] = about("two problems", *first, verdict)
    assert [lead.text for lead in told_so.leads] == ["ran `python rows.py` → Row: 7"]
    assert not about("two problems", *first, verdict, *ROWS, *again)


def test_what_only_counts_or_leads_up_to_something_says_little() -> None:
    def flags(text: str) -> set[str]:
        [said] = agent_statements(say("assistant", text), 0)
        return {*said.flags}

    assert "vague" in flags("31 rows / 4.5 MB.")
    assert "named" in flags("31 passed, 2 failed.")
    for text in ("We'll call this file `a.py`.", "This is a good moment to write it down."):
        assert "announces" in flags(text)


def test_a_remark_on_a_search_that_is_not_told_is_not_told() -> None:
    assert not about("call sites", say("assistant", "All call sites are in `till.go`.", id="a"), *ROWS)
    assert about("call sites", say("assistant", "All call sites of `Open` are in `till.go`.", id="a"), *ROWS)


def test_what_is_missing_and_put_in_with_the_next_call_is_not_told() -> None:
    lacks = "`csv` isn't imported. "
    assert not about("imported", say("assistant", f"{lacks}Let me add the import.", id="a"), *ROWS)
    assert about("imported", say("assistant", f"{lacks}The reader fails.", id="a"), *ROWS)


def test_what_points_at_a_sentence_that_was_taken_back_goes_with_it() -> None:
    words = "I don't see the `read_rows` method in `Loader`. This is of `rows.py` in an other project."
    found = run("g", "grep -n read_rows src/a.py", "Found 2 matches: line 7: def read_rows(self):", 0)
    thought = Message(id="a", role="assistant", parts=(Thinking(text=words),))
    assert about("other project", thought, *ROWS)
    assert not about("other project", thought, *ROWS, *found)


def test_a_message_that_begins_with_it_leans_on_the_look_before_it() -> None:
    looked = run("g", "rg weigh src", "src/mill.py:4: weigh(oats)", 0)
    [said] = about("only used", *looked, say("assistant", "Good, it's only used in `mill.py`."), *ROWS)
    assert [lead.kind for lead in said.leads] == ["ran"]


def test_what_holds_in_a_case_leans_on_the_sentence_that_names_it() -> None:
    words = "The head of `a.csv` may be blank.\n\nIn that case, `read` takes the next row for it."
    _, said = agent_statements(say("assistant", words), 0)
    assert [lead.text for lead in said.leads] == ["The head of `a.csv` may be blank."]


def test_what_may_be_and_names_its_subject_only_in_what_is_not_told_goes() -> None:
    look = (
        "Now that we can see the `sum` method of `Till`, we understand why. So the method might drop `row`."
    )
    assert not about("might drop", say("assistant", look, id="look"), *ROWS)
    assert about("drops", say("assistant", look.replace("might drop", "drops"), id="look"), *ROWS)
