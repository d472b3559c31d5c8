from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tamis.evals import Run
from tamis.evals.figures.summary import kinds_kept, summarise
from tamis.reports import RunReport, report_schema, run_report


def test_it_reads_back_as_it_was_written(run: Run) -> None:
    report = run_report(run)
    assert RunReport.model_validate_json(report.model_dump_json()) == report


def test_a_field_that_is_not_in_the_schema_is_refused(run: Run) -> None:
    data = run_report(run).model_dump(mode="json")
    with pytest.raises(ValidationError):
        RunReport.model_validate(data | {"more": 1})
    data["points"][0]["more"] = 1
    with pytest.raises(ValidationError):
        RunReport.model_validate(data)


def test_the_schema_closes_every_object() -> None:
    schema = report_schema()
    objects: list[dict[str, Any]] = [schema, *schema["$defs"].values()]
    assert [
        o["title"] for o in objects if "properties" in o and o.get("additionalProperties") is not False
    ] == []


def test_the_averages_are_those_of_the_run_for_all_and_for_each_set(run: Run) -> None:
    report = run_report(run)
    assert [scope.set for scope in report.scopes] == [None, "odd <set>", "plain"]
    for scope in report.scopes:
        cells = summarise(run, set_name=scope.set)
        assert [(f.method, f.budget, f.recall) for f in scope.figures] == [
            (c.method, c.budget, c.recall) for c in cells
        ]


def test_kinds_stand_with_their_method_and_budget(run: Run) -> None:
    figures = run_report(run).scopes[0].figures
    kinds = {(f.method, f.budget, k.kind): (k.needed, k.found) for f in figures for k in f.kinds}
    assert kinds == {(k.method, k.budget, k.kind): (k.needed, k.found) for k in kinds_kept(run)}


def test_what_was_not_measured_is_null_with_its_reason(run: Run) -> None:
    figures = {(f.method, f.budget): f for f in run_report(run).scopes[0].figures}
    broken = figures["broken", "5%"]
    assert broken.recall is None
    assert broken.tokens_per_task is None
    assert sum(broken.failed.values()) == 4


def test_control_arms_are_marked(run: Run) -> None:
    assert {f.method for f in run_report(run).scopes[0].figures if f.control} == {"index", "nothing"}
