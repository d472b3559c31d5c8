"""The context engine as Hermes Agent loads, copies and asks it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from integrations.requests_sent import check_archive
from tamis.archive import Archive
from tamis.messages import pair_calls
from tamis.sessions import OpenAIChat

pytest.importorskip("agent.context_engine", reason="needs tamis[hermes-agent]")

from hermes_cli.plugins import PluginContext, PluginManager, PluginManifest

from tamis.integrations.hermes_agent import context_engine, register

RULE = "Never change b.txt, another program writes it."


def part_of(number: int) -> str:
    lines = [f"step {n:02} of part {number}: compiled in {n * number % 97} ms" for n in range(40)]
    return "\n".join([f"part {number} was built by runner-{number:04d}", *lines])


def conversation(parts: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Read the build log. {RULE}"}]
    for number in range(1, parts + 1):
        call = {"name": "read_part", "arguments": json.dumps({"number": number})}
        calls = [{"id": f"call_{number}", "type": "function", "function": call}]
        messages += [
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "tool_call_id": f"call_{number}", "content": part_of(number)},
        ]
    return messages


def test_it_makes_the_conversation_shorter_and_keeps_what_it_took_out(kept: Archive) -> None:
    engine = context_engine(window=12_000, budget=800, archive=kept)
    shorter = engine.compress(conversation(10), current_tokens=9_000, focus_topic=None)
    assert len(json.dumps(shorter)) < len(json.dumps(conversation(10))) / 2
    assert RULE in json.dumps(shorter)
    assert pair_calls(OpenAIChat().decode(shorter).messages).whole
    assert engine.compression_count == 1
    check_archive(kept, part_of(1))


def test_it_compacts_again_behind_what_came_since(kept: Archive) -> None:
    engine = context_engine(window=12_000, budget=800, archive=kept)
    first = engine.compress(conversation(10))
    again = engine.compress([*first, *conversation(20)[21:]])
    assert (engine.compression_count, RULE in json.dumps(again)) == (2, True)
    check_archive(kept, part_of(12))


def test_a_copy_for_a_child_has_its_own_window_and_the_same_archive(kept: Archive) -> None:
    engine = context_engine(window=12_000, budget=800, archive=kept)
    child = copy.deepcopy(engine)
    child.update_model("small", 8_000)
    assert (engine.context_length, child.context_length) == (12_000, 8_000)
    assert (engine.should_compress(7_000), child.should_compress(7_000)) == (False, True)
    child.compress(conversation(10))
    answer = json.loads(engine.handle_tool_call("recall", {"words": "runner-0001"}))
    assert "runner-0001" in answer["result"]


def test_hermes_takes_it_as_its_engine(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    manager = PluginManager()
    register(PluginContext(PluginManifest(name="tamis", source="entrypoint"), manager))
    engine = manager._context_engine
    assert engine.name == "tamis"
    assert [schema["name"] for schema in engine.get_tool_schemas()] == ["recall"]
