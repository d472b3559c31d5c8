from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_people_see_tokens_waste_files_and_state(tamis, till: Path) -> None:
    ran = tamis("show", till)
    assert ran.status == 0
    for title in (
        "By role",
        "By kind",
        "By tool",
        "Waste",
        "Biggest outputs",
        "Files",
        "Requests",
        "Tasks",
        "Tests",
    ):
        assert f"\n{title}" in ran.out


def test_what_is_piped_has_no_colour_and_no_blanks_at_line_ends(tamis, till: Path) -> None:
    lines = tamis("show", till).out.splitlines()
    assert lines == [line.rstrip() for line in lines]
    assert "\x1b" not in "".join(lines)


def test_the_divisions_of_the_census_add_up(tamis, till: Path) -> None:
    census = tamis("show", till, "--json").json["census"]
    assert sum(census["by_role"].values()) == sum(census["by_kind"].values()) == census["tokens"]


def test_a_view_of_a_file_that_was_changed_later_is_waste(tamis, till: Path) -> None:
    waste = tamis("show", till, "--json").json["waste"]
    assert "/home/dev/till/till/basket.py" in [
        file["path"] for file in waste["files"] if file["superseded_tokens"]
    ]


def test_the_file_trail_has_the_rename(tamis, till: Path) -> None:
    files = [entry["value"] for entry in tamis("show", till, "--json").json["state"]["files"]]
    renamed = {file["path"]: file["renamed_from"] for file in files if file["renamed_from"]}
    assert renamed == {"/home/dev/till/till/offers.py": "/home/dev/till/till/discounts.py"}


def test_an_estimate_says_that_it_is_one(tamis, till: Path) -> None:
    shown = tamis("show", till, "--json", "--tokenizer", "estimate").json
    assert shown["exact_tokens"] is False
    assert "estimate" in shown["tokenizer"]


@pytest.mark.parametrize("lines", [1, 5])
def test_lines_that_were_not_understood_are_said(tamis, till: Path, tmp_path: Path, lines: int) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(till.read_text() + "half a li\n" * lines)
    ran = tamis("show", path)
    assert "not understood" in ran.err
    assert len(json.loads(tamis("show", path, "--json").out)["unread"]) == lines
