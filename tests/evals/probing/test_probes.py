"""Probes: made from a span, bounded, proven by it, and saved for a person to edit."""

from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.worked import SPAN, calls, gives, says
from strategies import sessions
from tamis.errors import InputError, UnreadableFile
from tamis.evals.experiment.components import SavedProbes, get_tools
from tamis.evals.points import Point
from tamis.evals.probing.drafts import ProbeDraft, is_askable, item, phrase_of
from tamis.evals.probing.leaks import Surroundings
from tamis.evals.probing.probe_maker import make_point_probes, make_probes, sift
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe, check_probes, read_probes, write_probes
from tamis.evals.rundir.results import Settings
from tamis.messages import Session
from tamis.text.key_words import key_words

REST = '"expected": [], "version": "2"}'
POINT = Point(
    session_id="s1", cluster="s1", label="50%", cut=9, system=(), span=SPAN, tail=(), span_tokens=300
)
POSTCODE = "KeyError: 'postcode missing in the customer table'"


def answers(kind: str, question: str) -> list[str]:
    return [
        item.value
        for probe in make_probes(SPAN).probes
        if probe.kind == kind and question in probe.question
        for item in probe.expected
    ]


def draft(question: str, expected: Expected, source: str = "m") -> ProbeDraft:
    return ProbeDraft("recall", "value", question, expected=(expected,), sources=(source,))


def test_an_error_is_asked_for_by_its_type_and_place() -> None:
    assert answers("recall", "KeyError at loader.py") == [
        "KeyError: 'postcode missing in the customer table'"
    ]


def test_files_are_asked_for_by_what_was_done_to_them() -> None:
    listed = {p.expected for p in make_probes(SPAN).probes if p.closed}
    assert listed == {
        (Expected(type="path", value=f"/repo/src/{name}.py"),) for name in ("fallback", "loader", "schema")
    }


def test_what_a_new_file_holds_is_not_called_a_change() -> None:
    asked = [p.question for p in make_probes(SPAN, max_per_kind=20).probes if "fill_postcode" in p.question]
    assert asked
    assert all("new" in question for question in asked)


def test_a_rule_is_asked_for_by_a_few_of_its_words_and_keeps_its_prohibition() -> None:
    (probe,) = (p for p in make_probes(SPAN).probes if p.kind == "constraint")
    assert any(words in probe.question for words in ("customer archive", "archive folder"))
    assert "not" not in probe.question.split()
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
    view = (says("user", f"It said at loader.py:41: {POSTCODE}", id="t"),)
    made = make_probes(SPAN, in_view=view)
    assert made.dropped["in view"] > 0
    assert not any(e.value == POSTCODE for p in made.probes for e in p.expected)


def test_what_a_tool_says_behind_the_cut_is_not_asked_for() -> None:
    tail = (calls("Bash", id="c9", command="python -m loader"), gives("c9", f"loader.py:41: {POSTCODE}"))
    assert make_probes(SPAN, tail=tail).dropped["tail"] > 0


def test_what_the_agent_says_first_behind_the_cut_is_still_asked_for() -> None:
    tail = (
        says("assistant", f"The loader.py:41 failure was {POSTCODE}", id="a9"),
        says("user", f"Yes: loader.py:41, {POSTCODE}", id="u9"),
    )
    assert make_probes(SPAN, tail=tail).dropped["tail"] == 0


def test_a_path_behind_the_cut_does_not_say_what_was_changed_there() -> None:
    tail = (says("user", "See /repo/src/loader.py again.", id="u9"),)
    asked = draft("Where was load_table edited: in which file?", item("/repo/src/loader.py"))
    texts = {"m": "edited load_table in /repo/src/loader.py"}
    assert isinstance(sift(asked, texts, Surroundings(tail=tail)), ProbeDraft)


def test_an_answer_that_the_span_does_not_hold_is_left_out() -> None:
    asked = draft("Which port?", item("9911"))
    assert sift(asked, {"m": "the port is 9912"}, Surroundings()) == "unproven"
    assert sift(asked, {"m": "the port is 9911"}, Surroundings()) == asked


def test_proof_that_the_source_lacks_is_found_in_the_span_and_cited() -> None:
    asked = draft("Where was load_table edited: in which file?", item("/repo/src/loader.py"))
    texts = {"result": "load_table in src/loader.py changed", "m": "edit load_table"}
    found = sift(asked, texts, Surroundings())
    assert isinstance(found, ProbeDraft)
    assert found.sources == ("m", "result")


def test_a_value_given_twice_differently_under_one_name_is_not_asked_for() -> None:
    asked = replace(draft("What is the value of http port?", item("9911")), subject="http port")
    assert sift(asked, {"m": "http port: 9911", "n": "http port = 9912"}, Surroundings()) == "ambiguous"


