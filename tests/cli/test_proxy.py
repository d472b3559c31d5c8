from __future__ import annotations

import json
import multiprocessing
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tamis.cli import main

COMMAND = [sys.executable, "-m", "tamis.cli", "proxy", "--upstream", "http://127.0.0.1:9", "--port", "0"]


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = json.loads(process.stderr.readline())
            yield process, line["url"]
        finally:
            process.kill()


def test_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    with started("--archive", str(tmp_path / "a.tamis")) as (process, url):
        assert httpx.get(f"{url}/healthz").json()["status"] == "ok"
        assert "tamis_proxy_conversations 0.0" in httpx.get(f"{url}/metrics").text
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        assert process.stderr is not None
        assert json.loads(process.stderr.read())["event"] == "stopped"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--upstream", "api.openai.com"], "https://api.openai.com"),
        (["--upstream", "http://127.0.0.1:9", "--host", "0.0.0.0"], "127.0.0.1"),
        (["--upstream", "http://127.0.0.1:9", "--budget", "90%"], "larger window"),
        (["--upstream", "http://127.0.0.1:9", "--method", "nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["proxy", *arguments])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n")) == (2, 1)
    assert says in error


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(SystemExit):
            main(["proxy", "--upstream", "http://127.0.0.1:9", "--port", port])
    assert "--port" in capsys.readouterr().err
    assert not multiprocessing.active_children()
