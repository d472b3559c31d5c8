"""`hybrid`: the ledger is the truth; a model adds what a program cannot see, if the session bears it out.

The brief is the ledger's. Beside its items stand the model's additions (reasons, causes, what was learned,
plans), each checked against the messages that it cites (`additions.py`); all compete for the budget alike.
With the model down it is the ledger's brief, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.compactors.method import CannotFit, Material, Replacement
from tamis.compactors.methods.ledger import LedgerMethod
from tamis.compactors.modelled.additions import (
    MOST_NOTES,
    Addition,
    Note,
    Patch,
    additions_from_json,
    additions_to_json,
    statements_of,
    take_notes,
)
from tamis.compactors.modelled.interview import Interview, ModelMethod, share_window
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.transcript import Stretch, over_stretches, stretches_of
from tamis.errors import InputError, ModelError, UnusableReply
from tamis.messages import Message
from tamis.models import Model

CARRY_FORMAT = "tamis-hybrid/1"

TOKENS_PER_NOTE = 70

_PROMPT = load_prompt("notes")


class Hybrid(ModelMethod):
    """The ledger's brief, with a model's additions."""

    kind = "hybrid"
    version = f"{LedgerMethod.version}+prompts.{_PROMPT.version}"

    def __init__(
        self,
        model: Model,
        *,
        ledger: LedgerMethod | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`ledger` makes the brief; the shipped one unless told."""
        super().__init__(model, clock=clock)
        self._ledger = ledger or LedgerMethod()

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Ask for additions, take what holds, and let the ledger pack it all."""
        earlier, inner = _resume(material.carry)
        first_turn = int(material.carry["turns"]) if material.carry else 0
        new = material.messages[material.from_previous :]
        turns = first_turn + len(new)
        interview = Interview(self.model)
        notes, failures = await self._notes(new, material, interview)
        taken = take_notes(notes, new, first_turn=first_turn, known=[a.text for a in earlier])
        additions = _with_new(earlier, taken.additions)
        made = await self._ledger.replace(
            replace(material, carry=inner), extra=list(statements_of(additions))
        )
        if isinstance(made, CannotFit):
            return made
        return replace(
            made,
            warnings=(*made.warnings, *failures, *taken.warnings, *interview.warnings),
            usage=interview.usage,
            carry={
                "format": CARRY_FORMAT,
                "ledger": dict(made.carry),
                "additions": additions_to_json(additions),
                "turns": turns,
            },
        )

    async def _notes(
        self, new: Sequence[Message], material: Material, interview: Interview
    ) -> tuple[list[Note], tuple[str, ...]]:
        """What the model proposes, and what went wrong with it.

        An answer that cannot be used costs only the notes of its stretch.
        """
        beside = f"{_PROMPT.instructions.template}{Patch.model_json_schema()}"
        space = share_window(
            self.model, material.counter, answer_tokens=MOST_NOTES * TOKENS_PER_NOTE, beside=beside
        )
        stretches = stretches_of(new, space.read_tokens, material.counter)
        notes: list[Note] = []

        async def ask(stretch: Stretch) -> None:
            prompt = _PROMPT.fill(
                span=stretch.text, most=str(MOST_NOTES), max_output_tokens=space.answer_tokens
            )
            notes.extend((await interview.ask_for(prompt, Patch)).notes)

        failures: list[ModelError] = []
        for stretch in stretches:
            try:
                await over_stretches([stretch], ask)
            except UnusableReply as error:
                failures.append(error)
            except ModelError as error:
                failures.append(error)
                break  # it is down, and each further question would wait for that again
        if not failures:
            return notes, ()
        what = "no further additions" if notes else "no additions: this is the ledger alone"
        return notes, (f"the model gave {what} ({failures[-1]})",)


def _resume(carry: Mapping[str, Any]) -> tuple[tuple[Addition, ...], Mapping[str, Any]]:
    if not carry:
        return (), {}
    if carry.get("format") != CARRY_FORMAT:
        raise InputError(
            f"the previous compaction carries {carry.get('format')!r}, not {CARRY_FORMAT!r}; "
            "compact from the original session, or without a previous compaction"
        )
    return additions_from_json(carry.get("additions")), carry["ledger"]


def _with_new(earlier: Sequence[Addition], new: Sequence[Addition]) -> tuple[Addition, ...]:
    """A plan holds until there is a newer one."""
    if any(addition.kind == "plan" for addition in new):
        earlier = [addition for addition in earlier if addition.kind != "plan"]
    return (*earlier, *new)
