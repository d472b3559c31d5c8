"""Other agents' event logs."""

from tamis.sessions.formats.agent_events.reader import AgentEvents

__all__ = ["AgentEvents"]
