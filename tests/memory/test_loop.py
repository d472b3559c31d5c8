"""`LayeredMemory`: the pass, the modes, and what happens when something goes wrong."""

from __future__ import annotations

import errno
import logging

import pytest

from memory.loops import TASK, iteration, run, settings
from tamis.memory import LayeredMemory, Skill, Skillbook, read_skillbook, update_skillbook
from tamis.memory.settings import Safety, SkillbookSettings, Thresholds
from tamis.messages import Message, Text, ToolResult


def test_task_and_newest_messages_go_in_word_for_word():
    latest = (
        Message(id="r", role="tool", parts=(ToolResult(call_id="c", text="  exact\n\n\n---\noutput "),)),
    )
    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        made = memory.assemble(TASK, latest)
    assert made.applied
    assert made.messages[0].parts[0] == Text(text=TASK)
    assert made.messages[1:] == latest


def test_the_context_is_smaller_and_the_stages_say_by_how_much():
    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        stages = memory.assemble(TASK).stages
    assert stages is not None
    assert stages.tokens_after < stages.tokens_before / 3
    assert stages.tokens_after == stages.collected.current_tokens + stages.injected.tokens


def test_only_the_newest_iterations_are_told_one_by_one():
    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        prompt = memory.assemble(TASK).prompt
    assert "## Iteration 6" in prompt
    assert "## Iteration 4" in prompt
    assert "## Iteration 3" not in prompt


def test_outcome_error_and_decision_of_an_iteration_are_kept_and_its_output_is_not():
    with LayeredMemory(settings()) as memory:
        run(memory, 2, failing=2)
        prompt = memory.assemble(TASK).prompt
    assert "ended: error" in prompt
    assert "ValueError: row 7 is empty at src/totals.py:41" in prompt
    assert "decided: keep the header of part 2" in prompt
    assert "test_case_7 ok" not in prompt


def test_a_small_context_stays_whole():
    with LayeredMemory(settings(thresholds=Thresholds(min_compression_threshold=100_000))) as memory:
        run(memory, 2)
        made = memory.assemble(TASK)
    assert not made.applied
    assert "fewer than 100000" in made.reason
    assert made.messages[: len(iteration(1))] == iteration(1)


def test_off_gives_everything_and_runs_no_stage():
    with LayeredMemory(settings(mode="off")) as memory:
        run(memory, 6)
        made = memory.assemble(TASK)
    assert (made.applied, made.stages) == (False, None)
    assert len(made.messages) == 6 * 3 + 1


def test_not_enabled_is_off():
    with LayeredMemory(settings(enabled=False)) as memory:
        assert memory.mode == "off"


def test_shadow_changes_nothing_and_says_what_it_would_have_done():
    with LayeredMemory(settings(mode="shadow")) as memory:
        run(memory, 6)
        made = memory.assemble(TASK)
    assert not made.applied
    assert len(made.messages) == 6 * 3 + 1
    assert made.stages is not None
    assert made.stages.tokens_after < made.stages.tokens_before


def test_opt_in_applies_only_where_a_call_asks():
    with LayeredMemory(settings(mode="opt-in")) as memory:
        run(memory, 6)
        assert not memory.assemble(TASK).applied
        assert memory.assemble(TASK, opt_in=True).applied


def test_compression_can_be_turned_down_for_one_call():
    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        assert not memory.assemble(TASK, compression=False).applied
        assert memory.assemble(TASK).applied


def test_a_stage_that_fails_gives_the_uncompressed_context(monkeypatch, caplog):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        monkeypatch.setattr(memory._classifier, "classify", fail)
        made = memory.assemble(TASK)
    assert not made.applied
    assert "ZeroDivisionError" in made.reason
    assert len(made.messages) == 6 * 3 + 1
    assert "fell back" in caplog.text


