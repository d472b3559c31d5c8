from __future__ import annotations

from pathlib import Path

LIAR = """
from dataclasses import replace
from tamis.compactors import get_method

class Liar:
    name, version = "liar", "1"

    async def compact(self, request):
        made = await get_method("truncate").compact(request)
        return replace(made, tokens_after=0)
"""


def test_a_method_of_tamis_passes(tamis) -> None:
    ran = tamis("check-method", "truncate")
    assert ran.status == 0
    assert "what it aims at besides: requests survive (" in ran.out  # it keeps the newest messages only
    assert ran.out.splitlines()[2].split() == ["guarantee", "tried", "broken"]


def test_passed_alone_means_that_nothing_was_missed(tamis) -> None:
    assert tamis("check-method", "full").out.endswith("\npassed\n")


def test_a_method_that_breaks_a_guarantee_fails_and_says_which(tamis, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(LIAR)
    ran = tamis("check-method", f"{tmp_path / 'liar.py'}:Liar")
    assert ran.status == 1
    assert "BROKEN" in ran.out
    assert "counted again they are" in ran.out
    assert ran.out.endswith("failed\n")


def test_json_counts_the_violations_of_each_guarantee(tamis, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(LIAR)
    ran = tamis("check-method", f"{tmp_path / 'liar.py'}:Liar", "--json")
    assert ran.status == 1
    assert ran.json["passed"] is False
    assert ran.json["broken"]["never over the budget"] == len(
        [f for f in ran.json["findings"] if f["violation"]["guarantee"] == "never over the budget"]
    )


def test_own_sessions_are_run_through_as_well(tamis, till: Path) -> None:
    without = tamis("check-method", "nothing", "--json").json["compactions"]
    assert tamis("check-method", "nothing", till, "--json").json["compactions"] > without


def test_a_guarantee_is_tried_where_there_is_an_answer(tamis) -> None:
    ran = tamis("check-method", "exec:false")
    assert ran.status == 1
    rows = {line[:29].strip(): line[29:].split() for line in ran.out.splitlines()}
    asked, broken = map(int, rows["answers without failing"][1:])
    assert broken > 0
    assert rows["never over the budget"] == ["held", str(asked - broken), "0"]
