"""`truncate`: the newest whole units that fit, the rest taken out."""

from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.packing import newest_that_fit


class Truncate(Method):
    """Goes from the newest unit to the oldest and keeps each one that there is still room for."""

    name = "truncate"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Keep the newest."""
        units = material.units()
        kept = newest_that_fit([u.tokens for u in units], material.budget_tokens)
        if not kept:
            return CannotFit("not one whole message fits the budget")
        positions = {i for k in kept for i in units[k].positions}
        return material.keep(positions, why="among the newest that fit", why_not="no room left")
