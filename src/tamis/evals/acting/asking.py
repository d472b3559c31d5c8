"""Asking a model for its next call, with a context in view.

What noise there is in the measure is seen by asking the same twice, in other words the second time: a model
that is asked at temperature 0 would else only repeat itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.errors import ModelError
from tamis.evals.acting.actions import Said, action_of, read_call
from tamis.evals.acting.scenes import Scene
from tamis.evals.experiment.model_cache import CachedModel, ExchangeLog
from tamis.evals.hindsight import NotMeasured
from tamis.messages import Message, ToolCall
from tamis.models import Model, Prompt

INSTRUCTIONS = (
    "You are the assistant in the conversation below. Answer with the next tool call that you make, and "
    'nothing else, as one JSON object: {"tool": NAME, "arguments": {...}}. The tools are:\n',
    "Below is what an assistant has in view in the middle of its work. Which tool does it call next? Write "
    'that one call as a JSON object, {"tool": NAME, "arguments": {...}}, without a comment. It has these '
    "tools:\n",
)
"""The same in two wordings."""

ANSWER_TOKENS = 600
MOST_TOOLS = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a model called, and the exchange in which it did, as `ExchangeLog.told` has it."""

    said: Said | NotMeasured
    told: Mapping[str, Any]


async def ask_next(
    model: Model, scene: Scene, context: Sequence[Message], tools: str, *, wording: int = 0
) -> Asked:
    """What the model would call next; what it fails to answer is not measured, with the reason."""
    fence = "`" * 6
    text = f"{fence}\n{scene.behind(context)}\n{fence}\n\nThe next call, as JSON:"
    prompt = Prompt(instructions=INSTRUCTIONS[wording] + tools, text=text, max_output_tokens=ANSWER_TOKENS)
    log = ExchangeLog()
    if isinstance(model, CachedModel):
        model = model.logged(log)
    try:
        said: Said | NotMeasured = action_of(read_call((await model.ask(prompt)).text))
    except ModelError as error:
        said = NotMeasured(reason=str(error))
    return Asked(said=said, told=log.told)


def tools_told(defined: Sequence[Mapping[str, Any]], calls: Sequence[ToolCall]) -> str:
    """The tools, one a line with their arguments: as the session defines them, else as it used them.

    >>> tools_told([], [ToolCall(id="1", name="bash", arguments={"command": "ls"})])
    '- bash(command)'
    """
    known: dict[str, dict[str, None]] = {}
    for tool in defined:
        inner = tool.get("function", tool)
        schema = inner.get("parameters") or inner.get("input_schema") or {}
        known[str(inner.get("name"))] = dict.fromkeys(schema.get("properties") or {})
    for call in () if known else calls:
        known.setdefault(call.name, {}).update(dict.fromkeys(call.arguments))
    return "\n".join(f"- {name}({', '.join(known[name])})" for name in list(known)[:MOST_TOOLS])
