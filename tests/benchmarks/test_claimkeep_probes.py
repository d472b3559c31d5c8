from __future__ import annotations

import re
from typing import Any

from claimkeep_probes import FEWEST, Figure, figures, print_table

from tamis.evals import At, Point, find_points
from tamis.messages import Message, Session, Text, get_counter

FILLER = "I am looking at what was asked and go on with it. " * 20


def _extract(texts: list[str]) -> list[dict[str, str]]:
    return [{"family": "port", "text": port} for text in texts for port in re.findall(r"\d{4}", text)]


def _score(probes: list[dict[str, str]], text: str, items: list[str]) -> list[dict[str, str]]:
    kept = {probe["text"] for probe in probes if any(probe["text"] in item for item in items)}
    return [{**probe, "verdict": "KEPT" if probe["text"] in kept else "LOST"} for probe in probes]


THEIRS: dict[str, Any] = {"extract_probes": _extract, "score_arm": _score}


def point_of(ports: int) -> Point:
    said = [Message(id="ask", role="user", parts=(Text(text="Which ports, 9999 not among them?"),))]
    for n in range(ports):
        said.append(Message(id=f"a{n}", role="assistant", parts=(Text(text=f"It is {8000 + n}. {FILLER}"),)))
        said.append(Message(id=f"u{n}", role="user", parts=(Text(text="And the next?"),)))
    session = Session(id="ports", format="messages", messages=tuple(said))
    point = next(iter(find_points(session, [At.parse(f"#{len(said) - 2}")], get_counter())))
    assert isinstance(point, Point)
    return point


def measured(ports: int, *methods: str) -> list[Figure]:
    return list(figures(point_of(ports), "task", THEIRS, methods=methods, budget="30%"))


def test_full_keeps_every_probe_and_a_cut_text_some() -> None:
    kept = {f.method: f.kept for f in measured(12, "full", "truncate") if f.family == "all"}
    assert kept["full"] == 1
    assert 0 < kept["truncate"] < 1


def test_only_what_the_agent_said_is_asked_for() -> None:
    assert {f.probes for f in measured(12, "full")} == {11}


def test_a_point_with_too_few_probes_is_not_measured() -> None:
    assert measured(FEWEST, "full") == []


def test_the_table_says_how_much_was_asked(capsys) -> None:
    print_table(measured(12, "full"), ["full"])
    assert "all: 11 probes at 1 points in 1 tasks" in capsys.readouterr().out
