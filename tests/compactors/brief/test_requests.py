"""Speech: what the user asked, and what in a message of the user's is no request."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, section, told
from compactors.conversations import run, say
from tamis.compactors.brief.reading.speech.utterances import sentences_of_request, user_statements
from tamis.ledger.speech.harness import formal_start

FILLER = "The importer of the warehouse reads every table twice and keeps the second copy. "


def test_a_short_message_of_the_users_is_one_statement() -> None:
    [said] = user_statements(say("user", "Rename it.\n\n\nThen run the tests."), 3)
    assert (said.kind, said.text, said.turn) == ("asked", "Rename it.\nThen run the tests.", 3)


def test_a_long_message_of_the_users_is_told_by_its_sentences() -> None:
    said = list(user_statements(say("user", FILLER * 10 + "Please mend that."), 0))
    assert said[-1].text == "Please mend that."
    assert "wants" in said[-1].flags


def test_of_a_long_message_its_first_sentence_is_known() -> None:
    said = list(user_statements(say("user", "Mend the importer. " + FILLER * 10), 0))
    assert [s.text for s in said if "first" in s.flags] == ["Mend the importer."]


def test_behind_the_instructions_of_a_harness_all_is_boilerplate() -> None:
    text = "Mend the importer. " + FILLER * 10 + "\n\nINSTRUCTIONS:\nAnswer with one command at a time.\n"
    said = {s.text: s.flags for s in user_statements(say("user", text), 0)}
    assert "boilerplate" in said["Answer with one command at a time."]
    assert "boilerplate" not in said["Mend the importer."]


def test_a_text_without_instructions_has_no_formal_part() -> None:
    assert formal_start("Mend the importer.") is None


def test_who_types_nothing_but_instructions_is_no_harness() -> None:
    assert formal_start("INSTRUCTIONS:\nMend the importer.") is None


def test_of_long_lines_of_code_in_a_request_what_tells_of_trouble_is_told() -> None:
    paste = "```\n/srv/shelf/lib.py:12: TypeError: the rows are no list\n" + "  pass again " * 30 + "\n```\n"
    said = list(user_statements(say("user", f"{FILLER * 9}\n\n{paste}"), 0))
    assert next(s.text for s in said if "trouble" in s.flags).startswith("/srv/shelf/lib.py:12: TypeError")
    assert all("paste" in s.flags for s in said if "code" in s.flags)


def test_a_title_that_ends_with_a_version_is_no_line_of_a_list_of_versions() -> None:
    title = "Reading rows with a zone fails when they come from shelf>=1.0.0"
    listed = "\n- shelf: 1.0.0\n- rows: 0.8.0\n- python: 3.7.4\n"
    said = {s.text: s.flags for s in user_statements(say("user", f"{title}\n\n{FILLER * 10}\n{listed}"), 0)}
    assert "paste" not in said[title]
    assert "paste" in said["- rows: 0.8.0"]


def test_what_stands_in_a_console_is_no_request() -> None:
    text = "Rows are lost.\n\n" + "It should keep them all, in their order, as the reader gave them. " * 11
    text += "\n\n(venv) ~ shop ./run.sh test\nRan 2 tests in 0.002s\nFAILED (failures=1)\n\nPlease mend it.\n"
    told = list(user_statements(say("user", text), 0))
    assert [s.text for s in told if "Ran 2 tests" in s.text and "code" not in s.flags] == []


def test_of_a_long_message_what_asks_for_nothing_is_detail() -> None:
    tale = [f"In week {n} the warehouse sent its table with a head of {n} lines." for n in range(20)]
    text = "\n\n".join(["The importer is slow.", *tale, "Please read every table only once."])
    flags = {s.text: s.flags for s in user_statements(say("user", text), 0)}
    assert all("detail" in flags[sentence] for sentence in tale)
    assert "detail" not in flags["Please read every table only once."]


def test_what_only_keeps_a_talk_pleasant_asks_for_nothing() -> None:
    text = "Please cancel order #W5270061. That would be great. Let me know if you need more details!"
    lines = section(
        brief([say("user", text + " I moved, so it went to the old address." * 20)], 200), "Story"
    )
    assert any("cancel order #W5270061" in line for line in lines)
    assert not any("Let me know" in line for line in lines)


def test_a_gap_in_a_message_shows() -> None:
    words = f"Mend the importer. {FILLER * 30}Never mind the docs of it, they are old."
    lines = section(brief([say("user", words), say("assistant", "It reads twice.")], room=200), "Story")
    assert any(line.startswith("> …") or line.endswith("…") for line in lines)


def test_a_message_that_is_told_whole_has_no_gap() -> None:
    assert "…" not in brief(
        [say("user", "Mend it.\n- all of it\n- now"), say("assistant", "It reads twice.")], 900
    )


ISSUE = (
    "Rows are lost\n<!-- Please look for the same issue first. -->\n" + FILLER * 8 + "Rows are lost\n\n"
    "Read rows of an empty table:\n```python\nimport store\ntable = store.Table()\nsize = 4\ncolour = None\n"
    "table.read(rows=0)\n```\nTraceback (most recent call last):\n"
    '  File "store/rows.py", line 7, in read\n    return first[0]\nIndexError: list index out of range\n'
    "store 1.2.0\nnumpy 1.22.4\npython 3.9.1\n"
)


def test_an_issue_is_told_once_without_the_remarks_of_its_form_and_the_frames_of_its_traceback() -> None:
    said = [s.text for s in user_statements(say("user", ISSUE), 0)]
    assert said.count("Rows are lost") == 1
    assert not any("same issue" in text or "line 7" in text or "first[0]" in text for text in said)
    assert any("IndexError: list index out of range" in text for text in said)


def test_of_a_long_example_the_lines_are_told_that_the_message_speaks_of() -> None:
    said = [s for s in user_statements(say("user", ISSUE), 0) if "table.read" in s.text]
    assert [s.text for s in said if "paste" not in s.flags] == [
        "… table = store.Table()\n… table.read(rows=0)\n… IndexError: list index out of range"
    ]


def test_a_list_of_versions_tells_little() -> None:
    [version] = [s for s in user_statements(say("user", ISSUE), 0) if s.text.startswith("numpy")]
    assert "paste" in version.flags


def test_the_remarks_of_a_harness_on_steps_are_formal() -> None:
    text = "Rows are lost.\nFollow these steps to resolve the issue:\n1. Read.\n"
    assert formal_start(text) == text.index("Follow")


def test_a_yes_stands_with_what_was_offered() -> None:
    offer = say(
        "assistant", "The rows are skipped.\n\nIf you want, I can count the empty rows as well.", id="offer"
    )
    [yes] = [s for s in told([TASK, offer, say("user", "yes please.", id="yes")]) if s.text == "yes please."]
    assert [lead.text for lead in yes.leads] == ["If you want, I can count the empty rows as well."]


def test_a_line_of_code_stands_with_the_words_that_open_it() -> None:
    text = FILLER * 10 + "\n\n- Write a title in this form:\n  - `{Part} // {What}` (Tag,Tag)\n- Sign it."
    said = [s.text for s in user_statements(say("user", text), 0)]
    assert "- Write a title in this form:\n- `{Part} // {What}` (Tag,Tag)" in said


def test_of_a_long_request_that_is_made_again_the_first_sentence_is_told_before() -> None:
    task = FILLER * 8 + " ".join(f"Please mend table {n} of the till." for n in range(8))
    talk = [say("user", task, id="a"), say("assistant", "Done.", id="b"), say("user", task, id="c")]
    assert ["first" in s.flags for s in told(talk) if s.kind == "asked" and s.turn == 0] == [True]


def test_a_remark_before_a_request_is_not_what_is_asked() -> None:
    said = list(user_statements(say("user", "Almost there. Mend the importer. " + FILLER * 10), 0))
    assert [s.text for s in said if "first" in s.flags] == ["Mend the importer."]


def test_a_question_that_says_what_it_asks_is_not_vague_for_pointing_at_something() -> None:
    text = "Rename it. While you're at it, can you look for other columns with spaces? " + FILLER * 10
    vague = [s.text for s in user_statements(say("user", text), 0) if "vague" in s.flags]
    assert vague == ["Rename it."]


def test_what_a_program_advises_between_what_it_printed_is_not_asked() -> None:
    paste = (
        "$ tool push origin\nerror: no tool.toml was found\n- To silence this, run `QUIET=1 tool`\n"
        "- To leave, run `tool remove`\nerror: the push was refused\n.hooks/push is missing, skipping.\n\n"
    )
    said = list(user_statements(say("user", paste + "I no longer have the tool. " + FILLER * 10), 0))
    assert not any("silence" in s.text or "skipping" in s.text for s in said if "paste" not in s.flags)
    assert "I no longer have the tool." in [s.text for s in said]


def test_of_a_pasted_traceback_its_last_error_is_told() -> None:
    trace = "ValueError    Traceback (most recent call last)\n-> 12  raise ValueError('no')\n\nValueError: no"
    text = f"Reading fails:\n```\nrows = read()\n{trace}\n```\n{FILLER * 10}"
    said = list(user_statements(say("user", text), 0))
    assert [s.text for s in said if "trouble" in s.flags] == ["… ValueError: no"]


def test_what_the_author_of_an_issue_says_of_it_counts_for_little() -> None:
    own = "I would love to see this in the next release. The reader loses the last row of each table."
    issue = f"ISSUE:\nRows are lost\n{own} {'It has done so since the last release. ' * 20}"
    asked = [s for s in told([say("user", f"{issue}\nINSTRUCTIONS:\nMend it.")]) if s.kind == "asked"]
    assert ["vague" in s.flags for s in asked if "next release" in s.text] == [True]
    assert ["vague" in s.flags for s in asked if "loses the last row" in s.text] == [False]


def test_what_a_harness_lets_the_agent_do_is_no_fact() -> None:
    issue = f"ISSUE:\nRows are lost\n{'It has done so since the last release. ' * 20}"
    harness = "\nINSTRUCTIONS:\nEdit all the files you need to and run any checks or tests that you want."
    [s] = [s for s in told([say("user", issue + harness)]) if "any checks" in s.text]
    assert "fact" not in s.flags


LINT_LOG = "\n".join(
    [
        "The build says this:",
        "Starting [/opt/lint run --new] in [/srv/shop] ...",
        "src/rows/read.go:12:5: R17(related information): this check suggests that it is nil (lint)",
        "    if rows == nil {",
        "src/rows/read.go:16:9: R17: possible use of nothing (lint)",
        "src/rows/read.go:22:5: R17(related information): this check suggests that it is nil (lint)",
        "    if rows == nil {",
    ]
)


def test_a_log_without_a_fence_is_told_by_the_words_that_bring_it_in_and_the_fault() -> None:
    said = list(user_statements(say("user", LINT_LOG + "\n\n" + FILLER * 9), 0))
    [fault] = [s for s in said if "trouble" in s.flags]
    assert fault.text.startswith("… src/rows/read.go:16:9: R17: possible use of nothing")
    assert [lead.text for lead in fault.leads] == ["The build says this:"]
    assert not [s for s in said if s.text.startswith("Starting") and "paste" not in s.flags]


def test_entries_of_a_list_in_pasted_code_are_no_words_of_the_users() -> None:
    code = (
        "APPS = [\n'shop.rows.admin',\n'shop.rows.auth',\n'shop.tables',\n]\nrows.py\nfrom shop import Rows"
    )
    said = list(user_statements(say("user", FILLER * 9 + "\n\n" + code), 0))
    assert [s.text for s in said if s.text.startswith(("'shop", "rows.py"))] == []


PLAN = (
    "Implement the following plan:\n\n# Plan: Round the totals of a receipt\n\n## Context\n\n"
    + "A receipt adds up what was rounded before, so that a cent is lost now and then. " * 10
    + "\n\n### 1. Add `round_half`\n\n**File**: `src/money.py`\n\nAdd `round_half(amount)` beside "
    "`to_cents`. No cycle risk (it needs nothing).\n\n## Verification\n\n1. Run `make test`\n\n"
    "If you need specific details from before exiting plan mode, read the full transcript at: /tmp/a.jsonl\n"
)


def test_a_request_begins_with_its_title_and_says_no_heading_that_tells_nothing() -> None:
    text = brief([say("user", PLAN, id="a"), *edit("b", "src/money.py", "a = 1", "a = 2")], 260)
    assert section(text, "Story")[0] == "> Plan: Round the totals of a receipt"
    assert not [words for words in ("Also:", "Context", "transcript at") if words in text]


def test_a_step_stands_under_its_heading_behind_the_file_that_it_is_about() -> None:
    told = {s.text: s for s in user_statements(say("user", PLAN), 0)}
    assert [o.text for o in told["Add `round_half(amount)` beside `to_cents`."].leads] == [
        "1. Add `round_half`"
    ]


def test_what_went_wrong_in_an_example_does_not_pass_for_the_example() -> None:
    said = "Reading should work like this:\n\n```\n>>> table = store.Table()\n>>> table.read(rows=0)\n"
    said += 'Traceback (most recent call last):\n  File "a.py", line 1\nTypeError: read() got rows\n```\n'
    pasted = [*user_statements(say("user", said + "It should read no rows of the table. " * 20), 0)]
    (wrong,) = [s for s in pasted if "trouble" in s.flags]
    assert wrong.text == "… >>> table.read(rows=0)\n… TypeError: read() got rows"
    bare = said.replace(">>> table.read(rows=0)", ">>> 7")
    pasted = [*user_statements(say("user", bare + "It should be as it was before. " * 30), 0)]
    (wrong,) = [s for s in pasted if "trouble" in s.flags]
    assert (wrong.text, wrong.leads) == ("… TypeError: read() got rows", ())


def test_what_a_terminal_showed_stands_behind_its_frame_and_is_not_the_users_order() -> None:
    said = f"why do i get  Check main (shell){' ' * 60}┃  │ git log --oneline{' ' * 20}┃  └ Denied\n\nand fix"
    (told,) = user_statements(say("user", said), 0)
    assert told.text.splitlines() == [
        "why do i get  Check main (shell)",
        "│ git log --oneline",
        "│ Denied",
        "and fix",
    ]
    flags = {s.text: s.flags for s in sentences_of_request(told)}
    assert "paste" in flags["│ git log --oneline\n│ Denied"]


def test_what_a_hook_printed_is_not_the_users_word() -> None:
    assert not [*user_statements(say("user", "Operation stopped by hook: another run is active."), 0)]


def test_of_a_request_told_by_its_sentences_a_question_stands_with_what_leans_on_it() -> None:
    said = "The import of rows is slow since May. Is the export just as slow? If so, why did nobody see it?"
    text = brief([say("user", said, id="a"), *run("b", "make", "ok")], 64)
    assert "If so" not in text or "> Is the export just as slow?" in text


def test_what_a_request_quotes_stands_as_a_quotation_and_asks_for_nothing() -> None:
    said = "Answer each review.\n\n### 1. The clerk\n\n**He says:**\n"
    said += "> The key is never used. Remove it to keep the shelf clean.\n\n"
    told = user_statements(say("user", said + "Say that it was removed in e2b4d91. " * 24), 0)
    quoted = [s for s in told if "quoted" in s.flags]
    assert [s.text for s in quoted] == ["> The key is never used.", "> Remove it to keep the shelf clean."]
    assert not any("wants" in s.flags for s in quoted)
    assert [o.text for o in quoted[0].leads[0].leads] == ["1. The clerk"]


def test_a_request_that_was_agreed_to_once_more_has_room_before_the_yes() -> None:
    asked = "Then replace the old clock with https://example.org/sundial in @src/clock.ts"
    done = "Done, the old clock is replaced by the sundial, and the lock file is written. " * 6
    span = [TASK, *run("a", "make", "ok"), say("user", asked, id="b"), say("assistant", done, id="c")]
    span += [say("assistant", "Want me to wire it in, too?", id="d"), say("user", "yes please.", id="e")]
    assert f"> {asked}" in brief([*span, *run("f", "make", "ok")], 110)


def test_a_long_request_made_again_leads_with_its_title_where_it_was_made_last() -> None:
    text = brief([say("user", PLAN, id="a"), *run("b", "make", "ok"), say("user", PLAN, id="c")], 300)
    told = [line for line in text.splitlines() if "Round the totals of a receipt" in line]
    assert told[-1] == "> Plan: Round the totals of a receipt"


def test_a_long_line_that_opens_an_example_is_a_sentence_of_its_own() -> None:
    words = "Where tables have no header, readers meet blank cells, shops print one warning and stop reading:"
    [whole] = user_statements(say("user", f"Mend it.\nLike this:\n{words}\n\n- one\n- two\n"), 0)
    opening, long = (s for s in sentences_of_request(whole) if s.text.startswith(("Like", "Where")))
    assert "opens" in opening.flags
    assert "opens" not in long.flags


def test_what_the_user_hands_on_for_an_opinion_stands_under_whose_it_is_and_asks_for_nothing() -> None:
    listed = "\n".join(
        f"{n}. Add a lamp to shelf {n}, so that the clerk sees its rows." for n in range(1, 16)
    )
    said = f"A reviewing agent suggests:\n\n### Improvements\n\n{listed}\n\nThoughts?"
    told = user_statements(say("user", said), 0)
    first, heading, *items = list(told)
    assert first.text == "A reviewing agent suggests: … Thoughts?"
    assert heading.leads == (first,)
    assert {("quoted" in s.flags, "wants" in s.flags) for s in items} == {(True, False)}
    handed_on = user_statements(say("user", said.replace("Thoughts?", "Please do all of it.")), 0)
    assert not any("quoted" in s.flags for s in handed_on)
