"""What is carried from one compaction to the next."""

from __future__ import annotations

import json

import pytest

from compactors.conversations import say
from tamis.compactors.ledger import reading as module
from tamis.compactors.ledger.reading import Reading
from tamis.errors import InputError


def read(*texts: str) -> Reading:
    reading = Reading.begin()
    reading.read([say("user", text) for text in texts])
    return reading


def test_what_is_carried_is_json_and_reads_on_where_it_stopped() -> None:
    at_once = read("Fix parse_args.", "Never touch api/v1.py.")
    first = read("Fix parse_args.")
    resumed = Reading.resume(json.loads(json.dumps(first.carry())))
    resumed.read([say("user", "Never touch api/v1.py.")])
    assert resumed.mentions.names == at_once.mentions.names
    assert resumed.state.turns == at_once.state.turns


def test_a_carry_of_another_method_is_refused() -> None:
    with pytest.raises(InputError, match="carries 'somebody-else/3'"):
        Reading.resume({"format": "somebody-else/3"})


def test_beyond_the_most_names_the_likelier_half_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NAMES", 4)
    reading = read("name_a name_b name_c name_d name_e")
    reading.forget(
        {f"name_{letter}": chance for letter, chance in zip("abcde", (1, 5, 2, 4, 3), strict=True)}
    )
    assert set(reading.mentions.names) == {"name_b", "name_d"}


def test_up_to_the_most_names_nothing_is_forgotten() -> None:
    reading = read("name_a name_b")
    reading.forget({"name_a": 0.1, "name_b": 0.2})
    assert set(reading.mentions.names) == {"name_a", "name_b"}
