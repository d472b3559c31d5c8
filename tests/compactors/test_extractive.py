from __future__ import annotations

import pytest

from compactors.conversations import COUNTER, compact, fates, ids, lines, run, say, tokens
from tamis.compactors import Compaction, get_method
from tamis.compactors.methods.extractive import Extractive, ExtractiveSettings, phases
from tamis.errors import UnknownMethod
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult

CODE = "```python\ndef total(rows):\n    return sum(rows)  # e.g. [1. 2.]\n```"
PROSE = " ".join(
    f"Step {n} of the plan says that we look at the rows of the table once more." for n in range(90)
)
LONG = say("assistant", f"{PROSE}\n\n{CODE}\n\nThe error is fixed.", id="long")
RECENT = [say("user", f"recent {n}", id=f"r{n}") for n in range(3)]


def part_text(made: Compaction, message_id: str) -> str:
    (message,) = (m for m in made.messages if m.id == message_id)
    return message.text or message.results[0].text


def test_a_long_message_keeps_seventy_percent_of_its_sentences_and_all_code() -> None:
    made = compact("extractive", [LONG, *RECENT], 1500)
    kept = part_text(made, "long")
    assert kept.count("Step") + 1 == int(91 * 0.7)
    assert CODE in kept
    assert kept.endswith("The error is fixed.")
    assert made.account[0].reason == "70% of its sentences kept"
    assert fates(made) == ["condensed", "kept", "kept", "kept"]


def test_fewer_sentences_are_kept_while_the_budget_is_not_met() -> None:
    made = compact("extractive", [LONG, *RECENT], 900)
    assert made.account[0].reason == "50% of its sentences kept"
    assert CODE in part_text(made, "long")


def test_the_oldest_go_when_no_ratio_is_enough() -> None:
    made = compact("extractive", [LONG, *RECENT], 50)
    assert ids(made) == ["r0", "r1", "r2"]
    assert made.account[0].fate == "archived"


def test_recent_messages_are_left_as_they_are() -> None:
    made = compact(
        "extractive", [say("user", lines("old", 200)), LONG, say("user", "next")], tokens([LONG]) + 20
    )
    assert LONG in made.messages


def test_a_message_of_a_thousand_tokens_or_less_keeps_its_sentences() -> None:
    short = say("assistant", " ".join(["A sentence that says little about it."] * 100), id="short")
    assert tokens([short]) < 1000
    made = compact("extractive", [short, LONG, *RECENT], 2500)
    assert short in made.messages


def test_only_the_agents_own_words_are_scored() -> None:
    typed = say("user", LONG.text, id="typed")
    made = compact("extractive", [LONG, typed, *RECENT], tokens([typed]) + 1400)
    assert part_text(made, "typed") == typed.text


def test_reasoning_is_stripped_whether_a_part_or_in_tags() -> None:
    thought = Message(
        id="t",
        role="assistant",
        parts=(Thinking(text=lines("hm", 80)), Text(text="<think>well\n\nwell</think>\nI see.")),
    )
    only = Message(id="only", role="assistant", parts=(Thinking(text="x"),))
    made = compact("extractive", [thought, only, *RECENT], 100)
    assert part_text(made, "t") == "I see."
    assert "only" not in ids(made)
    assert made.account[1].reason == "reasoning stripped; nothing else was in it"


def test_recent_reasoning_stays() -> None:
    thought = Message(
        id="t", role="assistant", parts=(Thinking(text="well", signature="s"), Text(text="Yes."))
    )
    made = compact("extractive", [say("assistant", lines("old", 90)), thought, *RECENT[:2]], 60)
    assert thought in made.messages


def test_long_output_keeps_its_first_and_last_lines() -> None:
    made = compact("extractive", [*run("c", "make test", lines("log", 400), 2), *RECENT], 800)
    kept = part_text(made, "c-result").splitlines()
    assert kept[0] == "log line 0"
    assert kept[-1] == "log line 399"
    (note,) = (line for line in kept if line.startswith("["))
    assert note == f"[left out: bash `make test`, {400 - len(kept) + 1} lines, exit 2]"


def test_one_endless_line_of_output_leaves_only_the_note() -> None:
    made = compact("extractive", [*run("c", "cat app.min.js", "var a=1;" * 2000), *RECENT], 800)
    assert part_text(made, "c-result").startswith("[left out: bash `cat app.min.js`, 16,000 characters]")


def test_output_under_the_threshold_stays() -> None:
    call, result = run("c", "ls", lines("file", 100))
    assert COUNTER.count(result.results[0].text) < 1000
    made = compact("extractive", [LONG, call, result, *RECENT], 2200)
    assert result in made.messages


def test_a_later_system_message_is_shortened_and_the_first_is_not() -> None:
    first, later = (say("system", lines(n, 400), id=n) for n in ("first", "later"))
    made = compact("extractive", [first, say("user", "go"), later, *RECENT], tokens([first]) + 700)
    assert first in made.messages
    assert "[left out: system message" in part_text(made, "later")


def test_the_published_trigger_is_reached_by_name() -> None:
    assert "less than the trigger" in compact("extractive@100000", [LONG, *RECENT], 1500).warnings[0]
    assert compact("extractive@3000", [LONG, *RECENT], 1500).outcome == "fits"


def test_a_window_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownMethod, match="give its tokens, as in extractive@200000"):
        get_method("extractive@half")


def test_learned_scores_stand_beside_the_published_ones() -> None:
    published, learned = (
        compact(name, [LONG, *RECENT], 1500) for name in ("extractive", "extractive@learned")
    )
    assert (published.outcome, learned.outcome) == ("fits", "fits")
    assert learned.method == "extractive@learned"
    assert learned.messages[0].text != published.messages[0].text


def test_each_phase_says_what_it_saved() -> None:
    made = list(phases([LONG, *RECENT], COUNTER))
    assert [phase.name for phase in made] == ["reasoning", "output", "sentences"]
    assert [phase.changed for phase in made] == [0, 0, 1]
    assert made[2].tokens_after < made[2].tokens_before


def test_below_its_trigger_the_method_declines() -> None:
    cautious = Extractive(ExtractiveSettings(window_tokens=100_000))
    made = compact(cautious, [LONG, *RECENT], 1500)
    assert made.outcome == "unmet"
    assert "less than the trigger" in made.warnings[0]
    assert (
        compact(Extractive(ExtractiveSettings(window_tokens=3000)), [LONG, *RECENT], 1500).outcome == "fits"
    )


def test_the_call_of_a_shortened_message_is_untouched() -> None:
    call = ToolCall(id="c", name="bash", arguments={"command": "ls"})
    message = Message(id="m", role="assistant", parts=(Text(text=PROSE), call))
    result = Message(id="r", role="tool", parts=(ToolResult(call_id="c", text="a"),))
    made = compact("extractive", [message, result, *RECENT], 1300)
    assert made.messages[0].calls == (call,)
    assert fates(made)[:2] == ["condensed", "kept"]
