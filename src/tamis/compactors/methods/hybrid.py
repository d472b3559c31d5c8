"""`hybrid`: a model writes the story, the ledger holds it to the facts.

The model works the new messages into a story in six sections, each line with the messages that it rests
on. What the session does not bear out, or what the ledger knows to be otherwise, is dropped and counted
(`model_story.py`). Rules stand to the letter, where things stand is read by the program, and the room that
the story leaves goes to statements that it does not tell. With the model down it is the ledger's brief.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamis.compactors.brief import fence
from tamis.compactors.method import CannotFit, Material, Replacement
from tamis.compactors.methods.ledger import LedgerMethod
from tamis.compactors.modelled.interview import Interview, ModelMethod, check_carried, summary_space
from tamis.compactors.modelled.model_story import (
    ModelStory,
    StoryLine,
    WrittenStory,
    check_story,
    story_from_json,
    story_to_json,
)
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.transcript import Stretch, over_stretches, stretches_of
from tamis.errors import ModelError
from tamis.messages import Message
from tamis.models import Model

CARRY_FORMAT = "tamis-hybrid/2"

NO_STORY = "(nothing yet)"

WORDS_PER_TOKEN = 0.42
"""Words that are asked for, per token of the budget: rules, state and the citations want room, too."""

_PROMPT = load_prompt("hybrid")


class Hybrid(ModelMethod):
    """A model's story within the ledger's brief."""

    kind = "hybrid"
    version = f"{LedgerMethod.version}.2+prompts.{_PROMPT.version}"

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
        """Ask for the story, take what holds of it, and let the ledger pack it all."""
        before = _resume(material.carry)
        new = material.messages[material.from_previous :]
        interview = Interview(self.model)
        answer, failures = await self._written(new, before, material, interview)
        inner = replace(material, carry=before.ledger)
        story = ModelStory(lines=before.lines)
        if answer is not None:
            story = check_story(
                answer,
                new,
                first_turn=before.turns,
                earlier=before.lines,
                state=self._ledger.state_of(inner),
                prompt=f"{_PROMPT.words}\n{NO_STORY}",
            )
        made = await self._ledger.replace(inner, story=story if story.lines else None)
        if isinstance(made, CannotFit):
            return made
        return replace(
            made,
            warnings=(*made.warnings, *failures, *story.warnings, *interview.warnings),
            usage=interview.usage,
            carry={
                "format": CARRY_FORMAT,
                "ledger": dict(made.carry),
                "story": story_to_json(story.lines),
                "turns": before.turns + len(new),
            },
        )

    async def _written(
        self, new: Sequence[Message], before: _Carried, material: Material, interview: Interview
    ) -> tuple[WrittenStory | None, tuple[str, ...]]:
        """The story behind every stretch of the new messages, and what went wrong on the way."""
        shown = _shown(before.lines)
        beside = f"{_PROMPT.instructions.template}{WrittenStory.model_json_schema()}{shown}"
        space = summary_space(self.model, material, beside=beside)
        words = str(max(30, int(WORDS_PER_TOKEN * material.budget_tokens)))
        written: WrittenStory | None = None

        async def ask(stretch: Stretch) -> None:
            nonlocal written
            prompt = _PROMPT.fill(
                story=fence(written.model_dump_json() if written else shown),
                span=stretch.text,
                words=words,
                max_output_tokens=space.answer_tokens,
            )
            written = await interview.ask_for(prompt, WrittenStory)

        try:
            await over_stretches(stretches_of(new, space.read_tokens, material.counter), ask)
        except ModelError as error:
            what = "the story of the first part" if written else "no story: this is the ledger alone"
            return written, (f"the model gave {what} ({error})",)
        return written, ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Carried:
    """What an earlier compaction leaves: the ledger's own, the story's lines, and messages read so far."""

    ledger: Mapping[str, Any]
    lines: tuple[StoryLine, ...] = ()
    turns: int = 0


def _resume(carry: Mapping[str, Any]) -> _Carried:
    if not carry:
        return _Carried(ledger={})
    check_carried(carry, CARRY_FORMAT)
    lines = story_from_json(carry.get("story"))
    return _Carried(ledger=carry["ledger"], lines=lines, turns=int(carry["turns"]))


def _shown(lines: Sequence[StoryLine]) -> str:
    return "\n".join(f"{line.section}: {line.cited}" for line in lines) or NO_STORY
