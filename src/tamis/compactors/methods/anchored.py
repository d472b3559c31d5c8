"""`anchored`: lasting sections, into which the model works only what is new.

Sections for intent, files, decisions and next steps are carried from one compaction to the next. Each is
filled, or left empty with a reason: none can be forgotten in silence.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from tamis.compactors.brief import fence
from tamis.compactors.method import CannotFit, Material, Replacement
from tamis.compactors.modelled.interview import Interview, ModelMethod, check_carried, summary_space
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.summary_fit import fit_summary
from tamis.compactors.modelled.summary_sections import Grounds
from tamis.compactors.modelled.transcript import Stretch, over_stretches, stretches_of
from tamis.errors import InputError, ModelError

CARRY_FORMAT = "tamis-anchored/1"

NO_NOTES = "(none yet)"

_PROMPT = load_prompt("anchored")


class Section(BaseModel):
    """One section: its lines, or why it has none."""

    model_config = ConfigDict(extra="forbid")

    lines: list[str]
    empty_because: str

    @model_validator(mode="after")
    def _filled_or_empty_on_purpose(self) -> Self:
        if not self.lines and not self.empty_because.strip():
            raise ValueError("a section has neither lines nor a reason to be empty")
        return self


class Notes(BaseModel):
    """The lasting sections."""

    model_config = ConfigDict(extra="forbid")

    intent: Section
    files: Section
    decisions: Section
    next_steps: Section


TITLES = {"intent": "Intent", "files": "Files", "decisions": "Decisions", "next_steps": "Next steps"}


class Anchored(ModelMethod):
    """Works the new span into sections that last."""

    kind = "anchored"
    version = f"2+prompts.{_PROMPT.version}"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Ask for the new sections, and make them fit."""
        before = _resume(material.carry) if material.carry else None
        interview = Interview(self.model)
        try:
            notes = await self._work_in(material, before, interview)
            sections = {TITLES[name]: section.lines for name, section in notes}
            empty = {TITLES[name]: section.empty_because for name, section in notes}
            new = material.messages[material.from_previous :]
            known = "" if before is None else "\n".join(line for _, s in before for line in s.lines)
            grounds = Grounds(sources=new, known=known, prompt=f"{_PROMPT.words}\n{NO_NOTES}")
            made = await fit_summary(sections, empty, material, interview, grounds)
        except ModelError as error:
            return CannotFit(f"no summary: {error}")
        if isinstance(made, CannotFit):
            return made
        return replace(made.replacement, carry=_carry(made.sections, empty))

    async def _work_in(self, material: Material, before: Notes | None, interview: Interview) -> Notes:
        """The notes after every stretch of the new messages, one after the other."""
        beside = f"{_PROMPT.instructions.template}{Notes.model_json_schema()}{_shown(before)}"
        space = summary_space(self.model, material, beside=beside)
        words = str(max(30, material.budget_tokens // 2))
        notes = before

        async def ask(stretch: Stretch) -> Notes:
            nonlocal notes
            prompt = _PROMPT.fill(
                notes=fence(_shown(notes)),
                span=stretch.text,
                words=words,
                max_output_tokens=space.answer_tokens,
            )
            notes = await interview.ask_for(prompt, Notes)
            return notes

        new = material.messages[material.from_previous :]
        every = await over_stretches(stretches_of(new, space.read_tokens, material.counter), ask)
        if every:
            return every[-1]
        if before is None:
            raise ModelError("there is nothing to read")
        return before


def _shown(notes: Notes | None) -> str:
    return json.dumps(notes.model_dump(), ensure_ascii=False) if notes else NO_NOTES


def _carry(sections: Mapping[str, Sequence[str]], empty: Mapping[str, str]) -> dict[str, Any]:
    """What was checked, not what the model wrote: a name that it made up must not pass for known later."""
    notes = {
        name: {"lines": list(sections[title]), "empty_because": empty[title] or "nothing that holds"}
        for name, title in TITLES.items()
    }
    return {"format": CARRY_FORMAT, "notes": notes}


def _resume(carry: Mapping[str, Any]) -> Notes:
    """The sections of the last compaction."""
    check_carried(carry, CARRY_FORMAT)
    try:
        return Notes.model_validate(carry.get("notes"))
    except ValidationError as error:
        raise InputError(f"the carried notes cannot be read: {error.errors()[0]['msg']}") from None
