"""Condensing beside the loop: nothing is lost in a full queue, on shutdown, in a crash, on a full disk."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading

import pytest

from memory.loops import TASK, iteration, run, settings
from tamis.archive import Archive
from tamis.errors import BadArchive, ModelServerError
from tamis.memory import LayeredMemory
from tamis.memory.settings import AsyncSettings, Summarization
from tamis.messages import Message, Text
from tamis.models import Prompt, Reply, ScriptedModel

LONG = "I looked at the totals of the northern branch, row by row, and compared them with the ledger. " * 12
TALK = (Message(id="", role="assistant", parts=(Text(text=LONG),)),)
SUMMARIES = Summarization(min_tokens=100)


class SlowModel:
    """Answers when it is told to."""

    name = "slow"
    window_tokens = None

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.was_asked = threading.Event()

    async def ask(self, prompt: Prompt, *, schema: object = None) -> Reply:
        self.was_asked.set()
        self.may_answer.wait()
        return Reply(text="compared the totals of the northern branch", model=self.name)


class SilentModel:
    """Never answers."""

    name = "silent"
    window_tokens = None

    async def ask(self, prompt: Prompt, *, schema: object = None) -> Reply:
        import asyncio

        await asyncio.Event().wait()
        raise AssertionError


def test_a_full_queue_condenses_on_the_spot_and_loses_nothing():
    model = SlowModel()
    beside = settings(asynchronous=AsyncSettings(enabled=True, queue_size=2), llm_summarization=SUMMARIES)
    memory = LayeredMemory(beside, model=model)
    try:
        memory.end_iteration(TASK, TALK)
        model.was_asked.wait()  # from now on the thread is busy
        run(memory, 5)
        assert memory.queue.on_the_spot == 3
        assert memory.queue.waiting == 2
        assert "## Iteration 6" in memory.assemble(TASK).prompt
        assert memory.queue.condensed == 6
    finally:
        model.may_answer.set()
        memory.close()


def test_a_pass_does_not_wait_for_the_model():
    model = SlowModel()
    beside = settings(asynchronous=AsyncSettings(enabled=True), llm_summarization=SUMMARIES)
    memory = LayeredMemory(beside, model=model)
    try:
        memory.end_iteration(TASK, TALK * 4)
        model.was_asked.wait()
        assert "compared them with the ledger" in memory.assemble(TASK).prompt
    finally:
        model.may_answer.set()
        memory.close()
    assert "compared the totals of the northern branch" in memory.assemble(TASK).prompt


def test_closing_condenses_what_waits_and_saves_it(tmp_path):
    with Archive.open(tmp_path / "a.tamis") as archive:
        with LayeredMemory(settings(asynchronous=AsyncSettings()), archive=archive) as memory:
            run(memory, 5, failing=2)
        with LayeredMemory(settings(), archive=archive) as again:
            assert again.iterations == 5
            assert "row 7 is empty" in again.assemble(TASK).prompt


@pytest.mark.parametrize("count", [1, 9, 10, 23])
def test_going_on_after_a_crash_gives_the_same_context(tmp_path, count):
    with LayeredMemory(settings()) as unharmed:
        run(unharmed, count, failing=3)
        expected = unharmed.assemble(TASK).prompt
    with Archive.open(tmp_path / "a.tamis") as archive:
        crashed = LayeredMemory(settings(), archive=archive)
        run(crashed, count, failing=3)  # never closed
        with LayeredMemory(settings(), archive=archive) as again:
            assert again.iterations == count
            assert again.assemble(TASK).prompt == expected
            assert (
                again.assemble(TASK, compression=False).messages
                == unharmed.assemble(TASK, compression=False).messages
            )


def test_a_killed_process_loses_no_iteration_that_had_ended(tmp_path):
    program = """
        import os, sys
        sys.path.insert(0, sys.argv[2])
        from memory.loops import run, settings
        from tamis.archive import Archive
        from tamis.memory import LayeredMemory
        from tamis.memory.settings import AsyncSettings

        beside = settings(asynchronous=AsyncSettings(queue_size=2))
        run(LayeredMemory(beside, archive=Archive.open(sys.argv[1])), 12)
        os.kill(os.getpid(), 9)
    """
    path = tmp_path / "a.tamis"
    tests = str(__import__("pathlib").Path(__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(path), tests], check=False)
    assert done.returncode == -9
    with Archive.open(path) as archive, LayeredMemory(settings(), archive=archive) as again:
        assert again.iterations == 12
        assert len(again.assemble(TASK, compression=False).messages) == 12 * 3 + 1


def test_a_full_disk_is_a_warning_and_what_was_held_is_written_when_there_is_room_again(
    tmp_path, monkeypatch
):
    with Archive.open(tmp_path / "a.tamis") as archive:
        memory = LayeredMemory(settings(), archive=archive)
        run(memory, 2)
        with monkeypatch.context() as full:
            full.setattr(archive, "put", _full)
            run(memory, 3)
            made = memory.assemble(TASK)
        assert made.applied
        assert "3 iterations are in memory only" in made.warnings[0]
        run(memory, 1)
        assert memory.assemble(TASK).warnings == ()
        with LayeredMemory(settings(), archive=archive) as again:
            assert again.iterations == 6


def test_a_summary_takes_the_place_of_selected_sentences():
    model = ScriptedModel(["- compared the totals of the northern branch with the ledger"])
    with LayeredMemory(settings(llm_summarization=SUMMARIES), model=model) as memory:
        memory.end_iteration(TASK, TALK * 4)
        made = memory.assemble(TASK)
    assert "- compared the totals of the northern branch with the ledger" in made.prompt
    assert made.stages is not None
    assert made.stages.strategy == "model summary"


def test_prose_that_is_short_is_not_put_to_a_model():
    model = ScriptedModel([])
    with LayeredMemory(settings(), model=model) as memory:
        run(memory, 1)
    assert model.prompts == []


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (ScriptedModel([ModelServerError("overloaded")]), "overloaded"),
        (ScriptedModel([""]), "nothing that was said can be used"),
        (ScriptedModel(["edited src/invented_module.py"]), "nothing that was said can be used"),
        (SilentModel(), "no summary within 0.01 s"),
    ],
)
def test_a_model_that_fails_leaves_the_selected_sentences(model, why):
    short = SUMMARIES.model_copy(update={"timeout": 0.01})
    with LayeredMemory(settings(llm_summarization=short), model=model) as memory:
        memory.end_iteration(TASK, TALK * 4)
        made = memory.assemble(TASK)
    assert "compared them with the ledger" in made.prompt
    assert why in made.warnings[0]


def test_without_a_named_model_none_is_asked():
    with LayeredMemory(settings(llm_summarization=SUMMARIES)) as memory:
        memory.end_iteration(TASK, TALK * 4)
        assert memory.queue.summaries == 0


def test_iterations_of_other_sessions_stay_apart(tmp_path):
    with Archive.open(tmp_path / "a.tamis") as archive:
        for name, count in (("one", 2), ("two", 3)):
            with LayeredMemory(settings(), archive=archive, session_id=name) as memory:
                run(memory, count)
        with LayeredMemory(settings(), archive=archive, session_id="one") as again:
            assert again.iterations == 2


def test_the_messages_of_an_iteration_are_in_the_archive_byte_for_byte(tmp_path):
    with Archive.open(tmp_path / "a.tamis") as archive:
        with LayeredMemory(settings(), archive=archive, session_id="s") as memory:
            run(memory, 1)
        assert tuple(archive.messages("s")) == iteration(1)


def _full(*_: object, **__: object) -> None:
    raise BadArchive("the disk is full; make room")
