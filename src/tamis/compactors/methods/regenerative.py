"""`regenerative`: a full structured summary, written anew each time, as agent SDKs do it.

The model reads the whole span, the previous summary included, in parts where it does not fit its window; the
parts' summaries are then merged by the model. Nothing but the text is carried over.
"""

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from tamis.compactors.brief import fence
from tamis.compactors.method import CannotFit, Material, Replacement
from tamis.compactors.modelled.interview import Interview, ModelMethod, summary_space
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.summary_fit import fit_summary
from tamis.compactors.modelled.summary_sections import Grounds
from tamis.compactors.modelled.transcript import Stretch, over_stretches, stretches_of
from tamis.errors import ModelError, PromptTooLong

_SUMMARISE, _MERGE = load_prompt("regenerative"), load_prompt("regenerative-merge")


class Summary(BaseModel):
    """The sections that the model fills, a list of short lines each, the most important line first."""

    model_config = ConfigDict(extra="forbid")

    asked: list[str] = Field(description="what the user asked for and forbade, in the user's words")
    analysis: list[str] = Field(description="what was found out, and why things are as they are")
    files: list[str] = Field(description="each file that was read, made or changed: path, and what changed")
    errors: list[str] = Field(description="what failed, with its message, and what was done about it")
    open_tasks: list[str] = Field(description="what is still to be done")
    current_state: list[str] = Field(description="where the work stands now, and the next step")


TITLES = {
    "asked": "Asked",
    "analysis": "Analysis",
    "files": "Files",
    "errors": "Errors",
    "open_tasks": "Open tasks",
    "current_state": "Current state",
}


class Regenerative(ModelMethod):
    """Summarises everything again at every compaction."""

    kind = "regenerative"
    version = f"2+prompts.{_SUMMARISE.version}.{_MERGE.version}"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Ask for a summary, and make it fit."""
        interview = Interview(self.model)
        try:
            summary = await _summarise(material, interview, self)
            sections = {TITLES[name]: lines for name, lines in summary}
            grounds = Grounds(sources=material.messages, prompt=f"{_SUMMARISE.words}\n{_MERGE.words}")
            made = await fit_summary(sections, {}, material, interview, grounds)
        except ModelError as error:
            return CannotFit(f"no summary: {error}")
        return made if isinstance(made, CannotFit) else made.replacement


async def _summarise(material: Material, interview: Interview, method: ModelMethod) -> Summary:
    beside = f"{_SUMMARISE.instructions.template}{Summary.model_json_schema()}"
    space = summary_space(method.model, material, beside=beside)
    words = str(max(30, material.budget_tokens // 2))

    async def ask(stretch: Stretch) -> Summary:
        prompt = _SUMMARISE.fill(span=stretch.text, words=words, max_output_tokens=space.answer_tokens)
        return await interview.ask_for(prompt, Summary)

    async def merge(summaries: Sequence[Summary]) -> Summary:
        """One of several; where they are too long for the model together, the halves first."""
        if len(summaries) == 1:
            return summaries[0]
        parts = json.dumps([s.model_dump() for s in summaries], ensure_ascii=False, indent=0)
        try:
            if material.counter.count(parts) > space.read_tokens and len(summaries) > 2:
                raise PromptTooLong("the summaries of the parts")
            prompt = _MERGE.fill(parts=fence(parts), words=words, max_output_tokens=space.answer_tokens)
            return await interview.ask_for(prompt, Summary)
        except PromptTooLong:
            if len(summaries) == 2:
                raise
            middle = len(summaries) // 2
            return await merge([await merge(summaries[:middle]), await merge(summaries[middle:])])

    stretches = stretches_of(material.messages, space.read_tokens, material.counter)
    return await merge(await over_stretches(stretches, ask))
