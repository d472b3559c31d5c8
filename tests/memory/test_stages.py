"""The four stages one by one: what is essential never goes, and the limit holds for everything else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.memory.classification import Classifier, essential_words
from tamis.memory.collection import CollectionResult
from tamis.memory.compression import compress
from tamis.memory.injection import inject
from tamis.memory.sections import LineKind, MemoryLine, MemorySection
from tamis.memory.settings import Classification, MemorySettings
from tamis.messages import get_counter

COUNTER = get_counter()
SETTINGS = MemorySettings()


def classify(*lines: MemoryLine, level="L1", source="iteration 1", settings=SETTINGS, tokens=10_000):
    section = MemorySection(level=level, source=source, lines=lines, tokens_before=tokens)
    collected = CollectionResult(sections=(section,), tokens_before=tokens, current_tokens=0)
    return Classifier(settings.classification).classify(collected, COUNTER)


def judge(text: str, kind: LineKind = "text", **settings: object):
    made = MemorySettings(classification=Classification(**settings))
    return classify(MemoryLine(text=text, kind=kind), settings=made)[0].lines[0]


@pytest.mark.parametrize("line", ["", "   ", "---", "-----", "```", "##"])
def test_the_published_wasteful_patterns_are_waste(line):
    assert judge(line).worth == "wasteful"


@pytest.mark.parametrize(
    "line",
    [
        "ERROR in the build",
        "CRITICAL: disk",
        "we are BLOCKED here",
        "FAILED tests/a.py",
        "x.IOException: gone",
    ],
)
def test_a_line_with_an_essential_word_is_essential(line):
    judged = judge(line)
    assert (judged.worth, judged.priority) == ("essential", 1)


@pytest.mark.parametrize(
    "line", ["add error handling", "nothing important happened", "the exception proves it"]
)
def test_the_same_word_in_running_text_is_no_mark(line):
    assert judge(line).worth == "potentially useful"


def test_words_and_patterns_can_be_set():
    assert judge("STOP here", essential_keywords=("STOP",)).worth == "essential"
    assert judge("ERROR here", essential_keywords=()).worth == "potentially useful"
    assert judge("~~~", wasteful_patterns=(r"^~+$",)).worth == "wasteful"
    assert essential_words([]) is None


def test_what_says_the_same_as_a_line_above_is_waste_and_says_where_that_stands():
    made = classify(
        MemoryLine(text="ran the linter", kind="said"), MemoryLine(text="Ran  the linter", kind="said")
    )
    second = made[0].lines[1]
    assert (second.worth, second.reason) == ("wasteful", "says what stands in iteration 1")


def test_the_task_is_essential_whatever_it_looks_like():
    assert judge("---", "task").worth == "essential"


def test_of_the_same_worth_the_better_rank_stays():
    lines = [MemoryLine(text=f"statement {i} " + "word " * 60, kind="said", rank=i) for i in range(20)]
    made = compress(classify(*lines), SETTINGS)
    kept = [line.line.rank for line in made.sections[0].lines]
    assert kept == list(range(20 - len(kept), 20))
    assert made.sections[0].tokens <= SETTINGS.levels.iteration.most


def test_every_line_that_goes_has_a_reason():
    lines = [MemoryLine(text=f"statement {i} " + "word " * 60, kind="said") for i in range(20)]
    made = compress(classify(*lines, MemoryLine(text="", kind="said")), SETTINGS)
    assert len(made.left_out) + len(made.sections[0].lines) == 21
    assert {gone.reason for gone in made.left_out} == {
        "no room in the 500 tokens of its level",
        "matches a wasteful pattern",
    }


KINDS: tuple[LineKind, ...] = (
    "error",
    "rule",
    "decision",
    "said",
    "command",
    "name",
    "text",
    "skill",
    "fixed",
)
LINES = st.lists(
    st.builds(MemoryLine, text=st.text(max_size=80), kind=st.sampled_from(KINDS), rank=st.floats(-9, 9)),
    max_size=40,
)


@given(lines=LINES, limit=st.integers(1, 400))
def test_nothing_essential_goes_and_nothing_else_passes_the_limit(lines, limit):
    made = compress(classify(*lines), SETTINGS)
    injected = inject(made, limit, COUNTER)
    essential = [line for s in made.sections for line in s.lines if line.worth == "essential"]
    standing = [line for s in injected.sections for line in s.lines]
    assert all(line in standing for line in essential)
    assert injected.tokens == COUNTER.count(injected.text)
    if injected.over_limit_tokens:
        assert [line.worth for line in standing] == ["essential"] * len(essential)


@given(lines=LINES)
def test_text_of_the_session_cannot_close_the_fence(lines):
    injected = inject(compress(classify(*lines), SETTINGS), 2000, COUNTER)
    if injected.text:
        _, ticks, *inside, last = injected.text.split("\n")
        assert re.fullmatch("`{3,}", ticks)
        assert last == ticks
        assert ticks not in "\n".join(inside)
