"""Probes: made from a span, bounded, proven by it, and saved for a person to edit."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.worked import SPAN, calls, gives, says
from strategies import sessions
from tamis.errors import InputError, UnreadableFile
from tamis.evals.probing.making import find_fault, make_probes
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe, read_probes, write_probes
from tamis.evals.probing.questions import Draft
from tamis.messages import Session


def answers(kind: str, question: str) -> list[str]:
    return [
        item.value
        for probe in make_probes(SPAN).probes
        if probe.kind == kind and question in probe.question
        for item in probe.expected
    ]


def draft(question: str, expected: Expected, source: str = "m") -> Draft:
    return Draft(kind="recall", form="value", question=question, expected=(expected,), sources=(source,))


def test_an_error_is_asked_for_by_its_type_and_place() -> None:
    assert answers("recall", "What was the error message: KeyError at loader.py") == [
        "KeyError: 'postcode missing in the customer table'"
    ]


def test_files_are_asked_for_by_what_was_done_to_them() -> None:
    assert answers("artifact", "Which files were created?") == ["/repo/src/fallback.py"]
    assert answers("artifact", "Which files were modified?") == ["/repo/src/loader.py"]
    assert answers("artifact", "Which files were only read") == ["/repo/src/schema.py"]


def test_a_rule_is_asked_for_by_its_first_words_and_keeps_its_prohibition() -> None:
    (probe,) = (p for p in make_probes(SPAN).probes if p.kind == "constraint")
    assert probe.question.startswith("What must not be done about ")
    assert probe.expected == (
        Expected(type="text", value="Never delete anything in the customer archive folder.", forbids=True),
    )


def test_each_probe_names_messages_of_the_span_as_its_proof() -> None:
    known = {m.id for m in SPAN}
    for probe in make_probes(SPAN).probes:
        assert set(probe.sources) <= known
        assert bool(probe.sources) == bool(probe.expected)


def test_questions_without_an_answer_name_nothing_of_the_span() -> None:
    probes = [p for p in make_probes(SPAN).probes if p.kind == "unanswerable"]
    assert probes
    assert all(p.expected == () for p in probes)


def test_a_made_up_word_that_stands_in_the_span_is_not_used() -> None:
    span = (*SPAN, says("user", "The zephyr release comes first.", id="u9"))
    assert not any("zephyr" in p.question for p in make_probes(span).probes if p.kind == "unanswerable")


def test_the_same_span_gives_the_same_probes() -> None:
    assert make_probes(SPAN) == make_probes(SPAN)


def test_a_kind_is_bounded_and_what_is_beyond_is_counted() -> None:
    wide, narrow = make_probes(SPAN), make_probes(SPAN, max_per_kind=1)
    for kind in PROBE_KINDS:
        assert sum(p.kind == kind for p in narrow.probes) <= 1
        total = sum(p.kind == kind for p in wide.probes) + wide.surplus[kind]
        assert sum(p.kind == kind for p in narrow.probes) + narrow.surplus[kind] == total


def test_what_stays_in_view_is_not_asked_for() -> None:
    view = (says("user", "It said: KeyError: 'postcode missing in the customer table'", id="t"),)
    made = make_probes(SPAN, in_view=view)
    assert made.dropped["in view"] > 0
    assert not any("error message: KeyError" in p.question for p in made.probes)


def test_an_answer_that_its_messages_do_not_hold_is_left_out() -> None:
    asked = draft("Which port?", Expected(type="number", value="9911"))
    assert find_fault(asked, {"m": "the port is 9912"}, "") == "unproven"
    assert find_fault(asked, {"m": "the port is 9911"}, "") is None


def test_an_answer_in_the_question_is_left_out() -> None:
    asked = draft("What is in src/io.py?", Expected(type="path", value="/repo/src/io.py"))
    assert find_fault(asked, {"m": "see /repo/src/io.py"}, "") == "wording"


def test_an_answer_that_anybody_would_guess_is_left_out() -> None:
    asked = draft("Which host?", Expected(type="identifier", value="localhost"))
    assert find_fault(asked, {"m": "host: localhost"}, "") == "general knowledge"


def test_a_span_that_proves_nothing_gives_no_answerable_probe() -> None:
    made = make_probes((calls("Bash", id="c", command="ls"), gives("c", "")))
    assert not any(p.expected for p in made.probes)


@given(session=sessions())
def test_any_session_gives_probes_that_it_proves_and_that_can_be_saved(
    session: Session, tmp_path_factory: pytest.TempPathFactory
) -> None:
    probes = make_probes(session.messages).probes
    known = {m.id for m in session.messages}
    assert all(set(p.sources) <= known for p in probes)
    path = tmp_path_factory.mktemp("probes") / "p.jsonl"
    write_probes(path, probes)
    assert read_probes(path) == probes


def test_saved_probes_come_back_equal(tmp_path: Path) -> None:
    probes = make_probes(SPAN).probes
    write_probes(tmp_path / "p.jsonl", probes)
    assert read_probes(tmp_path / "p.jsonl") == probes


@given(question=st.text(max_size=60), value=st.text(string.printable, min_size=1, max_size=40))
def test_any_text_survives_being_saved(
    question: str, value: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("probes") / "p.jsonl"
    probe = Probe(id="p", kind="recall", question=question, expected=(Expected(type="text", value=value),))
    write_probes(path, [probe])
    assert read_probes(path) == (probe,)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1"),
        ('{"id": "a", "kind": "gossip", "question": "?", "expected": []}', "kind"),
        ('{"id": "a", "kind": "recall", "question": "?", "expected": [], "answr": 1}', "answr"),
        ('{"id": "a", "kind": "recall", "question": "?", "expected": [], "version": "0"}', "version '0'"),
    ],
)
def test_a_line_that_is_no_probe_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "p.jsonl").write_text(line)
    with pytest.raises(InputError, match=told):
        read_probes(tmp_path / "p.jsonl")


def test_an_id_given_twice_is_refused(tmp_path: Path) -> None:
    probe = Probe(id="p", kind="recall", question="?", expected=())
    write_probes(tmp_path / "p.jsonl", [probe, probe])
    with pytest.raises(InputError, match="line 2"):
        read_probes(tmp_path / "p.jsonl")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_probes(tmp_path / "none.jsonl")
