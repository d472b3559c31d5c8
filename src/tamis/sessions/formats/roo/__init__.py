"""Roo Code's and Cline's histories."""

from tamis.sessions.formats.roo.reader import Roo

__all__ = ["Roo"]
