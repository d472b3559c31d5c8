from __future__ import annotations

from collections import Counter

from sentence_acts import LABELS, learn, read

from tamis.ledger.speech.sentence_acts import sentence_act


def test_every_hand_has_written_every_kind() -> None:
    rows = read()
    counts = Counter((row.hand, row.label) for row in rows)
    assert min(counts[hand, label] for hand in {row.hand for row in rows} for label in LABELS) >= 100


def test_the_weights_that_ship_were_learned_from_the_sentences() -> None:
    rows = read()
    right = 0
    for row in rows:
        act = sentence_act(row.text)
        chances = {"none": 1 - sum(act), "rule": act.rule, "fact": act.fact}
        right += max(chances, key=chances.__getitem__) == row.label
    assert right > 0.93 * len(rows)


def test_the_same_rows_teach_the_same() -> None:
    rows = read()[::6]
    one, other = learn(rows), learn(rows)
    assert one.place == other.place
    assert (one.weights == other.weights).all()
