"""The coding agents that tamis can be put into, and what each has a place for.

Claude Code, OpenCode and pi load a plugin from a folder of their own: it replaces their compaction. Codex and
Gemini CLI run hooks that a JSON file names.
"""

import json
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

PLUGINS = "plugins"
"""The folder beside this module that holds the plugins, each below its agent's name, as that loads it."""

_COMMAND = '["tamis"]'
_ARCHIVE = "const ARCHIVE = null"
_HOOK = '"tamis hook claude-code'


@dataclass(frozen=True, kw_only=True, slots=True)
class Agent:
    """A coding agent, and the place that it has for tamis.

    Args:
        name: as in `tamis wrap NAME`.
        title: what people call it.
        programs: what it is called on the path.
        folder: its folder in a project.
        home: its folder for all of a user's projects; `variable` is what names another.
        files: of a plugin that replaces its compaction, which of our files go where, below its folder.
        settings: the JSON file for hooks, below its folder, where it has no plugin that replaces.
        form: the format of its sessions.
        events: the hooks, and the matcher of each.
        timeout: how long a hook may take, in the agent's own unit.
        serves: whether the file names MCP servers, too; the recall tool is then one of them.
        then: what is left for its user to do.
    """

    name: str
    title: str
    programs: Sequence[str]
    folder: str
    home: str
    variable: str
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    settings: str = ""
    form: str
    events: Mapping[str, str | None] = field(default_factory=dict, hash=False)
    timeout: int = 60
    serves: bool = False
    then: str

    @property
    def replaces(self) -> bool:
        """Whether tamis makes its compactions, or adds to what it makes itself."""
        return bool(self.files)

    def place(self, *, user: bool = False) -> Path:
        """Its folder: the project's, or the user's own."""
        if not user:
            return Path(self.folder)
        return Path(os.environ.get(self.variable) or Path(self.home).expanduser())

    def archive(self, place: Path) -> Path:
        """Where tamis keeps what is taken out."""
        return place / "tamis.archive"

    def wanted(self, place: Path, archive: Path) -> dict[Path, str]:
        """The plugin's files with what they hold: the commands name this Python and this archive."""
        source = files("tamis.integrations") / PLUGINS / self.name
        made = {}
        for target, name in self.files.items():
            text = source.joinpath(*name.split("/")).read_text(encoding="utf-8")
            made[place / target] = _filled_in(text, archive.resolve())
        return made


def program() -> list[str]:
    """How tamis is started here, whatever the path says by then."""
    return [sys.executable, "-m", "tamis.cli"]


def _filled_in(text: str, archive: Path) -> str:
    text = text.replace(_COMMAND, json.dumps(program()))
    text = text.replace(_ARCHIVE, f"const ARCHIVE = {json.dumps(str(archive))}")
    command = shlex.join([*program(), "hook", "claude-code", "--archive", str(archive)])
    return text.replace(_HOOK, f'"{json.dumps(command)[1:-1]}')


AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            name="claude-code",
            title="Claude Code",
            programs=("claude",),
            folder=".claude",
            home="~/.claude",
            variable="CLAUDE_CONFIG_DIR",
            files={
                f"skills/tamis/{name}": name
                for name in (".claude-plugin/plugin.json", "hooks/hooks.json", "hooks/register.js")
            },
            form="claude-code",
            events={"PreCompact": None, "SessionStart": "compact"},
            then="Claude Code loads it when it starts, in a folder that you trust",
        ),
        Agent(
            name="opencode",
            title="OpenCode",
            programs=("opencode",),
            folder=".opencode",
            home="~/.config/opencode",
            variable="OPENCODE_CONFIG_DIR",
            files={"plugin/tamis.js": "tamis.js"},
            form="opencode",
            then="OpenCode loads it when it starts",
        ),
        Agent(
            name="pi",
            title="pi",
            programs=("pi",),
            folder=".pi",
            home="~/.pi/agent",
            variable="PI_CODING_AGENT_DIR",
            files={"extensions/tamis.js": "tamis.js"},
            form="pi",
            then="pi loads it when it starts",
        ),
        Agent(
            name="codex",
            title="Codex",
            programs=("codex",),
            folder=".codex",
            home="~/.codex",
            variable="CODEX_HOME",
            settings="hooks.json",
            form="codex",
            events={"PreCompact": None, "SessionStart": "compact"},
            then="Codex runs new hooks only when you have looked at them and trusted them: `/hooks`",
        ),
        Agent(
            name="gemini-cli",
            title="Gemini CLI",
            programs=("gemini",),
            folder=".gemini",
            home="~/.gemini",
            variable="GEMINI_CLI_HOME",
            settings="settings.json",
            form="gemini",
            events={"PreCompress": None},
            timeout=60_000,
            serves=True,
            then="Gemini CLI reads it when it starts; the recall tool needs `pip install 'tamis[mcp]'`",
        ),
    )
}
"""Every agent that can be wrapped, by its name."""
