from __future__ import annotations

import re
import socket
from collections import Counter
from pathlib import Path

import pytest

from reports.runs import HOSTILE
from reports.serving import Served, arm
from tamis.errors import InputError, UnreadableFile
from tamis.evals import read_run
from tamis.evals.figures.summary import summarise
from tamis.evals.hindsight import Hindsight
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.readers import Answer
from tamis.reports.view import open_viewer
from tamis.reports.view.queries import PAGE

HUGE = "9" * 30


def test_it_tells_what_can_be_chosen(served: Served) -> None:
    status, (one, two) = served.get("api/runs")
    assert status == 200
    assert one["methods"] == ["truncate", "index", "ledger", "nothing", "recorded", "broken"]
    assert [budget["label"] for budget in one["budgets"]] == ["1 %", "5 %", "20 %"]
    assert (one["readers"], one["sets"], one["cycles"]) == (["lexical"], ["odd <set>", "plain"], 1)
    assert (two["cycles"], two["points"]) == (2, 3)
    assert one["judges"][0]["judge"] == "offline"


def test_it_opens_on_the_ledger_where_it_made_the_most(served: Served) -> None:
    for described, folder in zip(served.get("api/runs")[1], served.folders, strict=True):
        made = Counter(
            r.budget for r in read_run(folder).results if r.method == "ledger" and r.outcome == "fits"
        )
        start = described["start"]
        assert (start["method"], start["beside"]) == ("ledger", None)
        assert made[start["budget"]] == max(made.values())


def test_every_answer_of_an_arm_is_listed_the_worst_first(served: Served) -> None:
    found = served.listed("answers", a=arm("truncate"))
    run = read_run(served.folders[0])
    of_arm = {r.key for r in run.results if (r.method, r.budget) == ("truncate", "5%")}
    scores = sorted(
        a.exact.value for a in run.answers if a.result in of_arm and isinstance(a.exact, AnswerScore)
    )
    assert [row["score"] for row in found["rows"]] == scores
    assert found["total"] == len(scores) > 0


def test_lists_are_narrowed_by_set_kind_score_and_words(served: Served) -> None:
    rows = served.listed("answers", a=arm("ledger"))["rows"]
    kind = rows[0]["kind"]
    narrowed = {
        "set_name": ("plain", [r for r in rows if r["set_name"] == "plain"]),
        "kind": (kind, [r for r in rows if r["kind"] == kind]),
        "score": ("right", [r for r in rows if r["score"] >= 0.5]),
        "search": (
            "WHICH files",
            [r for r in rows if "which" in r["question"].lower() and "files" in r["question"].lower()],
        ),
    }
    for name, (value, expected) in narrowed.items():
        found = served.listed("answers", a=arm("ledger"), **{name: value})["rows"]
        assert {row["key"] for row in found} == {row["key"] for row in expected}, name
        assert len(found) > 0, name


def test_words_are_looked_for_in_what_was_answered_too(served: Served) -> None:
    run = read_run(served.folders[0])
    said = {a.key: a.answer.text.casefold() for a in run.answers if isinstance(a.answer, Answer)}
    only_said = [
        (by, row["key"], word)
        for by in (arm(m, b) for m in ("ledger", "truncate", "index") for b in ("5%", "20%"))
        for row in served.listed("answers", a=by)["rows"]
        for word in re.findall(r"[a-z]{4,}", said.get(row["key"], ""))
        if word not in f"{row['question']} {row['session']}".casefold()
    ]
    assert only_said
    by, key, word = only_said[0]
    found = served.listed("answers", a=by, search=word.upper())["rows"]
    assert key in {row["key"] for row in found}


def test_two_arms_are_paired_by_question_and_point(served: Served) -> None:
    plain = {r["key"]: r["score"] for r in served.listed("answers", a=arm("nothing"))["rows"]}
    rows = served.listed("answers", a=arm("ledger"), b=arm("nothing"))["rows"]
    assert {row["other"] for row in rows} == set(plain)
    assert all(row["other_score"] == plain[row["other"]] for row in rows)


def test_the_same_sessions_are_paired_across_runs(served: Served) -> None:
    rows = served.listed("answers", a=arm("ledger"), b=arm("ledger", run=1))["rows"]
    paired = [row for row in rows if row["other"]]
    assert {row["session"] for row in paired} == {"job-0", "job-1"}
    assert all(row["score"] == row["other_score"] for row in paired)


def test_the_largest_loss_comes_first(served: Served) -> None:
    rows = served.listed("answers", a=arm("nothing"), b=arm("ledger", "20%"), order="difference")["rows"]
    losses = [row["score"] - row["other_score"] for row in rows]
    assert losses == sorted(losses)
    worse = served.listed("answers", a=arm("nothing"), b=arm("ledger", "20%"), score="worse")
    assert worse["total"] == sum(loss < 0 for loss in losses) < len(losses)


