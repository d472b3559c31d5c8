"""Claude Agent SDK: what tamis's hooks do when Claude Code compacts. Claude Code itself is a script here.

python examples/adapters/claude_agent_sdk_hooks.py

The script speaks the SDK's own protocol over a transport, so the hooks and the recall tool are called as by
Claude Code; it needs no network, no key and no `claude`.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport

import tamis
from tamis.integrations.claude_agent_sdk import with_tamis

SESSION = Path(__file__).resolve().parents[1] / "sessions" / "till.claude-code.jsonl"
CLIENT = {"name": "script", "version": "1"}
SUMMARY = "The till works on whole pence now. The tests pass."


class Script(Transport):
    """Claude Code's side: it compacts, goes on, and calls the recall tool."""

    def __init__(self, transcript: Path) -> None:
        self.transcript = transcript
        self.answers: dict[str, Any] = {}
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._out: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    async def connect(self) -> None:
        """Nothing to connect to."""

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request" and message["request"]["subtype"] == "initialize":
            self._hooks = message["request"]["hooks"]
            response = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            await self._out.put({"type": "control_response", "response": response})
        elif message["type"] == "control_response":
            self._waiting[message["response"]["request_id"]].set_result(message["response"])
        elif message["type"] == "user":
            self._tasks.append(asyncio.create_task(self._work()))

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:  # type: ignore[override]
        while (message := await self._out.get()) is not None:
            yield message

    async def close(self) -> None:
        await self._out.put(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        """The script has an end of its own."""

    async def _work(self) -> None:
        self.answers["PreCompact"] = await self._hook("PreCompact", trigger="auto", custom_instructions=None)
        with self.transcript.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"type": "system", "subtype": "compact_boundary", "uuid": "b1"}) + "\n")
            said = {"role": "user", "content": SUMMARY}
            log.write(
                json.dumps({"type": "user", "uuid": "s1", "isCompactSummary": True, "message": said}) + "\n"
            )
        self.answers["UserPromptSubmit"] = await self._hook("UserPromptSubmit", prompt="Go on.")
        self.answers["again"] = await self._hook("UserPromptSubmit", prompt="Go on.")
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
        await self._mcp(id=1, method="initialize", params=client)
        await self._mcp(method="notifications/initialized")
        call = {"name": "recall", "arguments": {"words": "prices.csv"}}
        self.answers["recall"] = await self._mcp(id=2, method="tools/call", params=call)
        result = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1}
        rest = {"duration_ms": 1, "duration_api_ms": 1, "session_id": "s-1", "total_cost_usd": 0}
        await self._out.put({**result, **rest})

    async def _mcp(self, **message: Any) -> Any:
        return await self._ask("mcp_message", server_name="tamis", message={"jsonrpc": "2.0", **message})

    async def _hook(self, event: str, **fields: Any) -> Any:
        given = {"session_id": "s-1", "transcript_path": str(self.transcript), "cwd": "."}
        (callback,) = self._hooks[event][0]["hookCallbackIds"]
        given |= {"hook_event_name": event, **fields}
        return await self._ask("hook_callback", callback_id=callback, input=given, tool_use_id=None)

    async def _ask(self, subtype: str, **fields: Any) -> Any:
        name = f"script-{len(self._waiting)}"
        self._waiting[name] = asyncio.get_running_loop().create_future()
        request = {"subtype": subtype, **fields}
        await self._out.put({"type": "control_request", "request_id": name, "request": request})
        response = await self._waiting[name]
        return response.get("response", response)


async def run(archive: tamis.Archive, folder: Path) -> dict[str, Any]:
    """What the hooks and the tool answered."""
    transcript = folder / "talk.jsonl"
    transcript.write_bytes(SESSION.read_bytes())
    script = Script(transcript)
    options = with_tamis(ClaudeAgentOptions(), archive=archive)
    async with ClaudeSDKClient(options, transport=script) as client:
        await client.query("Go on.")
        async for _ in client.receive_response():
            pass
    return script.answers


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    with tamis.Archive.open(folder / "work.tamis") as archive:
        answers = asyncio.run(run(archive, folder))
        context = answers["UserPromptSubmit"]["hookSpecificOutput"]["additionalContext"]
        assert "never change prices.csv" in context, answers
        assert "prices.csv" in str(answers["recall"]), answers
        print("\n".join(context.splitlines()[:12]))
        print(f"{archive.stats().messages} messages in the archive")
