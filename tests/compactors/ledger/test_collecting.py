"""The cycle search is left alone for a while, and only as long as that."""

from __future__ import annotations

import gc

import pytest

from tamis.compactors.ledger.collecting import no_collections


def test_no_search_runs_within_and_it_goes_on_behind() -> None:
    with no_collections():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_search_goes_on_after_an_error() -> None:
    def fail() -> None:
        with no_collections():
            raise ValueError

    with pytest.raises(ValueError):
        fail()
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with no_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
