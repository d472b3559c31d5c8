"""What is told in full elsewhere is not told again."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, texts, write
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.told_twice import is_shown, is_stated, told_twice

SACKS = ["kind = barley", "weight = 40 kilos", "stored = north shed"]


def of(kind: StatementKind, text: str, turn: int, **more: object) -> Statement:
    """A statement."""
    return Statement(kind=kind, text=text, turn=turn, place=(0, -1), **more)  # type: ignore[arg-type]


def block(turn: int, *lines: str, flags: tuple[str, ...] = (), key: str = "") -> Statement:
    """Text copied of the result behind a call."""
    text = "\n".join([f"#{turn} `look` printed:", *lines])
    return of("passage", text, turn, flags=flags, key=key or f"{turn - 1}.0")


def left(*chosen: Statement) -> list[int]:
    """The turns of what is told once."""
    twice = told_twice(chosen, ())
    return [s.turn for s in chosen if id(s) not in twice]


@pytest.mark.parametrize(("flags", "turns"), [(("spare", "detail"), [4]), ((), [4, 5])])
def test_a_list_that_is_for_spare_room_is_not_copied_beside_the_line_of_its_call(
    flags: tuple[str, ...], turns: list[int]
) -> None:
    line = of("ran", "ran `rg oats` → … barn.py:9: oats", 4, flags=("reads",))
    assert left(line, block(5, "mill.py:1: oats", "shed.py:2: oats and rye", flags=flags)) == turns


def test_what_an_edit_echoes_is_not_copied_beside_it() -> None:
    line = of("changed", "edited barn.py: `a = 1` → `a = weigh(oats) … return a`", 4, key="barn.py")
    assert left(line, block(5, "12 a = weigh(oats)", "13 b = sift(a)", "14 return a")) == [4]
    whole = of("changed", "edited barn.py (all of #2-4): `a = 1` → `a = weigh(oats) …`", 4, key="barn.py")
    copied = of("passage", "#2 put into barn.py:\nb = sift(a)\nc = mill(b)", 2, key="2.0")
    assert left(whole, copied) == [4]


def test_the_same_branches_listed_by_another_command_are_told_once() -> None:
    hashes = ["1b" * 20, "2c" * 20, "3d" * 20]
    names = ["oats", "rye", "wheat"]
    short = [f"  {name} {full[:8]} weigh the {name}" for name, full in zip(names, hashes, strict=True)]
    long = [f"{full} refs/heads/{name}" for name, full in zip(names, hashes, strict=True)]
    assert left(block(5, *short), block(9, *long)) == [5]


@pytest.mark.parametrize(("shown", "turns"), [("+sacks = 9", [4]), ("+rye = 9", [4, 6])])
def test_a_diff_that_shows_what_the_edits_before_it_tell_is_not_told(shown: str, turns: list[int]) -> None:
    line = of("changed", "edited barn.py: `sacks = 4` → `sacks = 9`", 4)
    came = f"diff --git a/barn.py b/barn.py … --- a/barn.py ⏎ +++ b/barn.py … {shown} …"
    assert left(line, of("ran", f"ran `git diff` → {came}", 6)) == turns


def test_an_edit_that_puts_in_what_the_user_gave_is_told_in_outline() -> None:
    plan = of("asked", "In `weigh` add:\nsacks = sift(sacks, by=KIND)\nreturn mill(sacks)", 0)
    line = of("changed", "edited barn.py (weigh): added `# as said ⏎ sacks = sift(sacks, by=KIND) …`", 4)
    assert left(plan, line) == [0]
    other = of("changed", "edited barn.py (weigh): added `sacks = dry(sacks, by=KIND) …`", 4)
    assert left(plan, other) == [0, 4]
    nameless = of("changed", "edited barn.py: added `sacks = sift(sacks, by=KIND) …`", 4)
    assert left(plan, nameless) == [0, 4]  # there is no outline of it


def test_what_comes_last_is_known_where_it_is_copied() -> None:
    assert is_shown("mill.py:1: oats … shed.py:2:…", ["mill.py:1: oats barn.py:9: x shed.py:2: rye"])
    assert not is_shown("", ["mill.py"])


def test_words_that_only_name_what_a_call_just_printed_go() -> None:
    line = of("ran", "ran `make bag` → /tmp/bag.7f ⏎ sealed", 4)
    assert left(line, of("said", "The bag is ready at `/tmp/bag.7f`.", 6)) == [4]
    assert left(line, of("said", "The bag is not at `/tmp/bag.7f`.", 6)) == [4, 6]
    assert left(line, of("said", "The bag is ready at `/tmp/bag.7f`.", 40)) == [4, 40]


def test_words_that_a_later_report_says_again_go() -> None:
    line = of("found", "`Mill` has `self.keep_the_husks`.", 4)
    report = of(
        "concluded", "The method `grind` is part of the class `Mill`, which has `self.keep_the_husks`.", 9
    )
    assert left(line, report) == [9]
    assert left(
        of("found", "`Mill` asks for `self.keep_the_husks` in vain, as the barn is shut.", 4), report
    ) == [4, 9]


def test_words_that_stand_in_what_the_user_gives_go() -> None:
    report = of("concluded", "- `dry` (not set) = shut ✓\n- `wet` (if set) = open ✓", 4)
    assert left(
        report, of("asked", "Now:\n- `dry` (not set) = shut\n- `wet` (if set) = open for all", 9)
    ) == [9]
    assert left(report, of("asked", "Now:\n- `dry` (not set) = open\n- `wet` = shut", 9)) == [4, 9]


def test_a_sentence_that_leads_up_to_an_offer_is_not_told() -> None:
    assert is_stated(of("concluded", "This is a good moment to write down what was found.", 9), "")
    assert not is_stated(of("concluded", "This is a good mill to grind oats in.", 9), "")


def test_a_file_of_definitions_is_told_by_their_names() -> None:
    tests = "".join(f"def test_sack_{n}():\n    assert weigh(sack({n})) == {n}\n\n" for n in range(3))
    [line] = texts([TASK, *write("a", "/work/test_sacks.py", tests)], "changed")
    assert line.endswith("test_sacks.py (test_sack_0, test_sack_1, test_sack_2)")


def test_what_the_last_run_printed_is_not_copied_beside_the_state_that_tells_half_of_it() -> None:
    copied = block(5, "sacks = 7", "carts = 2", *SACKS)
    stated = ["- last run (#4): ran `look` → … " + " ⏎ ".join(SACKS)]
    assert told_twice([copied], stated) == {id(copied)}
    assert told_twice([copied], [stated[0].replace("#4", "#9")]) == set()


def test_a_sentence_that_only_says_what_an_edit_shows_goes() -> None:
    line = of("changed", "edited barn.py (weigh): removed `rye` ; put in `oats`", 4, key="barn.py")
    said = of(
        "said", "We've successfully removed the argument `rye` from the call of the method `weigh()`.", 5
    )
    assert left(line, said) == [4]
    assert left(line, of("said", "We've removed `rye` so that it can rest.", 5, flags=("cause",))) == [4, 5]


@pytest.mark.parametrize(
    ("kind", "words"),
    [("tested", "All tests pass and no lint issues."), ("committed", "Design doc committed.")],
)
def test_an_outcome_that_the_line_of_the_deed_tells_goes(kind: StatementKind, words: str) -> None:
    deed = of(kind, "ran `pytest`: 4 passed", 4)
    assert left(deed, of("said", words, 5)) == [4]
    assert left(of("said", words, 5)) == [5]


def test_a_sentence_that_only_names_the_page_written_before_goes() -> None:
    wrote = of("changed", "wrote docs/sacks.md (Sacks, Mills)", 4, key="docs/sacks.md")
    assert left(wrote, of("said", "Plan complete and saved to `docs/sacks.md`.", 8)) == [4]
    assert left(wrote, of("said", "Plan complete and saved to `docs/mills.md`.", 8)) == [4, 8]


def test_a_diff_of_what_an_edit_put_in_is_not_told_beside_it() -> None:
    change = of("changed", "edited barn.py: line 7: `oats` → `oats, rye`", 4, key="barn.py")
    assert left(change, of("ran", "ran `cat p.txt` → … +++ b/barn.py … +    sow(oats, rye) …", 6)) == [4]
    assert left(change, of("ran", "ran `cat p.txt` → … +++ b/barn.py … +    sow(hops) …", 6)) == [4, 6]


def test_a_commit_of_another_agent_is_told_once() -> None:
    commit = of("committed", "committed 0a1b2c3: Sow rye (by another agent)", 4)
    assert left(commit, of("concluded", "- `0a1b2c3` — `Sow rye`", 5, flags=("item",))) == [5]
