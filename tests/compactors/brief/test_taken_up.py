"""A look is told where a sentence leans on it, and copied where much of it was taken up; code is not."""

import pytest

from compactors.brief.talk import TASK, edit, texts, use, write
from compactors.conversations import run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.messages import Message

LISTED = "src/till.py\nsrc/lamp.py\nsrc/desk.py\n"
GONE_ON = run("b", "cat src/lamp.py", "", 0)


def looks(*span: Message) -> list[str]:
    return texts([TASK, *span], "ran", "failed")


def test_a_look_that_was_gone_on_from_is_not_told() -> None:
    assert looks(*run("a", "ls src/*.py", LISTED, 0), *GONE_ON) == []


def test_the_newest_look_is_told_and_so_is_one_that_a_sentence_points_back_to() -> None:
    look = run("a", "cat stock.txt", "till: 7\nlamp: 9\n", 0)
    whole = "ran `cat stock.txt` → till: 7 ⏎ lamp: 9"
    assert looks(*look) == [whole]
    assert looks(*look, say("assistant", "This looks okay, which is what we wanted.", id="s")) == [whole]


def test_a_look_at_what_is_not_there_is_not_told_once_the_agent_went_on() -> None:
    missed = use("a", "Read", "<tool_use_error>File does not exist.</tool_use_error>", file_path="/w/rows.go")
    assert looks(*missed, *GONE_ON) == []


def test_how_a_program_stands_is_told_by_who_speaks_of_it() -> None:
    asked = run("a", "till status", "till-2 is shut", 0)
    assert looks(*asked, say("assistant", "So till-2 has to be opened.", id="s")) == []
    leaning = say("assistant", "The output says that till-2 has to be opened.", id="s")
    assert looks(*asked, leaning) == ["ran `till status` → till-2 is shut"]


def test_the_lines_around_a_hit_are_not_told() -> None:
    around = "".join(f"/w/shop-two/src/till.go-{n}-\tlamp_{n} := desk\n" for n in range(9))
    hit = "/w/shop-two/src/till.go:12:\tdoor_12 := lamp_5\n"
    search = use("g", "Grep", f"{around}{hit}{around}", pattern="door", path="/w/shop-two")
    said = "The result shows that `door_12` takes lamp_5, lamp_3 of the desk."
    [told] = looks(*search, say("assistant", said, id="s"))
    assert told == f"Grep `door` in /w/shop-two → … {hit.strip()} …"


@pytest.mark.parametrize(("spoken", "many"), [("till_7", 0), ("till_7, till_8, till_9, till_10, till_11", 1)])
def test_a_file_is_copied_where_much_of_it_was_taken_up(spoken: str, many: int) -> None:
    shown = "\n".join(f"till_{n} = lamps[{n}]" for n in range(20))
    look = use("v", "Read", shown, file_path="/w/src/desk.cfg")
    span = [TASK, *look, say("assistant", f"We go on with {spoken}.", id="s")]
    assert len([*passages_of(span, range(len(span)), 2_000)]) == many


@pytest.mark.parametrize(
    "shown",
    [
        use("t", "Task", "The till is in lamp.py.\nIt opens at nine.", prompt="Where is the till?"),
        use("q", "AskUserQuestion", 'User has answered your questions: "Open it?"="Yes, at nine".'),
    ],
)
def test_what_is_told_by_its_sentences_is_not_copied(shown: tuple[Message, Message]) -> None:
    assert not [*passages_of([TASK, *shown], range(3), 2_000)]


def test_what_git_says_of_its_own_commit_is_not_copied() -> None:
    printed = "[main 0a1b2c3] Keep rows\n 2 files changed, 3 insertions(+)\nhook: till.lock is stale\n"
    made = run("a", "git commit -am 'Keep rows'", printed, 0)
    [copied] = passages_of([TASK, *made], range(3), 2_000)
    assert copied.text.splitlines()[1:] == ["hook: till.lock is stale"]


@pytest.mark.parametrize(("behind", "many"), [((), 1), (GONE_ON, 0)])
def test_code_is_copied_only_while_the_work_is_on_it(behind: tuple[Message, ...], many: int) -> None:
    shown = "\n".join(f"till_{n} = lamps[{n}] + src.lamp" for n in range(5))
    span = [TASK, *use("v", "Read", shown, file_path="/w/src/desk.py"), *behind]
    assert len([p for p in passages_of(span, range(len(span)), 2_000) if "desk.py" in p.text]) == many


def test_a_log_of_tests_that_passed_is_not_copied_and_one_of_a_failure_is() -> None:
    log = "=== RUN TestTill\n    till.go:7: the till is set up with src.lamp\n"
    for end, many in (("--- PASS: TestTill\nok\n", 0), ("--- FAIL: TestTill\nFAIL\n", 1)):
        ran = run("t", "go test ./till/...", log + end, int(many))
        assert len([*passages_of([TASK, *ran], range(3), 2_000)]) == many


def test_code_that_was_written_whole_is_not_copied_behind_the_work_and_what_was_put_into_it_is() -> None:
    body = "from desk import till_7\nprint(till_7.lamp, till_7.door)\n"
    made = [*write("w", "/w/till.py", body), *edit("e", "/w/desk.py", "x = 1", body)]
    span = [TASK, *made, say("assistant", "Both were written.", id="s")]
    copied = [p.text.partition(":")[0] for p in passages_of(span, range(len(span)), 2_000)]
    assert copied == ["#3 put into desk.py"]
