"""The rubric that ships, and rubrics of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.judging.judged import CREATED, NOWHERE, OPEN, PORT, RUBRIC, item, probe
from tamis.errors import InputError, UnreadableFile
from tamis.evals.judging.rubric import ANCHORED, Criterion, load_rubric, shipped_rubric
from tamis.evals.probing.probes import PROBE_KINDS, Probe, ProbeKind

PUBLISHED = {
    "accuracy": ["accuracy_factual", "accuracy_technical"],
    "context_awareness": ["context_conversation_state", "context_artifact_state"],
    "artifact_trail": ["artifact_files_created", "artifact_files_modified", "artifact_key_details"],
    "completeness": ["completeness_coverage", "completeness_depth"],
    "continuity": ["continuity_work_state", "continuity_todo_state", "continuity_reasoning"],
    "instruction_following": ["instruction_format", "instruction_constraints"],
}


def test_it_has_the_published_dimensions_and_criteria() -> None:
    found: dict[str, list[str]] = {}
    for criterion in RUBRIC.criteria:
        found.setdefault(criterion.dimension, []).append(criterion.id)
    assert found == PUBLISHED
    assert RUBRIC.dimensions == tuple(PUBLISHED)


@pytest.mark.parametrize("criterion", RUBRIC.criteria, ids=lambda c: c.id)
def test_every_criterion_says_what_its_scores_mean(criterion: Criterion) -> None:
    assert tuple(criterion.anchors) == ANCHORED
    assert all(criterion.anchors.values())
    assert criterion.question.endswith("?")


@pytest.mark.parametrize("kind", PROBE_KINDS)
def test_every_kind_of_probe_is_judged_for_accuracy(kind: ProbeKind) -> None:
    assert "accuracy_factual" in {criterion.id for criterion in RUBRIC.criteria if kind in criterion.kinds}


@pytest.mark.parametrize("dimension", list(PUBLISHED))
def test_every_dimension_is_measured_by_some_kind_that_tells(dimension: str) -> None:
    telling = [kind for kind in PROBE_KINDS if kind != "unanswerable"]
    assert any(c.dimension == dimension and set(telling) & set(c.kinds) for c in RUBRIC.criteria)


def ids(asked: Probe) -> set[str]:
    return {criterion.id for criterion in RUBRIC.for_probe(asked)}


@pytest.mark.parametrize(
    ("question", "trail"),
    [
        ("Which files were created?", {"artifact_files_created"}),
        ("What new files did we add? List the new files.", {"artifact_files_created"}),
        ("Which files were modified?", {"artifact_files_modified"}),
        ("Which files were deleted?", {"artifact_files_modified"}),
        ("What was changed in create_user.py?", {"artifact_files_modified"}),
        ("In which file was createUser changed?", {"artifact_files_modified"}),
        ("Which files were only read and not changed?", {"artifact_files_modified"}),
        ("Which files were only read, and left as they are?", {"artifact_files_modified"}),
        ("Which functions or classes were written in pool.py?", {"artifact_files_created"}),
        ("What is the new name of pool.py?", {"artifact_files_modified"}),
        ("Which files were looked at?", set()),
    ],
)
def test_what_a_question_asks_for_decides_which_part_of_the_trail_is_judged(
    question: str, trail: set[str]
) -> None:
    about_files = {"artifact_files_created", "artifact_files_modified"}
    assert ids(probe("artifact", question, item("path", "a.py"))) & about_files == trail


@pytest.mark.parametrize(
    ("asked", "criterion", "goes"),
    [
        (OPEN, "continuity_todo_state", True),
        (probe("continuation", "Which error still stands?"), "continuity_todo_state", False),
        (probe("continuation", "Which error still stands?"), "continuity_work_state", True),
        (probe("decision", "Why was it decided: keep it?"), "continuity_reasoning", True),
        (probe("decision", 'Which choice rests on this: "it is short"?'), "continuity_reasoning", True),
        (probe("decision", "What was decided about it?"), "continuity_reasoning", False),
        (probe("decision", 'Which decision speaks of "why it broke"?'), "continuity_reasoning", False),
        (probe("continuation", "Which work was deferred?"), "continuity_todo_state", True),
        (probe("continuation", "What is left to be done on the list?"), "continuity_todo_state", True),
        (NOWHERE, "instruction_constraints", True),
        (NOWHERE, "completeness_coverage", False),
        (PORT, "artifact_key_details", True),
        (CREATED, "context_conversation_state", False),
    ],
)
def test_a_criterion_goes_with_the_questions_that_it_can_be_judged_on(
    asked: Probe, criterion: str, goes: bool
) -> None:
    assert (criterion in ids(asked)) is goes


def test_words_are_found_in_chinese() -> None:
    made = Criterion(
        id="c",
        dimension="d",
        question="?",
        anchors=dict.fromkeys((0, 3, 5), "so"),
        kinds=frozenset({"recall"}),
        words=("为什么",),
    )
    assert made.applies_to(probe("recall", "我们为什么选择它?"))


def criterion(**changed: Any) -> dict[str, Any]:
    made = {
        "id": "terse",
        "dimension": "style",
        "question": "Is it short?",
        "anchors": {"0": "no", "3": "nearly", "5": "yes"},
        "kinds": ["recall"],
    }
    return {k: v for k, v in (made | changed).items() if v is not None}


def rubric_file(folder: Path, **changed: Any) -> Path:
    path = folder / "mine.json"
    made = {"name": "mine", "version": "3", "criteria": [criterion()]} | changed
    path.write_text(json.dumps({k: v for k, v in made.items() if v is not None}))
    return path


def test_a_rubric_of_ones_own_is_read_from_json(tmp_path: Path) -> None:
    mine = load_rubric(rubric_file(tmp_path))
    assert (mine.id, mine.dimensions) == ("mine@3", ("style",))
    assert mine.criteria[0].anchors == {0: "no", 3: "nearly", 5: "yes"}
    assert mine.criteria[0].weight == 1


def test_the_rubric_that_ships_can_be_taken_as_a_start(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(shipped_rubric().replace('name = "six-dimensions"', 'name = "mine"'))
    assert load_rubric(path).name == "mine"
    assert load_rubric(path).criteria == RUBRIC.criteria


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"name": None}, r"at name: Field required"),
        ({"version": ""}, r"at version: .*match"),
        ({"criteria": []}, r"at criteria: .*at least 1 item"),
        ({"author": "me"}, r"at author: Extra inputs are not permitted"),
        ({"criteria": [criterion(), criterion()]}, r"'terse' stands there 2 times; give each an id"),
        ({"criteria": [criterion(weight=0)]}, r"at criteria.1.weight: .*greater than 0"),
        ({"criteria": [criterion(weight=-1)]}, r"at criteria.1.weight: .*greater than 0"),
        ({"criteria": [criterion(kinds=[])]}, r"at criteria.1.kinds: .*at least 1 item"),
        ({"criteria": [criterion(kinds=["guess"])]}, r"at criteria.1.kinds.1: .*'recall', 'artifact'"),
        ({"criteria": [criterion(id="two words")]}, r"at criteria.1.id: .*match"),
        ({"criteria": [criterion(question="")]}, r"at criteria.1.question: .*at least 1 character"),
        ({"criteria": [criterion(anchors={"0": "a", "5": "b"})]}, r"what a score of 3 means"),
        ({"criteria": [criterion(anchors={"0": "a", "3": "b", "7": "c"})]}, r"less than or equal to 5"),
        ({"criteria": [criterion(hint="x")]}, r"at criteria.1.hint: Extra inputs"),
        ({"criteria": [criterion(), criterion(id="b", kinds=None)]}, r"at criteria.2.kinds: Field required"),
    ],
)
def test_what_is_no_rubric_is_told_with_the_place(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        load_rubric(rubric_file(tmp_path, **changed))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))
    assert "--show-rubric" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.toml", b"name = ", "is not TOML"),
        ("a.json", b"{", "is not JSON"),
        ("a.toml", b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_told(tmp_path: Path, name: str, text: bytes, told: str) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    with pytest.raises(UnreadableFile, match=told):
        load_rubric(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No such file"):
        load_rubric(tmp_path / "none.toml")


def test_a_json_value_that_is_no_object_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("[]")
    with pytest.raises(InputError, match="at the whole"):
        load_rubric(path)
