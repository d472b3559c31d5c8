"""The short form of `benchmarks/attack.py`, and that each of its counts can be more than zero."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attack import ATTACKS
from attacks.line import line
from attacks.patterns import grown
from attacks.sources import patterns_in
from attacks.steps import MOST_STEPS, count_steps

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_promised_holds(name: str) -> None:
    broken = [made for made in ATTACKS[name](is_short=True) if not made.holds]
    assert broken == []


@pytest.mark.parametrize(
    ("where", "pattern"),
    [pytest.param(*found, id=found[0]) for found in patterns_in("tamis")],
)
def test_a_pattern_takes_no_more_than_the_text_grows(where: str, pattern: re.Pattern[str]) -> None:
    assert grown(where, pattern) is None


@pytest.mark.parametrize(
    "pattern",
    [
        r"<!--\s*a:\s*(.*?)-->",
        r'echo "(.{20,}?)"\s*>',
        r"(?m)^\s+x",
        r"\w+@",
        r"(a+)+$",
        r"\s*x",
        r"(?s)<a>.*?</a>",
        r"(?:a|b)*c",
        r"[\w.]*\w\.\w",
        r"(?i)x.*y",
    ],
)
def test_a_pattern_that_takes_more_is_found(pattern: str) -> None:
    assert grown("here", re.compile(pattern)) is not None


@pytest.mark.parametrize("pattern", [r"\w+", r"(?<!\w)\w++@", r"\bfoo\b", r"\s{0,4}x", r"(?m)^#+ \w"])
def test_a_pattern_that_is_linear_is_not(pattern: str) -> None:
    assert grown("here", re.compile(pattern)) is None


def test_patterns_are_found_in_cues_in_values_and_inside_functions(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    source = """import re
from tamis.text.cues.phrases import Cue
CUE, NESTED = Cue("cue"), {"a": [re.compile("nested")]}
def f(text, name): return re.match("written", text), re.search(rf"{name}+put", text), re.search(name, text)
"""
    (tmp_path / "patterned.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert {pattern.pattern for _, pattern in patterns_in("patterned")} == {
        *("cue", "nested", r"\A(?:written)", "x+put")
    }


def test_the_steps_of_a_pattern_are_the_same_each_time() -> None:
    assert count_steps(re.compile(r"a*b"), "a" * 50) == count_steps(re.compile(r"a*b"), "a" * 50)
    assert count_steps(re.compile(r"(a*)*b"), "a" * 60) == MOST_STEPS


def test_a_line_counts_what_broke_and_needs_that_something_was_tried() -> None:
    assert line("a", "holds", ["", "broke", ""]).broken == 1
    assert not line("a", "holds", ["", "broke"]).holds
    assert not line("a", "holds", []).holds
    assert line("a", "", ["broke"]).holds
