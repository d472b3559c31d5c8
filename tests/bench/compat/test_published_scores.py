from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tamis.bench.compat.artifact import Artifact, artifact_tokens
from tamis.bench.compat.published_cases import make_published_case, read_published_words
from tamis.bench.compat.published_run import PublishedPlan, run_published
from tamis.bench.compat.published_scores import (
    TIER_NAMES,
    check,
    disqualified,
    elite_score,
    figures,
    score_case,
    score_cycle,
)
from tamis.bench.compat.result_file import PublishedRun, read_results, scores_of, write_results
from tamis.bench.methodology import Tier
from tamis.bench.suite import load_suite
from tamis.bench.template import ExpectedAnswer
from tamis.compactors import get_method
from tamis.errors import NotComparable, UnreadableFile
from tamis.evals.probing.readers import LexicalReader
from tamis.messages import get_counter

OWN_SUITE = Path(__file__).parents[1] / "own_suite"
TIERS: tuple[Tier, ...] = ("light", "mid", "aggressive")

THEIRS = Path(__file__).with_name("score_by_theirs.txt").read_text(encoding="utf-8")


def some_answer(chance: random.Random, texts: list[str]) -> str:
    parts = [t.upper() if chance.random() < 0.3 else t for t in texts if chance.random() < 0.5]
    return chance.choice([" and\n ", "  "]).join(parts)


def test_figures_are_those_of_the_published_program_to_the_last_digit(
    published: Path, ask_published: Callable[[str, str], str], tmp_path: Path
) -> None:
    chance = random.Random(3)
    words, counter = read_published_words(published), get_counter("cl100k_base")
    suite = load_suite(str(OWN_SUITE))
    given: dict[str, Any] = {"cases": [], "counts": {}}
    cases = []
    for template in suite.templates:
        for seed in range(5):
            case = make_published_case(template, seed, "medium", words)
            texts = [t for i in case.items for t in (i.expected.value, *i.expected.values) if t]
            texts += [f" {t} " for t in case.ground_truth.forbidden_behaviors]
            cycles, told = [], []
            for _ in range(chance.choice([2, 3])):
                artifact = Artifact.model_validate(
                    {
                        "summaryText": some_answer(chance, texts),
                        "structured_state": {"entity_map": {"a b": "role"}, "deferred_items": ["later on"]},
                    }
                )
                answers = {i.key: some_answer(chance, texts) for i in case.items if chance.random() < 0.9}
                before = sum(counter.count(t.content) for t in case.turns)
                ratio = before / max(artifact_tokens(artifact, counter), 1)
                cycles.append(score_cycle(case.items, case.ground_truth, answers, ratio))
                told.append([artifact.model_dump(), answers])
                for text in (
                    artifact.summaryText,
                    "a b",
                    "role",
                    "later on",
                    *(t.content for t in case.turns),
                ):
                    given["counts"][text] = counter.count(text)
            cases.append((case.case_id, score_case(case.template_key, cycles)))
            given["cases"].append({"case": _as_theirs(case), "cycles": told})
    theirs = json.loads(ask_published(THEIRS, json.dumps(given)))
    total = figures([c for _, c in cases])
    assert total.__dict__ == theirs["total"]
    assert [(c.score, c.drift_resistance) for _, c in cases] == [
        (c["case_score"], c["drift_resistance"]) for c in theirs["cases"]
    ]
    for tier in TIERS:
        assert elite_score(total, tier) == theirs["elite"][TIER_NAMES[tier]]
        assert disqualified(total, cases, tier, 2) == theirs["reasons"][TIER_NAMES[tier]]


def _as_theirs(case: Any) -> dict[str, Any]:
    from bench.compat.test_published_cases import ours

    words: Any = type("W", (), {"continuation_prompts": ("x",)})
    made = ours(case, words)
    made.pop("continued")
    return made


def test_their_reader_takes_our_results_and_finds_the_same_figures(
    published: Path, ask_published: Callable[[str, str], str], tmp_path: Path
) -> None:
    run = a_run(published, tmp_path)
    program = (
        "import sys\nfrom pathlib import Path\nfrom compactbench.runner.persistence import to_run_result\n"
        "print(to_run_result(Path(sys.stdin.read())).model_dump_json())"
    )
    theirs = json.loads(ask_published(program, str(tmp_path / "results.jsonl")))
    assert run.end is not None
    assert theirs["overall_score"] == run.end.overall_score
    assert theirs["constraint_retention"] == run.end.constraint_retention
    assert [c["case_id"] for c in theirs["cases"]] == [c.case_id for c in run.cases]


def test_figures_follow_from_the_cases_of_a_results_file(published: Path, tmp_path: Path) -> None:
    run = a_run(published, tmp_path)
    assert run.end is not None
    total = figures([scores_of(case) for case in run.cases])
    assert total.overall_score == run.end.overall_score
    assert total.compression_ratio == run.end.compression_ratio


def a_run(published: Path, folder: Path) -> PublishedRun:
    suite = load_suite(str(OWN_SUITE))
    plan = PublishedPlan(suite=suite, words=read_published_words(published), slots=2, ratio=2.0)
    path = folder / "results.jsonl"
    write_results(path, run_published(plan, get_method("head-tail"), LexicalReader()))
    return read_results(path)


@pytest.mark.parametrize(
    ("expected", "answer", "worth"),
    [
        ({"check": "contains_normalized", "value": "Use  Floats"}, "never USE FLOATS.", 1.0),
        ({"check": "contains_normalized", "value": "80"}, "8080", 1.0),
        ({"check": "forbidden_absent", "value": "x"}, "", 1.0),
        ({"check": "forbidden_absent", "value": "deploy"}, "we never deploy", 0.0),
        ({"check": "exact", "value": " A "}, "A\n", 1.0),
        ({"check": "exact", "value": "A"}, "a", 0.0),
        ({"check": "set_match", "values": ["a", "b"]}, "A", 0.5),
    ],
)
def test_checks_keep_the_published_quirks(expected: dict[str, Any], answer: str, worth: float) -> None:
    assert check(ExpectedAnswer.model_validate(expected), answer) == worth


def test_results_of_another_scorer_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    start = {
        "event": "run_start", "run_id": "r", "method_name": "m", "method_version": "1", "suite_key": "s",
        "suite_version": "1.0.0", "scorer_version": "0.9.0", "target_provider": "p", "target_model": "t",
        "difficulty": "medium", "drift_cycles": 2, "seed_group": "g", "case_count_per_template": 5,
        "started_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    path.write_text(json.dumps(start) + "\n", encoding="utf-8")
    with pytest.raises(NotComparable, match=r"line 1.*0\.9\.0.*run it again"):
        read_results(path)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"event": "run_stop"}\n', encoding="utf-8")
    with pytest.raises(UnreadableFile, match="line 1"):
        read_results(path)