def test_an_answer_in_the_question_is_left_out() -> None:
    asked = draft("What is in src/io.py?", item("/repo/src/io.py"))
    assert sift(asked, {"m": "see /repo/src/io.py"}, Surroundings()) == "wording"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which host?", "localhost"),
        ("Which value was given for ROW_KEY?", "MY_VALUE"),
        ("What is the value of Open file?", "n/a"),
        ("What did ls say about a.txt?", "ls: cannot access 'a.txt': No such file"),
    ],
)
def test_an_answer_that_anybody_would_guess_is_left_out(question: str, answer: str) -> None:
    assert sift(draft(question, item(answer)), {"m": answer}, Surroundings()) == "general knowledge"


@pytest.mark.parametrize("text", ["Do this in order:", "object at 0x7c0909bdd950", "", "x" * 400, "this or"])
def test_a_heading_an_address_a_dump_or_a_torso_is_not_askable(text: str) -> None:
    assert not is_askable(text)


def test_a_phrase_is_quoted_as_it_stands_and_leaves_enough_to_ask_for() -> None:
    text = "Avoid interactive tools like vi, nano, or any that require user input"
    phrase = phrase_of(text)
    assert phrase in text
    assert len(key_words(text) - key_words(phrase)) >= 2


def test_words_that_any_sentence_about_work_holds_tell_nothing() -> None:
    assert phrase_of("The specific issue is in `a.py` and in `b.py`.") == ""


def test_a_phrase_keeps_to_one_clause_and_to_whole_words() -> None:
    phrase = phrase_of("The reader — a slow one — drops every `GIT_*` name that the nightly importer wrote.")
    assert "—" not in phrase
    assert "GIT_" not in phrase
    assert " that " not in phrase


def test_a_phrase_that_others_hold_too_is_not_used() -> None:
    text, other = "Never touch the customer archive without asking Dana first.", "the customer archive is old"
    assert phrase_of(text, [other]) not in other


def test_probes_of_a_point_say_where_they_belong() -> None:
    probes = make_point_probes(POINT).probes
    assert {(p.session, p.point) for p in probes} == {("s1", "50%")}


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
    asked, told = f"{question}?", f"{value}."
    probe = Probe(id="p", kind="recall", question=asked, expected=(Expected(type="text", value=told),))
    write_probes(path, [probe])
    assert read_probes(path) == (probe,)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1"),
        ('{"id": "a", "kind": "gossip", "question": "?", "expected": []}', "kind"),
        ('{"id": "a", "kind": "recall", "question": "?", "expected": [], "answr": 1}', "answr"),
        ('{"id": "a", "kind": "recall", "question": "?", "expected": [], "version": "0"}', "version '0'"),
        (
            '{"id": "a", "kind": "recall", "question": "?", "expected": [], "version": "2"}',
            "nothing is expected",
        ),
        (
            '{"id": "a", "kind": "recall", "question": " ", "expected": [], "version": "2"}',
            "question is empty",
        ),
    ],
)
def test_a_line_that_is_no_probe_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "p.jsonl").write_text(line)
    with pytest.raises(InputError, match=told):
        read_probes(tmp_path / "p.jsonl")


def test_an_id_given_twice_is_refused(tmp_path: Path) -> None:
    probe = Probe(id="p", kind="unanswerable", question="?", expected=())
    write_probes(tmp_path / "p.jsonl", [probe, probe])
    with pytest.raises(InputError, match="line 2"):
        read_probes(tmp_path / "p.jsonl")


def test_every_line_that_is_no_probe_is_told_with_its_remedy(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write_probes(path, make_probes(SPAN).probes[:2])
    path.write_text(path.read_text() + "{\n\n" + path.read_text().splitlines()[0])
    found = check_probes(path)
    assert list(found.probes) == [1, 2]
    assert [fault.line for fault in found.faults] == [3, 5]
    assert "delete the line" in found.faults[0].what
    assert "give each probe its own" in found.faults[1].what
    with pytest.raises(InputError, match="and 1 more"):
        read_probes(path)


POINT = Point(
    session_id="s1", cluster="s1", label="50%", cut=9, system=(), span=SPAN, tail=(), span_tokens=300
)
BY_HAND = Probe(
    id="h", kind="recall", question="Which?", expected=(item("postcode"),), sources=("c2-result",)
)


def test_saved_probes_find_their_point_again(tmp_path: Path) -> None:
    made = make_point_probes(POINT).probes
    write_probes(tmp_path / "p.jsonl", made)
    asked = Settings(methods=("nothing",), budgets=("5%",), at=("50%",), probes=str(tmp_path / "p.jsonl"))
    saved = get_tools(asked).saved
    assert saved is not None
    assert saved.at(POINT) == made
    assert saved.at(replace(POINT, label="30%")) == ()
    assert saved.at(replace(POINT, session_id="s2")) == ()


def test_a_probe_by_hand_belongs_where_the_messages_are_that_it_cites() -> None:
    saved = SavedProbes(by_place={(None, None): [BY_HAND]})
    assert saved.at(POINT) == (BY_HAND,)
    assert saved.at(replace(POINT, span=SPAN[:2])) == ()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_probes(tmp_path / "none.jsonl")
