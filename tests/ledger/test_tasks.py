"""Tasks off todo tools and prose."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from ledger.conversation import answered, called, said
from strategies import texts
from tamis.ledger.events import Task
from tamis.ledger.reader import LedgerReader
from tamis.ledger.tasks.extractor import extract_tasks, task_subject
from tamis.messages import Message, part_text


def states(*messages: Message) -> dict[str, str]:
    """Text to status, as it stands after the messages."""
    reader = LedgerReader(extractors=(extract_tasks,))
    for message in messages:
        reader.read(message)
    return {entry.value.text: entry.value.status for entry in reader.state.tasks}


def todos(*items: tuple[str, str]) -> Message:
    return called("TodoWrite", {"todos": [{"content": c, "status": s, "activeForm": c} for c, s in items]})


def test_a_todo_list_says_how_each_task_stands() -> None:
    message = todos(("Write it", "completed"), ("Test it", "in_progress"), ("Ship it", "pending"))
    assert states(message) == {"Write it": "done", "Test it": "in_progress", "Ship it": "open"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("update_plan", {"explanation": "x", "plan": [{"step": "Test it", "status": "in_progress"}]}),
        ("write_todos", {"todos": [{"description": "Test it", "status": "in_progress"}]}),
        (
            "task_tracker",
            {"command": "plan", "task_list": [{"id": "1", "title": "Test it", "status": "in_progress"}]},
        ),
        ("update_todo_list", {"todos": "[-] Test it\n"}),
        ("todowrite", {"todos": [{"content": "Test it", "status": "in_progress", "priority": "high"}]}),
        (
            "todo_write",
            {"merge": False, "todos": [{"id": "1", "content": "Test it", "status": "in_progress"}]},
        ),
        ("read_file", {"path": "a.py", "task_progress": "- [~] Test it"}),
    ],
)
def test_the_todo_tools_of_all_agents_are_known(name: str, arguments: dict[str, Any]) -> None:
    assert states(called(name, arguments)) == {"Test it": "in_progress"}


def test_what_is_missing_in_the_new_list_was_dropped_unless_it_was_done() -> None:
    first = todos(("Write it", "completed"), ("Test it", "pending"), ("Ship it", "pending"))
    second = todos(("Ship it", "in_progress"))
    assert states(first, second) == {"Write it": "done", "Test it": "dropped", "Ship it": "in_progress"}


def test_a_list_that_says_nothing_new_makes_no_events() -> None:
    reader = LedgerReader(extractors=(extract_tasks,))
    message = todos(("Write it", "pending"))
    assert len(reader.read(message)) == 1
    assert reader.read(message) == []


def test_single_tasks_are_updated_by_the_number_that_they_were_given() -> None:
    messages = (
        called("TaskCreate", {"subject": "Write it", "description": "all of it"}),
        answered("Task #7 created successfully: Write it"),
        called("TaskUpdate", {"taskId": "7", "status": "completed"}),
    )
    assert states(*messages[:2]) == {"Write it": "open"}
    assert states(*messages) == {"Write it": "done"}


def test_a_renamed_task_takes_the_place_of_the_old() -> None:
    messages = (
        called("TaskCreate", {"subject": "Write it"}),
        answered("Task #1 created"),
        called("TaskUpdate", {"taskId": "1", "subject": "Write it well"}),
    )
    assert states(*messages) == {"Write it": "dropped", "Write it well": "open"}


def test_an_update_of_a_number_that_nobody_gave_is_left_out() -> None:
    assert states(called("TaskUpdate", {"taskId": "9", "status": "completed"})) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Plan:\n- [ ] Write it\n- [x] Read it\n- [~] Test it",
            {"Write it": "open", "Read it": "done", "Test it": "in_progress"},
        ),
        ("☐ Write it\n☒ Read it", {"Write it": "open", "Read it": "done"}),
        (
            "## Next steps\n\n1. Write it\n   with care\n2. Ship it\n\nThat is all.",
            {"Write it": "open", "Ship it": "open"},
        ),
        ("**Still to do:**\n- Write it\n  - a detail\n- Ship it", {"Write it": "open", "Ship it": "open"}),
        ("7. Pending Tasks:\n   - Write it\n\n8. Current Work:\n   Reading.", {"Write it": "open"}),
        ("Out of scope:\n- Ship it", {"Ship it": "deferred"}),
        ("TODO: write it", {"write it": "open"}),
        ("- **Deferred (next release):** ship it", {"ship it": "deferred"}),
        ("待办：\n- 写文档\n- 跑测试用例", {"写文档": "open", "跑测试用例": "open"}),
        ("还需要：更新文档说明", {"更新文档说明": "open"}),
        ("已完成：登录页面", {"登录页面": "done"}),
        ("暂缓：支付页面", {"支付页面": "deferred"}),
    ],
)
def test_work_that_is_laid_out_in_prose(text: str, expected: dict[str, str]) -> None:
    assert states(said("assistant", text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Next, I will read the file.\n- a.py",
        "The remaining budget:\n\nnothing much",
        "```\n- [ ] an example\nTODO: an example\n```",
        "Pending tasks:\n- None, all done",
        "def f():  # TODO: later\n    pass",
        "I left the list [ ] empty",
        "Next steps:\nThe weather is fine.",
    ],
)
def test_what_only_looks_like_work_is_left_out(text: str) -> None:
    assert states(said("assistant", text)) == {}


def test_the_user_puts_work_off() -> None:
    text = "Good. Let's leave the payment page for later. Now fix the tests."
    assert states(said("user", text)) == {"Let's leave the payment page for later.": "deferred"}
    assert states(said("user", "支付页面以后再做。")) == {"支付页面以后再做。": "deferred"}


def test_the_boxes_of_a_pasted_form_are_nobodys_work() -> None:
    assert states(said("user", "<!-- fill in -->\n- [ ] I searched before\n- [x] It is new")) == {}


def test_a_task_is_known_however_it_is_marked_up() -> None:
    before = said("assistant", "- [ ] **Fix** the `parser`.")
    assert states(before, said("assistant", "- [x] fix the parser")) == {"fix the parser": "done"}


def test_the_source_quotes_the_task() -> None:
    message = todos(('Say "hi"\nto all', "pending"), ("Ship it", "pending"))
    prose = said("assistant", "Next steps:\n- Ship  it \n")
    reader = LedgerReader(extractors=(extract_tasks,))
    quoted = [
        part_text(m.parts[0])[e.source.start : e.source.end] for m in (message, prose) for e in reader.read(m)
    ]
    assert quoted == [r"Say \"hi\"\nto all", "Ship it", "Ship  it"]


@given(texts())
def test_prose_is_quoted_exactly(text: str) -> None:
    message = said("assistant", text)
    for event in LedgerReader(extractors=(extract_tasks,)).read(message):
        assert isinstance(event.value, Task)
        assert text[event.source.start : event.source.end] == event.value.text
        assert event.subject == task_subject(event.value.text)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("Drop the follow mode.", "dropped"),
        ("Forget about the follow mode, nobody asked for it.", "dropped"),
        ("Actually, let's skip the follow mode for now.", "deferred"),
        ("forget it", "dropped"),
        ("先不做了", "deferred"),
    ],
)
def test_what_the_user_gives_up_is_open_no_more(words: str, status: str) -> None:
    plan = todos(("Add the follow mode", "in_progress"), ("Write the docs", "pending"))
    assert states(plan, said("user", words)) == {"Add the follow mode": status, "Write the docs": "open"}


def test_a_task_that_is_to_drop_something_is_not_given_up_by_naming_it() -> None:
    plan = todos(("Drop the users table", "pending"))
    assert states(plan, said("user", "Drop the users table now.")) == {"Drop the users table": "open"}


def test_what_the_agent_wrote_to_be_left_goes_with_its_next_list() -> None:
    first = said("assistant", "## Remaining\n- write the docs\n- push it")
    second = said("assistant", "## Remaining\n- push it")
    assert states(first, second) == {"write the docs": "dropped", "push it": "open"}


def test_what_the_agent_wrote_to_be_left_goes_when_the_work_went_on() -> None:
    commit = called("Bash", {"command": "git commit -m 'Write the docs'"})
    left = said("assistant", "## Remaining\n- write the docs")
    asked = said("user", "Now the parser, please.")
    assert states(left, asked, commit) == {"write the docs": "open"}
    assert states(left, asked, commit, asked) == {"write the docs": "dropped"}


def test_what_says_that_there_is_nothing_is_no_task() -> None:
    assert states(said("assistant", "## Remaining\n- No reviews yet.\n- The user may want to look.")) == {}


def test_a_file_that_remains_in_the_work_tree_is_no_task() -> None:
    assert states(said("assistant", "Status:\n- Remaining: one untracked file (`?? notes.md`).")) == {}
    assert states(said("assistant", "Status:\n- Remaining: write the docs.")) != {}


def bare(name: str, arguments: dict[str, Any], result: str) -> tuple[Message, Message]:
    return called(name, arguments), answered(result)


def test_tasks_of_calls_that_an_export_left_bare_are_known_by_their_results() -> None:
    made = [
        bare("TaskCreate", {"description": "By hand."}, f"Task #{n} created successfully: {text}")
        for n, text in ((1, "Sort the rows"), (2, "Count the rows"), (3, "Ship it"))
    ]
    moves = [bare("TaskUpdate", {}, f"Updated task #{n} status") for n in (1, 1, 2)]
    blocked = bare("TaskUpdate", {}, "Updated task #3 blockedBy")
    found = states(*(message for pair in (*made, blocked, *moves) for message in pair))
    assert found == {"Sort the rows": "done", "Count the rows": "in_progress", "Ship it": "open"}
