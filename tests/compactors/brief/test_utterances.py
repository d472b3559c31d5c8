"""Speech: the user's messages, and the agent's sentences with what they lean on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.brief.talk import TASK, brief, section, texts, told, use
from compactors.conversations import run, say
from tamis.compactors.brief.choice.signals import signals_of
from tamis.compactors.brief.choice.worth import prior_worth
from tamis.compactors.brief.reading.speech.utterances import agent_statements
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.discourse_cues import is_announcement, without_praise

FILLER = "The importer of the warehouse reads every table twice and keeps the second copy. "


def spoken(text: str) -> list[str]:
    return [s.text for s in agent_statements(say("assistant", text), 0)]


def test_code_is_one_statement_with_the_line_that_opens_it() -> None:
    shown = "There is a check on line 9:\n\n```python\nif rows is None:\n    return\n```\n\nIt is not needed."
    assert spoken(shown)[0] == "There is a check on line 9: `if rows is None: ⏎ return`"
    change = "So line 9 becomes, from:\n```python\nskip(row)\n```\nto:\n```python\nskip(rows)\n```\n"
    assert spoken(change) == ["So line 9 becomes, from: `skip(row)` to: `skip(rows)`"]


def test_much_code_stands_apart_from_the_line_that_opens_it() -> None:
    rows = "\n".join(f"row_{n} = {n}" for n in range(5))
    assert spoken(f"The table holds these:\n```python\n{rows}\n```\n") == ["The table holds these:", rows]


def test_code_that_is_only_announced_stands_apart() -> None:
    assert spoken("Let me change the check:\n```python\nskip(rows)\n```\n") == [
        "Let me change the check:",
        "skip(rows)",
    ]


def test_a_short_list_is_one_statement_with_the_line_that_opens_it() -> None:
    assert spoken("Three parts are left:\n\n- the reader\n- the writer\n- the tests") == [
        "Three parts are left:\n- the reader\n- the writer\n- the tests"
    ]


def test_items_of_a_long_list_lean_on_the_line_that_opens_it() -> None:
    items = "".join(f"- part {n}: {FILLER}\n" for n in range(9))
    opening, *rest = agent_statements(say("assistant", f"These are left:\n\n{items}"), 0)
    assert opening.text == "These are left:"
    assert len(rest) == 9
    assert all(s.leads == (opening,) for s in rest)


def test_a_sentence_that_goes_back_leans_on_the_one_before() -> None:
    first, second = agent_statements(
        say("assistant", "The cache holds stale rows. This breaks the totals in `report.py`."), 0
    )
    assert second.leads == (first,)


def test_a_row_of_a_table_leans_on_its_head() -> None:
    rows = "".join(f"\n| {n}.csv | {FILLER} |" for n in range(9))
    head, *found = agent_statements(say("assistant", f"| file | rows |\n| --- | --- |{rows}"), 0)
    assert len(found) == 9
    assert all(row.leads == (head,) for row in found)


def test_a_short_table_is_told_whole() -> None:
    text = "Ready:\n\n| file | rows |\n| --- | --- |\n| a.csv | 544 |\n| b.csv | 7 |\n- and so on"
    opening, table, item = agent_statements(say("assistant", text), 0)
    assert table.text == "| file | rows |\n| a.csv | 544 |\n| b.csv | 7 |"
    assert table.leads == (opening,)
    assert item.text == "- and so on"


@pytest.mark.parametrize("room", [90, 140, 300, 900])
def test_a_heading_or_a_line_with_a_colon_never_stands_alone(room: int) -> None:
    items = "".join(f"- part {n} of `table_{n}.py`: {FILLER}\n" for n in range(9))
    answer = say("assistant", f"## Findings\n\nThese are left in the importer:\n\n{items}\n## Empty\n")
    story = section(brief([TASK, answer], room), "Story")
    assert "= Empty" not in story
    for at, line in enumerate(story):
        if line in ("= Findings", "= These are left in the importer:"):
            assert any(later.startswith("= - part") for later in story[at:])


@pytest.mark.parametrize(
    "text", ["Let me look at the tests.", "Now I'll check the importer.", "Great!", "Thank you."]
)
def test_what_only_announces_is_known(text: str) -> None:
    assert is_announcement(text)


def test_a_finding_is_no_announcement() -> None:
    assert not is_announcement("The importer fails on line 7.")


def test_what_was_announced_is_left_out_behind_the_last_message() -> None:
    span = [
        TASK,
        say("assistant", "Let me look at src/rows.py."),
        say("assistant", "`src/rows.py` has no filter."),
    ]
    assert not any("Let me look" in text for text in texts(span))


def test_a_guess_ranks_below_a_finding() -> None:
    found, guess = agent_statements(
        say("assistant", "The totals of `report.py` are stale. Maybe the totals of `cache.py` are stale."), 0
    )
    alike = [replace(s, turn=0) for s in (found, guess)]
    sure, unsure = (prior_worth(signals) for signals in signals_of(alike, [9, 9], 2))
    assert "guess" in guess.flags
    assert unsure < sure


def test_one_of_several_agents_keeps_its_name() -> None:
    message = replace(say("assistant", "The index is built from `rows.csv`."), author="Archivist")
    [said] = agent_statements(message, 0)
    assert said.text == "Archivist: The index is built from `rows.csv`."


def test_of_a_long_message_of_one_of_several_agents_the_beginning_is_taken() -> None:
    many = " ".join(f"Page {n} of the archive tells about warehouse {n} in great detail." for n in range(60))
    assert len(list(agent_statements(replace(say("assistant", many), author="Archivist"), 0))) == 6


def test_the_same_sentence_is_told_once_in_a_message() -> None:
    assert spoken("The index is stale. The index is stale.") == ["The index is stale."]


def test_a_cause_is_a_finding_and_its_words_stay_whole() -> None:
    [said] = told([TASK, say("assistant", "The sum is off because `load()` skips the header.")])[1:]
    assert "cause" in said.flags
    assert said.text == "The sum is off because `load()` skips the header."


def test_the_rows_of_a_table_are_told() -> None:
    table = "| file | rows |\n| --- | --- |\n| `a.csv` | 544 |\n| `b.csv` | 545 |"
    story = section(brief([TASK, say("assistant", f"This is what I found.\n\n{table}")], 500), "Story")
    assert [line for line in story if line.startswith("= |")] == [
        "= | file | rows |",
        "= | `a.csv` | 544 |",
        "= | `b.csv` | 545 |",
    ]


def test_a_second_table_has_a_head_of_its_own() -> None:
    tables = "| file | rows |\n| --- | --- |\n| a.csv | 544 |\n\nAnd these:\n\n"
    tables += "| host | port |\n| --- | --- |\n| db | 1 |"
    found = {s.text: [lead.text for lead in s.leads] for s in agent_statements(say("assistant", tables), 0)}
    assert found["| host | port |\n| db | 1 |"] == ["And these:"]


@pytest.mark.parametrize("size", [1_000, 2_700, 9_000])
def test_a_sentence_that_does_not_end_is_told_by_its_beginning(size: int) -> None:
    endless = "the till reads rows " + "and prints lines and counts coins by hand " * (size // 42)
    text = brief(
        [say("user", f"Please look at this.\n{endless}"), say("assistant", "It reads twice.")], room=300
    )
    assert "> the till reads rows and prints" in text
    assert " …" in text


def test_advice_that_the_user_turned_down_is_not_told() -> None:
    talk = (
        say("user", "Make it faster.", id="u1"),
        say("assistant", "The till flushes each row. I recommend a cache for `emit` in till.py.", id="a1"),
        say("user", "No, batch the rows instead.", id="u2"),
        say("assistant", "The rows of till.py are batched now.", id="a2"),
    )
    assert not any("recommend" in s.text for s in told(talk))
    assert any("flushes each row" in s.text for s in told(talk))


def test_what_stands_beside_the_sight_of_a_cause_is_the_cause() -> None:
    [_, said] = agent_statements(say("assistant", "Found it! Every second row is overwritten by `store`."), 0)
    assert said.kind == "found"


def test_words_before_a_call_close_no_turn() -> None:
    span = [TASK, say("assistant", "The reader reads `rows` two times."), *run("c", "ls src", "rows.py", 0)]
    talk = [span[0], replace(span[2], parts=(*span[1].parts, *span[2].parts)), span[3]]
    assert [s.kind for s in told(talk) if s.text.startswith("The reader")] == ["said"]


def thinking(thought: str, words: str = "") -> list[str]:
    parts = (Thinking(text=thought), *([Text(text=words)] if words else []))
    message = Message(id="m", role="assistant", parts=parts)
    return [s.text for s in told([TASK, message, say("assistant", "The end.")]) if s.kind == "thought"]


def test_a_thought_that_is_told_in_the_same_message_is_left_out() -> None:
    thought = "The importer reads every table twice. The exporter keeps a copy of `rows.csv`."
    assert thinking(thought, "The importer reads every table twice, I see.") == [
        "The exporter keeps a copy of `rows.csv`."
    ]


def test_plans_and_titles_of_thoughts_are_left_out() -> None:
    thought = (
        "**Planning the tables**\n\nI’ll make a table called `rows`. I should sort it. `rows.csv` has a gap."
    )
    assert thinking(thought) == ["`rows.csv` has a gap."]


def test_what_speaks_of_an_error_stands_with_the_call_that_printed_it() -> None:
    span = [
        TASK,
        *run("a", "python rows.py", "KeyError: 'id'", exit_code=1),
        say("assistant", "The error is due to a missing column."),
    ]
    [statement] = [s for s in told(span) if s.text.startswith("The error")]
    assert "KeyError" in statement.leads[0].text


def test_code_in_the_agents_words_is_marked_as_its_words() -> None:
    words = "Keep `read_rows`, others call it:\n\n```go\n// Deprecated: use rows.\na()\nb()\nc()\n```\n"
    assert "\n= // Deprecated: use rows." in brief([TASK, say("assistant", words)])


def test_an_answer_that_names_an_option_takes_along_what_it_is() -> None:
    ways = "**Approach A: one pass over rows**\n- quick\n\n**Approach B: two passes**\n- slow\n"
    answer = 'User has answered your questions: "Which?"="Approach A".'
    span = [TASK, say("assistant", ways), *use("q", "AskUserQuestion", answer, questions=[])]
    asked = next(s for s in told(span) if "answer" in s.flags)
    assert [lead.text for lead in asked.leads] == ["Approach A: one pass over rows"]


def test_of_a_list_every_item_but_the_last_says_that_more_follows() -> None:
    items = "\n".join(f"{n}. The reader number {n}: {FILLER}{FILLER}" for n in range(1, 4))
    listed = [s for s in agent_statements(say("assistant", items), 0) if "item" in s.flags]
    assert ["more" in s.flags for s in listed] == [True, True, False]


def test_what_looks_right_leans_on_what_was_looked_at() -> None:
    words = "This looks okay because it takes `.values`, which gives the rows as plain numbers of days."
    look = run("c", "cat src/otter.py", "rows.values", 0)
    [lead] = [s.leads for s in told([TASK, *look, say("assistant", words)]) if s.text == words] or [("",)]
    assert lead
    assert is_announcement("The PR description specifically mentions `pond`, so that's what we need to fix.")


def test_what_follows_from_a_courtesy_stands_without_it() -> None:
    assert without_praise("Good, so `Rows` has a limit.") == "`Rows` has a limit."
    assert without_praise("Good, so far it works.") == "so far it works."


@pytest.mark.parametrize("line", ["Found the key info.", "I see the issue now.", "Great, found it!"])
def test_that_something_was_found_is_not_told_without_what(line: str) -> None:
    span = [TASK, say("assistant", f"{line} The till counts each sack of oats twice.")]
    span += [*run("c", "make", "ok", 0), say("assistant", "I found the bug in till.py.")]
    said_ = [s.text for s in told(span)]
    assert line not in section(brief(span), "Story")[0]
    assert "The till counts each sack of oats twice." in said_
    assert "I found the bug in till.py." in said_
    assert [s.text for s in agent_statements(span[1], 1) if "announces" in s.flags] == [without_praise(line)]
