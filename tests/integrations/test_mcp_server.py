"""The MCP server, asked by the SDK's own client: in process, as a program, and over HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tamis.archive import Archive
from tamis.errors import BadArchive
from tamis.integrations.mcp_server import MAX_CHARS, make_server
from tamis.messages import Message, Text, identify

TALK = [
    {"role": "user", "content": "Never touch src/tax.py. Make src/till.py accept vouchers."},
    {
        "role": "assistant",
        "content": "I read it first.",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "bash", "arguments": '{"command": "cat src/till.py"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "def open_drawer():\n" + "    step()\n" * 200},
    {"role": "assistant", "content": "The drawer opens twice."},
    {"role": "user", "content": "Then fix that first."},
]
TOOLS = {"recall", "expand", "show", "file_trail", "compact"}


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(TALK), encoding="utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "talk.tamis"
    with Archive.open(path) as opened:
        opened.put("talk", identify([Message(id="", role="user", parts=(Text(text="The port is 8417."),))]))
    return path


async def ask(server: Any, tool: str, **arguments: Any) -> Any:
    async with Client(server) as client:
        return await client.call_tool(tool, arguments)


def said(answer: Any) -> str:
    return "\n".join(block.text for block in answer.content)


async def test_every_tool_is_offered_with_a_description(archive: Path) -> None:
    async with Client(make_server(archive)) as client:
        offered = (await client.list_tools()).tools
    assert {tool.name for tool in offered} == TOOLS
    assert all(tool.description for tool in offered)


async def test_what_was_taken_out_is_found_by_words_and_given_back_by_id(archive: Path) -> None:
    found = said(await ask(make_server(archive), "recall", words="port"))
    assert "8417" in found
    assert said(await ask(make_server(archive), "expand", id=found.split()[0])) == "The port is 8417."


async def test_without_an_archive_recall_says_how_to_name_one() -> None:
    answer = await ask(make_server(), "recall", words="port")
    assert answer.is_error
    assert "--archive" in said(answer)


async def test_a_session_is_shown(session: Path) -> None:
    shown = json.loads(said(await ask(make_server(), "show", file=str(session))))
    assert shown["format"] == "openai-chat"
    assert shown["messages"] == 5
    assert "Then fix that first." in shown["requests"][-1]


async def test_the_file_trail_names_what_was_read(session: Path) -> None:
    trail = json.loads(said(await ask(make_server(), "file_trail", file=str(session))))
    assert [entry["path"] for entry in trail["read"]] == ["src/till.py"]


async def test_a_session_is_compacted_into_a_new_file_and_the_archive(session: Path, tmp_path: Path) -> None:
    kept, target = tmp_path / "kept.tamis", tmp_path / "small.json"
    answer = await ask(make_server(kept), "compact", file=str(session), output=str(target), budget="30%")
    assert json.loads(said(answer))["outcome"] == "fits"
    assert "src/tax.py" in target.read_text(encoding="utf-8")
    assert "open_drawer" in said(await ask(make_server(kept), "recall", words="open_drawer"))


async def test_no_file_is_written_over(session: Path) -> None:
    answer = await ask(make_server(), "compact", file=str(session), output=str(session), budget="30%")
    assert answer.is_error
    assert json.loads(session.read_text(encoding="utf-8")) == TALK


@pytest.mark.parametrize("method", ["exec:rm -rf x", "hybrid@openai:gpt-5", "mine.py:Mine"])
async def test_a_method_that_runs_a_program_is_refused(session: Path, tmp_path: Path, method: str) -> None:
    answer = await ask(
        make_server(), "compact", file=str(session), output=str(tmp_path / "o.json"), method=method
    )
    assert answer.is_error
    assert "bare name" in said(answer)


async def test_a_file_that_is_no_session_is_an_answer_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("nothing", encoding="utf-8")
    server = make_server()
    assert (await ask(server, "show", file=str(tmp_path / "x.txt"))).is_error
    assert (await ask(server, "show", file=str(tmp_path / "gone"))).is_error


async def test_a_message_longer_than_an_agent_can_take_is_cut_and_says_so(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.tamis") as opened:
        long = Message(id="", role="user", parts=(Text(text="needle " + "x" * MAX_CHARS),))
        opened.put("talk", identify([long]))
    server = make_server(tmp_path / "a.tamis")
    found = said(await ask(server, "recall", words="needle"))
    whole = said(await ask(server, "expand", id=found.split()[0]))
    assert len(whole) < MAX_CHARS + 100
    assert "more characters are not shown" in whole


def test_what_is_no_archive_is_said_at_the_start(session: Path) -> None:
    with pytest.raises(BadArchive):
        make_server(session)


async def test_as_a_program_over_stdin_and_stdout(archive: Path) -> None:
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tamis.cli", "mcp", "--archive", str(archive)],
        env=dict(os.environ),
    )
    assert "8417" in said(await ask(program, "recall", words="port"))


@pytest.fixture
def served(archive: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["mcp", "--archive", str(archive), "--http", "--port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "tamis.cli", *arguments], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    for line in server.stderr:
        if "Uvicorn running" in line:
            break
    yield f"http://127.0.0.1:{port}/mcp"
    server.send_signal(signal.SIGINT)
    server.wait(timeout=20)


async def test_over_http(served: str) -> None:
    assert "8417" in said(await ask(served, "recall", words="port"))


@pytest.mark.parametrize("tool", ["show", "file_trail", "compact"])
@pytest.mark.parametrize("name", ["secrets.env", "broken.json", "nowhere.json", "a\0b"])
async def test_what_is_no_session_is_not_quoted(tmp_path: Path, tool: str, name: str) -> None:
    (tmp_path / "secrets.env").write_text("TOKEN=quartz-0001\nPASSWORD=quartz-0002\n")
    (tmp_path / "broken.json").write_text('{"token": "quartz-0003", "quartz-0004": ')
    more = {"output": str(tmp_path / "out.json")} if tool == "compact" else {}
    answer = await ask(make_server(), tool, file=str(tmp_path / name), **more)
    assert answer.is_error
    assert "quartz" not in str(answer)
    assert "is no session file" in str(answer)
