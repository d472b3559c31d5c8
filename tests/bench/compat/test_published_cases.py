from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from tamis.bench.compat.published_cases import (
    LEXICONS,
    Derivation,
    PublishedCase,
    PublishedWords,
    case_seed,
    continuation_prompt,
    make_published_case,
    read_published_words,
)
from tamis.bench.suite import load_suite
from tamis.bench.template import Difficulty
from tamis.errors import InputError

THEIRS = """
import json, sys
from compactbench.dsl import load_suite, validate_template
from compactbench.dsl.models import DifficultyLevel
from compactbench.engine.generation import generate_case
from compactbench.engine.seeds import derive_case_seed
from compactbench.runner.continuation import select_continuation_prompt
asked = json.load(sys.stdin)
made = []
templates = load_suite(asked["suite"])
for t in templates:
    validate_template(t)
    for level in DifficultyLevel:
        for slot in range(asked["slots"]):
            seed = derive_case_seed(asked["name"], asked["group"], slot)
            case = json.loads(generate_case(t, seed, level).model_dump_json())
            case["continued"] = [select_continuation_prompt(seed, n) for n in (1, 2)]
            made.append(case)
print(json.dumps(made))
"""
SLOTS = 6
OWN_SUITE = Path(__file__).parents[1] / "own_suite"


def ours(case: PublishedCase, words: PublishedWords) -> dict[str, object]:
    truth = case.ground_truth.model_dump(exclude={"deferred_items"})
    return {
        "case_id": case.case_id,
        "template_key": case.template_key,
        "template_version": case.template_version,
        "seed": case.seed,
        "difficulty": case.difficulty,
        "transcript": {
            "turns": [
                {"id": t.id, "role": t.role, "content": t.content, "tags": list(t.tags)} for t in case.turns
            ]
        },
        "ground_truth": truth,
        "evaluation_items": [
            {
                "key": i.key,
                "item_type": i.type,
                "prompt": i.prompt,
                "expected": i.expected.model_dump(exclude_unset=True),
            }
            for i in case.items
        ],
        "continued": [continuation_prompt(case.seed, n, words) for n in (1, 2)],
    }


def test_cases_are_those_of_the_published_program(
    published: Path, ask_published: Callable[[str, str], str], tmp_path: Path
) -> None:
    folder = OWN_SUITE
    suite, words = load_suite(str(folder)), read_published_words(published)
    asked = {"suite": str(folder), "name": suite.name, "group": "g1", "slots": SLOTS}
    theirs = json.loads(ask_published(THEIRS, json.dumps(asked)))
    made = [
        ours(
            make_published_case(t, case_seed(suite.name, t, "g1", slot, derivation="suite"), level, words),
            words,
        )
        for t in suite.templates
        for level in get_args(Difficulty)
        for slot in range(SLOTS)
    ]
    assert made == theirs
    assert suite.name == "own_suite@mixed"


@pytest.mark.parametrize(
    ("derivation", "seed"), [("suite", 10920803247163762022), ("template", 16425299574172258699)]
)
def test_a_seed_is_the_head_of_a_hash(derivation: Derivation, seed: int, tmp_path: Path) -> None:
    template = load_suite(str(OWN_SUITE)).templates[0]
    assert case_seed("starter@1.0.0", template, "default", 0, derivation=derivation) == seed


def test_words_come_from_a_folder_of_texts(tmp_path: Path) -> None:
    for name in (*LEXICONS, "user_distractors", "assistant_distractors", "continuation_prompts"):
        (tmp_path / f"{name}.txt").write_text(f"{name} one\n{name} two\n", encoding="utf-8")
    assert read_published_words(tmp_path).lexicons["org_name"] == ("org_name one", "org_name two")


def test_a_folder_without_words_is_an_error_that_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pip install compactbench"):
        read_published_words(tmp_path)


def test_a_template_of_ours_is_no_published_case() -> None:
    template = load_suite("practice").templates[0]
    words = PublishedWords(
        lexicons={"weekday": ("x",), "service": ("x",), "first_name": ("x",)},
        user_distractors=("x",),
        assistant_distractors=("x",),
        continuation_prompts=("x",),
    )
    with pytest.raises(InputError, match="published"):
        make_published_case(template, 1, "medium", words)
