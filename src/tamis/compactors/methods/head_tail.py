"""`head-tail`: the first and the newest whole units, the middle taken out."""

import time
from collections.abc import Callable

from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.packing import first_that_fit, newest_that_fit


class HeadTail(Method):
    """Keeps units from the first on within `head_share` of the budget, and the newest in what is left.

    The very first unit, mostly the request, is kept wherever the budget holds it at all.
    """

    name = "head-tail"

    def __init__(self, *, head_share: float = 0.5, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(clock=clock)
        self.head_share = head_share

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Keep both ends."""
        units = material.units()
        tokens = [u.tokens for u in units]
        head = first_that_fit(tokens, int(material.budget_tokens * self.head_share))
        if not head and tokens and tokens[0] <= material.budget_tokens:
            head = 1
        room = material.budget_tokens - sum(tokens[:head])
        kept = [*range(head), *(head + k for k in newest_that_fit(tokens[head:], room))]
        if not kept:
            return CannotFit("not one whole message fits the budget")
        positions = {i for k in kept for i in units[k].positions}
        return material.keep(positions, why="among the first or the newest", why_not="in the middle")
