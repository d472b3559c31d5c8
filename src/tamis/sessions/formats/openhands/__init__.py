"""OpenHands runs."""

from tamis.sessions.formats.openhands.reader import OpenHands

__all__ = ["OpenHands"]
