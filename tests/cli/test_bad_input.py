"""A bad file, budget or path is one line that says what is wrong, status 2, and nothing left behind."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

GOOD_LINE = json.dumps({"role": "user", "content": "Read src/app.py and fix it."}) + "\n"
BAD_BUDGETS = ["0", "-5", "0%", "101%", "nan", "inf", "many", "1.5", ""]


def empty(path: Path) -> None:
    path.write_bytes(b"")


def blank(path: Path) -> None:
    path.write_bytes(b"\n \n\t\n")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def utf_16(path: Path) -> None:
    path.write_bytes(GOOD_LINE.encode("utf-16"))


def latin_1(path: Path) -> None:
    path.write_bytes('[{"role": "user", "content": "caf\xe9"}]'.encode("latin-1"))


def half_a_json(path: Path) -> None:
    path.write_text('[{"role": "user", "content": "Read src/a')


def broken_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(GOOD_LINE.encode() * 500)[:40])


def another_json(path: Path) -> None:
    path.write_text('{"name": "till", "version": "2.3.1"}')


def a_number(path: Path) -> None:
    path.write_text("42")


def prose(path: Path) -> None:
    path.write_text("Dear Dana,\n\nthe meeting is on Monday.\n")


def a_folder(path: Path) -> None:
    path.mkdir()


UNREADABLE = [
    empty,
    blank,
    binary,
    utf_16,
    latin_1,
    half_a_json,
    broken_gzip,
    another_json,
    a_number,
    prose,
    a_folder,
]


@pytest.mark.parametrize("command", ["compact", "show"])
@pytest.mark.parametrize("make", UNREADABLE)
def test_a_file_that_is_no_session(tamis, tmp_path: Path, command: str, make: Callable[[Path], None]) -> None:
    path = tmp_path / "session.jsonl"
    make(path)
    _is_one_line_about(tamis(command, path), str(path))


@pytest.mark.parametrize("make", [make for make in UNREADABLE if make is not a_folder])
def test_eval_of_a_file_that_is_no_session(tamis, tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "session.jsonl"
    make(path)
    _is_one_line_about(tamis("eval", path, "-o", tmp_path / "run"), "session.jsonl")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["compact", "show", "eval", "report"])
def test_a_path_that_is_not_there(tamis, tmp_path: Path, command: str) -> None:
    _is_one_line_about(tamis(command, tmp_path / "nosuch"), "nosuch")


def test_a_folder_without_a_session(tamis, tmp_path: Path) -> None:
    prose(tmp_path / "letter.txt")
    _is_one_line_about(tamis("eval", tmp_path), "no session at or below")


@pytest.mark.parametrize("budget", BAD_BUDGETS)
@pytest.mark.parametrize("command", ["compact", "eval"])
def test_a_budget_that_is_none(tamis, till: Path, command: str, budget: str) -> None:
    _is_one_line_about(tamis(command, till, f"--budget={budget}"), "give tokens (4000)")


def test_a_budget_below_what_the_fixed_part_needs(tamis, till: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    _is_one_line_about(tamis("compact", till, "-b", "1", "-o", out), "give a larger budget than 1")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_method_names_near_ones(tamis, till: Path) -> None:
    _is_one_line_about(tamis("compact", till, "-m", "trunkate"), "did you mean truncate?")


@pytest.mark.parametrize("method", ["nosuch.module:Class", "json:Nothing", "nosuch.py:Class"])
@pytest.mark.parametrize("command", ["compact", "eval"])
def test_a_method_that_cannot_be_loaded(tamis, till: Path, command: str, method: str) -> None:
    _is_one_line_about(tamis(command, till, "-m", method), method.partition(":")[0])


@pytest.mark.parametrize("option", ["--as", "--format"])
def test_an_unknown_format_lists_the_known(tamis, till: Path, option: str) -> None:
    _is_one_line_about(tamis("compact", till, option, "nosuch"), "openai-chat")


def test_a_format_that_can_only_be_read(tamis, till: Path) -> None:
    _is_one_line_about(tamis("compact", till, "--as", "codex"), "can be read but not written")


def test_an_unknown_tokenizer(tamis, till: Path) -> None:
    _is_one_line_about(tamis("show", till, "--tokenizer", "nosuch"), "choose cl100k_base")


@pytest.mark.parametrize("at", ["0%", "100%", "middle", "#0", ""])
def test_a_place_that_cannot_be_cut_at(tamis, till: Path, at: str) -> None:
    _is_one_line_about(tamis("eval", till, f"--at={at}"), "cannot cut at")


@pytest.mark.parametrize("jobs", ["0", "-1"])
def test_no_process_to_measure_with(tamis, till: Path, jobs: str) -> None:
    _is_one_line_about(tamis("eval", till, "--jobs", jobs), "give 1 or more")


def test_keeping_less_than_nothing(tamis, till: Path) -> None:
    _is_one_line_about(tamis("compact", till, "--keep-last", "-1"), "keep_last is -1")


def test_keeping_everything_leaves_nothing_to_compact(tamis, till: Path) -> None:
    _is_one_line_about(tamis("compact", till, "--keep-last", "10000"), "nothing to compact")


def test_an_output_that_exists_is_left_as_it_is(tamis, till: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    _is_one_line_about(tamis("compact", till, "-m", "truncate", "-o", out), "exists")
    assert out.read_text() == "mine"


def test_an_output_that_exists_is_replaced_when_told(tamis, till: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    assert tamis("compact", till, "-m", "truncate", "-o", out, "--force").status == 0
    assert out.read_text().startswith("{")


def test_the_source_is_never_overwritten(tamis, till: Path, tmp_path: Path) -> None:
    source = tmp_path / "session.jsonl"
    source.write_bytes(till.read_bytes())
    _is_one_line_about(tamis("compact", source, "-m", "truncate", "-o", source, "--force"), "read from")
    assert source.read_bytes() == till.read_bytes()


@pytest.mark.parametrize("command", [["compact", "-m", "truncate"], ["eval", "-m", "index", "-b", "10%"]])
def test_an_output_in_a_file_s_place(tamis, till: Path, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "file").write_text("mine")
    _is_one_line_about(tamis(*command, till, "-o", tmp_path / "file" / "out"), "cannot write there")


def test_a_run_folder_that_is_not_empty(tamis, till: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    _is_one_line_about(tamis("eval", till, "-o", tmp_path), "not empty")
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_report_of_what_is_no_run(tamis, tmp_path: Path) -> None:
    _is_one_line_about(tamis("report", tmp_path), "not a run directory")


def test_several_sessions_ask_for_one(tamis, tmp_path: Path) -> None:
    path = _two_conversations(tmp_path)
    _is_one_line_about(tamis("compact", path, "-b", "5%"), "`tamis show FILE` lists them")
    _is_one_line_about(tamis("show", path, "--session", "3"), "from 1 to 2")


def test_show_lists_several_sessions_with_what_chooses_each(tamis, tmp_path: Path) -> None:
    path = _two_conversations(tmp_path)
    ran = tamis("show", path)
    assert (ran.status, ran.err) == (0, "2 sessions; choose one with --session NUMBER or ID\n")
    for line in ran.out.splitlines():
        number, name, messages, *_ = line.split()
        for chosen in (number, name, "#" + name.rpartition("#")[2]):
            shown = tamis("show", path, "--session", chosen, "--json").json
            assert (shown["session"], shown["census"]["messages"]) == (name, int(messages))


def test_a_line_that_is_half_a_json_is_said_and_the_rest_is_read(tamis, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(GOOD_LINE + '{"role": "assistant", "content": "cut o\n' + GOOD_LINE)
    ran = tamis("show", path, "--json")
    assert ran.status == 0
    assert [record["line"] for record in ran.json["unread"]] == [2]


def test_a_result_without_its_call_does_not_come_out(tamis, tmp_path: Path) -> None:
    orphan = {"role": "tool", "tool_call_id": "call_9", "content": "lost and found " * 50}
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([json.loads(GOOD_LINE), orphan, {"role": "assistant", "content": "x " * 900}]))
    ran = tamis("compact", path, "-m", "truncate", "-b", "900", "--as", "openai-chat", "--json")
    assert ran.status == 0
    assert all(record["role"] != "tool" for record in ran.json["records"])


def test_a_line_of_200_mb_is_skipped_not_loaded(tamis, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    with path.open("w") as stream:
        stream.write(GOOD_LINE)
        stream.write('{"role": "user", "content": "')
        for _ in range(200):
            stream.write("x" * 2**20)
        stream.write('"}\n' + GOOD_LINE)
    ran = tamis("show", path, "--json")
    assert ran.status == 0
    assert ran.json["census"]["messages"] == 2
    assert "longer than" in ran.json["unread"][0]["reason"]


def _two_conversations(folder: Path) -> Path:
    talk = {"messages": [json.loads(GOOD_LINE), {"role": "assistant", "content": "Done."}]}
    path = folder / "talks.jsonl"
    path.write_text((json.dumps(talk) + "\n") * 2)
    return path


def _is_one_line_about(ran, what: str) -> None:
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("tamis: ")
    assert ran.err.count("\n") == 1
    assert what in ran.err


@pytest.mark.parametrize("name", ["compact", "probes", "learn", "report"])
@pytest.mark.parametrize("place", ["nowhere/out.json", "."])
def test_where_it_cannot_be_written_is_said_before_anything_is_read(
    tamis, tmp_path: Path, name: str, place: str
) -> None:
    ran = tamis(name, tmp_path / "input", "-o", tmp_path / place)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert ("no such folder" if "nowhere" in place else "is a folder") in ran.err
    assert "input" not in ran.err
