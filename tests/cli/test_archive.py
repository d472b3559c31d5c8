from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from compactors.conversations import say
from tamis.archive import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.tamis"
    with Archive.open(path) as archive:
        archive.put("s", [say("user", "The port is 8080.\nKeep it.", id="1"), say("user", "端口", id="2")])
    return path


def test_recall_shows_what_says_the_words_and_expand_the_whole_message(tamis: Run, archive: Path) -> None:
    recalled = tamis("recall", archive, "port")
    assert (recalled.status, recalled.err) == (0, "")
    (line,) = recalled.out.splitlines()
    expanded = tamis("expand", archive, line.split()[0])
    assert (expanded.status, expanded.out) == (0, "The port is 8080.\nKeep it.\n")


def test_a_number_of_a_brief_leads_to_its_message(tamis: Run, archive: Path) -> None:
    assert tamis("expand", archive, "#1").out == "端口\n"
    with Archive.open(archive) as more:
        more.put("t", [say("user", "Another talk.", id="1")])
    assert "say which with --session" in tamis("expand", archive, "#0").err
    assert tamis("expand", archive, "#0", "--session", "t").out == "Another talk.\n"


def test_the_numbers_of_a_brief_hold_behind_a_system_message_and_torn_pairs(
    tamis: Run, tmp_path: Path
) -> None:
    items = [{"role": "system", "content": "You help."}]
    for n in range(40):
        if n % 7 == 3:
            items.append({"role": "tool", "tool_call_id": f"torn{n}", "content": f"orphan {n}"})
        else:
            items.append({"role": "user", "content": f"Please count the rows of table-{n} in the mill."})
    path, archive = tmp_path / "s.json", tmp_path / "s.tamis"
    path.write_text(json.dumps(items), encoding="utf-8")
    brief = tamis("compact", path, "-b", "500", "--archive", archive, "--as", "text").out
    cited = re.findall(r"### #(\d+)(?:-\d+)?\n> ([^\n]+)", brief)
    assert len(cited) > 3
    for number, words in cited:
        assert tamis("expand", archive, f"#{number}").out == f"{words}\n"


def test_both_print_json(tamis: Run, archive: Path) -> None:
    (hit,) = tamis("recall", archive, "端口", "--json").json
    assert (hit["session_id"], hit["message_id"], hit["role"]) == ("s", "2", "user")
    expanded = tamis("expand", archive, hit["id"], "--json").json
    assert expanded["id"] == hit["id"]
    assert expanded["message"]["parts"] == [{"type": "text", "text": "端口"}]


def test_nothing_found_is_no_error(tamis: Run, archive: Path) -> None:
    ran = tamis("recall", archive, "nosuchword")
    assert (ran.status, ran.out) == (0, "")
    assert "nosuchword" in ran.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("recall", "{missing}", "x"), "no such archive"),
        (("recall", "{archive}", " "), "no word to look for"),
        (("recall", "{archive}", "x", "-n", "0"), "limit of 0"),
        (("recall", "{notes}", "x"), "not an archive of tamis"),
        (("expand", "{archive}", "ffff"), "holds no message"),
        (("expand", "{archive}", "#9"), "holds no message #9"),
        (("expand", "{archive}", "9"), "say '#9' for the message that a brief cites as #9"),
        (("expand", "{archive}", "[secret:aws:1234]"), "does not know"),
    ],
)
def test_bad_input_is_one_line(
    tamis: Run, archive: Path, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("not a database " * 200)
    places = {"archive": archive, "missing": tmp_path / "no", "notes": notes}
    ran = tamis(*(argument.format(**places) for argument in arguments))
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert says in ran.err


def test_compacting_fills_an_archive(tamis: Run, till: Path, tmp_path: Path) -> None:
    archive = tmp_path / "till.tamis"
    ran = tamis("compact", till, "-b", "10%", "--archive", archive, "-o", tmp_path / "out.jsonl")
    assert ran.status == 0
    (hit, *_) = tamis("recall", archive, "prices.csv another program writes", "--json").json
    assert "never change prices.csv" in tamis("expand", archive, hit["id"]).out


def test_nothing_is_written_where_the_archive_cannot_be(tamis: Run, till: Path, tmp_path: Path) -> None:
    notes, out = tmp_path / "notes.txt", tmp_path / "out.jsonl"
    notes.write_text("not a database " * 200)
    ran = tamis("compact", till, "-b", "10%", "--archive", notes, "-o", out)
    assert (ran.status, ran.err.count("\n"), out.exists()) == (2, 1, False)
    assert "not an archive of tamis" in ran.err


def test_a_strict_gate_refuses_what_stays_incomplete(tamis: Run, till: Path) -> None:
    ran = tamis("compact", till, "-b", "160", "--gate", "strict")
    assert ran.status == 2
    assert "not replaced: no room in the budget" in ran.err


def test_secrets_are_masked(tamis: Run, tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    chat = tmp_path / "chat.json"
    filler = "word " * 900
    chat.write_text(
        f'[{{"role": "user", "content": "Deploy with {key} please."}},'
        f' {{"role": "assistant", "content": "{filler}"}}]'
    )
    archive = tmp_path / "a"
    ran = tamis("compact", chat, "-b", "200", "--mask-secrets", "--archive", archive)
    assert ran.status == 0
    assert key not in ran.out
    assert "[secret:aws-access-key:1a5d44a2]" in ran.out
    assert tamis("expand", archive, "[secret:aws-access-key:1a5d44a2]").out == f"{key}\n"
