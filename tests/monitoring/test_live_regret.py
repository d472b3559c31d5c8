"""Live regret: which needs for what was taken out are seen, what they cost, and which are none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given

import tamis
from compactors.conversations import COUNTER, compact, lines, run, say, tokens
from strategies import messages
from tamis.compactors import get_method, run_compactor
from tamis.compactors.protocol import CompactionRequest
from tamis.evals import At, Hindsight, Point, find_points, needed_names, score_hindsight
from tamis.messages import Message, ToolCall, ToolResult
from tamis.monitoring import LiveRegret, RegretWatch
from tamis.sessions import find_sessions

VIEW = lines("rows = read(source)", 20)
ASKED = say("user", "Make src/totals.py skip empty rows.", id="asked")
READ = run("r", "cat src/totals.py", VIEW, 0)


def watched(taken_out: Sequence[Message], *shown: Message) -> RegretWatch:
    watch = RegretWatch(COUNTER)
    for message in (*taken_out, *shown):
        assert watch.append(message) == ()
    watch.compacted(taken_out, shown=shown)
    return watch


def seen(watch: RegretWatch, *then: Message) -> list[LiveRegret]:
    return [regret for message in then for regret in watch.append(message)]


def test_before_anything_is_taken_out_nothing_is_regret() -> None:
    watch = RegretWatch(COUNTER)
    assert seen(watch, ASKED, *READ, *run("again", "cat src/totals.py", VIEW, 0)) == []
    assert (watch.turns, watch.rate) == (0, None)


def test_a_recall_costs_the_call_and_what_it_gave_back() -> None:
    watch = watched([ASKED, *READ])
    call = ToolCall(id="c", name="mcp__tamis__recall", arguments={"words": "totals"})
    asks = Message(id="1", role="assistant", parts=(call,))
    gives = Message(id="2", role="tool", parts=(ToolResult(call_id="c", text=VIEW),))
    (regret,) = seen(watch, asks, gives)
    assert (regret.kind, regret.turn, regret.new_turn) == ("recall", 1, True)
    assert regret.tokens == pytest.approx(tokens([asks, gives]), rel=0.1)


def test_the_recall_command_is_a_recall() -> None:
    watch = watched([ASKED, *READ])
    (regret,) = seen(watch, *run("c", "tamis recall work.tamis totals", "x1 [tool] rows", 0))
    assert regret.kind == "recall"


def test_a_file_read_again_is_regret_however_it_is_read() -> None:
    watch = watched([ASKED, *READ], say("user", "src/totals.py was read", id="brief"))
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(VIEW.splitlines()[5:15], 6))
    (regret,) = seen(watch, *run("a", "sed -n 6,15p src/totals.py | cat -n", numbered, 0))
    assert (regret.kind, regret.what, regret.turn) == ("reread", ("src/totals.py",), 1)


def test_what_came_back_once_is_there_again() -> None:
    watch = watched([ASKED, *READ], say("user", "src/totals.py was read", id="brief"))
    then = (*run("a", "cat src/totals.py", VIEW, 0), *run("b", "cat src/totals.py", VIEW, 0))
    assert [regret.kind for regret in seen(watch, *then)] == ["reread"]


def test_another_part_of_the_file_was_never_taken_out() -> None:
    watch = watched([ASKED, *READ], say("user", "src/totals.py was read", id="brief"))
    assert seen(watch, *run("a", "tail -20 src/totals.py", lines("footer", 20), 0)) == []


def test_a_view_that_stayed_is_not_needed_again() -> None:
    watch = watched([ASKED], *READ)
    assert [r.kind for r in seen(watch, *run("a", "cat src/totals.py", VIEW, 0))] == []


def test_a_command_run_again_for_its_old_output_is_regret() -> None:
    output = lines("tests/test_totals.py::test", 12)
    watch = watched([ASKED, *run("t", "pytest -q", output, 0)])
    (regret,) = seen(watch, *run("a", "pytest  -q", output, 0))
    assert (regret.kind, regret.what) == ("rerun", ("pytest -q",))


def test_after_a_change_a_command_asks_how_things_are_now() -> None:
    output = lines("tests/test_totals.py::test", 12)
    edit = run("e", "sed -i s/a/b/ conftest.py", "", 0)
    watch = watched([ASKED, *run("t", "pytest -q", output, 0)], say("user", "conftest.py", id="brief"))
    assert seen(watch, *edit, *run("a", "pytest -q", output, 0)) == []


def test_another_output_of_the_same_command_is_news() -> None:
    watch = watched([ASKED, *run("t", "git log", lines("commit", 12), 0)])
    assert seen(watch, *run("a", "git log", lines("merge", 12), 0)) == []


def test_a_question_that_was_answered_is_asked_again() -> None:
    asks = say("assistant", "I looked around. Which port should the server of the till use?", id="q")
    reply = say("user", "Use the one that is free.", id="a")
    watch = watched([ASKED, asks, reply])
    again = say("assistant", "Which port should the till's server use?", id="q2")
    (regret,) = seen(watch, again)
    assert (regret.kind, regret.tokens) == ("asked_again", tokens([again]))


def test_a_question_whose_answer_can_be_read_is_not_regret() -> None:
    told = say("user", "The server of the till listens on the port of the old printer.", id="a")
    question = say("assistant", "On which port of the old printer does the till listen?", id="q")
    assert [r.kind for r in seen(watched([ASKED, told]), question)] == ["asked_again"]
    assert seen(watched([ASKED], told), question) == []


@pytest.mark.parametrize(
    "text", ["Shall I go on with the port of the till?", "Is there anything else about the port of the till?"]
)
def test_to_ask_for_leave_is_no_question_that_was_answered(text: str) -> None:
    asks = say("assistant", text, id="q")
    watch = watched([ASKED, asks, say("user", "Yes.", id="a")])
    assert seen(watch, say("assistant", text, id="q2")) == []


def test_a_name_that_stands_nowhere_costs_the_cheapest_message_that_has_it() -> None:
    told = say("user", "The ticket is TILL-4711.", id="told")
    watch = watched([ASKED, *READ, told, *run("x", "cat notes", "TILL-4711 " * 50, 0)])
    (regret,) = seen(watch, say("assistant", "This closes TILL-4711.", id="1"))
    assert (regret.kind, regret.what, regret.tokens) == ("name", ("TILL-4711",), tokens([told]))


def test_a_name_that_somebody_mentions_again_is_not_missed() -> None:
    watch = watched([ASKED])
    then = [say("user", "What of src/totals.py?", id="1"), say("assistant", "src/totals.py is done.", id="2")]
    assert seen(watch, *then) == []


def test_what_two_compactions_took_out_is_remembered() -> None:
    watch = watched([ASKED])
    kept = say("user", "Mind reports/2024.csv.", id="2")
    watch.append(kept)
    watch.compacted([kept], shown=[])
    (regret,) = seen(watch, say("assistant", "src/totals.py and reports/2024.csv", id="3"))
    assert regret.what == ("reports/2024.csv", "src/totals.py")


def test_the_rate_counts_turns_not_events() -> None:
    watch = watched([ASKED, *READ, say("user", "The ticket is TILL-4711.", id="told")])
    two = say("assistant", "TILL-4711 in src/totals.py", id="1")
    seen(watch, two, say("assistant", "Nothing else.", id="2"), *run("a", "cat src/totals.py", VIEW, 0))
    assert (watch.turns, watch.regret_turns, watch.by_kind.total()) == (3, 2, 2)
    assert watch.rate == pytest.approx(2 / 3)


@given(messages(), messages())
def test_who_takes_nothing_out_has_no_regret(before: tuple[Message, ...], after: tuple[Message, ...]) -> None:
    watch = RegretWatch(COUNTER)
    for message in before:
        watch.append(message)
    watch.compacted(before, shown=before)
    found = seen(watch, *after)
    assert [regret for regret in found if regret.kind != "recall"] == []


def regret_of(point: Point, method: str, budget: int) -> tuple[float, float, int]:
    """The turns that missed a name, live and in hindsight, and all regret turns."""
    made = compact(method, point.span, budget)
    watch = RegretWatch(COUNTER)
    for message in point.span:
        watch.append(message)
    watch.compacted(point.span, shown=made.messages)
    missed = {regret.turn for regret in seen(watch, *point.tail) if regret.kind == "name"}
    score = score_hindsight(needed_names(point), made.messages, context_tokens=0, span_tokens=[1] * 9_999)
    return len(missed), score.regret_rate * watch.turns if isinstance(score, Hindsight) else 0.0, watch.turns


@pytest.mark.parametrize("method", ["full", "ledger", "mask", "nothing"])
@pytest.mark.parametrize("name", ["till.claude-code.jsonl", "rota.codex.jsonl", "logmerge.openai-chat.json"])
def test_names_missed_live_are_those_of_hindsight(name: str, method: str) -> None:
    path = Path(__file__).resolve().parents[2] / "examples" / "sessions" / name
    points = [p for p in find_points(tamis.read(path), [At.parse("50%")], COUNTER) if isinstance(p, Point)]
    assert points
    for point in points:
        live, hindsight, turns = regret_of(point, method, 400)
        assert live == pytest.approx(hindsight)
        assert live <= turns
        assert (live == 0) if method == "full" else (method != "nothing" or live > 0)


def test_on_real_sessions_regret_orders_the_methods(real_sessions: Path) -> None:
    """Nothing taken out: none. All taken out: most. The ledger in between, and the names as in hindsight."""
    found = find_sessions([real_sessions / "mini-swe-agent-deepseek"])
    files = [one.path for one in found if one.format][:6]
    totals = dict.fromkeys(("full", "ledger", "nothing"), 0)
    for path in files:
        for session in tamis.read_all(path):
            for point in find_points(session, [At.parse("50%")], COUNTER):
                if not isinstance(point, Point):
                    continue
                for method in totals:
                    request = CompactionRequest(
                        span=point.span, budget_tokens=point.span_tokens // 20, counter=COUNTER
                    )
                    made = run_compactor(get_method(method), request)
                    watch = RegretWatch(COUNTER)
                    watch.compacted(point.span, shown=[*point.system, *made.messages])
                    seen(watch, *point.tail)
                    totals[method] += watch.regret_turns
    assert totals["full"] == 0
    assert totals["nothing"] > totals["ledger"] > 0
