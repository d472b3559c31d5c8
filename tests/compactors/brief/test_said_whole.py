"""What the agent said is told with what it means nothing without, and without what it says in passing."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import DONE, TASK, brief, edit, texts
from compactors.conversations import run, say
from tamis.compactors.brief.reading.settling.reversals import without_forecasts
from tamis.compactors.brief.reading.speech.rejections import turned_down
from tamis.compactors.brief.reading.speech.utterances import agent_statements
from tamis.compactors.brief.reading.statement import Statement
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.discourse_cues import is_announcement, pointers

RUN = run("r", "shop list", "Row: 7\n", 0)


def spoken(words: str) -> list[Statement]:
    """What an agent's message says."""
    return list(agent_statements(say("assistant", words), 0))


def test_what_is_said_of_the_last_thing_leans_on_it_over_a_paragraph() -> None:
    first, second = spoken("The quay is scanned row by row.\n\nThis is the same fault as in `lamps.py`.")
    assert second.leads == (first,)
    assert not spoken("The quay is scanned.\n\nThis branch holds the lamps of `quay.py`.")[1].leads


def test_what_says_that_it_is_the_same_kind_leans_on_what_it_is_like() -> None:
    first, second = spoken("`quay` scans each row. Small today (9 rows) but the same class of bug.")
    assert second.leads == (first,)


def test_a_sentence_goes_on_behind_its_code() -> None:
    [whole] = spoken("The hook should push:\n```text\nquay/v1\n```\nto `harbour-private`.")
    assert whole.text == "The hook should push: `quay/v1` to `harbour-private`."
    *_, code, end = spoken("So if you have:\n```yaml\na: 1\nb: 2\nc: 3\nd: 4\n```\nthe lamp is **not** lit.")
    assert end.leads == (code,)


def test_that_it_was_put_right_is_one_with_what_was_amiss() -> None:
    told = spoken("All is well. The lamps were **not** slow by the old fault, but by `quay`. I fixed that.")
    assert [s.text for s in told][1:] == [
        "The lamps were not slow by the old fault, but by `quay`. I fixed that."
    ]


def test_that_the_fault_was_reproduced_is_one_with_what_it_does() -> None:
    words = "It seems we've successfully reproduced the bug. The lamp is lit, though the quay is empty."
    [told] = spoken(words)
    assert told.text == words
    assert "guess" not in told.flags


def test_what_a_line_says_of_a_forecast_goes_with_it() -> None:
    assert without_forecasts("- Tighten it to ~2 s. It takes 20 ms, so 2 s is much.") == ""
    assert without_forecasts("- Rows are kept. The ceiling would fall.") == "- Rows are kept."


def test_a_draft_is_not_told_beside_the_reply_that_says_it_in_a_table() -> None:
    thought = Thinking(text="The usages:\n- `rows.py:4` loads the lamps\n- `quay.py:9` prints the harbour")
    reply = Text(
        text="| File | Usage |\n|---|---|\n| `rows.py:4` | loads the lamps |\n| `quay.py:9` | prints |"
    )
    told = agent_statements(Message(id="a", role="assistant", parts=(thought, reply)), 0)
    assert not [s for s in told if s.kind == "thought"]


def test_that_nothing_was_committed_says_much() -> None:
    [told] = spoken("Nothing committed, per your git rules.")
    assert "verdict" in told.flags
    assert "vague" not in told.flags


def test_what_is_there_points_at_nothing() -> None:
    assert pointers("What kinds of lamps are there.") == []
    assert pointers("Leave the lamps there.") == ["there"]


def test_what_the_agent_is_about_to_do_is_no_finding() -> None:
    for words in (
        "Next I’m writing one prompt for `quay.py`.",
        "I’m dispatching the worker now.",
        "The test is in the package, so I can set `quay.db` to old rows.",
        "However, before we do that, we need to make sure that the settings are there.",
    ):
        assert is_announcement(words), words
    assert not is_announcement("The file is locked, so I can't write `quay.db`.")


def test_a_passing_remark_of_a_diagnostic_is_not_told() -> None:
    passing = ("The import warning is expected.", "`f` is below the call, which is fine in Go.")
    span = [TASK, *(say("assistant", words) for words in passing), DONE]
    assert not set(passing) & {*texts(span)}


def test_guesses_counted_up_in_thought_are_not_told() -> None:
    listed = "It might be caused by:\n1. a race of `quay` and `lamp`\n2. a stale row of `harbour`"
    thought = Message(id="t", role="assistant", parts=(Thinking(text=listed),))
    assert not [text for text in texts([TASK, thought, *RUN]) if "a race" in text]


def test_a_guess_on_the_way_gives_way_to_the_answer() -> None:
    guess = say("assistant", "`push` is off, which is probably why `quay` is dark.", id="guess")
    span = [TASK, DONE, say("user", "And the quay?"), DONE, say("user", "Why dark?"), guess, *RUN, DONE]
    assert not [text for text in texts(span) if "probably" in text]


def test_one_stop_of_a_call_is_one_line() -> None:
    stopped = Statement(kind="asked", text="(stopped the agent's Bash ls)", turn=1, place=(0, 0))
    stop = Statement(kind="failed", text="the user stopped the agent's call", turn=2, place=(0, -1))
    again = replace(stop, flags=("aborted",))
    assert turned_down([stopped, again]) == {id(again)}
    assert not turned_down([again])


