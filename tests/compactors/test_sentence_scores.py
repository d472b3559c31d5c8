"""The published scores, the published bug, and what must never be touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import texts
from tamis.compactors.methods.sentence_scores import (
    PUBLISHED,
    SentenceWeights,
    rank_sentences,
    score_sentence,
)


def keep_best(text: str, ratio: float, scores: SentenceWeights = PUBLISHED) -> str:
    return rank_sentences(text, scores).keep(ratio)


PLAIN = "The second column of the table is read from left to right."


@pytest.mark.parametrize(
    ("sentence", "position", "score"),
    [
        (PLAIN, 5, 0.0),
        (PLAIN, 0, 2.0),
        (PLAIN, 9, 1.5),
        (PLAIN, 1, 1.0),
        (PLAIN, 2, 1.0),
        (PLAIN, 3, 0.0),
        ("It ran in forty seconds.", 5, 0.3),
        ("Ok.", 5, -1.0),
        ("word " * 50, 5, -0.2),
        ("The errors are fixed and the TODO list is empty by now.", 5, 1.5),
        ("The prefix of the terrors says nothing that anybody needs.", 5, 0.0),
    ],
)
def test_scores_are_the_published_ones(sentence: str, position: int, score: float) -> None:
    assert score_sentence(sentence, position, 10) == pytest.approx(score)


def test_seventy_percent_of_ten_sentences_are_seven() -> None:
    text = " ".join(f"Sentence number {n} tells about the matter at hand in some detail." for n in range(10))
    assert keep_best(text, 0.7).count("Sentence") == 7


def test_the_last_sentence_keeps_its_bonus_behind_code_blocks() -> None:
    sentence = "Nothing much is said about the matter in this long sentence number {}."
    code = "```python\nx = 1\n```"
    prose = [sentence.format(n) for n in range(7)]
    text = "\n\n".join(
        [prose[0], prose[1], code, prose[2], prose[3], code, prose[4], prose[5], code, prose[6]]
    )
    kept = keep_best(text, 0.45)
    assert prose[6] in kept
    assert prose[5] not in kept
    assert kept.count(code) == 3


def test_the_order_and_the_paragraphs_stay() -> None:
    text = "First, the error was found.\n\nThen it rained. It rained on.\n\nAt last it is a success."
    assert keep_best(text, 0.5) == "First, the error was found.\n\nAt last it is a success."


def test_a_list_item_goes_with_its_mark() -> None:
    lunch = "- have lunch with everybody in the team today"
    text = f"What is to be done:\n- fix the error in the parser\n{lunch}\n- implement it"
    assert keep_best(text, 0.8).splitlines() == [
        "What is to be done:",
        "- fix the error in the parser",
        "- implement it",
    ]


def test_three_sentences_or_fewer_stay() -> None:
    text = "One is here. Two is here. Three is here."
    assert keep_best(text, 0.1) == text


def test_abbreviations_and_paths_are_not_cut() -> None:
    text = (
        "The error is in e.g. src/app.v2.py at 3.14 of it. It was late that day. So it goes on and on. "
        "Nobody knew. The fix is in."
    )
    assert "The error is in e.g. src/app.v2.py at 3.14 of it." in keep_best(text, 0.4)


def test_settings_change_the_choice() -> None:
    text = "Alpha is here to stay with us. Beta is here too. Gamma is here as well. Delta is the end."
    gamma = SentenceWeights(first=0, last=0, early=0, short=0, key_term=5, key_terms=("gamma",))
    assert keep_best(text, 0.25, gamma) == "Gamma is here as well."


@given(st.lists(st.one_of(texts(), st.just("```sh\nrm -rf x. y! z?\n```")), max_size=8), st.floats(0.05, 1))
def test_nothing_is_made_up_and_code_is_untouched(pieces: list[str], ratio: float) -> None:
    text = "\n\n".join(pieces)
    kept = keep_best(text, ratio)
    assert len(kept) <= len(text)
    position = 0
    for word in kept.split():  # a subsequence of the words
        position = text.index(word, position) + len(word)
    if text.count("```") % 2 == 0:
        block = "```sh\nrm -rf x. y! z?\n```"
        assert kept.count(block) == text.count(block)
