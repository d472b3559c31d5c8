"""Learning importance: the same sessions give the same bytes, and too few of them are said."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from evals.recorded import talk
from tamis.compactors.importance import FEATURES, importance_from_json, importance_to_json
from tamis.errors import InputError
from tamis.evals.learning import MIN_POINTS, MIN_SESSIONS, Example, collect, examples_of, learn
from tamis.ledger.mentions import Mentions
from tamis.messages import ExactCounter, Session

COUNTER = ExactCounter()


@cache
def examples(sessions: int = 8) -> tuple[Example, ...]:
    return tuple(
        example
        for n in range(sessions)
        for example in examples_of(talk(20 + 2 * n, id=f"talk-{n}"), COUNTER, set_name="talks")
    )


def chat_file(path: Path, session: Session) -> Path:
    path.write_text(json.dumps([{"role": m.role, "content": m.text} for m in session.messages]))
    return path


def test_an_example_has_a_row_of_features_for_every_name_of_the_span() -> None:
    first = examples()[0]
    assert first.rows.shape == (len(first.kinds), len(FEATURES))
    assert 0 < first.needed.sum() < len(first.needed)
    assert (first.set, first.cluster) == ("talks", "talks/talk-0")


def test_points_of_a_session_are_read_on_from_each_other_and_come_out_as_if_read_alone() -> None:
    session = talk(20, id="talk-0")
    by_label = {e.label: e for e in examples_of(session, COUNTER, set_name="talks")}
    assert len(by_label) > 1
    for label, example in by_label.items():
        share = int(label.rstrip("%")) / 100
        alone = Mentions()
        for message in session.messages[: round(share * 20)]:
            alone.read(message)
        assert len(alone.names) == len(example.needed)


def test_the_same_examples_give_the_same_bytes() -> None:
    one, two = (importance_to_json(learn(examples())) for _ in range(2))
    assert one == two


def test_what_was_learned_reads_back_and_says_what_it_came_from() -> None:
    weights = learn(examples())
    assert importance_from_json(importance_to_json(weights), "mine.json") == weights
    [(name, counts)] = weights.learned_from.items()
    assert name == "talks"
    assert (counts["points"], counts["sessions"]) == (len(examples()), 8)
    assert counts["needed"] == sum(int(e.needed.sum()) for e in examples())


def test_other_examples_have_another_version() -> None:
    assert learn(examples()).version != learn(examples(9)).version


def test_a_name_that_was_just_spoken_of_is_learned_to_matter_more() -> None:
    """In these sessions the agent returns to each file once, soon after the user named it."""
    mentions = Mentions()
    for message in talk(30).messages:
        mentions.read(message)
    likelihood = learn(examples()).probabilities(mentions)
    assert likelihood["src/file_28.py"] > 2 * likelihood["src/file_2.py"]


def test_too_few_points_or_sessions_are_said() -> None:
    with pytest.raises(InputError, match=f"learning needs {MIN_POINTS} in {MIN_SESSIONS}"):
        learn(examples()[: MIN_POINTS - 1])
    crowded = [replace(e, cluster=f"talks/{n % (MIN_SESSIONS - 1)}") for n, e in enumerate(examples())]
    assert len(crowded) >= MIN_POINTS
    with pytest.raises(InputError, match=f"in {MIN_SESSIONS - 1} sessions"):
        learn(crowded)


def test_a_set_that_is_named_twice_is_one_set_and_two_are_two() -> None:
    renamed = [replace(e, set="other", cluster=f"other/{e.cluster}") for e in examples()[:6]]
    assert list(learn([*examples(), *renamed]).learned_from) == ["other", "talks"]


def test_files_give_examples_in_order_and_reasons_where_they_give_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    files = [
        ("a", chat_file(tmp_path / "long.json", talk(20))),
        ("a", chat_file(tmp_path / "short.json", talk(2))),
        ("b", broken),
    ]
    collected = list(collect(files, COUNTER))
    assert [path for path, _ in collected] == [path for _, path in files]
    long, short, unreadable = (found for _, found in collected)
    assert isinstance(long, list)
    assert {e.set for e in long} == {"a"}
    assert short == "no compaction point with a needed name"
    assert "binary" in str(unreadable)


def test_several_processes_collect_the_same(tmp_path: Path) -> None:
    files = [("a", chat_file(tmp_path / f"{n}.json", talk(18 + n, id=f"t{n}"))) for n in range(3)]
    one, two = (list(collect(files, COUNTER, jobs=jobs)) for jobs in (1, 2))
    assert [path for path, _ in one] == [path for path, _ in two]
    for (_, here), (_, there) in zip(one, two, strict=True):
        assert isinstance(here, list)
        assert isinstance(there, list)
        assert [(e.cluster, e.label, e.rows.tobytes()) for e in here] == [
            (e.cluster, e.label, e.rows.tobytes()) for e in there
        ]
