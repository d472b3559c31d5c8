"""The coding agents that tamis can be installed into, and where each keeps its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Agent:
    """A coding agent, and the JSON file in which it has a place for tamis.

    Args:
        name: as in `tamis install NAME`.
        title: what people call it.
        purpose: what the hooks are for.
        settings: the file, seen from a project's folder.
        archive: where the hooks keep what is taken out, seen from there.
        form: the format of its sessions.
        events: the events that are hooked, and the matcher of each.
        timeout: how long a hook may take, in the agent's own unit.
        serves: whether the file names MCP servers, too; the recall tool is then one of them.
        then: what is left for its user to do.
    """

    name: str
    title: str
    purpose: str
    settings: str
    archive: str
    form: str
    events: Mapping[str, str | None] = field(hash=False)
    timeout: int
    serves: bool = False
    then: str


AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            name="claude-code",
            title="Claude Code",
            purpose="Have Claude Code keep what it compacts, and be told what its summary left out.",
            settings=".claude/settings.json",
            archive=".claude/tamis.archive",
            form="claude-code",
            events={"PreCompact": None, "SessionStart": "compact"},
            timeout=60,
            then="Claude Code reads it when it starts",
        ),
        Agent(
            name="codex",
            title="Codex",
            purpose="Have Codex keep what it compacts, and be told what its summary left out.",
            settings=".codex/hooks.json",
            archive=".codex/tamis.archive",
            form="codex",
            events={"PreCompact": None, "SessionStart": "compact"},
            timeout=60,
            then="Codex runs new hooks only when you have looked at them and trusted them: `/hooks`",
        ),
        Agent(
            name="gemini-cli",
            title="Gemini CLI",
            purpose="Have Gemini CLI keep what it compresses, and be able to recall it.",
            settings=".gemini/settings.json",
            archive=".gemini/tamis.archive",
            form="gemini",
            events={"PreCompress": None},
            timeout=60_000,
            serves=True,
            then="Gemini CLI reads it when it starts; the recall tool needs `pip install 'tamis[mcp]'`",
        ),
    )
}
"""Every agent that can be installed into, by its name."""
