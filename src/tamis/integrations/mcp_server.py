"""An MCP server over the official SDK: what was taken out, and what a session holds, as tools for any agent.

    {"mcpServers": {"tamis": {"command": "tamis", "args": ["mcp", "--archive", "talk.tamis"]}}}

`recall` and `expand` read the archive; `show`, `file_trail` and `compact` take a session file. Only `compact`
writes, and only where it is told to.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis._version import __version__
from tamis.api import compact as compact_session
from tamis.archive import Archive
from tamis.archive.recall_tool import DESCRIPTION, answer_call
from tamis.errors import BadBudget, InputError, MissingExtra, TamisError, UnknownFormat, UnreadableFile
from tamis.ledger import read_ledger
from tamis.messages import Session, get_counter
from tamis.messages.census import take_census
from tamis.sessions import WritableFormat, get_format, read, write

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = (
    "Parts of long conversations are taken out to save room. `recall` searches what was taken out and "
    "`expand` gives one message back in full; the other tools look into session files."
)
MAX_CHARS = 60_000
"""The longest answer; a file is the place for more."""


def make_server(archive: Path | None = None, *, is_verbose: bool = False) -> MCPServer:
    """The server, with its tools registered.

    `recall` and `expand` read the archive, `compact` keeps in it what it takes out. With `is_verbose` it is
    said on stderr where the server listens and what is asked.

    Raises:
        MissingExtra: the SDK is not installed.
        BadArchive: the archive cannot be opened.
    """
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise MissingExtra("the MCP server needs the official SDK: pip install 'tamis[mcp]'") from None
    if archive is not None:  # what is wrong with it is said now, not in the middle of somebody's work
        Archive.open(archive).close()
    tools = ServerTools(archive)
    server = MCPServer(
        "tamis", instructions=INSTRUCTIONS, version=__version__, log_level="INFO" if is_verbose else "WARNING"
    )
    descriptions = {"recall": DESCRIPTION}
    for tool in (tools.recall, tools.expand, tools.show, tools.file_trail, tools.compact):
        server.tool(description=descriptions.get(tool.__name__))(_told(tool))
    return server


class ServerTools:
    """What the tools do, on plain values. What cannot be done is a `TamisError`."""

    def __init__(self, archive: Path | None = None) -> None:
        self._archive = archive

    def recall(self, words: str = "", id: str = "", limit: int = 5) -> str:  # noqa: A002 - the tool's field
        """Search the archive by words, or give one message by its id."""
        if self._archive is None:
            raise InputError("no archive was named; start the server with --archive FILE")
        with Archive.open(self._archive, read_only=True) as opened:
            return answer_call(opened, "recall", {"words": words, "id": id, "limit": limit})

    def expand(self, id: str) -> str:  # noqa: A002 - the tool's field
        """Give back one message that was taken out, exactly as it was. `id` is what a search showed."""
        return self.recall(id=id)

    def show(self, file: str) -> dict[str, Any]:
        """Say what a session file holds: its messages and tokens, and what holds at its end."""
        session = _read(file)
        census = take_census(session.messages, get_counter())
        state = read_ledger(session.messages).state
        return {
            "session": session.id,
            "format": session.format,
            "model": session.model,
            "messages": census.messages,
            "tokens": census.tokens,
            "requests": [entry.value.text for entry in state.requests],
            "constraints": [entry.value.text for entry in state.constraints],
            "open_tasks": [
                entry.value.text for entry in state.tasks if entry.value.status in ("open", "in_progress")
            ],
            "errors": [entry.value.error.message for entry in state.errors if not entry.value.resolved],
        }

    def file_trail(self, file: str) -> dict[str, list[dict[str, Any]]]:
        """List what a session did to files: created, modified, read, deleted or renamed, and what changed."""
        trail: dict[str, list[dict[str, Any]]] = {}
        for entry in read_ledger(_read(file).messages).state.files:
            known = {
                "path": entry.value.path,
                "touched": list(entry.value.touched),
                "lines_added": entry.value.lines_added,
                "lines_removed": entry.value.lines_removed,
                "renamed_from": entry.value.renamed_from,
            }
            trail.setdefault(entry.value.status, []).append({k: v for k, v in known.items() if v})
        return trail

    def compact(self, file: str, output: str, budget: str = "10%", method: str = "ledger") -> dict[str, Any]:
        """Compress a session file into a budget (tokens, or a share such as 10%) and write it to `output`.

        It is written in its own format, or as OpenAI chat messages. The source is never changed, and no file
        is written over.
        """
        if "@" in method or ":" in method:
            raise InputError(
                f"{method!r} runs or asks something else; here a method is named by its bare name"
            )
        session = _read(file)
        with Archive.open(self._archive) if self._archive else nullcontext() as archive:
            made = compact_session(session, budget=budget, method=method, archive=archive)
        if made.outcome == "unmet":
            raise BadBudget(f"{'; '.join(made.warnings)}; give a larger budget than {budget}")
        is_writable = isinstance(get_format(session.format), WritableFormat)
        write(made.session, output, session.format if is_writable else "openai-chat")
        return {
            "written": output,
            "outcome": made.outcome,
            "tokens_before": made.tokens_before,
            "tokens_after": made.tokens_after,
            "warnings": list(made.warnings),
        }


def _read(file: str) -> Session:
    """A session. Of what is none nothing is told, not even whether it is there: it may be anybody's."""
    try:
        return read(file)
    except (UnreadableFile, UnknownFormat, OSError, ValueError):
        raise InputError(
            f"{file!r} is no session file that can be read; `tamis show` says why at the command line"
        ) from None


def _told(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool, its errors as answers that say why, its answers no longer than an agent can take."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = tool(*args, **kwargs)
        except TamisError as error:
            raise ToolError(str(error)) from None
        if isinstance(answer, str) and len(answer) > MAX_CHARS:
            return f"{answer[:MAX_CHARS]}\n[{len(answer) - MAX_CHARS} more characters are not shown]"
        return answer

    return told
