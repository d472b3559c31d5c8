"""Where an item stands in an answer, and where it only seems to: boundaries, forms, negations, scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals.probing.exact_scorer import credit
from tamis.evals.probing.probes import Expected, ItemType

IO = "/repo/src/io.py"


def holds(type: ItemType, value: str, text: str) -> bool:  # noqa: A002
    return credit(Expected(type=type, value=value), text) >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "`io.py`",
        "[io](src/io.py)",
        "src/io.py:12:3",
        "src\\io.py",
        "在src/io.py中",
        "文件/repo/src/io.py已修改",
        "diff --git a/src/io.py b/src/io.py",
        "not src/out.py but src/io.py",
    ],
)
def test_a_path_or_the_end_of_it_is_found(text: str) -> None:
    assert holds("path", IO, text)


@pytest.mark.parametrize(
    "text",
    ["src/io.py.bak", "src/io.pyc", "C:\\repo\\src\\io.py", "other/src/io.py", "not src/io.py but b.py"],
)
def test_another_path_is_not_taken_for_it(text: str) -> None:
    assert not holds("path", IO, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("load", "`load`"),
        ("--dry-run", "use --dry-run now"),
        ("1.2.3", "v1.2.3"),
        ("v1.2.3", "version 1.2.3."),
        ("test_a[1]", "test_a[1] fails"),
        ("Zähler", "der Zähler steht"),
    ],
)
def test_an_identifier_is_found_as_a_word_of_its_own(value: str, text: str) -> None:
    assert holds("identifier", value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("load", "load-all"),
        ("load", "preload"),
        ("--dry-run", "use --dry-run-all"),
        ("1.2.3", "1.2.3.4"),
        ("1.2.3", "1.2.3-rc1"),
        ("2.3", "1.2.3"),
        ("E1001", "E10012"),
        ("3.1", "3.10"),
    ],
)
def test_a_piece_of_a_longer_name_is_not_the_name(value: str, text: str) -> None:
    assert not holds("identifier", value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("8080", "端口是8080。"),
        ("8080", "localhost:8080/"),
        ("500 ms", "0.5 s"),
        ("30 分钟", "30分钟后"),
        ("$327.00", "$327"),
        ("5%", "5 percent"),
        ("1.5k", "1,500 rows"),
    ],
)
def test_a_number_is_found_in_its_other_forms(value: str, text: str) -> None:
    assert holds("number", value, text)


@pytest.mark.parametrize(
    "text",
    [
        "8080 was replaced by 9090",
        "changed from 8080 to 9090",
        "8080 → 9090",
        "8080 -> 9090",
        "8080已改为9090",
        "不是8080，而是9090",
        "It used to be 8080. Now it is 9090.",
        "8080 (old), 9090",
        "8080 is not used; 9090",
        "the port, which was 8080 before, is 9090",
    ],
)
def test_of_two_values_the_one_that_holds_is_given(text: str) -> None:
    assert not holds("number", "8080", text)
    assert holds("number", "9090", text)


@pytest.mark.parametrize(
    "text",
    ["Never push to main", "Don't push to main.", "Pushing to main is forbidden.", "Avoid pushing to main"],
)
def test_a_prohibition_may_be_said_in_other_words(text: str) -> None:
    assert credit(Expected(type="text", value="Never push to main", forbids=True), text) >= 0.5


@pytest.mark.parametrize(
    "text", ["Push to main.", "You may push to main; never mind.", "Always push to main"]
)
def test_a_prohibition_is_not_answered_without_its_never(text: str) -> None:
    assert credit(Expected(type="text", value="Never push to main", forbids=True), text) == 0


def test_a_duty_is_not_answered_by_its_prohibition() -> None:
    duty = Expected(type="text", value="Always run the linter before a commit")
    assert credit(duty, "Never run the linter before a commit") == 0
    assert credit(duty, "Run the linter before each commit") == 1


@pytest.mark.parametrize(("text", "earned"), [("不要修改生产配置", True), ("可以修改生产配置", False)])
def test_a_chinese_prohibition_keeps_its_not(text: str, earned: bool) -> None:
    assert (credit(Expected(type="text", value="禁止修改生产配置", forbids=True), text) >= 0.5) == earned


def test_the_stock_words_of_a_message_are_not_the_message() -> None:
    message = Expected(type="text", value="No module named 'yaml_tools'")
    assert credit(message, "No module named 'other_tools'") < 0.5
    assert credit(message, "There is no module named 'yaml_tools'") == 1


WORDS = st.text("abcxyz_", min_size=3, max_size=8).filter(lambda word: word.strip("_") == word)


@given(WORDS, st.sampled_from(["x", "_", "9", "é"]))
def test_no_word_is_found_within_a_longer_one(word: str, more: str) -> None:
    for longer in (f"{word}{more}", f"{more}{word}"):
        assert not holds("identifier", word, f"it is {longer}.")


@given(WORDS, st.sampled_from(["%s", "`%s`", "(%s)", "是%s。", "%s:", '"%s"', "=%s,", "%s()"]))
def test_a_word_is_found_within_any_marks(word: str, around: str) -> None:
    assert holds("identifier", word, around % word)


@given(st.integers(10, 10**7), st.sampled_from(["{}", "{:,}", "端口{}。", "({})", "is {}.", "={}"]))
def test_an_amount_is_found_however_it_is_set(amount: int, form: str) -> None:
    assert holds("number", str(amount), form.format(amount))
    assert not holds("number", str(amount), form.format(amount + 1))


@given(st.lists(WORDS, min_size=1, max_size=4), WORDS)
def test_a_path_is_found_by_its_end_and_not_by_another_folder(folders: list[str], name: str) -> None:
    path = "/".join(["", *folders, f"{name}.py"])
    assert holds("path", path, f"see {folders[-1]}/{name}.py")
    assert not holds("path", path, f"see other{folders[-1]}/{name}.py")


@given(st.text(max_size=200), st.sampled_from(["path", "identifier", "number", "text"]), st.text(min_size=1))
def test_any_text_earns_between_nothing_and_all(text: str, type: ItemType, value: str) -> None:  # noqa: A002
    assert 0 <= credit(Expected(type=type, value=value), text) <= 1
