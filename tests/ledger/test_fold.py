"""The fold: on each subject, the last word wins."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.conversation import answered, called, ran
from tamis.ledger.events import (
    Constraint,
    ErrorMessage,
    Event,
    EventKind,
    EventValue,
    Fact,
    FileAction,
    FileChange,
    NextStep,
    Source,
)
from tamis.ledger.files.trail import fold_change
from tamis.ledger.fold import MAX_SUPERSEDED, Fold
from tamis.ledger.outputs.extractor import extract_outputs
from tamis.ledger.reader import EXTRACTORS, LedgerReader, read_ledger
from tamis.ledger.state import FileState, State
from tamis.messages import Message

HERE = Source(message_id="m", part=0, start=0, end=1)


def fold(*told: tuple[EventKind, str, EventValue]) -> State:
    folded = Fold()
    for turn, (kind, subject, value) in enumerate(told):
        folded.apply(Event(id=f"e{turn}", kind=kind, subject=subject, value=value, source=HERE, turn=turn))
    return folded.state()


def fact(value: str) -> tuple[EventKind, str, EventValue]:
    return "fact", "port", Fact(name="port", value=value)


def files(*changes: FileChange) -> dict[str, FileState]:
    state = fold(*(("file", change.path, change) for change in changes))
    return {entry.subject: entry.value for entry in state.files}


def trail(*actions: FileAction) -> str:
    return files(*(FileChange(path="a.py", action=action) for action in actions))["a.py"].status


def test_a_later_value_replaces_an_earlier_one_and_remembers_it() -> None:
    [entry] = fold(fact("80"), fact("8080"), fact("8080")).facts
    assert entry.value.value == "8080"
    assert [old.value for old in entry.superseded] == ["80"]
    assert (entry.first_turn, entry.last_turn, entry.count, entry.event) == (0, 2, 3, "e2")


def test_a_value_that_came_back_is_not_listed_as_replaced() -> None:
    [entry] = fold(fact("80"), fact("8080"), fact("80")).facts
    assert [old.value for old in entry.superseded] == ["8080"]


def test_only_the_last_replaced_values_are_remembered() -> None:
    [entry] = fold(*(fact(str(port)) for port in range(50))).facts
    assert [old.value for old in entry.superseded] == [str(p) for p in range(49 - MAX_SUPERSEDED, 49)]


def test_entries_stand_in_the_order_in_which_they_came_up() -> None:
    def rule(text: str) -> tuple[EventKind, str, EventValue]:
        return "constraint", text, Constraint(text=text, polarity="must", by="user")

    state = fold(rule("b"), rule("a"), rule("b"))
    assert [entry.subject for entry in state.constraints] == ["b", "a"]


def test_there_is_one_next_step() -> None:
    state = fold(("next_step", "x", NextStep(text="x")), ("next_step", "y", NextStep(text="y")))
    assert state.next_step is not None
    assert state.next_step.value.text == "y"


@pytest.mark.parametrize(
    ("actions", "status"),
    [
        (("read",), "read"),
        (("read", "modified"), "modified"),
        (("modified", "read"), "modified"),
        (("created", "modified"), "created"),
        (("read", "created"), "modified"),
        (("modified", "deleted"), "deleted"),
        (("created", "deleted"), "deleted"),
        (("created", "deleted", "created"), "created"),
        (("modified", "deleted", "created"), "modified"),
        (("modified", "deleted", "read"), "read"),
        (("modified", "reverted"), "reverted"),
        (("modified", "reverted", "modified"), "modified"),
        (("created", "reverted"), "created"),
    ],
)
def test_the_last_state_of_a_file_that_matters(actions: tuple[FileAction, ...], status: str) -> None:
    assert trail(*actions) == status


def test_lines_add_up_and_what_is_not_told_stays_unknown() -> None:
    state = files(
        FileChange(path="a", action="modified", lines_added=3, lines_removed=1, touched=("f",)),
        FileChange(path="a", action="read"),
        FileChange(path="a", action="modified"),
        FileChange(path="a", action="modified", lines_added=2, touched=("g", "f")),
    )["a"]
    assert (state.lines_added, state.lines_removed, state.touched) == (5, 1, ("f", "g"))
    assert (state.reads, state.writes) == (1, 3)
    assert files(FileChange(path="a", action="modified"))["a"].lines_added is None


def test_a_revert_takes_the_changes_back() -> None:
    changed = FileChange(path="a", action="modified", lines_added=3, touched=("f",))
    state = files(changed, FileChange(path="a", action="reverted"))["a"]
    assert (state.status, state.lines_added, state.touched) == ("reverted", None, ())


def test_a_chain_of_renames_keeps_the_first_name() -> None:
    state = files(
        FileChange(path="a", action="modified", lines_added=1),
        FileChange(path="b", action="renamed", renamed_from="a"),
        FileChange(path="c", action="renamed", renamed_from="b"),
        FileChange(path="c", action="modified", lines_added=2),
    )
    assert list(state) == ["c"]
    assert (state["c"].status, state["c"].renamed_from, state["c"].lines_added) == ("renamed", "a", 3)


def test_a_file_that_the_session_made_is_created_under_its_last_name() -> None:
    state = files(
        FileChange(path="a", action="created"), FileChange(path="b", action="renamed", renamed_from="a")
    )
    assert [(path, file.status, file.born) for path, file in state.items()] == [("b", "created", True)]


def test_the_last_change_decides_whether_it_is_certain() -> None:
    unsure = fold_change(None, FileChange(path="a", action="modified", certain=False))
    assert not unsure.certain
    assert fold_change(unsure, FileChange(path="a", action="modified")).certain


def errors(*messages: Message, extractors: Any = (extract_outputs,)) -> dict[str, bool | None]:
    """Error message to whether it is resolved."""
    reader = LedgerReader(extractors=extractors)
    for message in messages:
        reader.read(message)
    return {entry.value.error.message: entry.value.resolved for entry in reader.state.errors}


BAD, GOOD = "ValueError: x", "done"


def test_an_error_stands_until_its_command_runs_well() -> None:
    assert errors(*ran("make", BAD, 1, exit_code=1)) == {BAD: False}
    assert errors(*ran("make", BAD, 1, exit_code=1), *ran("make | tail -3", GOOD, 2, exit_code=0)) == {
        BAD: True
    }


def test_another_command_says_nothing_about_it() -> None:
    assert errors(*ran("make", BAD, 1, exit_code=1), *ran("make docs", GOOD, 2, exit_code=0)) == {BAD: False}


def test_a_run_that_failed_otherwise_does_not_show_it_gone() -> None:
    other = "KeyError: 'y'"
    assert errors(*ran("make", BAD, 1, exit_code=1), *ran("make", other, 2, exit_code=1)) == {
        BAD: False,
        other: False,
    }


def test_a_run_that_hides_its_failure_behind_a_pipe_does_not_show_it_gone() -> None:
    runs = (*ran("make", BAD, 1, exit_code=1), *ran("make | tail", f"{BAD}\n", 2, exit_code=0))
    assert errors(*runs) == {BAD: False}


def test_an_error_that_comes_back_is_open_again() -> None:
    runs = [
        ran("make", output, n, exit_code=code)
        for n, (output, code) in enumerate([(BAD, 1), (GOOD, 0), (BAD, 1)])
    ]
    assert errors(*(message for run in runs for message in run)) == {BAD: False}


def test_a_wider_test_run_shows_an_error_gone() -> None:
    red = f"{BAD}\n=== 1 failed in 0.1s ==="
    first = ran("pytest tests/test_a.py::test_x", red, 1, exit_code=1)
    assert errors(*first, *ran("pytest tests", "=== 9 passed in 0.1s ===", 2, exit_code=0)) == {BAD: True}
    assert errors(*first, *ran("pytest tests/test_b.py", "=== 9 passed in 0.1s ===", 2, exit_code=0)) == {
        BAD: False
    }
    assert errors(*first, *ran("pytest tests", "=== 1 failed in 0.1s ===", 2, exit_code=1)) == {BAD: False}


def test_what_was_worked_on_since_may_be_gone() -> None:
    edit = called("Edit", {"file_path": "/r/a.py", "old_string": "a", "new_string": "b"}, call_id="e")
    runs = (*ran("make a", BAD, 1, exit_code=1), edit, answered("The file has been updated.", call_id="e"))
    again = ran("make a", GOOD, 2, exit_code=0)
    assert errors(*runs, extractors=EXTRACTORS) == {BAD: None}
    assert errors(*runs, *again, extractors=EXTRACTORS) == {BAD: True}


def test_an_error_is_cleared_by_the_command_that_printed_it_last() -> None:
    runs = (*ran("make a", BAD, 1, exit_code=1), *ran("make b", BAD, 2, exit_code=1))
    assert errors(*runs, *ran("make a", GOOD, 3, exit_code=0)) == {BAD: False}
    assert errors(*runs, *ran("make b", GOOD, 3, exit_code=0)) == {BAD: True}


def test_a_refused_edit_is_gone_once_the_file_was_edited() -> None:
    def edit(number: int, answer: str, **fields: Any) -> list[Message]:
        arguments = {"file_path": "src/a.py", "old_string": "x", "new_string": "y"}
        call = called("Edit", arguments, call_id=f"c{number}", message_id=f"a{number}")
        return [call, answered(answer, call_id=f"c{number}", message_id=f"t{number}", **fields)]

    refused = edit(1, "String to replace not found in file.", is_error=True)
    [open_error] = read_ledger(refused).state.errors
    [closed_error] = read_ledger([*refused, *edit(2, "The file src/a.py has been updated.")]).state.errors
    assert (open_error.value.error.place, open_error.value.resolved) == ("src/a.py", False)
    assert closed_error.value.resolved


def test_an_error_that_no_command_printed_stays() -> None:
    state = fold(("error", "s", ErrorMessage(message="File does not exist.", type="tool")))
    assert [entry.value.resolved for entry in state.errors] == [False]


changes = st.builds(
    FileChange,
    path=st.sampled_from("abc"),
    action=st.sampled_from(["created", "modified", "read", "deleted", "reverted"]),
    lines_added=st.none() | st.integers(0, 9),
)


@given(st.lists(changes, max_size=12))
def test_counts_are_those_of_the_events(made: list[FileChange]) -> None:
    for path, state in files(*made).items():
        own = [change for change in made if change.path == path]
        assert state.reads == sum(change.action == "read" for change in own)
        assert state.reads + state.writes == len(own)
