"""Acts measured in an evaluation: the figures, what is asked once, and what goes on where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.recorded import POINT, TAIL, say
from tamis import evaluate
from tamis.errors import PromptTooLong
from tamis.evals import Run, SessionFile, Settings, conduct, read_run
from tamis.evals.acting import measuring
from tamis.evals.acting.measuring import ACT_TOKENS, TAIL_TOKENS, Scene, scene_of, shown
from tamis.evals.acting.summary import summarise_likelihoods, summarise_next_actions
from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.messages import Message, Session, Text, Thinking, ToolCall, ToolResult, get_counter
from tamis.models import Model, Prompt, ScriptedModel
from tamis.models.likelihood import Cost, Unigram
from tamis.reports import run_report

CALL = '{"tool": "bash", "arguments": {"command": "cat src/till_9.py"}}'


def worked(*, id: str = "work") -> Session:  # noqa: A002
    """An agent that reads a file a turn; the last is one that was named at the beginning only."""
    messages = [Message(id="0", role="user", parts=(Text(text="Mind src/till_9.py. " + "Go on. " * 400),))]
    for n, path in enumerate(["src/a.py", "src/b.py", "src/c.py", "src/till_9.py"]):
        call = ToolCall(id=f"c{n}", name="bash", arguments={"command": f"cat {path}"})
        printed = f"def step_{n}(value): return value\n" * 60
        messages.append(Message(id=f"a{n}", role="assistant", parts=(call,)))
        messages.append(Message(id=f"r{n}", role="tool", parts=(ToolResult(call_id=f"c{n}", text=printed),)))
    return Session(id=id, format="messages", messages=tuple(messages))


def measured(*methods: str, **more: Any) -> Run:
    given: dict[str, Any] = {"budgets": ["10%"], "at": ["#5"], "readers": (), "judges": ()}
    return evaluate([worked()], methods=methods, **{**given, **more})


def test_bits_are_read_against_nothing_and_everything() -> None:
    cells = {c.method: c for c in summarise_likelihoods(measured("full", "nothing", likelihoods=["unigram"]))}
    full, nothing = cells["full"], cells["nothing"]
    assert full.bits is not None
    assert nothing.bits is not None
    assert full.saved["nothing"].mean == pytest.approx(nothing.bits.mean - full.bits.mean)
    assert nothing.saved["full"].mean == pytest.approx(-full.saved["nothing"].mean)
    assert "full" not in full.saved


class Window:
    """Takes short prefixes only."""

    name = "window"

    async def bits(self, prefix: str, continuation: str) -> Cost:
        if len(prefix) > 4_000:
            raise PromptTooLong("window: too long")
        return await Unigram().bits(prefix, continuation)


def test_what_does_not_fit_a_window_is_not_measured_and_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.evals.experiment.components.get_likelihoods", lambda _: Window())
    cells = {c.method: c for c in summarise_likelihoods(measured("full", "nothing", likelihoods=["window"]))}
    assert cells["full"].bits is None
    assert cells["full"].not_measured == {"window: too long": 1}
    assert cells["nothing"].saved == {}


def says(*, full: str, again: str, else_: str) -> Callable[[str], Model]:
    def answer(prompt: Prompt) -> str:
        everything = "src/till_9.py. Go on." in prompt.text
        if everything:
            return full if prompt.instructions.startswith("You are") else again
        return else_

    return lambda name: ScriptedModel([answer] * 20, name=name)


def test_a_next_call_is_compared_with_the_agents_with_its_own_and_with_itself() -> None:
    other = '{"tool": "bash", "arguments": {"command": "ls"}}'
    run = measured(
        "nothing", "full", next_actions=["gguf:x"], models=says(full=CALL, again=other, else_=other)
    )
    cells = {c.method: c.agreement for c in summarise_next_actions(run)}
    assert cells["full"]["with_agent"]["target"].mean == 1.0
    assert cells["full"]["with_full"]["target"].mean == 1.0
    assert cells["full"]["noise"]["target"].mean == 0.0
    assert cells["nothing"]["with_agent"]["tool"].mean == 1.0
    assert cells["nothing"]["with_agent"]["target"].mean == 0.0


def test_an_answer_without_a_call_is_not_measured() -> None:
    run = measured(
        "nothing", next_actions=["gguf:x"], models=says(full=CALL, again=CALL, else_="I stop here.")
    )
    (cell,) = summarise_next_actions(run)
    assert "with_agent" not in cell.agreement
    assert cell.agreement["noise"]["tool"].mean == 1.0
    assert sum(cell.not_measured.values()) == 1


def test_the_report_tells_both() -> None:
    run = measured(
        "nothing",
        "full",
        likelihoods=["unigram"],
        next_actions=["gguf:x"],
        models=says(full=CALL, again=CALL, else_=CALL),
    )
    report = run_report(run)
    assert [figures.method for figures in report.likelihoods] == ["nothing", "full"]
    assert report.next_actions[0].agreement["with_agent"]["tool"].mean == 1.0


def session_file(folder: Path) -> SessionFile:
    said = [{"role": "user" if n % 2 else "assistant", "content": f"{n} word " * 400} for n in range(8)]
    path = folder / "talk.json"
    path.write_text(json.dumps(said))
    return SessionFile(set="s", path=path)


def test_a_run_keeps_them_and_works_nothing_out_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Counted(Unigram):
        async def bits(self, prefix: str, continuation: str) -> Cost:
            asked.append(prefix)
            return await super().bits(prefix, continuation)

    monkeypatch.setattr("tamis.evals.experiment.components.get_likelihoods", lambda _: Counted())
    settings = Settings(methods=("nothing", "full"), budgets=("10%",), likelihoods=("unigram",))
    files, folder = [session_file(tmp_path)], tmp_path / "run"
    conduct(files, settings, folder)
    whole, journal = (folder / "likelihoods.jsonl").read_bytes(), folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2]))  # as a run that was stopped before its only file
    conduct(files, settings, folder)
    assert len(asked) == 2
    assert (folder / "likelihoods.jsonl").read_bytes() == whole
    assert len(read_run(folder).likelihoods) == 2


def test_nobody_is_asked_where_nothing_is_asked_for() -> None:
    assert not measuring.Stagehands()
    assert not measured("nothing").likelihoods


COUNTER = get_counter()


def scene(point: Point) -> Scene:
    found = scene_of(point, COUNTER)
    assert isinstance(found, Scene)
    return found


def test_a_short_tail_is_followed_by_the_last_act_of_all() -> None:
    found = scene(POINT)
    assert found.act == TAIL[-1].text
    assert found.tail.endswith("user:\nGo on.")


def test_the_act_is_the_first_behind_enough_tail() -> None:
    long = say("user", "word " * 300, id="long")
    found = scene(replace(POINT, tail=(long, *TAIL)))
    assert found.act.startswith("I look at parse_args")
    assert found.call is not None
    assert found.call.name == "bash"
    assert COUNTER.count(found.tail) <= TAIL_TOKENS


def test_thinking_and_ids_stand_nowhere() -> None:
    text = scene(replace(POINT, tail=TAIL[:1])).act
    assert (
        text == 'I look at parse_args and at brand_new.\n{"tool": "bash", "arguments": {"command": "cat x"}}'
    )
    assert shown(TAIL[:1]) == f"assistant:\n{text}"


def test_an_act_that_writes_a_whole_file_is_cut() -> None:
    call = ToolCall(id="w", name="write", arguments={"content": "line of code\n" * 900})
    found = scene(replace(POINT, tail=(Message(id="w", role="assistant", parts=(call,)),)))
    assert COUNTER.count(found.act) <= ACT_TOKENS
    assert found.act.startswith('{"tool": "write"')


def test_one_who_only_thinks_does_nothing_that_could_be_measured() -> None:
    mute = Message(id="t", role="assistant", parts=(Thinking(text="hm"),))
    assert isinstance(scene_of(replace(POINT, tail=(mute,)), COUNTER), NotMeasured)


def test_every_context_is_followed_by_the_same() -> None:
    found = scene(POINT)
    one, other = found.behind(()), found.behind(POINT.span)
    assert other.endswith(one)
    assert one.endswith("assistant:\n")
