"""Sentences: cut where a reader would, and nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.text.sentences import Sentence, prose_sentences, split_sentences


def bodies(text: str) -> list[str]:
    return [text[s.body : s.end] for s in split_sentences(text)]


def kinds(text: str) -> list[str]:
    return [s.kind for s in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Use a queue, e.g. RabbitMQ, for the jobs.",
        "Use a queue (i.e. a broker) for the jobs.",
        "Ask Dr. Lee about the trial.",
        "Mr. and Mrs. Ortiz travel together.",
        "The limit is 3.14 seconds.",
        "Upgrade to v1.2.3 before the release.",
        "Python 3.11.4 is required here.",
        "Open src/app/main.py and look at it.",
        "See https://example.com/a.html?x=1&y=2 for the form",
        "Compare it vs. the old one.",
        "About approx. 40 rows are wrong.",
        "See fig. 3 for the curve.",
        "J. Smith owns billing.",
        "Take no. 5 from the list.",
        "The call `a. b! c?` is one token.",
        "It has tests, docs, etc. but no benchmarks.",
        "Run ./build.sh now",
        "It doubles (1s, 2s, ... 30s) without end",
        "It waits (1s → 2s → ... → 30s cap), forever asking.",
        "Call obj.method() then obj.other() again.",
        "Wait... not that one.",
        "Is a != b true here?",
        "The meeting is at 5 p.m. on Friday.",
        "预算是3.5万元",
        "请更新到v2.0.1版本",
        "打开src/a.py文件",
    ],
)
def test_one_sentence_stays_one(text: str) -> None:
    assert bodies(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do it. Then stop.", ["Do it.", "Then stop."]),
        ("do it. then stop.", ["do it.", "then stop."]),
        ("Really?! Yes!", ["Really?!", "Yes!"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("It (the cache) works. Ship it", ["It (the cache) works.", "Ship it"]),
        ("Edit app.py. Keep main.rs.", ["Edit app.py.", "Keep main.rs."]),
        ("See https://x.org/a.b. Then go.", ["See https://x.org/a.b.", "Then go."]),
        ("We need Python 3. Then pip.", ["We need Python 3.", "Then pip."]),
        ("Cats, dogs, etc. We like them.", ["Cats, dogs, etc.", "We like them."]),
        ("Run `make`. Then wait.", ["Run `make`.", "Then wait."]),
        ("**Never push.** Ask first.", ["**Never push.**", "Ask first."]),
        ("no. use the other one", ["no.", "use the other one"]),
        ("So do I. Go on.", ["So do I.", "Go on."]),
        ("不要动配置。先跑测试！好吗？", ["不要动配置。", "先跑测试！", "好吗？"]),
        ("第一步写代码；第二步测试；", ["第一步写代码；", "第二步测试；"]),
        ("他说“可以。”然后走了。", ["他说“可以。”", "然后走了。"]),
        ("用Redis.然后部署", ["用Redis.", "然后部署"]),
        ("Mixed 中文。And English.", ["Mixed 中文。", "And English."]),
        ("fix the bug\nalso leave the tests alone", ["fix the bug", "also leave the tests alone"]),
        ("one\n\ntwo", ["one", "two"]),
        ("Rules:\n- no mocks\n- no sleeps", ["Rules:", "no mocks", "no sleeps"]),
        ("1. First thing\n2. Second. Third", ["First thing", "Second.", "Third"]),
        ("1) alpha\n2) beta", ["alpha", "beta"]),
        ("- [ ] open task\n- [x] done task", ["open task", "done task"]),
        ("## Goal\nShip it", ["Goal", "Ship it"]),
        ("> quoted words\nmine", ["quoted words", "mine"]),
        ("一、先备份\n二、再删除", ["先备份", "再删除"]),
        ("1、先备份\n2、再删除", ["先备份", "再删除"]),
        ("（1）备份\n（2）删除", ["备份", "删除"]),
        ("• one\n• two", ["one", "two"]),
        ("The perf. issue is back. Look", ["The perf. issue is back.", "Look"]),
        ("We don't want this: 5. The new key", ["We don't want this: 5. The new key"]),
        ("It starts at 17:45. It is far.", ["It starts at 17:45.", "It is far."]),
        ("pkg. do_it() is slow. yes", ["pkg. do_it() is slow.", "yes"]),
        ("### 1. The parser. Again\nMend it.", ["1. The parser. Again", "Mend it."]),
        (
            "It cannot be undone by what was made of two of them\nDescription\n(by me)",
            ["It cannot be undone by what was made of two of them", "Description", "(by me)"],
        ),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert bodies(text) == expected


def test_text_wrapped_by_a_program_is_put_together() -> None:
    text = (
        "The importer must keep the order of the rows that it\n"
        "was given, because the reports further down depend on\n"
        "it. Nothing else matters."
    )
    assert bodies(text) == [text[: text.index(" Nothing")], "Nothing else matters."]


def test_a_wrapped_list_item_is_one_sentence() -> None:
    text = (
        "- never write to the production database while the\n  migration is running\n- ask before you restart"
    )
    assert [text[s.body : s.end].split()[-1] for s in split_sentences(text)] == ["running", "restart"]


def test_short_lines_are_the_writers_own_breaks() -> None:
    assert len(bodies("please fix it\nit is broken\nthanks")) == 3


def test_a_fenced_block_is_never_cut() -> None:
    text = "Look. See:\n```py\nx = 1. \n\nprint('a. b')\n```\nDone. Good."
    fenced = [s for s in split_sentences(text) if s.kind == "code"]
    assert [text[s.start : s.end] for s in fenced] == ["```py\nx = 1. \n\nprint('a. b')\n```"]
    assert bodies(text)[-2:] == ["Done.", "Good."]


def test_a_longer_fence_holds_a_shorter_one() -> None:
    text = "````\n```\na. b\n```\n````\nafter"
    assert kinds(text) == ["code", "prose"]


def test_an_open_fence_runs_to_the_end() -> None:
    assert kinds("a\n```\nb. c\n\nd") == ["prose", "code"]


def test_inline_triple_ticks_open_no_fence() -> None:
    assert kinds("```x``` is inline. Yes.") == ["prose", "prose"]


def test_an_unpaired_tick_hides_no_sentence_end() -> None:
    assert bodies("a ` b. Next one.") == ["a ` b.", "Next one."]


def test_table_rows_and_rulers_are_told_apart() -> None:
    assert kinds("| a. b | c |\n|---|---|\n---\nwords") == ["table", "markup", "markup", "prose"]


def test_the_kinds_of_marked_lines() -> None:
    assert kinds("# h\n- i\n> q\np") == ["heading", "item", "quote", "prose"]


def test_a_wrapped_line_that_ends_with_a_comma_goes_on() -> None:
    text = "They open the gate of the lower meadow on Monday (ask at the mill),\nI tell you when."
    assert bodies(text) == [text]


@pytest.mark.parametrize("comment", ["    # Loads the rows once.", "\t# Loads the rows once."])
def test_an_indented_comment_of_code_is_no_heading(comment: str) -> None:
    assert "heading" not in kinds(f"def load():\n{comment}\n    return 1")


def test_a_marker_is_outside_the_body_and_inside_the_sentence() -> None:
    text = "  - [ ] write it"
    assert split_sentences(text) == [Sentence(2, len(text), "item", 8)]


def test_prose_sentences_leave_code_and_tables_out() -> None:
    text = "Words.\n```\ncode\n```\n| t | t |\n"
    assert [text[s.start : s.end] for s in prose_sentences(text)] == ["Words."]


def test_windows_line_ends_are_white_space() -> None:
    assert bodies("one\r\ntwo.\r\n\r\nthree") == ["one", "two.", "three"]


@pytest.mark.parametrize("text", ["", " \n\t ", "\n\n"])
def test_white_space_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == []


FRAGMENTS = [
    "e.g. ",
    "Dr. ",
    "v1.2",
    "a.py",
    ". ",
    "? ",
    "!",
    "。",
    "；",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "```",
    "\n```\n",
    "`",
    "~~~\n",
    "> ",
    "| a | b |",
    "## ",
    "---\n",
    "...",
    "’",
    "”",
    "\r\n",
    "\u3000",
    "[ ] ",
    "https://x.y/z.",
]
pieces = st.lists(
    st.one_of(
        st.sampled_from(FRAGMENTS),
        st.text(max_size=8),
        st.sampled_from(["word ", "Word ", "不要 ", "五", "x" * 60]),
    ),
    max_size=40,
).map("".join)


@given(pieces)
def test_no_text_is_lost(text: str) -> None:
    sentences = split_sentences(text)
    position, rebuilt = 0, ""
    for s in sentences:
        assert position <= s.start <= s.body <= s.end
        assert s.start < s.end
        assert not text[position : s.start].strip()
        rebuilt += text[position : s.start] + text[s.start : s.end]
        position = s.end
    assert not text[position:].strip()
    assert rebuilt + text[position:] == text


@given(pieces)
def test_no_sentence_begins_or_ends_with_white_space(text: str) -> None:
    for s in split_sentences(text):
        assert text[s.start : s.end].strip() == text[s.start : s.end]


@given(pieces)
def test_the_same_text_is_cut_the_same_way(text: str) -> None:
    assert split_sentences(text) == split_sentences(text)


def test_a_diff_is_code_as_far_as_its_hunks_say() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n keep\n-old. Not so\n+new\n"
    text = f"Look at this.\n{diff}- an item"
    assert kinds(text) == ["prose", "code", "item"]
    assert bodies(text)[1] == diff.strip()


def test_a_line_of_a_wide_terminal_goes_on_in_small_letters() -> None:
    text = "The reader " + "of the tables " * 10 + "follows the\n  usual pattern."
    assert len(bodies(text)) == 1


def test_an_item_that_is_called_by_its_number_goes_on_with_its_name() -> None:
    assert bodies("Let's address 2. Names of rows") == ["Let's address 2. Names of rows"]


@pytest.mark.parametrize("text", ["Shops (tills?, drawers?) are slow.", 'Add a "Why tills?" section.'])
def test_what_ends_in_brackets_or_quotes_ends_no_sentence(text: str) -> None:
    assert len(split_sentences(text)) == 1
