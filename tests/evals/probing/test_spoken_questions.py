"""Probes off what the agent said, what it was at, and what a recap goes back to."""

from __future__ import annotations

from collections.abc import Iterable

from evals.worked import calls, gives
from tamis.evals.points import At, Point, find_points
from tamis.evals.probing.drafts import ProbeDraft
from tamis.evals.probing.probe_maker import make_point_probes, make_probes
from tamis.evals.probing.progress_questions import ask_for_progress
from tamis.evals.probing.spoken_questions import ask_for_choices, ask_for_findings, ask_for_named_files
from tamis.ledger import read_ledger
from tamis.messages import Message, Session, Text, get_counter


def told(text: str, at: str = "1") -> Message:
    return Message(id=at, role="assistant", parts=(Text(text=text),))


def asked(text: str, at: str = "0") -> Message:
    return Message(id=at, role="user", parts=(Text(text=text),))


def pairs(drafts: Iterable[ProbeDraft]) -> list[tuple[str, str]]:
    return [(draft.form, draft.expected[0].value) for draft in drafts]


def test_a_reason_is_asked_for_by_what_it_is_given_for() -> None:
    [draft] = ask_for_choices(
        [told("The import job stops early because the postcode column holds blank cells.")]
    )
    assert "import job stops early" in draft.question
    assert draft.expected[0].value == "the postcode column holds blank cells"


def test_what_was_chosen_is_asked_for_by_what_was_not() -> None:
    words = "We should quote the raw column names rather than strip every blank character from them."
    [draft] = ask_for_choices([told(words)])
    assert draft.form == "instead"
    assert "strip every blank character" in draft.question


def test_the_purpose_of_a_change_is_asked_for() -> None:
    words = "Let me modify the `load_table` function in the importer to skip rows without a postcode value."
    assert pairs(ask_for_choices([told(words)])) == [("purpose", "to skip rows without a postcode value")]


def test_what_follows_is_asked_for_by_what_it_follows_from() -> None:
    words = "The importer reads every postcode twice, so the nightly run takes four hours on Mondays."
    [draft] = ask_for_choices([told(words)])
    assert (draft.form, "reads every postcode twice" in draft.question) == ("followed", True)
    assert draft.expected[0].value == "the nightly run takes four hours on Mondays"


def test_what_replaces_something_is_asked_for() -> None:
    words = "I am replacing the postcode parser with a table lookup of the Royal Mail file."
    [draft] = ask_for_choices([told(words)])
    assert (draft.form, '"postcode parser"' in draft.question) == ("replaced", True)


def test_a_condition_is_no_choice() -> None:
    assert not [*ask_for_choices([told("If we use a hash table, we would lose the order of the postcodes.")])]


def test_a_step_that_any_work_has_is_not_asked_for() -> None:
    assert not [
        *ask_for_choices([told("Let me create a test file to verify that the import works as expected.")])
    ]


def test_the_user_is_asked_for_where_the_agent_said_nothing() -> None:
    words = asked(
        "The nightly import drops customers because their postcode column is blank in src/io/table.py."
    )
    assert [draft.form for draft in ask_for_choices([words])] == ["reasoned"]
    assert [draft.expected[0].value for draft in ask_for_named_files([words])] == ["src/io/table.py"]
    spoken = told("The reader drops them because `strip_rows` takes blank postcodes for comments.")
    assert {draft.sources for draft in ask_for_named_files([words, spoken])} == {("0",)}


def test_what_only_restates_the_user_is_no_choice_of_the_agent() -> None:
    assert not [*ask_for_choices([told("The user wants the importer changed because blank rows are lost.")])]


def test_a_file_is_asked_for_by_the_sentence_that_named_it() -> None:
    [draft] = ask_for_named_files(
        [told("The blank rows are dropped by the reader in src/io/table.py already.")]
    )
    assert (draft.kind, draft.expected[0].value) == ("artifact", "src/io/table.py")
    assert "table.py" not in draft.question


def test_a_finding_is_asked_for_by_a_few_of_its_words() -> None:
    [draft] = ask_for_findings(
        [told("All customer exports pass through `write_rows` before encoding happens.")]
    )
    assert (draft.kind, draft.made_by) == ("recall", "speech")


def test_a_step_that_says_nothing_is_not_what_was_in_progress() -> None:
    span = [asked("Please keep the blank rows."), told("Let's follow the steps you outlined.")]
    assert "doing" not in dict(pairs(ask_for_progress(span, read_ledger(span).state)))


