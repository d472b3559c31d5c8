"""What a plugin hands over, and what it gets back to put in its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tamis.archive import Archive
from tamis.context.pins import add_pin, pin_of, remove_pin
from tamis.errors import InputError, MethodFailed
from tamis.integrations.agents.compaction import (
    PluginRequest,
    compact_logged,
    compact_rows,
    is_compacting,
    log_beside,
    read_compacting,
)
from tamis.integrations.agents.rows import PluginRow, messages_of, rows_of
from tamis.messages import get_counter, pair_calls

RULE = "Never change b.txt, another program writes it."
LONG = "It reads the ledger of the shop line by line and writes what it found into the log. " * 40


def say(role: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"role": role, "text": text, "toolUses": [], **fields}


def call(n: str, path: str, output: str) -> list[dict[str, Any]]:
    use = {
        "tool_use_id": n,
        "tool": "Read",
        "input": {"file_path": path},
        "result": {"kept": 1},
        "text": output,
    }
    result = {"tool_use_id": n, "text": output, "isError": False}
    return [
        say("assistant", f"I read {path}.", toolUses=[use], handle=f"a-{n}"),
        say("user", "", toolResults=[result], handle=f"r-{n}"),
    ]


def work(name: str, turns: int = 60) -> list[dict[str, Any]]:
    return [row for n in range(turns) for row in call(f"{name}{n}", f"src/{name}{n}.py", said(name, n))]


def said(name: str, n: int) -> str:
    return f"def {name}_{n}(): ...\n# marker quartz-{name}-{n:04d}\n{LONG}"


BEGIN = [say("user", f"Make rows.py skip empty rows. {RULE}", handle="u-1")]


def compacted(rows: list[dict[str, Any]], archive: Archive, **fields: Any) -> dict[str, Any]:
    given = {"session_id": "s-1", "messages": rows, **fields}
    return compact_rows(PluginRequest.model_validate(given), archive, counter=get_counter())


def text_of(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False)


def test_the_brief_stands_in_front_and_the_newest_rows_are_the_agent_s_own(kept: Archive) -> None:
    given = [*BEGIN, *work("till")]
    made = compacted(given, kept)
    assert RULE in made["messages"][0]["text"]
    assert made["messages"][-1] == given[-1]
    assert made["messages"][-2] == given[-2]
    assert made["tokensAfter"] < made["tokensBefore"] / 2


def test_no_result_without_its_call(kept: Archive) -> None:
    made = compacted([*BEGIN, *work("till")], kept)
    assert pair_calls(messages_of([PluginRow.model_validate(row) for row in made["messages"]])).whole


def test_everything_that_went_is_in_the_archive(kept: Archive) -> None:
    made = compacted([*BEGIN, *work("till")], kept)
    assert "src/till0.py" not in text_of(made["messages"][2:])
    assert any("src/till0.py" in json.dumps(m.arguments) for m in first_calls(kept, "till0.py"))


def first_calls(archive: Archive, words: str) -> list[Any]:
    return [call for hit in archive.search(words) for call in archive.get(hit.id).calls]


def test_the_next_compaction_goes_on_from_what_it_left(kept: Archive) -> None:
    first = compacted([*BEGIN, *work("till")], kept)
    again = [{key: value for key, value in row.items() if key != "handle"} for row in first["messages"]]
    second = compacted([*again, *work("stock")], kept)
    assert RULE in second["messages"][0]["text"]
    assert "quartz-till-" in second["messages"][0]["text"]
    assert text_of(second["messages"]).count("Brief of the work so far") == 1


def test_a_conversation_that_was_rewound_is_read_anew(kept: Archive) -> None:
    compacted([*BEGIN, *work("till")], kept)
    other = [say("user", "Something else: write the docs. Never touch api.md."), *work("docs")]
    made = compacted(other, kept)
    assert "Never touch api.md." in made["messages"][0]["text"]
    assert RULE not in text_of(made["messages"])


def test_the_same_rows_make_the_same_answer(tmp_path: Path) -> None:
    answers = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        with Archive.open(folder / "a") as archive:
            said = json.dumps(compacted([*BEGIN, *work("till")], archive))
        answers.append(said.replace(str(folder), "FOLDER"))
    assert answers[0] == answers[1]


def test_what_is_too_small_is_left_to_the_agent(kept: Archive) -> None:
    with pytest.raises(MethodFailed, match="the agent compacts it itself"):
        compacted(BEGIN, kept)


def test_undo_gives_back_what_was_before_and_what_came_since(kept: Archive) -> None:
    given = [*BEGIN, *work("till")]
    first = compacted(given, kept)
    new = say("user", "And the docs?", handle="u-9")
    back = compacted([*first["messages"], new], kept, instructions="undo")
    said = [(row["role"], row["text"]) for row in back["messages"]]
    assert said == [(row["role"], row["text"]) for row in [*given, new]]


def test_undo_without_a_compaction_is_left_to_the_agent(kept: Archive) -> None:
    with pytest.raises(MethodFailed, match="no compaction by tamis"):
        compacted([*BEGIN, *work("till")], kept, instructions="undo")


def test_a_pin_stands_word_for_word_until_it_is_unpinned(kept: Archive) -> None:
    pin = pin_of("Speak like a pirate.\n\n  And never push.")
    assert add_pin(kept, pin)
    first = compacted([*BEGIN, *work("till")], kept)
    assert "Speak like a pirate.\n\n  And never push." in first["messages"][1]["text"]
    second = compacted([*first["messages"], *work("stock")], kept)
    assert text_of(second["messages"]).count("pirate") == 1
    remove_pin(kept, pin.id)
    third = compacted([*second["messages"], *work("docs")], kept)
    assert "pirate" not in text_of(third["messages"])


def test_a_sub_agent_s_conversation_is_one_of_its_own(kept: Archive) -> None:
    compacted([*BEGIN, *work("till")], kept)
    made = compacted([say("user", "Find the tests."), *work("find")], kept, agent_id="a-1")
    assert RULE not in text_of(made["messages"])


def test_a_summary_is_made_of_all_rows_and_goes_on_from_the_last(kept: Archive) -> None:
    first = compacted([*BEGIN, *work("till", 6)], kept, since=True)
    assert RULE in first["summary"]
    second = compacted(work("stock", 6), kept, since=True, previous=first["summary"])
    assert RULE in second["summary"]
    assert "quartz-stock-0000" in second["summary"]


def test_a_summary_of_somebody_else_is_taken_up(kept: Archive) -> None:
    compacted([*BEGIN, *work("till", 6)], kept, since=True)
    theirs = "## Goal\n- Build the greenhouse controller. It must not use port 8417."
    made = compacted(work("stock", 6), kept, since=True, previous=theirs)
    assert RULE not in made["summary"]
    assert "8417" in made["summary"]


def test_what_was_read_again_is_seen_at_the_compaction_after(kept: Archive) -> None:
    asked = PluginRequest.model_validate({"session_id": "s-1", "messages": [*BEGIN, *work("till")]})
    first = compact_logged(asked, kept, counter=get_counter())
    again = [*first["messages"], *call("again", "src/till0.py", said("till", 0)), *work("stock")]
    compact_logged(
        PluginRequest.model_validate({"session_id": "s-1", "messages": again}), kept, counter=get_counter()
    )
    log = log_beside(kept.path).read_text(encoding="utf-8")
    events = [json.loads(line) for line in log.splitlines()]
    assert [e["decision"] for e in events if e["event"] == "decision"] == ["compacted", "compacted"]
    assert "reread" in [e.get("kind") for e in events]


@pytest.mark.parametrize(
    "text", ["", "[]", "not json", '{"hook_event_name": "PreCompact", "note": "session.compact"}']
)
def test_other_hooks_are_told_apart(text: str) -> None:
    assert not is_compacting(text)


@pytest.mark.parametrize("given", [{}, {"session_id": "s", "messages": [{"role": "robot"}]}])
def test_rows_of_another_shape_are_said_in_a_line(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="was the agent updated"):
        read_compacting(json.dumps(given))


def test_what_the_agent_adds_to_its_rows_comes_back_with_them() -> None:
    given = [PluginRow.model_validate(row) for row in [*BEGIN, *call("c", "a.txt", "text")]]
    assert rows_of(messages_of(given), given) == [*BEGIN, *call("c", "a.txt", "text")]
