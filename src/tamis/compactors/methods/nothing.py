"""`nothing`: all taken out. The lower control arm."""

from tamis.compactors.method import Material, Method, Replacement


class Nothing(Method):
    """Leaves no message."""

    name = "nothing"

    async def replace(self, material: Material) -> Replacement:
        """No message at all."""
        return material.keep((), why="", why_not="everything is taken out")
