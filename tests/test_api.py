from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.api import which_api
from tamis.errors import BadBudget, InputError, MethodFailed, UnknownMethod
from tamis.messages import count_messages, get_counter

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "sessions"
LONG = "Read src/app.py and tell what it does. " * 200


@pytest.fixture
def session() -> tamis.Session:
    return tamis.read(EXAMPLES / "till.claude-code.jsonl")


def test_a_session_comes_back_as_messages_within_the_budget(session: tamis.Session) -> None:
    result = tamis.compact(session, budget=2_000, method="truncate")
    assert isinstance(result.messages, tuple)
    assert result.messages == result.session.messages
    assert sum(count_messages(result.messages, get_counter())) == result.tokens_after <= 2_000
    assert result.tokens_before == sum(count_messages(session.messages, get_counter()))
    assert (result.outcome, result.warnings) == ("fits", ())


def test_a_slice_of_a_session_works_too(session: tamis.Session) -> None:
    result = tamis.compact(session.messages[:40], budget="20%", method="truncate")
    assert result.tokens_after <= result.tokens_before / 5


def test_the_default_method_keeps_what_was_asked(session: tamis.Session) -> None:
    result = tamis.compact(session, budget="20%")
    text = "\n".join(message.text for message in result.messages)
    assert result.compaction.method == "ledger"
    assert "never change prices.csv" in text


@pytest.mark.parametrize("form", ["openai-chat", "openai-responses", "anthropic"])
def test_dictionaries_come_back_as_dictionaries_of_the_same_api(session: tamis.Session, form: str) -> None:
    items = tamis.compact(session, budget="100%").to(form)
    result = tamis.compact(items, budget="20%", method="truncate")
    assert result.session.format == which_api(items) == form
    assert all(isinstance(item, dict) for item in result.messages)
    assert result.tokens_after <= result.tokens_before / 5


def test_a_conversation_never_begins_with_the_assistant() -> None:
    items = [{"role": "user", "content": LONG}, {"role": "assistant", "content": "It starts the server."}]
    for budget in (25, 40):
        result = tamis.compact(items, budget=budget, method="truncate", format="anthropic")
        assert result.messages[0]["role"] == "user"
        assert sum(count_messages(result.session.messages, get_counter())) == result.tokens_after <= budget


def test_without_room_for_the_line_that_says_so_nothing_is_left_out() -> None:
    items = [{"role": "user", "content": LONG}, {"role": "assistant", "content": "It starts the server."}]
    result = tamis.compact(items, budget=12, method="truncate", format="anthropic")
    assert (result.outcome, result.messages) == ("unmet", items)
    assert any("no room for the line" in warning for warning in result.warnings)


def test_what_stays_is_handed_back_unchanged() -> None:
    system = {"role": "system", "content": "Be brief.", "name": "house"}
    newest = {"role": "user", "content": "And now?", "name": "dana"}
    items = [
        system,
        {"role": "user", "content": LONG},
        {"role": "assistant", "content": "It starts."},
        newest,
    ]
    result = tamis.compact(items, budget=50, method="nothing", keep_last=1)
    assert (result.messages[0], result.messages[-1]) == (system, newest)


def test_leading_system_messages_do_not_count() -> None:
    items = [{"role": "system", "content": LONG}, {"role": "user", "content": "hi " * 50}]
    result = tamis.compact(items, budget=100, method="truncate")
    assert (result.outcome, result.messages) == ("unchanged", items)


def test_an_unmet_budget_leaves_everything_and_says_why() -> None:
    result = tamis.compact([{"role": "user", "content": LONG}], budget=1, method="truncate")
    assert (result.outcome, result.messages) == ("unmet", [{"role": "user", "content": LONG}])
    assert result.warnings


def test_a_compactor_can_be_handed_in(session: tamis.Session) -> None:
    result = tamis.compact(session, budget="5%", method=tamis.get_method("index"))
    assert result.compaction.method == "index"


async def test_it_can_be_called_where_an_event_loop_runs(session: tamis.Session) -> None:
    assert tamis.compact(session, budget="5%", method="index").outcome == "fits"


@pytest.mark.parametrize("budget", [0, -1, 1.5, "nothing", True, None, [5]])
def test_what_is_no_budget_is_refused(session: tamis.Session, budget: Any) -> None:
    with pytest.raises(BadBudget):
        tamis.compact(session, budget=budget)


@pytest.mark.parametrize(
    "conversation",
    [[], "a.jsonl", 3, None, ["hi"], [None], [{"role": "user", "content": "hi"}, "hi"], [{"a": 1}]],
)
def test_what_is_no_conversation_is_refused(conversation: Any) -> None:
    with pytest.raises(InputError):
        tamis.compact(conversation, budget=100)


@pytest.mark.parametrize("method", ["nosuch", 3, None])
def test_an_unknown_method_is_refused(session: tamis.Session, method: Any) -> None:
    with pytest.raises(UnknownMethod):
        tamis.compact(session, budget=100, method=method)


@pytest.mark.parametrize("keep_last", [-1, "x", 1.5, None])
def test_what_is_no_number_of_messages_is_refused(session: tamis.Session, keep_last: Any) -> None:
    with pytest.raises(InputError, match="keep_last"):
        tamis.compact(session, budget=100, keep_last=keep_last)


def test_a_method_that_hangs_is_given_up(session: tamis.Session) -> None:
    import asyncio

    class Hangs:
        name, version = "hangs", "1"

        async def compact(self, request: tamis.CompactionRequest) -> tamis.Compaction:
            await asyncio.Event().wait()
            raise AssertionError

    with pytest.raises(MethodFailed, match="no answer"):
        tamis.compact(session, budget=100, method=Hangs(), timeout_s=0.05)


