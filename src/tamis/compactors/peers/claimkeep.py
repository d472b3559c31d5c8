"""ClaimKeep's brief of an agent's own claims: https://github.com/rushnur88/claimkeep."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from tamis.compactors.brief import brief_message
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.peers.peer import framed, installed
from tamis.messages import MESSAGE_OVERHEAD_TOKENS, Message, Text

PACKAGE, EXTRA = "claimkeep", "claimkeep"
TRIES = 6
CHARS_PER_TOKEN = 4


class ClaimKeep(Method):
    """The brief that its hook writes before a compaction, in place of the span instead of beside a summary.

    Its harvesters read what the agent and the user said; its store of lessons from other sessions is left
    out. Its budget is in characters: the largest whose brief fits is looked for.
    """

    name = "claimkeep"

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """The version is the installed package's."""
        super().__init__(clock=clock)
        self.version = installed(PACKAGE, EXTRA)

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Harvest the claims, and render those that fit, the best first."""
        from claimkeep.rehydrate import render
        from claimkeep.select import fit_rendered

        brief = _harvest(material.messages)
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS - material.counter.count(framed(""))
        chars = room * CHARS_PER_TOKEN
        for _ in range(TRIES):
            if chars <= 0:
                break
            kept = fit_rendered(brief, chars, render)
            text = render(kept)
            tokens = material.counter.count(framed(text))
            if tokens + MESSAGE_OVERHEAD_TOKENS <= material.budget_tokens and (
                kept.claims or kept.supplement
            ):
                return material.condense(brief_message(framed(text)), reason="its claims are kept")
            chars = int(min(chars, len(text)) * 0.95 * room / max(tokens, 1))
        return CannotFit(f"no claim of the span fits {material.budget_tokens} tokens")


def _harvest(messages: Sequence[Message]) -> Any:  # its Brief
    from claimkeep.brief import Brief, Claim, Supplement
    from claimkeep.cli import _link_retractions, _units_for
    from claimkeep.config import Config
    from claimkeep.harvesters import get_harvester
    from claimkeep.redact import redact

    config = Config(lessons_enabled=False)
    units = [(m.role, redact(p.text)) for m in messages for p in m.parts if isinstance(p, Text) and p.text]
    found = [
        item
        for name in config.harvesters
        for item in get_harvester(name)().harvest(_units_for(name, units), config)
    ]
    claims = _link_retractions([item for item in found if isinstance(item, Claim)])
    return Brief(claims=claims, supplement=[item for item in found if isinstance(item, Supplement)])