def test_pages_hold_so_many_rows_and_no_row_twice(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = served.listed("answers", a=arm("ledger"))
    monkeypatch.setattr("tamis.reports.view.queries.PAGE", 5)
    pages = [served.listed("answers", a=arm("ledger"), page=n) for n in range(-(-everything["total"] // 5))]
    keys = [row["key"] for page in pages for row in page["rows"]]
    assert keys == [row["key"] for row in everything["rows"]]
    assert {page["pages"] for page in pages} == {len(pages)}
    assert PAGE == 50


def test_an_answer_opens_with_all_that_stands_behind_it(served: Served) -> None:
    run = read_run(served.folders[0])
    probes = {probe.key: probe.probe for probe in run.probes}
    results = {result.key: result for result in run.results}
    for row in served.listed("answers", a=arm("ledger"))["rows"]:
        status, opened = served.get("api/answer", run=0, key=row["key"])
        assert status == 200
        answer = next(a for a in run.answers if a.key == row["key"])
        probe = probes[f"{results[answer.result].point}/{answer.probe}"]
        assert opened["question"] == probe.question
        assert opened["expected"] == [item.value for item in probe.expected]
        assert (opened["score"], opened["held"]) == (getattr(answer.exact, "value", None), answer.held)
        assert opened["judgements"][0]["judge"] == "offline"
        assert len(opened["sources"]) == len(set(probe.sources))
        assert all("".join(message["pieces"]) for message in opened["sources"])


def test_the_evidence_is_marked_in_the_source(served: Served) -> None:
    for row in served.listed("answers", a=arm("ledger"))["rows"]:
        opened = served.get("api/answer", run=0, key=row["key"])[1]
        marked = [piece for message in opened["sources"] for piece in message["pieces"][1::2]]
        assert bool(marked) == bool(opened["expected"])


def test_a_context_opens_with_the_needed_names_found_and_missing(served: Served) -> None:
    run = read_run(served.folders[0])
    results = {result.key: result for result in run.results}
    for row in served.listed("contexts", a=arm("truncate", "20%"))["rows"]:
        opened = served.get("api/context", run=0, key=row["key"])[1]
        score = results[row["key"]].score
        assert isinstance(score, Hindsight)
        assert {n["name"] for n in opened["needs"] if n["state"] == "missing"} == set(score.missing)
        assert opened["recall"] == score.recall
        assert opened["span"]


def test_a_failure_is_listed_with_its_reason_and_without_a_score(served: Served) -> None:
    rows = served.listed("contexts", a=arm("broken"))["rows"]
    assert {row["score"] for row in rows} == {None}
    assert all("no <b>luck</b> today" in row["reason"] for row in rows)
    assert served.listed("contexts", a=arm("broken"), score="missing")["total"] == len(rows) > 0


def test_a_further_cycle_shows_what_came_since(served: Served) -> None:
    (row, *_) = served.listed("contexts", a=arm("ledger", run=1, cycle=2))["rows"]
    opened = served.get("api/context", run=1, key=row["key"])[1]
    assert opened["span_is"] == "what came since the cycle before"
    assert opened["arm"]["cycle"] == 2


def test_figures_are_those_of_the_run(served: Served) -> None:
    rows = served.get("api/figures", run=0)[1]
    cells = summarise(read_run(served.folders[0]))
    assert [(r["method"], r["budget"], (r["recall"] or {}).get("mean")) for r in rows] == [
        (c.method, c.budget, c.recall.mean if c.recall else None) for c in cells
    ]


@pytest.mark.parametrize("name", ["evil.example", "evil.example:80", "127.0.0.1", ""])
def test_who_calls_it_by_another_name_is_refused(served: Served, name: str) -> None:
    status, said = served.get("api/runs", headers={"Host": name})
    assert status == 403
    assert said == {"error": "this server answers to its own address only"}


def test_it_listens_on_the_loopback_address_only(served: Served) -> None:
    assert served.url.startswith("http://127.0.0.1:")
    assert served.get("/", headers={"Host": f"localhost:{served.port}"})[0] == 200


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("api/nosuch", {}, 404),
        ("api/../../etc/passwd", {}, 404),
        ("api/figures", {"run": 9}, 404),
        ("api/figures", {"run": "x"}, 404),
        ("api/figures", {"run": "9" * 5_000}, 404),
        ("api/answers", {"query": f'{{"a": {{"run": {HUGE}, "method": "m", "budget": "b"}}}}'}, 400),
        (
            "api/answers",
            {"query": f'{{"a": {{"run": 0, "cycle": {HUGE}}}}}'},
            400,
        ),
        ("api/answer", {"run": 0, "key": "a\0b"}, 404),
        ("api/answer", {"run": 0, "key": "nosuch"}, 404),
        ("api/context", {"run": 0, "key": "'; DROP TABLE results; --"}, 404),
        ("api/answers", {"query": "no json"}, 400),
        ("api/answers", {"query": '{"a": {"run": 0, "method": "m", "budget": "b"}, "order": "1; --"}'}, 400),
    ],
)
def test_what_is_not_there_is_said_in_a_line(
    served: Served, path: str, asked: dict[str, object], status: int
) -> None:
    found, said = served.get(path, **asked)
    assert found == status
    assert said["error"]


def test_what_was_searched_for_is_no_pattern_and_no_command(served: Served) -> None:
    for words in ("%", "' OR 1=1 --", f"{HOSTILE}%"):
        assert served.listed("answers", a=arm("ledger"), search=words)["total"] == 0


def test_a_taken_port_is_said_with_the_remedy(served: Served) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(InputError, match="choose another with --port"),
            open_viewer(served.folders[:1], port=port),
        ):
            pytest.fail("it cannot listen there")


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="not a run directory"), open_viewer([tmp_path], port=0):
        pytest.fail("there is nothing to serve")
