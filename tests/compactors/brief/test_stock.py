"""The stock: what the whole span shows of its statements."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, reading_of, section, texts, told, use
from compactors.brief.talk import edit as edited
from compactors.conversations import run, say
from tamis.compactors.brief.choice.stock import root_of
from tamis.compactors.brief.reading.settling.told_paths import told_from

OPTIONS = say(
    "assistant",
    "Two ways are open.\n\n"
    "Option A: strip the rows in `reader()` while they are read, which costs a copy of each row.\n\n"
    "Option B: filter the rows in `load_rows()` afterwards, which keeps the reader as it is.",
)


def test_a_withdrawn_message_and_its_reply_are_gone() -> None:
    span = [
        TASK,
        say("assistant", "`src/rows.py` is read twice."),
        say("user", "Rename the module to tables."),
        say("assistant", "The module `tables` needs a new entry."),
        say("user", "Ignore my last message."),
    ]
    found = " ".join(texts(span))
    assert "tables" not in found
    assert "`src/rows.py` is read twice." in found


def test_an_answer_brings_the_option_that_it_names() -> None:
    answer = [s for s in told([TASK, OPTIONS, say("user", "option B")]) if s.text == "option B"]
    assert [lead.text.split(":")[0] for lead in answer[0].leads] == ["Option B"]


def test_an_answer_that_names_no_option_brings_none() -> None:
    [answer] = [s for s in told([TASK, OPTIONS, say("user", "go on")]) if s.text == "go on"]
    assert answer.leads == ()


def test_the_option_that_was_taken_stands_in_a_small_brief() -> None:
    text = brief([TASK, OPTIONS, say("user", "option B")], 110)
    assert "Option B: filter the rows" in text


def test_what_closes_a_turn_is_a_conclusion() -> None:
    span = [TASK, say("assistant", "The reader is slow here."), *run("a", "ls", "rows.py", 0)]
    span += [say("assistant", "The reader in `rows.py` is fast now.")]
    assert texts(span, "concluded") == ["The reader in `rows.py` is fast now."]


def test_a_corrected_fact_leaves_no_old_value() -> None:
    span = [
        say("user", "The login token is valid for 15 minutes."),
        say("assistant", "Noted."),
        say("user", "The login token should be valid for 60 minutes."),
        say("assistant", "Noted, the new time."),
    ]
    found = " ".join(texts(span))
    assert "60 minutes" in found
    assert "15 minutes" not in found


def test_words_beside_a_corrected_fact_stay() -> None:
    span = [
        say("user", "The login token is valid for 15 minutes. Please write src/login.py."),
        say("user", "The login token should be valid for 60 minutes."),
    ]
    assert texts(span)[0] == "Please write src/login.py."


def test_paths_are_told_from_the_folder_of_the_work() -> None:
    span = [TASK, *edited("a", "/work/shop/src/rows.py", "a = 1", "a = 2")]
    span += edited("b", "/work/shop/docs/use.md", "one", "two")
    assert root_of(reading_of(span)) == "/work/shop"
    assert not any("/work/shop/src" in line for line in section(brief(span), "Story"))


def test_a_path_that_is_a_value_or_is_searched_stays_whole() -> None:
    value, frame = '"at": "/repo/a.md"', 'File "/repo/a.py", line 7'
    assert told_from("/repo", f"ran `show` → {value} ⏎ {frame}").endswith(f'{value} ⏎ File "a.py", line 7')
    printed = "ran `cat /repo/a.md` → === /repo/a.md ==="
    assert told_from("/repo", printed) == "ran `cat a.md` → === /repo/a.md ==="
    searched = "ran `ls /repo/src | rg -v test` → nothing found"
    assert told_from("/repo", searched) == searched


def test_a_folder_that_holds_all_changes_is_not_taken_for_the_whole_work() -> None:
    span = [TASK, *use("r", "Read", "1→a = 1", file_path="/work/shop/src/rows.py")]
    span += edited("a", "/work/shop/tests/unit/a.py", "a = 1", "a = 2")
    span += edited("b", "/work/shop/tests/unit/b.py", "one", "two")
    assert root_of(reading_of(span)) == "/work/shop"


def test_a_fact_among_much_talk_is_told_without_the_talk() -> None:
    talk = (
        "I keep forgetting what the dashboard was for. The calendar keeps surprising me, to be honest. "
        "Nobody should have to look at a queue that early. Sessions expire after 90 seconds. "
        "Every team I know has some kind of header."
    )
    more = [
        say("user", f"The invoice of case {n} was odd, and it took a while to understand it.")
        for n in range(12)
    ]
    text = brief([TASK, say("user", talk), *more, say("assistant", "I see.")], 200)
    assert "> Sessions expire after 90 seconds." in text.splitlines()


def test_the_newest_edit_of_each_file_of_the_work_has_room_before_all_else() -> None:
    lines = "".join(f"    row_{n} = read(table, {n})\n" for n in range(8))
    edits = edited("e", "/work/shop/src/rows.py", "def load():\n    pass\n", f"def load():\n{lines}")
    talk = [
        say("assistant", f"The part `p{n}.py` is slow because of `q{n}.py`.", id=f"s{n}") for n in range(40)
    ]
    assert "src/rows.py (load): `pass` →" in brief([TASK, *edits, *talk], 500)


PLAN = (
    "Build the store.\n\n"
    + "\n".join(f"- Step {at} warms cache number {at} of the old reader slowly" for at in range(9))
    + "\n- Keep the log in the folder of the user\n- Add a field `marten` to the type `Otter` in store.py\n"
    + "\n".join(f"- Page {at} of the manual tells how queue {at} is drained at night" for at in range(9))
)


def test_a_piece_of_a_plan_that_the_report_says_again_is_not_told_twice() -> None:
    report = "Done.\n- Added the field `marten` to the type `Otter` in store.py\n- Warmed the caches"
    span = [say("user", PLAN), *edited("a", "store.py", "x", "marten"), say("assistant", report)]
    text = brief([*span, say("user", "And the docs?"), say("assistant", "They follow.")])
    assert "Add a field `marten`" not in text
    assert "Added the field `marten`" in text
    assert "Step 7 warms cache number 7" in text


def test_a_bare_edit_and_a_help_text_are_vague() -> None:
    stopped = use("e", "Bash", "The user doesn't want to proceed with this tool use.", command="otter --all")
    span = [TASK, *stopped, *run("h", "otter --help", "Usage: otter FILE", 0), say("user", "Now the docs.")]
    vague = [s.text for s in told(span) if "vague" in s.flags]
    assert vague == ["(stopped the agent's Bash otter --all)", "ran `otter --help` → Usage: otter FILE"]


def test_a_short_outcome_stands_with_its_request_before_more_is_told_of_another() -> None:
    long = [
        say("assistant", f"The cache {at} of `rows_{at}.py` holds {at + 40} rows of it.") for at in range(40)
    ]
    span = [TASK, say("assistant", "`rows.py` skips them."), say("user", "Is lint clean in `b.py`, too?")]
    span += [say("assistant", "No warning is left."), say("user", "Tell me of the caches."), *long]
    assert "= No warning is left." in brief(span, 340)
