from __future__ import annotations

from pathlib import Path

from drift import CYCLES, Drift, measure_drift
from hindsight import draw, mean
from splits import cluster_of, half_of

from tamis.compactors import get_method
from tamis.evals import At, NotMeasured, Point, find_points, needed_names
from tamis.messages import Message, Session, Text, get_counter

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "sessions"


def talk(turns: int) -> Session:
    """The agent names a file early and comes back to it at the end."""
    messages = [Message(id="0", role="user", parts=(Text(text="Look after src/first.py."),))]
    for i in range(1, turns):
        text = f"Reading src/part_{i}.py. " + "It goes on and on. " * 60
        messages.append(
            Message(id=str(i), role="user" if i % 2 == 0 else "assistant", parts=(Text(text=text),))
        )
    end = Message(id="end", role="assistant", parts=(Text(text="Back to src/first.py and src/part_3.py."),))
    return Session(id="talk", format="messages", messages=(*messages, end))


def drift_of(session: Session) -> Drift | NotMeasured:
    point = next(iter(find_points(session, [At.parse("85%")], get_counter())))
    assert isinstance(point, Point)
    return measure_drift(get_method("ledger"), point, needed_names(point), "20%", get_counter())


def test_ten_in_a_row_are_measured_beside_one() -> None:
    drift = drift_of(talk(40))
    assert isinstance(drift, Drift)
    assert (drift.at_once, drift.in_a_row) == (1.0, 1.0)
    assert len(drift.stayed) < CYCLES
    assert all(0 < share <= 1 for share in drift.stayed)


def test_a_span_with_too_few_parts_is_not_measured() -> None:
    assert isinstance(drift_of(talk(8)), NotMeasured)


def test_tries_at_one_task_are_in_the_same_half() -> None:
    tries = [Session(id=i, format="x", messages=(), meta={"instance_id": "task-1"}) for i in "ab"]
    assert len({half_of(cluster_of(session, "set")) for session in tries}) == 1
    assert {half_of(f"set/{i}") for i in range(20)} == {0, 1}


def test_a_sample_is_the_same_sessions_each_time() -> None:
    files = [("set", path) for path in sorted(EXAMPLES.iterdir()) if path.suffix in (".json", ".jsonl")]
    assert len(draw(files, 1).cut) == 1
    assert draw(files, 1) == draw(files, 1)
    assert len(draw(files, None).cut) == len(files)


def test_a_mean_has_an_interval_only_with_enough_tasks() -> None:
    assert mean([(0.5, "a"), (1.0, "b")]) == "0.75"
    assert mean([(0.5, c) for c in "abcde"]) == "0.50 (0.50–0.50)"
    assert mean([]) == "–"
