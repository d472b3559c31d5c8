from __future__ import annotations

from pathlib import Path

import pytest
from control_arms import CONTROLS, random_messages
from long_chats import answered, make_questions, measure
from statements import Plan, drawn_files, measure_file, print_tables

from tamis.evals import At, Point, find_points
from tamis.messages import Message, Role, Session, Text, get_counter
from tamis.sessions import write

FILLER = "I am looking at what was asked and at what there is to be said about it, and go on with it. " * 30
ASKED = "Please send the parcel with the red lamp to Hillside Road before the order #W4923227 is cancelled."


def chat(*behind: str) -> Session:
    said: list[tuple[Role, str]] = [("user", ASKED)]
    said += [("assistant" if i % 2 == 0 else "user", f"{FILLER} {i}.") for i in range(5)]
    said += [("assistant" if i % 2 == 0 else "user", text) for i, text in enumerate(behind)]
    messages = [Message(id=f"m{i}", role=r, parts=(Text(text=t),)) for i, (r, t) in enumerate(said)]
    return Session(id="chat", format="messages", messages=tuple(messages))


def point_of(session: Session) -> Point:
    point = next(iter(find_points(session, [At.parse("#6")], get_counter())))
    assert isinstance(point, Point)
    return point


@pytest.mark.parametrize("name", sorted(CONTROLS))
def test_a_control_keeps_its_budget_and_its_seed(name: str) -> None:
    span, counter = chat("Done.").messages, get_counter()
    for budget in (40, 700):
        text = CONTROLS[name](span, budget, counter, 1)
        assert counter.count(text) <= budget
        assert text == CONTROLS[name](span, budget, counter, 1)


def test_random_messages_are_whole_and_in_order() -> None:
    text = random_messages(chat("Done.").messages, 1500, get_counter(), 3)
    parts = text.split("\n\n")
    assert all(part in {m.text for m in chat("Done.").messages} for part in parts)
    assert len(parts) > 1


def test_a_value_that_is_used_again_is_asked_for_by_its_sentence() -> None:
    (question,) = make_questions(point_of(chat("I cancelled #W4923227 for you.")))
    assert (question.value, question.sentence, question.source) == ("#W4923227", ASKED, "m0")


def test_a_value_that_somebody_said_again_is_not_asked_for() -> None:
    assert (
        make_questions(point_of(chat("Which one?", "It is #W4923227.", "I cancelled #W4923227 for you.")))
        == []
    )


def test_a_question_is_answered_by_its_sentence_and_not_by_the_value_alone() -> None:
    questions = make_questions(point_of(chat("I cancelled #W4923227 for you.")))
    assert answered(questions, [f"Before that.\n\n{ASKED}"]) == 1.0
    assert answered(questions, ["#W4923227 lamp Hillside parcel order Road red"]) == 0.0
    assert answered(questions, [ASKED.replace("#W4923227", "of last week")]) == 0.0


def test_chats_are_measured_against_random_messages() -> None:
    session = chat("I cancelled #W4923227 for you.", "Thanks.", "You are welcome, anything else?")
    figures = list(measure("tau", session, ["full", "nothing", "random"], ["5%"]))
    if figures:
        assert [f.answered for f in figures if f.method == "full"] == [1.0]
        assert [f.answered for f in figures if f.method == "nothing"] == [0.0]
    assert {f.questions for f in figures} == {1}


def test_a_file_is_measured_and_the_table_says_what_was_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "In summary, the parcel with the red lamp goes to Hillside Road."
    path = tmp_path / "chat.json"
    write(chat(told, "Thanks.", "You are welcome."), path, format="openai-chat")
    plan = Plan(
        methods=("full", "nothing", "shuffled"), budgets=("5%",), places=("#6",), weights=None,
        sessions_each=None, cache=tmp_path / "cache",
    )  # fmt: skip
    made = measure_file("set", path, plan)
    assert (made.unread, made.failed) == ([], [])
    recall = {f.method: f.recall for f in made.figures}
    assert (recall["full"], recall["nothing"]) == (1.0, 0.0)
    assert measure_file("set", path, plan).figures == made.figures  # from the cache
    print_tables(made.figures, plan)
    assert "1 key points at 1 points in 1 tasks; not measured at 0 points" in capsys.readouterr().out


def test_files_are_drawn_evenly_from_the_sets() -> None:
    files = [(name, Path(f"{name}{i}")) for name in "ab" for i in range(5)]
    assert sorted(name for name, _ in drawn_files(files, 4)) == ["a", "a", "b", "b"]
    assert drawn_files(files, None) == files
