"""`ledger`: a hand-off that somebody can go on with, made of whole statements, with no model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tamis.compactors.accounts import Told
from tamis.compactors.brief.frame import brief_message
from tamis.compactors.brief.layout import render, story
from tamis.compactors.brief.passages import passages_of
from tamis.compactors.brief.reading import Reading
from tamis.compactors.brief.rules import Rules, rules_of
from tamis.compactors.brief.selection import choose
from tamis.compactors.brief.standing import next_lines, state_lines
from tamis.compactors.brief.statement import Statement
from tamis.compactors.brief.stock import stock_of
from tamis.compactors.brief.worth import Worth, default_worth
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.messages.tokens import MESSAGE_OVERHEAD_TOKENS


class Ledger(Method):
    """The hand-off, packed into the budget."""

    name = "ledger"
    version = "3"

    def __init__(self, worth: Worth | None = None, *, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(clock=clock)
        self._worth = worth or default_worth()

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Say what fits."""
        reading = Reading.resume(material.carry) if material.carry else Reading()
        first = reading.turns
        new = material.originals[material.from_previous :]
        reading.read(new)
        passages = list(passages_of(new, first, material.budget_tokens))
        stock = stock_of(reading, passages, self._worth, material.counter)
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
        rules = rules_of(reading, material.counter, room)
        state = [line.replace(stock.root + "/", "") if stock.root else line for line in state_lines(reading)]
        coming = [line.replace(stock.root + "/", "") if stock.root else line for line in next_lines(reading)]
        if stock.root:
            state.insert(0, f"- paths are in {stock.root}/ where nothing else is said")

        def brief(chosen: Sequence[Statement]) -> str:
            return render({"rules": rules.lines, "story": story(chosen, stock.episodes), "state": state, "next": coming})

        picked = choose(stock.candidates, room - material.counter.count(brief([])))
        chosen = [stock.candidates[at].statement for at in picked]
        text = brief(chosen)
        while chosen and material.counter.count(text) > room:
            chosen.pop()
            text = brief(chosen)
        if not chosen or material.counter.count(text) > room:
            return CannotFit(f"nothing of the conversation fits {material.budget_tokens} tokens")
        return Replacement(
            messages=(brief_message(text),),
            told=_account(material, {s.turn for s in chosen}, first),
            warnings=_warnings(rules),
            state=reading.state,
            carry=reading.carry(),
        )


def _account(material: Material, said: set[int], first: int) -> tuple[Told, ...]:
    told = []
    for at in range(len(material.messages)):
        is_said = at < material.from_previous or first + at - material.from_previous in said
        told.append(Told("condensed", "in the brief") if is_said else Told("archived", "not worth its room"))
    return tuple(told)


def _warnings(rules: Rules) -> tuple[str, ...]:
    if not rules.left_out:
        return ()
    return (f"the budget is too small for all rules: left out {rules.left_out}",)