def test_only_an_api_s_format_can_be_asked_for(session: tamis.Session) -> None:
    result = tamis.compact(session, budget="5%", method="index")
    with pytest.raises(InputError, match="openai-chat"):
        result.to("claude-code")


@pytest.mark.parametrize(
    ("item", "api"),
    [
        ({"role": "user", "content": "hi"}, "openai-chat"),
        ({"role": "tool", "tool_call_id": "c", "content": "ok"}, "openai-chat"),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}]},
            "anthropic",
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
            "anthropic",
        ),
        ({"type": "function_call_output", "call_id": "c", "output": "ok"}, "openai-responses"),
        ({"role": "user", "content": [{"type": "input_text", "text": "hi"}]}, "openai-responses"),
    ],
)
def test_the_api_is_told_by_what_only_it_has(item: dict[str, Any], api: str) -> None:
    assert which_api([{"role": "user", "content": "Begin."}, item]) == api


def test_evaluating_gives_a_result_per_method_and_budget(session: tamis.Session) -> None:
    run = tamis.evaluate([session], methods=["index", "nothing"], budgets=[0.05, "10%", 1_000])
    assert [(r.method, r.budget) for r in run.results] == [
        (method, budget) for budget in ("0.05", "10%", "1000") for method in ("index", "nothing")
    ]


def test_files_and_folders_are_evaluated_like_the_sessions_in_them(tmp_path: Path) -> None:
    session = (EXAMPLES / "till.claude-code.jsonl").read_bytes()
    (tmp_path / "one.jsonl").write_bytes(session)
    (tmp_path / "notes.md").write_text("no session")
    settings: dict[str, Any] = {"methods": ["mask"], "budgets": ["10%"], "readers": []}
    of_folder = tamis.evaluate([tmp_path], **settings)
    of_session = tamis.evaluate([tamis.read(EXAMPLES / "till.claude-code.jsonl")], **settings)
    assert [r.score for r in of_folder.results] == [r.score for r in of_session.results]


@pytest.mark.parametrize("sessions", [[3], 3, None, [None]])
def test_what_is_no_session_is_refused_in_a_line(sessions: Any) -> None:
    with pytest.raises(InputError, match=r"give sessions as `tamis.read` gives them, or paths"):
        tamis.evaluate(sessions, methods=["mask"], budgets=["10%"])


def test_a_run_has_a_small_table_and_is_short_itself(session: tamis.Session) -> None:
    run = tamis.evaluate([session], methods=["mask", "ledger"], budgets=["5%", "10%"], readers=[])
    heading, *rows, figures, note = str(run.table()).splitlines()
    assert heading.split() == ["5%", "10%"]
    assert [row.split()[0] for row in rows] == ["mask", "ledger"]
    assert note.startswith("sessions: 1;")
    said, kept = figures.split(", ")
    assert said.startswith("said of what was summed up later (points: ")
    assert kept == "kept of the names that were used again (points: 1)"
    assert [len(row.split()) for row in rows] == [5, 5]  # a method, and two figures at each budget
    assert len(repr(run)) < 200
    assert run._repr_html_().count("<tr>") == 3


def test_a_compaction_is_short_and_its_text_is_what_will_be_read(session: tamis.Session) -> None:
    result = tamis.compact(session, budget="10%")
    assert len(repr(result)) < 400
    assert result.text == result.compaction.text == result.compaction.messages[0].text
    assert "<pre" in result._repr_html_()


def test_one_method_and_one_budget_need_no_list(session: tamis.Session) -> None:
    run = tamis.evaluate(session, methods="mask", budgets=0.1, readers=[])  # type: ignore[arg-type]
    assert [(r.method, r.budget) for r in run.results] == [("mask", "0.1")]


@pytest.mark.parametrize("missing", ["methods", "budgets"])
def test_evaluating_by_nothing_is_refused(session: tamis.Session, missing: str) -> None:
    settings: dict[str, Any] = {"methods": ["mask"], "budgets": [0.1], missing: []}
    with pytest.raises(InputError, match=f"there is no {missing[:-1]}"):
        tamis.evaluate([session], **settings)


def test_evaluating_nothing_is_refused() -> None:
    with pytest.raises(InputError):
        tamis.evaluate([], methods=["index"], budgets=[0.1])


def test_what_was_compacted_is_compacted_again_with_what_it_said() -> None:
    looks = [f"Look at src/part_{n}.py, it has {n} lines. " * 20 for n in range(1, 20)]
    turns = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(looks, 1)]
    messages = [
        {"role": "user", "content": "Make src/till.py accept vouchers. Never touch src/tax.py."},
        *turns,
    ]
    for _ in range(3):
        made = tamis.compact(messages, budget=400, keep_last=2)
        assert made.outcome == "fits", made.warnings
        messages = [*made.messages, *turns]
    assert "Never touch src/tax.py." in str(messages[0])
    assert "Make src/till.py accept vouchers." in str(messages[0])


def test_a_brief_that_is_quoted_further_down_stays_the_users() -> None:
    long = [{"role": "user", "content": "Look. " * 900}, {"role": "assistant", "content": "Done."}]
    brief = tamis.compact(long, budget=200).messages[0]
    quoting = [
        {"role": "user", "content": "What is this?"},
        brief,
        {"role": "assistant", "content": "A brief."},
    ]
    read = tamis.compact(quoting, budget=5_000).session.messages
    assert [message.origin for message in read] == ["conversation"] * 3
