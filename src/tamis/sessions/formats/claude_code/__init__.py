"""Claude Code's session logs."""

from tamis.sessions.formats.claude_code.format import ClaudeCode

__all__ = ["ClaudeCode"]
