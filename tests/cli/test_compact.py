from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import tamis as library
from tamis.messages import count_messages, get_counter


def test_the_session_goes_to_stdout_in_its_own_format_and_the_figures_to_stderr(
    tamis, till: Path, tmp_path
) -> None:
    ran = tamis("compact", till, "-m", "truncate", "-b", "20%")
    assert ran.status == 0
    assert "tokens ->" in ran.err
    path = tmp_path / "out.jsonl"
    path.write_text(ran.out)
    assert library.read(path).format == "claude-code"


@pytest.mark.parametrize("method", ["truncate", "head-tail", "mask", "index", "extractive", "ledger"])
def test_what_is_written_reads_back_within_the_budget(tamis, till: Path, tmp_path: Path, method: str) -> None:
    out = tmp_path / "short.jsonl"
    assert tamis("compact", till, "-m", method, "-b", "10%", "-o", out).status == 0
    before = library.read(till)
    after = library.read(out)
    count = get_counter()
    assert sum(count_messages(after.messages, count)) <= 0.1 * sum(count_messages(before.messages, count))


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses", "anthropic", "claude-code"])
def test_a_session_can_be_written_for_every_api(tamis, chat: Path, tmp_path: Path, target: str) -> None:
    out = tmp_path / "short"
    assert tamis("compact", chat, "-m", "truncate", "-b", "2000", "--as", target, "-o", out).status == 0
    assert library.read(out).format == target


def test_a_format_that_cannot_be_written_becomes_openai_chat(tamis, chat: Path) -> None:
    ran = tamis("compact", chat.with_name("rota.codex.jsonl"), "-m", "truncate", "-b", "10%", "--json")
    assert ran.json["format"] == "openai-chat"


def test_the_newest_messages_stay_when_told(tamis, till: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    tamis("compact", till, "-m", "nothing", "-b", "10%", "--keep-last", "4", "-o", out)
    before, after = library.read(till).messages, library.read(out).messages
    assert [m.parts for m in after[-4:]] == [m.parts for m in before[-4:]]


def test_what_stays_beside_the_budget_is_told_with_it(tamis, chat: Path) -> None:
    short = library.compact(library.read(chat), budget="10%", method="truncate", keep_last=2).session
    made = tamis("compact", chat, "-m", "truncate", "-b", "10%", "--keep-last", "2", "--json").json
    assert made["tokens_after"] + made["tokens_kept"] == sum(count_messages(short.messages, get_counter()))
    alone = tamis("compact", chat, "-m", "truncate", "-b", "10%")
    assert re.search(r"\) \+ [0-9,]+ of system messages, kept\n", alone.err)
    both = tamis("compact", chat, "-m", "truncate", "-b", "10%", "--keep-last", "2")
    assert re.search(r"\) \+ [0-9,]+ of system messages and [0-9,]+ of the last messages, kept\n", both.err)


def test_what_fits_the_budget_stays_as_it_is(tamis, till: Path) -> None:
    ran = tamis("compact", till, "-b", "100%")
    assert ran.out == till.read_text()
    assert "unchanged" in ran.err


def test_json_gives_the_records_and_an_account_of_every_message(tamis, chat: Path) -> None:
    ran = tamis("compact", chat, "-m", "truncate", "-b", "10%", "--json")
    made = ran.json
    assert made["outcome"] == "fits"
    assert made["tokens_after"] <= made["tokens_before"] / 10
    assert len(made["account"]) == made["messages_before"] - 1  # the system message stays
    assert made["records"][0]["role"] == "system"


def test_json_with_an_output_names_the_file_instead(tamis, chat: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    made = tamis("compact", chat, "-m", "truncate", "-b", "10%", "-o", out, "--json").json
    assert (made["written"], made["records"]) == (str(out), None)
    assert json.loads(out.read_text())["messages"]


def test_records_that_were_not_understood_are_said(tamis, till: Path, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(till.read_text() + "half a li\n")
    ran = tamis("compact", path, "-m", "truncate", "-b", "10%")
    assert "1 records not understood" in ran.err


def test_the_source_is_not_touched(tamis, till: Path, tmp_path: Path) -> None:
    before = till.read_bytes()
    tamis("compact", till, "-m", "truncate", "-b", "10%", "-o", tmp_path / "out.jsonl")
    assert till.read_bytes() == before


def test_as_text_is_what_the_agent_will_read(tamis, till: Path) -> None:
    ran = tamis("compact", till, "-b", "10%", "--as", "text")
    made = library.compact(library.read(till), budget="10%")
    assert ran.status == 0
    assert ran.out == made.text + "\n"


def test_text_is_written_whole_and_never_over_the_source(tamis, till: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(till.read_bytes())
    assert tamis("compact", copy, "--as", "text", "-o", tmp_path / "brief.txt").status == 0
    assert (tmp_path / "brief.txt").read_text() == tamis("compact", copy, "--as", "text").out
    assert tamis("compact", copy, "--as", "text", "-o", copy, "--force").status == 2
    assert copy.read_bytes() == till.read_bytes()


def test_a_dash_is_standard_input_and_output(tamis, till: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with till.open("rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
        ran = tamis("compact", "-", "-b", "10%", "-o", "-")
    assert ran.status == 0
    assert ran.out == tamis("compact", till, "-b", "10%").out


def test_standard_input_that_is_no_session_is_named_as_such(tamis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\x00\x01 nothing")))
    ran = tamis("compact", "-")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("tamis: standard input")


def test_a_json_session_is_written_to_be_read(tamis, chat: Path) -> None:
    lines = tamis("compact", chat, "-m", "truncate", "-b", "20%").out.splitlines()
    assert len(lines) > 20
    assert any(line.startswith(" " * 4) for line in lines)


def test_the_archive_is_not_written_over(tamis, till: Path, tmp_path: Path) -> None:
    both = tmp_path / "both"
    assert tamis("compact", till, "-b", "10%", "--archive", both, "-o", tmp_path / "out.jsonl").status == 0
    kept = both.read_bytes()
    ran = tamis("compact", till, "-b", "10%", "--archive", both, "-o", tmp_path / "." / "both", "--force")
    assert (ran.status, ran.err.count("\n"), both.read_bytes()) == (2, 1, kept)
    assert "is the archive too" in ran.err
