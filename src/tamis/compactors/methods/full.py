"""`full`: nothing taken out. The upper control arm."""

from tamis.compactors.method import CannotFit, Material, Method


class Full(Method):
    """Leaves everything; over the budget it says so."""

    name = "full"

    async def replace(self, material: Material) -> CannotFit:
        """Never smaller."""
        return CannotFit(f"full takes nothing out: {sum(material.tokens)} tokens stay")