def test_a_stage_that_fails_raises_where_falling_back_is_turned_off(monkeypatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    with LayeredMemory(settings(safety=Safety(fallback_on_error=False))) as memory:
        run(memory, 6)
        monkeypatch.setattr(memory._classifier, "classify", fail)
        with pytest.raises(ZeroDivisionError):
            memory.assemble(TASK)


def test_memory_falls_back_to_shadow_when_quality_drops_and_comes_back_when_it_recovers():
    safety = Safety(max_regret_rate=0.5, quality_window=4, min_judged=2)
    tight = Thresholds(min_compression_threshold=100, max_compressed_size=1, max_share=0)
    with LayeredMemory(settings(safety=safety, thresholds=tight)) as memory:
        run(memory, 6)
        for number in (1, 2):
            memory.assemble(TASK)
            memory.end_iteration(TASK, [_said(f"Again tests/test_part{number}.py::test_case_9.")])
        assert memory.regret_rate == 1.0
        fallen = memory.assemble(TASK)
        assert (memory.mode, fallen.applied) == ("shadow", False)
        assert "quality dropped" in fallen.reason
        for _ in range(4):
            memory.assemble(TASK)
            memory.end_iteration(TASK, [_said("Nothing from the past is needed here.")])
        assert memory.mode == "active"


def test_what_was_missed_widens_the_room_before_memory_falls_back():
    safety = Safety(max_regret_rate=0.5, quality_window=4, min_judged=1)
    narrow = Thresholds(
        min_compression_threshold=100, max_compressed_size=1, target_compression_ratio=0.01, max_share=0.02
    )
    with LayeredMemory(settings(safety=safety, thresholds=narrow)) as memory:
        run(memory, 6)
        modes = []
        for number in (1, 2):
            memory.assemble(TASK)
            memory.end_iteration(TASK, [_said(f"Again tests/test_part{number}.py::test_case_9.")])
            modes.append((memory.regret_rate, memory.mode))
    assert modes == [(1.0, "active"), (1.0, "shadow")]


def test_shadow_says_where_active_would_have_fallen_back():
    safety = Safety(max_regret_rate=0.5, quality_window=4, min_judged=1)
    tight = Thresholds(min_compression_threshold=100, max_compressed_size=1, max_share=0)
    causes = []
    for mode in ("active", "shadow"):
        with LayeredMemory(settings(mode=mode, safety=safety, thresholds=tight)) as memory:
            run(memory, 6)
            memory.assemble(TASK)
            memory.end_iteration(TASK, [_said("Again tests/test_part1.py::test_case_9.")])
            causes.append(memory.assemble(TASK).cause)
    assert causes == ["quality-dropped", "quality-dropped"]


def test_the_newest_iterations_of_a_long_past_go_in_word_for_word():
    with LayeredMemory(settings()) as memory:
        run(memory, 40)
        made = memory.assemble(TASK)
    newest = iteration(40)
    assert made.messages[-1].parts == (Text(text=TASK),)
    assert made.messages[-1 - len(newest) : -1] == newest
    assert "test_case_39 ok" in made.prompt
    assert made.prompt.startswith(TASK)


def test_skills_that_were_given_learn_how_it_ended(tmp_path):
    book = Skillbook(
        skills=(
            Skill(
                name="empty-rows", summary="Skip empty rows of totals in src/totals.py.", domains=("totals",)
            ),
        )
    )
    path = tmp_path / "skills.json"
    update_skillbook(path, lambda _: book)
    skills = SkillbookSettings(path=str(path), relevance_threshold=0)
    with LayeredMemory(settings(skillbook=skills)) as memory:
        run(memory, 6)
        assert "empty-rows" in memory.assemble(TASK).prompt
        memory.end_iteration(TASK, iteration(7), helped=True)
    assert read_skillbook(path).skills[0].helped == 1


def test_a_skillbook_that_somebody_left_half_written_is_a_warning_and_stays_as_it_is(tmp_path):
    path = tmp_path / "skills.json"
    book = Skillbook(skills=(Skill(name="empty-rows", summary="Skip empty rows of totals."),))
    update_skillbook(path, lambda _: book)
    with LayeredMemory(
        settings(skillbook=SkillbookSettings(path=str(path), relevance_threshold=0))
    ) as memory:
        run(memory, 6)
        memory.assemble(TASK)
        path.write_text('{"format": "tamis-sk')
        memory.end_iteration(TASK, iteration(7), helped=True)
        made = memory.assemble(TASK)
    assert made.applied
    assert any("not whole" in warning for warning in made.warnings)
    assert path.read_text() == '{"format": "tamis-sk'


def test_a_full_disk_is_a_warning_and_the_skillbook_stays_as_it_is(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "skills.json"
    book = Skillbook(skills=(Skill(name="empty-rows", summary="Skip empty rows of totals."),))
    update_skillbook(path, lambda _: book)
    before = path.read_bytes()
    skills = SkillbookSettings(path=str(path), relevance_threshold=0)
    with LayeredMemory(settings(skillbook=skills)) as memory:
        run(memory, 6)
        memory.assemble(TASK)
        monkeypatch.setattr("tamis.sessions.atomic.os.fsync", full)
        memory.end_iteration(TASK, iteration(7), helped=True)
        made = memory.assemble(TASK)
    assert made.applied
    assert any("make room" in warning for warning in made.warnings)
    assert path.read_bytes() == before


def test_messages_may_be_dictionaries_as_an_api_takes_them():
    call = {"type": "tool_use", "id": "c1", "name": "bash", "input": {"command": "pytest -q"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "10 passed in 0.1s\n" + "x " * 900}
    with LayeredMemory(settings()) as memory:
        memory.end_iteration(
            TASK, [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        )
        made = memory.assemble(TASK, [{"role": "assistant", "content": [{"type": "text", "text": "Next."}]}])
    assert made.applied
    assert [item["role"] for item in made.to("anthropic")] == ["user", "assistant"]


def test_every_decision_is_logged_with_its_reason(caplog):
    tight = settings(
        thresholds=Thresholds(min_compression_threshold=100, max_compressed_size=80, max_share=0)
    )
    with caplog.at_level(logging.DEBUG, "tamis.memory"), LayeredMemory(tight) as memory:
        run(memory, 6)
        memory.assemble(TASK)
    assert "tokens_before=" in caplog.text
    assert "no room in the 80 tokens in all" in caplog.text


def test_a_large_current_iteration_is_a_warning_and_is_not_cut():
    text = "word " * 5000
    with LayeredMemory(settings()) as memory:
        run(memory, 6)
        made = memory.assemble(TASK, [_tool(text)])
    assert made.messages[1].results[0].text == text
    assert any("L0 takes" in warning for warning in made.warnings)


def _said(text: str) -> Message:
    return Message(id="", role="assistant", parts=(Text(text=text),))


def _tool(text: str) -> Message:
    return Message(id="t", role="tool", parts=(ToolResult(call_id="c", text=text),))
