"""Measures: values with a kind, whatever words they come in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.text.measures import find_measures, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1,200", 1200),
        ("3.5", 3.5),
        ("2k", 2000),
        ("1.5m", 1_500_000),
        ("3万", 30_000),
        ("seven", 7),
        ("twenty-five", 25),
        ("five hundred", 500),
        ("a hundred", 100),
        ("two dozen", 24),
        ("one thousand two hundred and five", 1205),
        ("two million", 2_000_000),
        ("五", 5),
        ("十", 10),
        ("二十五", 25),
        ("五百", 500),
        ("三千五百", 3500),
        ("一万二千", 12_000),
        ("两", 2),
    ],
)
def test_numbers_in_figures_and_in_words(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["", "none", "x1", "。"])
def test_other_words_are_no_number(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("under $800", "money", "800"),
        ("five hundred dollars", "money", "500"),
        ("800元以内", "money", "800"),
        ("三百美元", "money", "300"),
        ("15% off", "percent", "15"),
        ("百分之十五", "percent", "15"),
        ("at most 5 MB", "size", "5"),
        ("within 200ms", "duration", "200 ms"),
        ("30 seconds", "duration", "30 second"),
        ("超时30秒", "duration", "30 秒"),
        ("an hour", "duration", "1 hour"),
        ("on Friday", "day", "friday"),
        ("on Fridays", "day", "friday"),
        ("2024-05-01", "day", "2024-05-01"),
        ("on May 3rd", "day", "may3rd"),
        ("3月5日", "day", "3月5日"),
        ("周五", "day", "周五"),
        ("星期五", "day", "周五"),
        ("at 5 pm", "clock", "5pm"),
        ("at 17:30", "clock", "17:30"),
        ("下午三点", "clock", "下午三点"),
        ("port 8443", "port", "8443"),
        ("Python 3.9", "version:python", "3.9"),
        ("Node 18", "version:node", "18"),
        ("300 words", "count:word", "300"),
        ("three retries", "count:retrie", "3"),
        ("最多三次", "count:次", "3"),
        ("use Redis", "choice:cache", "redis"),
        ("in English", "choice:language", "english"),
        ("用英文", "choice:language", "英文"),
        ("约500以内", "bare", "500"),
        ("weighs 2.4 kg", "extent", "2.4 kg"),
        ("160 px wide", "extent", "160 px"),
        ("starts in March", "day", "march"),
        ("on the 12th nowadays", "day", "12th"),
    ],
)
def test_a_value_has_a_kind(text: str, kind: str, value: str) -> None:
    assert (kind, value) in [(m.kind, m.value) for m in find_measures(text)]


@pytest.mark.parametrize(
    "text", ["no numbers here", "one of them", "一个文件", "issue W12345", "file2.txt", "a1b2c3"]
)
def test_what_is_no_value(text: str) -> None:
    assert find_measures(text) == []


@given(st.text(max_size=120))
def test_measures_do_not_overlap_and_lie_in_the_text(text: str) -> None:
    end = 0
    for measure in find_measures(text):
        assert end <= measure.start < measure.end <= len(text)
        end = measure.end


def test_capitals_change_neither_measures_nor_their_places() -> None:
    text = "by friday at 5 pm, in 30 minutes, on port 8080, for five hundred dollars, on redis"
    shouted = [(m.kind, m.value, m.start, m.end) for m in find_measures(text.upper())]
    assert shouted == [(m.kind, m.value, m.start, m.end) for m in find_measures(text)]


def test_a_letter_that_is_two_in_lower_case_moves_no_measure() -> None:
    text = "İstanbul, İzmir: 30 minutes"
    assert [text[m.start : m.end] for m in find_measures(text)] == ["30 minutes"]
