"""Key words: forms and synonyms are one word, and what every sentence has is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.text.key_words import key_words, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploy", "deployments"),
        ("deploy", "release"),
        ("file", "files"),
        ("policy", "policies"),
        ("run", "running"),
    ],
)
def test_forms_and_synonyms_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("test", "text"), ("auth", "author"), ("cat", "cats-only"), ("user", "use")]
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_key_words_leave_out_what_every_sentence_has() -> None:
    assert key_words("Could you please make sure that it is always the case") <= {"cas"}
    assert key_words("请不要再修改配置文件") == key_words("可以修改配置文件了")


@given(st.text(max_size=200))
def test_any_text_has_key_words_in_lower_case(text: str) -> None:
    assert all(word == word.lower() for word in key_words(text))
