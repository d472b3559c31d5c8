"""Stores of agents' sessions, as data.

A root is a path with places in braces: `{home}`, `{config}` and `{data}` (as XDG and macOS have them),
`{editor}` (the storage of an editor's extensions), `{code}` (folders with people's projects); or a variable
that names it, `$CODEX_HOME`. A pattern is matched against the path below its root; `*` crosses folders.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

StoreKind = Literal["files", "opencode-storage", "opencode-database", "goose-database"]
"""`files`: a session a file. `opencode-storage`: many small files to a session, found by the first of them.
Databases hold all sessions in one file."""


@dataclass(frozen=True, slots=True)
class Store:
    """One kind of place where one agent keeps sessions.

    Args:
        agent: what people call it; `name`: what `tamis wrap NAME` calls it.
        roots: the folders, as described above.
        patterns: which files below them.
        marks: what stands in a file once for every time that the agent compacted the session; the most
            frequent of them counts. Empty where it is not told by a look at the bytes.
        depth: how many folders below a root are looked into; None: all.
    """

    agent: str
    name: str
    roots: tuple[str, ...]
    patterns: tuple[str, ...]
    kind: StoreKind = "files"
    marks: tuple[bytes, ...] = ()
    depth: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Machine:
    """What the places depend on: the home folder, the folder at hand, the environment, the system."""

    home: Path
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    is_mac: bool = False


_EXTENSION = ("*/api_conversation_history.json",)
_JSONL = ("*.jsonl",)
_GOOSE = ("{data}/goose/sessions", "{data}/Block.goose/sessions")
_CODEX = tuple(
    f"{root}/{f}" for root in ("{home}/.codex", "$CODEX_HOME") for f in ("sessions", "archived_sessions")
)

STORES: tuple[Store, ...] = (
    Store(
        "Claude Code",
        "claude-code",
        ("{home}/.claude/projects", "{config}/claude/projects", "$CLAUDE_CONFIG_DIR/projects"),
        _JSONL,
        marks=(b'"isCompactSummary":true', b'"subtype":"compact_boundary"'),
    ),
    Store("Codex", "codex", _CODEX, _JSONL, marks=(b'"type":"compacted"',)),
    Store(
        "Gemini CLI",
        "gemini-cli",
        ("{home}/.gemini/tmp", "$GEMINI_CLI_HOME/.gemini/tmp"),
        ("*chats/session-*.json", "*chats/session-*.jsonl", "*checkpoint*.json"),
    ),
    Store(
        "OpenCode",
        "opencode",
        ("{data}/opencode/storage/session", "{data}/opencode/project"),
        ("*ses_*.json",),
        "opencode-storage",
    ),
    Store("OpenCode", "opencode", ("{data}/opencode",), ("opencode.db",), "opencode-database", depth=0),
    Store(
        "Copilot CLI",
        "copilot-cli",
        ("{home}/.copilot/session-state", "{home}/.copilot/history-session-state"),
        _JSONL,
        marks=(b'"type":"session.compaction_complete"',),
    ),
    Store(
        "Cline",
        "cline",
        ("{editor}/saoudrizwan.claude-dev/tasks", "{home}/.cline/data/tasks"),
        _EXTENSION,
        depth=1,
    ),
    Store("Roo Code", "roo", ("{editor}/rooveterinaryinc.roo-cline/tasks",), _EXTENSION, depth=1),
    Store("Kilo Code", "kilo", ("{editor}/kilocode.kilo-code/tasks",), _EXTENSION, depth=1),
    Store(
        "pi",
        "pi",
        ("{home}/.pi/agent/sessions", "$PI_CODING_AGENT_DIR/sessions"),
        _JSONL,
        marks=(b'"type":"compaction"',),
    ),
    Store("aider", "aider", ("{code}",), ("*.aider.chat.history.md",), depth=1),
    Store("Goose", "goose", _GOOSE, _JSONL),
    Store("Goose", "goose", _GOOSE, ("sessions.db",), "goose-database", depth=0),
    Store("Qwen Code", "qwen", ("{home}/.qwen",), ("*chats/*.json*",)),
    Store("Droid", "droid", ("{home}/.factory/sessions",), _JSONL),
    Store("gptme", "gptme", ("{data}/gptme/logs",), ("*conversation.jsonl",)),
)
"""Every store that is looked into, the agent that most people have first."""

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")
_PROJECTS = "code Code src projects Projects dev Developer work git repos workspace Documents".split()  # noqa: SIM905


def roots_of(store: Store, machine: Machine) -> Iterable[Path]:
    """The folders that a store may be in on this machine, whether they are there or not, each once.

    >>> machine = Machine(home=Path("/h"), cwd=Path("/h"), environment={"CODEX_HOME": "/c"})
    >>> [str(root) for root in roots_of(STORES[1], machine)][-2:]
    ['/c/sessions', '/c/archived_sessions']
    """
    return dict.fromkeys(root for template in store.roots for root in _expanded(template, machine))


def _expanded(template: str, machine: Machine) -> Iterator[Path]:
    head, _, rest = template.partition("/")
    if head.startswith("$"):
        value = machine.environment.get(head[1:])
        if value:
            yield Path(value).expanduser() / rest
        return
    places = {
        "{home}": [machine.home],
        "{config}": _xdg(machine, "XDG_CONFIG_HOME", ".config"),
        "{data}": _xdg(machine, "XDG_DATA_HOME", ".local/share"),
        "{editor}": _editors(machine),
        "{code}": [machine.cwd, *(machine.home / name for name in _PROJECTS)],
    }
    yield from (place / rest for place in places[head])


def _xdg(machine: Machine, variable: str, usual: str) -> Iterator[Path]:
    if named := machine.environment.get(variable):
        yield Path(named)
    yield machine.home / usual
    if machine.is_mac:
        yield machine.home / "Library/Application Support"


def _editors(machine: Machine) -> Iterator[Path]:
    roaming = [Path(folder)] if (folder := machine.environment.get("APPDATA")) else []
    for base in (*_xdg(machine, "XDG_CONFIG_HOME", ".config"), *roaming):
        yield from (base / editor / "User/globalStorage" for editor in _EDITORS)
    yield from (machine.home / server / "data/User/globalStorage" for server in _SERVERS)
