"""`recorded`: the summary that the session's own agent made at this point.

It stands behind the cut, so whoever cuts the session hands it over in `CompactionRequest.recorded`. It is
never shortened: one that does not fit is no compaction in this budget.
"""

from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.messages import count_messages


class Recorded(Method):
    """Puts the recorded summary in place of the span, as it is."""

    name = "recorded"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Use the recorded summary, if there is one and it fits."""
        summary = material.request.recorded
        if summary is None:
            return CannotFit("the session records no summary at this point")
        (tokens,) = count_messages([summary], material.counter)
        if tokens > material.budget_tokens:
            return CannotFit(
                f"the recorded summary takes {tokens} tokens; the budget is {material.budget_tokens}"
            )
        reason = "the agent's own summary stands for it; how much of it that holds was not recorded"
        return material.condense(summary, reason=reason)
