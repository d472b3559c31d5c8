"""Every future of the worker's gets one answer, whoever sees first that the worker is gone."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from tamis.proxy.worker import JobResult
from tamis.proxy.workshop import WorkerLost, _Process


def process_with(connection: Any) -> _Process:
    """A process that is none, behind a connection."""
    made = _Process.__new__(_Process)
    made._connection, made._process = connection, SimpleNamespace(is_alive=lambda: False)
    made._waiting, made._lock, made.is_lost = {}, threading.Lock(), False
    return made


class Broken:
    """A connection whose other end has gone; the listener may see it first."""

    def __init__(self) -> None:
        self.process: _Process | None = None

    def send(self, _what: object) -> None:
        if self.process is not None:
            self.process._listen()
        raise BrokenPipeError

    def recv(self) -> JobResult:
        raise EOFError


@pytest.mark.parametrize("listener_first", [False, True])
def test_a_job_that_cannot_be_sent_is_given_up_once(*, listener_first: bool) -> None:
    connection, future = Broken(), Future[JobResult]()
    process = process_with(connection)
    connection.process = process if listener_first else None
    if listener_first:
        process.send(SimpleNamespace(number=1), future)  # type: ignore[arg-type]
        assert isinstance(future.exception(0), WorkerLost)
        assert process.is_lost
    else:
        with pytest.raises(BrokenPipeError):
            process.send(SimpleNamespace(number=1), future)  # type: ignore[arg-type]
        process._listen()  # which finds nobody waiting
        assert not future.done()  # whoever sent it answers


def test_a_listener_that_fails_answers_all_who_wait() -> None:
    def fails(_entry: object) -> None:
        raise ValueError("a note that cannot be kept")

    process = process_with(SimpleNamespace(recv=lambda: "a note"))
    process._note = fails
    future = process._waiting[1] = Future[JobResult]()
    with pytest.raises(ValueError, match="cannot be kept"):
        process._listen()
    assert process.is_lost
    assert isinstance(future.exception(0), WorkerLost)
