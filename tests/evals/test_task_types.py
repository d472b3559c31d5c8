"""What a session works at."""

from __future__ import annotations

import pytest

from cli.conftest import EXAMPLES
from evals.worked import calls
from tamis.evals.experiment.runner import evaluate_file
from tamis.evals.rundir.results import Settings
from tamis.evals.task_types import task_type
from tamis.messages import Message, Session, Text


def asking(text: str, *more: Message) -> Session:
    said = Message(id="1", role="user", parts=(Text(text=text),))
    return Session(id="s", format="messages", messages=(said, *more))


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("The importer crashes with a KeyError, please fix it.", "debugging"),
        ("Implement a new command that lists templates.", "feature"),
        ("Please review the pull request and give feedback.", "review"),
        ("Refactor the parser: rename the helpers and simplify them.", "refactoring"),
        ("I want to cancel my reservation.", "support"),
        ("Good morning to you.", "other"),
    ],
)
def test_the_users_words_tell_the_task(asked: str, kind: str) -> None:
    assert task_type(asking(asked)) == kind


def test_where_files_are_touched_it_is_no_support() -> None:
    edits = calls("Edit", id="c", file_path="a.py", old_string="a", new_string="b")
    assert task_type(asking("Fix what happens on cancel and return of my order.", edits)) == "debugging"


def test_what_stands_first_weighs_most() -> None:
    text = "Review this. Give feedback. " + "word " * 100 + "an error, an error, an error"
    assert task_type(asking(text)) == "review"


def test_an_evaluation_by_task_averages_by_it() -> None:
    settings = Settings(methods=("nothing",), budgets=("10%",), by="task")
    found = evaluate_file(EXAMPLES / "till.claude-code.jsonl", settings, set_name="till")
    assert {point.set for point in found.points} <= {"debugging", "feature", "refactoring", "review"}
