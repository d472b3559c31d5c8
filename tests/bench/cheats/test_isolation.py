from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tamis.bench.confinement import Way
from tamis.bench.isolation import IsolatedMethod
from tamis.compactors import CompactionRequest
from tamis.errors import MethodFailed
from tamis.messages import Message, Text, get_counter, identify

PRYING = Path(__file__).with_name("prying.py")


def request(text: str = "one") -> CompactionRequest:
    span = identify([Message(id="", role="user", parts=(Text(text=text),))])
    return CompactionRequest(span=span, budget_tokens=100, counter=get_counter("cl100k_base"))


def is_running(marker: str) -> bool:
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if marker.encode() in file.read_bytes():
                return True
    return False


@pytest.fixture
def secret() -> Iterator[str]:
    """A key in the environment of another process of this user."""
    key = f"key-{uuid.uuid4().hex}"
    idle = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(idle, stdin=subprocess.PIPE, env={"SECRET": key}) as process:
        yield key
        process.kill()


@pytest.mark.parametrize("way", ["namespaces", "user"])
def test_a_method_reads_no_environment_of_another_process(way: Way, secret: str) -> None:
    with IsolatedMethod(f"{PRYING}:Prier", ways=[way]) as method:
        if method.confined is None:
            pytest.skip(f"this system does not give {way}")
        assert method.confined == way
        assert secret not in method(request()).messages[0].text


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked into by /proc")
def test_what_is_not_confined_says_so_and_reads_them(secret: str) -> None:
    with IsolatedMethod(f"{PRYING}:Prier", ways=[]) as method:
        assert method.confined is None
        assert secret in method(request()).messages[0].text


def test_in_namespaces_there_is_no_network() -> None:
    with IsolatedMethod(f"{PRYING}:Prier", ways=["namespaces"]) as method:
        if method.confined is None:
            pytest.skip("this system does not give namespaces")
        assert method.network_cut


@pytest.mark.parametrize("ways", [["namespaces"], ["user"], []])
@pytest.mark.parametrize("name", ["Leaver", "StayingLeaver"])
def test_what_a_method_leaves_behind_ends_with_it(name: str, ways: Sequence[Way]) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    with IsolatedMethod(
        f"{PRYING}:{name}", ways=ways, timeout_s=2 if name == "StayingLeaver" else 60
    ) as method:
        if ways and method.confined is None:
            pytest.skip(f"this system does not give {ways[0]}")
        if name == "Leaver":
            assert method(request(marker)).outcome == "unchanged"
        else:
            with pytest.raises(MethodFailed, match="no answer within 2 seconds"):
                method(request(marker))
    given_up = time.monotonic() + 10  # the killed are gone when the system has cleared them away
    while is_running(marker) and time.monotonic() < given_up:
        os.sched_yield()
    assert not is_running(marker)


def test_nothing_of_the_worker_stays_open() -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - their number
    for _ in range(3):
        with IsolatedMethod(f"{PRYING}:Prier") as method:
            method(request())
    assert len(os.listdir("/proc/self/fd")) <= before + 1  # noqa: PTH208
