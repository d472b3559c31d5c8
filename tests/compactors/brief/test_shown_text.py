"""What a user shows in a message: diffs, forms of answers, what a program printed."""

from __future__ import annotations

from compactors.brief.talk import brief, section
from compactors.conversations import run, say
from tamis.compactors.brief.reading.speech.utterances import user_statements

FILLER = "The importer of the warehouse reads every table twice and keeps the second copy. "
DIFF = (
    "diff --git a/rows.py b/rows.py\n--- a/rows.py\n+++ b/rows.py\n@@ -1,2 +1,3 @@ def open():\n keep = 1\n"
    "-# Only one copy. Never two\n+# Only two copies. Never one\n+ more = 2\n"
)


def asked(text: str) -> list[str]:
    return [s.text for s in user_statements(say("user", text), 0)]


def test_the_lines_of_a_short_diff_keep_their_signs_and_their_order() -> None:
    assert DIFF.strip() in asked(f"{FILLER * 9}\n\n{DIFF}\nPlease review it.")


def test_a_long_diff_is_told_by_its_files() -> None:
    long = DIFF + "".join(f"@@ -{n},1 +{n},1 @@\n-old row {n}\n+new row {n}\n" for n in range(40, 90))
    told = asked(f"{long}\n{FILLER * 9}")
    assert "(a diff of rows.py)" in told
    assert not any("old row" in text for text in told)


def test_a_comment_in_a_diff_is_no_rule() -> None:
    text = brief([say("user", f"{FILLER * 9}\n{DIFF}\nPlease review it.")])
    assert section(text, "Rules") == []


def test_an_added_line_is_not_told_as_taken_away() -> None:
    told = asked(f"{FILLER * 9}\n+ a line\n- another line")
    assert told[-2:] == ["+ a line", "- another line"]


def test_what_shows_the_form_of_an_answer_asks_for_nothing() -> None:
    form = "```\nrows.py\n- the loader fails: is that meant?\n" + "- a good name\n" * 30 + "```"
    told = asked(f"{FILLER * 9}\n\nFormat your review like this example:\n\n{form}\n\nBe brief.")
    assert not any("is that meant" in text for text in told)


def test_a_command_of_the_program_is_told_with_its_name() -> None:
    words = "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
    assert asked(f"{words}<command-args>151</command-args>") == ["/review 151"]


def test_what_is_amiss_is_told_with_the_lines_that_show_it() -> None:
    printed = "Reading rows\nWriting rows 3 done\n" + "Waiting for the next table\n" * 30
    said = user_statements(say("user", f"{printed}\nThis should not stand on one line:\n\nReading rows"), 0)
    last = list(said)[-1]
    assert (last.text, last.leads[0].text) == ("Reading rows", "This should not stand on one line:")
    assert "wants" in last.flags


def test_a_short_list_of_the_newest_request_is_told_whole() -> None:
    cases = "\n".join(f"- a={n % 2}, b={n // 2} is {'an error' if n == 3 else 'no error'}" for n in range(4))
    text = brief([say("user", f"{FILLER * 5}\nTest these cases:\n{cases}")], 240)
    assert sum(line.startswith("> - a=") for line in text.splitlines()) in (0, 4)


def test_each_of_two_tied_commands_was_run() -> None:
    span = [
        say("user", "Please make src/rows.py skip empty rows."),
        *run("a", "ruff check", "2 issues.", 0),
        *run("b", "pytest tests && ruff check", "3 passed in 0.10s\n0 issues.", 0),
    ]
    state = "\n".join(section(brief(span, 1_500), "State"))
    assert "ran `pytest tests && ruff check`: 3 passed; 0 issues." in state
    assert "2 issues" not in state
