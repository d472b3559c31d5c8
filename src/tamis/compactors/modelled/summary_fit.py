"""From a model's sections to a message within the budget: checked, shortened by the model, at last cut.

First every line that names what is nowhere in the span is left out. What is too long then is asked for once
more, shorter; if it still is too long, whole lines are left out; if not one line fits, nothing is replaced.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from tamis.compactors.brief import brief_message, fence
from tamis.compactors.method import CannotFit, Material, Replacement
from tamis.compactors.modelled.interview import Interview
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.summary_sections import (
    Grounds,
    Sections,
    check_sections,
    cut_sections,
    render_sections,
)
from tamis.errors import ModelError
from tamis.messages import MESSAGE_OVERHEAD_TOKENS

_SHORTEN = load_prompt("shorten")


class ShortSection(BaseModel):
    """One section."""

    model_config = ConfigDict(extra="forbid")

    title: str
    lines: list[str]


class Shortened(BaseModel):
    """The same sections under the same titles, in fewer words."""

    model_config = ConfigDict(extra="forbid")

    sections: list[ShortSection]


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedSummary:
    """A replacement, and the sections that it was made of, before lines were left out for want of room."""

    replacement: Replacement
    sections: dict[str, list[str]]


async def fit_summary(
    sections: Sections,
    empty: Mapping[str, str],
    material: Material,
    interview: Interview,
    grounds: Grounds,
) -> FittedSummary | CannotFit:
    """The replacement that says as much of the sections as fits; `carry` is left to the method.

    Args:
        sections: what the model wrote.
        empty: why a section is empty, by title.
        material: what is replaced.
        interview: what the model is asked with.
        grounds: what the sections may rest on.
    """
    room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
    checked = check_sections(sections, grounds)
    said = checked.sections
    warnings = list(checked.warnings)
    if material.counter.count(render_sections(said, empty)) > room:
        shorter = await _shorten(said, room, interview, warnings)
        said = check_sections(shorter, grounds).sections
    made = cut_sections(said, empty, room, material.counter)
    if made is None:
        return CannotFit(f"not one line of the summary fits {material.budget_tokens} tokens")
    text, left_out = made
    if not any(said.values()):
        return CannotFit("the model's summary says nothing that stands in the span")
    if left_out:
        total = sum(map(len, said.values()))
        warnings.append(f"the summary was too long; left out {left_out} of its {total} lines")
    replacement = replace(
        material.condense(
            brief_message(text), reason="the model read it; how much its summary holds is not known"
        ),
        warnings=(*warnings, *interview.warnings),
        usage=interview.usage,
    )
    return FittedSummary(replacement=replacement, sections=said)


async def _shorten(
    sections: Sections, room_tokens: int, interview: Interview, warnings: list[str]
) -> dict[str, list[str]]:
    """The same in fewer words, where the model manages; the sections as they are where it does not."""
    before: dict[str, Any] = {title: list(lines) for title, lines in sections.items()}
    data = {"sections": [{"title": title, "lines": lines} for title, lines in before.items()]}
    prompt = _SHORTEN.fill(
        sections=fence(json.dumps(data, ensure_ascii=False)),
        words=str(max(20, room_tokens // 2)),
        max_output_tokens=2 * room_tokens + 400,
    )
    try:
        answer = await interview.ask_for(prompt, Shortened)
    except ModelError as error:
        warnings.append(f"the summary could not be shortened by the model: {error}")
        return before
    shorter = {section.title: section.lines for section in answer.sections}
    if not any(shorter.get(title) for title in before):
        return before
    return {title: list(shorter.get(title, [])) for title in before}