def test_of_calls_that_were_stopped_together_one_is_told() -> None:
    one = Statement(kind="asked", text="(stopped the agent's Edit a.py)", turn=1, place=(0, 0))
    behind = Statement(kind="asked", text="(stopped the agent's Bash make)", turn=1, place=(1, 0))
    assert turned_down([one, behind]) == {id(behind)}
    assert not turned_down([one, replace(behind, turn=3)])


def test_a_question_that_next_asks_is_not_told_in_the_story() -> None:
    question = f"Want me to note that `quay` was slow by its own fault{', and the lamps too' * 7}?"
    ends = say("assistant", f"The `quay` is lit now. {question} It'd save a look later.")
    told = brief([TASK, *RUN, ends], 400)
    assert told.count("Want me to note") == 1
    assert "save a look" not in told


def test_how_a_file_should_look_is_not_told_where_it_was_changed_on_another_request() -> None:
    shape = "The settings should look like:\n```yaml\na: 1\nb: 2\nc: 3\nd: 4\n```\nThen commit that."
    shape += " If `quay` is dark after committing the settings, ask the miller."
    span = [TASK, say("assistant", shape, id="shape"), say("user", "Keep `b` as it is.", id="other")]
    assert any("c: 3" in text for text in texts(span))
    done = [*span, *edit("e", "/work/shop/settings.yaml", "a: 0", "a: 1"), DONE]
    assert not any(old in text for old in ("c: 3", "Then commit", "after committing") for text in texts(done))


def test_what_a_setting_holds_already_stands_where_a_cause_was_ruled_out() -> None:
    words = "The quay may be dark because of `lamp`. The settings already have `lamp: on`."
    thought = Message(id="t", role="assistant", parts=(Thinking(text=words),))
    not_seen = say("assistant", "The quay is not failing in my tests.", id="seen")
    told = texts([TASK, thought, *RUN, not_seen, *run("s", "shop look", "Row: 8\n", 0)])
    assert "The settings already have `lamp: on`." in told
    assert not any("because of" in text for text in told)


def test_a_verdict_is_not_one_with_what_comes_next() -> None:
    assert "Let me look at `quay.py`." in [s.text for s in spoken("Not yet. Let me look at `quay.py`.")]


def test_what_is_not_tested_yet_goes_where_the_agent_goes_on_to_test_it() -> None:
    words = "The one case that isn't covered is the dark `quay`. Let me add a test for it."
    later = say("assistant", "The dark `quay` is lit.", id="later")
    assert not any("isn't covered" in text for text in texts([TASK, say("assistant", words), *RUN, later]))
    assert any(
        "isn't covered" in text for text in texts([TASK, say("assistant", words.partition(" Let")[0])])
    )


def test_what_clears_an_error_stands_where_what_was_seen_on_the_way_goes() -> None:
    seen = "The log of the gate says `no lamp`. It is of some other project, as `gate.log` shows."
    thought = Message(id="t", role="assistant", parts=(Thinking(text=seen),))
    span = [TASK, thought, *run("r", "make", "ok", 0), say("assistant", "It works fine when I test it.")]
    assert "It is of some other project, as `gate.log` shows." in texts(span)


def test_a_list_from_memory_that_ends_in_others_is_not_told() -> None:
    listed = "The miller holds:\n1. `GATE` - a lamp\n2. `WEIR=1`\n3. Other lamps"
    thought = Message(id="t", role="assistant", parts=(Thinking(text=listed),))
    assert not [s for s in texts([TASK, thought, *run("r", "make", "ok", 0), DONE]) if "WEIR" in s]


def test_a_claim_is_one_with_what_it_is_not_said_of() -> None:
    words = "`load` reads the rows. But that is for the quay, not for the till. The till is new."
    assert [s.text for s in spoken(words)] == [
        "`load` reads the rows. But that is for the quay, not for the till.",
        "The till is new.",
    ]


def test_code_is_one_with_the_item_that_opens_it() -> None:
    told = spoken("1. The till - two places:\n```go\nsum := add(a, b)\n```\n\n2. The quay")
    assert [s.text for s in told] == ["1. The till - two places: `sum := add(a, b)`", "2. The quay"]


def test_what_comes_after_what_is_announced_is_announced() -> None:
    told = spoken("I’m going to make the till fail closed: rows stay. Then this lamp will light it.")
    assert [s.text for s in told if "announces" not in s.flags] == []


def test_a_list_in_thought_of_which_the_rest_is_said_is_not_told() -> None:
    long = "which lies in the old shed behind the quay and was not moved, not in the wet spring of last year"
    listed = f"These are ready:\n1. lamp, {long}\n2. otter, {long}\n3. marten, {long}\n4. stoat, {long}"
    said = Text(text=f"- lamp, {long}\n- otter, {long}\n- marten, {long}")
    message = Message(id="t", role="assistant", parts=(Thinking(text=listed), said))
    assert not [s.text for s in agent_statements(message, 1) if s.kind == "thought" and "stoat" in s.text]
