"""`nothing`: all taken out. The lower control arm."""

from __future__ import annotations

from tamis.compactors.account import tell_all
from tamis.compactors.method import Material, Method, Replacement


class Nothing(Method):
    """Leaves no message."""

    name = "nothing"

    async def replace(self, material: Material) -> Replacement:
        """No message at all."""
        told = tell_all(len(material.messages), "archived", "everything is taken out")
        return Replacement(messages=(), told=told)