def test_a_plan_is_no_finding() -> None:
    span = [
        asked("Please keep the blank rows."),
        told("The importer drops rows with a blank postcode.", "1"),
        told("However, to keep them we should write a second reader for the importer.", "2"),
    ]
    found = dict(pairs(ask_for_progress(span, read_ledger(span).state)))
    assert found["told"] == "The importer drops rows with a blank postcode."


def test_a_task_that_is_handed_over_goes_by_its_title() -> None:
    title = "The importer of customers loses rows with a blank postcode."
    detail = "\n\n".join(f"Row {n} of the table was lost on day {n}." for n in range(90))
    span = [asked(f"{title}\n\n{detail}")]
    assert dict(pairs(ask_for_progress(span, read_ledger(span).state))).get("request") == title


def test_the_newest_step_and_the_newest_request_are_continuation() -> None:
    span = [
        asked("Please keep the blank rows of every customer import."),
        told("Let me run the importer tests again."),
    ]
    found = dict(pairs(ask_for_progress(span, read_ledger(span).state)))
    assert found["doing"] == "Let me run the importer tests again."
    assert found["request"] == "Please keep the blank rows of every customer import."


def test_a_call_without_a_result_is_under_way() -> None:
    span = [asked("Go on."), calls("Bash", id="c", command="make release-notes")]
    assert dict(pairs(ask_for_progress(span, read_ledger(span).state)))["under way"] == "make release-notes"


def test_a_decision_of_a_harness_template_is_not_asked_for() -> None:
    rule = "We decided to use the main branch as the base branch because reviewers look there first. "
    short, long = [asked(rule)], [asked(rule + "Here is more about how agents work in this place. " * 50)]
    assert any(p.kind == "decision" for p in make_probes(short).probes)
    assert not any(p.kind == "decision" for p in make_probes(long).probes)


def test_a_recap_asks_for_what_the_span_says() -> None:
    sentence = "Blank postcode rows now survive the nightly customer import unchanged."
    span = (
        asked("Keep them."),
        told(sentence),
        *(told(f"Step {n} of the listing went well.", f"s{n}") for n in range(4)),
    )
    tail = (told("In summary: blank postcode rows survive the nightly customer import.", "t"),)
    point = Point(
        session_id="s", cluster="s", label="50%", cut=6, system=(), span=span, tail=tail, span_tokens=100
    )
    [probe] = [p for p in make_point_probes(point).probes if p.made_by == "recap"]
    assert probe.expected[0].value == sentence


def test_the_live_end_is_a_point_behind_which_nothing_stands() -> None:
    said = [
        asked("Please look through all of it. " * 100),
        calls("Bash", id="c", command="make"),
        gives("c", "x " * 900),
    ]
    session = Session(id="s", format="messages", messages=(*said, told("Done with that.", "9")))
    [point] = find_points(session, [At.parse("end")], get_counter("o200k_base"))
    assert isinstance(point, Point)
    assert (point.tail, len(point.span)) == ((), 4)
    assert str(At.parse("end")) == "end"


def test_a_step_is_asked_for_by_the_finding_that_it_answers() -> None:
    finding = "the postcode table is not installed in this environment"
    step = "Let's use the county register of towns and streets as the source."
    [draft] = [
        one for one in ask_for_choices([told(f"It seems that {finding}. {step}")]) if one.form == "remedy"
    ]
    assert f'"{finding}"' in draft.question
    assert draft.expected[0].value == step.rstrip(".")


def test_a_reason_that_comes_first_is_asked_for_what_followed() -> None:
    words = "Since the nightly run reads every postcode twice, the importer keeps a cache of towns."
    [draft] = ask_for_choices([told(words)])
    assert (draft.form, draft.expected[0].value) == ("followed", "the importer keeps a cache of towns")


def test_a_change_that_was_announced_is_asked_for_and_a_try_is_not() -> None:
    change = "We'll add a blank postcode guard for imported customers at the top of the reader."
    assert [draft.form for draft in ask_for_choices([told(change)])] == ["planned"]
    trial = "We'll add a few print statements for imported customers at the top of the script."
    assert not [*ask_for_choices([told(trial)])]


def test_how_the_user_wants_it_done_is_a_decision_where_it_was_typed_for_the_work() -> None:
    wish = "Please write a customer importer based on the town register and the postcode table."
    assert [draft.form for draft in ask_for_choices([asked(wish)])] == ["wanted"]
    assert not [*ask_for_choices([asked(f"{wish}\n\n1. Read the notes first.\n2. Report what you did.")])]


def test_what_others_did_on_purpose_is_no_choice_of_the_agent() -> None:
    words = "The sample postcode of the register is deliberately left out by the table's ruleset."
    assert "choice" not in dict(pairs(ask_for_choices([told(words)])))
