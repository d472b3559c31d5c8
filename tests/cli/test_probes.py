"""`tamis probes`: make them, edit them, check what was edited."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import EXAMPLES, Run
from models.chat_server import chat_server, says
from tamis.evals.probing.probes import read_probes


def test_probes_are_listed_with_answer_and_source(tamis: Run, chat: Path) -> None:
    ran = tamis("probes", chat)
    assert ran.status == 0
    assert "logmerge.openai-chat at 50%" in ran.out
    assert "PaymentDeclined: code E-4402, retry after 30" in ran.out
    assert "all at 1 of 1 points" in ran.out


def test_what_is_written_comes_back_and_is_proven(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    assert tamis("probes", EXAMPLES, "-o", path).status == 0
    probes = read_probes(path)
    assert {p.point for p in probes} == {"50%"}
    assert len({p.session for p in probes}) > 1
    ran = tamis("probes", "--check", path, EXAMPLES)
    assert (ran.status, ran.err) == (0, "")
    assert f"{len(probes)} probes, proven by" in ran.out


def test_each_line_that_was_edited_badly_is_told(tamis: Run, chat: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    tamis("probes", chat, "-o", path)
    lines = path.read_text().splitlines()
    first = json.loads(lines[0])
    first["expected"] = [{"type": "text", "value": "nothing of the kind was ever said"}]
    second = json.loads(lines[1])
    second["sources"] = ["m-elsewhere"]
    path.write_text("\n".join([json.dumps(first), json.dumps(second), '{"id": 3}', *lines[3:]]))
    ran = tamis("probes", "--check", path, chat)
    assert ran.status == 1
    told = ran.out.splitlines()
    assert "line 1: its sources do not hold 'nothing of the kind was ever said'; correct" in told[0]
    assert "line 2: cites m-elsewhere, which no session given holds" in told[1]
    assert "line 3: no probe" in told[2]
    faults = tamis("probes", "--check", path, chat, "--json").json["faults"]
    assert sorted(fault["line"] for fault in faults) == [1, 2, 3]


def test_a_file_is_not_overwritten_unless_told(tamis: Run, chat: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("mine")
    ran = tamis("probes", chat, "-o", path)
    assert ran.status == 2
    assert "--force" in ran.err
    assert tamis("probes", chat, "-o", path, "--force").status == 0


def test_json_counts_what_was_left_out(tamis: Run, chat: Path) -> None:
    (point,) = tamis("probes", chat, "--json").json["points"]
    assert point["probes"]
    assert point["leaked"] is None
    assert "tail" in point["dropped"]


def test_a_session_too_short_is_told(tamis: Run, chat: Path) -> None:
    ran = tamis("probes", chat, "--at", "#2")
    assert ran.status == 2
    assert "no probes could be made; the first: logmerge" in ran.err


def test_neither_sessions_nor_a_file_to_check_is_bad_input(tamis: Run) -> None:
    ran = tamis("probes")
    assert ran.status == 2
    assert "--check FILE" in ran.err


def test_what_a_model_knows_without_context_is_left_out(tamis: Run, chat: Path) -> None:
    with chat_server([says("PaymentDeclined: code E-4402, retry after 30")]) as server:
        (point,) = tamis("probes", chat, "--blind", server.url, "--json").json["points"]
    assert point["leaked"] >= 1
    assert not any("E-4402" in item["value"] for p in point["probes"] for item in p["expected"])
