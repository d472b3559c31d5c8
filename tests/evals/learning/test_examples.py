"""What is learned from: the statements before a cut, those that are summed up behind it, and where from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evals.recorded import talk
from evals.summed_up import FINDINGS, chat_file, summed_up
from tamis.compactors.brief.choice.signals import FLAGS, NUMBERS
from tamis.compactors.brief.choice.stock import root_of
from tamis.compactors.brief.reading.settling.validity import settled
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.evals import At, Point, find_points
from tamis.evals.statements.keypoints import find_key_points
from tamis.evals.training.examples import Example, collect, examples_of, needed_among, sample
from tamis.messages import ExactCounter

COUNTER = ExactCounter()


def point_at(share: str) -> Point:
    point = next(iter(find_points(summed_up(3), [At.parse(share)], COUNTER)))
    assert isinstance(point, Point)
    return point


def examples() -> list[Example]:
    return list(examples_of(summed_up(3), COUNTER, set_name="nights"))


def test_an_example_has_a_row_for_every_statement_of_the_span() -> None:
    example = examples()[0]
    many = len(example.kinds)
    assert example.flags.shape == (many, len(FLAGS))
    assert example.numbers.shape == (many, len(NUMBERS))
    assert (example.set, example.cluster, example.label) == ("nights", "nights/nightly-3", "45%")


@pytest.mark.parametrize("label", ["45%", "75%"])
def test_what_is_summed_up_behind_the_cut_was_needed_and_nothing_else(label: str) -> None:
    [example] = [e for e in examples() if e.label == label]
    reading = StatementReader()
    reading.read(point_at(label).span)  # alone, not read on from an earlier point
    texts = [s.text for s in settled(reading, root_of(reading))]
    found = {finding.format(n=14) for finding in FINDINGS}
    assert [text in found for text in texts] == example.needed.tolist()
    assert example.needed.sum() >= 3


def test_a_session_that_is_not_summed_up_gives_no_example() -> None:
    assert list(examples_of(talk(20), COUNTER, set_name="talks")) == []


def test_a_text_is_needed_that_holds_half_of_a_key_point() -> None:
    sought = find_key_points(point_at("75%")).points
    finding = FINDINGS[0].format(n=14)
    words = finding.split()
    texts = [finding, f"Also: {finding.lower()}", " ".join(words[:2]), "Something else altogether.", ""]
    assert needed_among(texts, sought) == [True, True, False, False, False]


def test_files_give_examples_in_order_and_reasons_where_they_give_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    files = [
        ("a", chat_file(tmp_path / "long.json", summed_up(1))),
        ("a", chat_file(tmp_path / "short.json", talk(2))),
        ("b", broken),
    ]
    collected = list(collect(files, COUNTER))
    assert [path for path, _ in collected] == [path for _, path in files]
    long, short, unreadable = (found for _, found in collected)
    assert isinstance(long, list)
    assert {e.set for e in long} == {"a"}
    assert short == "nothing behind a cut sums up what was done"
    assert "binary" in str(unreadable)


def test_several_processes_collect_the_same(tmp_path: Path) -> None:
    files = [("a", chat_file(tmp_path / f"{n}.json", summed_up(n))) for n in range(3)]
    one, two = (list(collect(files, COUNTER, jobs=jobs)) for jobs in (1, 2))
    assert [path for path, _ in one] == [path for path, _ in two]
    for (_, here), (_, there) in zip(one, two, strict=True):
        assert isinstance(here, list)
        assert isinstance(there, list)
        for a, b in zip(here, there, strict=True):
            assert (a.cluster, a.label) == (b.cluster, b.label)
            for column in ("kinds", "flags", "numbers", "needed"):
                assert np.array_equal(getattr(a, column), getattr(b, column))


def test_a_sample_is_so_many_of_each_set_and_the_same_each_time() -> None:
    files = [(name, Path(f"{name}/{n}.json")) for name in "ab" for n in range(9)]
    drawn = sample(files, 4)
    assert [name for name, _ in drawn] == ["a"] * 4 + ["b"] * 4
    assert drawn == sample(list(reversed(files)), 4)[::-1]
    assert sample(files, 9) == files
    assert {path.name for _, path in drawn} != {f"{n}.json" for n in range(4)}
