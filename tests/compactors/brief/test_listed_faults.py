from compactors.brief.talk import TASK, edit, texts
from compactors.conversations import run, say
from tamis.compactors.brief.reading.settling.listed_faults import listed_faults, with_notes
from tamis.compactors.brief.reading.statement import Statement

ROWS = "/work/shop/src/rows.py"
LIST = "I found two issues:\n\n1. **The limit is read twice** in `load_rows`\n"
LIST += "2. **Empty rows** are kept by `keep_rows`"


def test_a_list_of_faults_says_since_when_they_were_worked_on() -> None:
    told = texts(
        [TASK, say("assistant", LIST), *edit("e", ROWS, "x = 1", "x = 2")], "found", "said", "concluded"
    )
    assert any(text.startswith("I found two issues: (edited since: #2)\n1. ") for text in told)


def test_what_is_edited_for_a_later_request_is_no_work_on_the_list() -> None:
    later = say("user", "Thanks. Now rename `x` to `rows`, please.", id="later")
    span = [TASK, say("assistant", LIST), later, *edit("e", ROWS, "x = 1", "x = 2")]
    assert not any("edited since" in text for text in texts(span, "found", "said", "concluded"))


def test_a_fault_that_was_mended_before_is_told_so() -> None:
    seen = say("assistant", "Commit 4fe1c02 already fixed the first issue, the second is left.", id="seen")
    told = texts([TASK, say("assistant", LIST), seen], "found", "said", "concluded")
    [listed] = [text for text in told if text.startswith("I found two issues")]
    assert "in `load_rows` (mended before, see #2)" in listed
    assert listed.endswith("are kept by `keep_rows`")


def test_what_was_fixed_is_no_list_of_faults() -> None:
    done = Statement(kind="said", text="Issues fixed:\n1. The limit", turn=1, place=(0, 0), flags=("item",))
    edited = Statement(
        kind="changed", text="edited a.py", turn=3, place=(0, 0), key="a.py", flags=("source",)
    )
    assert listed_faults([done, edited]) == {}
    assert with_notes("one\ntwo", {1: "three"}) == "one\ntwo (three)"


def test_what_cannot_be_done_says_since_when_the_function_was_edited() -> None:
    words = "`load_rows` is handed all of the rows, so we can't use the limit."
    changed = edit("e", ROWS, "def load_rows():\n    x = 1", "def load_rows():\n    x = 2")
    other = edit("e", ROWS, "def keep_rows():\n    x = 1", "def keep_rows():\n    x = 2")
    span = [TASK, say("assistant", words), *changed, say("assistant", "The limit of the rows is in use.")]
    assert any(text.endswith("the limit. (edited since: #2)") for text in texts(span))
    assert not any("edited since" in text for text in texts([*span[:2], *other, *span[-1:]]))


def test_a_run_is_compared_with_the_newest_of_its_parts() -> None:
    span = [TASK, *run("a", "mise fmt && mise lint", "1 issues:", 1), *edit("e", ROWS, "x = 1", "x = 2")]
    span = [*span, *run("b", "mise lint", "0 issues.", 0), *edit("f", ROWS, "x = 2", "x = 3")]
    [*_, newest] = texts([*span, *run("c", "mise fmt && mise lint", "0 issues.", 0)], "tested")
    assert "before the last change" not in newest


def test_files_that_hold_something_are_dated_once_all_of_them_were_edited() -> None:
    words = "Only two files import the old name: `rows.py` and `heads.py`."
    heads = edit("h", "/work/shop/src/heads.py", "import old", "import new")
    rows = edit("r", ROWS, "import old", "import new")
    end = say("assistant", "The new name is in use.")
    assert any(
        text.endswith("(edited since: #2-4)")
        for text in texts([TASK, say("assistant", words), *rows, *heads, end])
    )
    assert not any("edited since" in text for text in texts([TASK, say("assistant", words), *rows, end]))


def test_tests_of_one_kind_ran_again_when_that_kind_did() -> None:
    lists = say("assistant", "Verified:\n- All integration tests pass\n- The rows are kept", id="lists")
    one, two = edit("a", ROWS, "x = 1", "x = 2"), edit("b", ROWS, "x = 2", "x = 3")
    both = run("i", "make test:integration", "ok", 0)
    span = [TASK, lists, *one, *both, *two, *run("u", "make test", "ok", 0)]
    assert any("tests pass (ran again, #4)" in text for text in texts(span, "said", "found", "concluded"))
