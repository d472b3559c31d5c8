"""Measuring acts behind compacted contexts: the likelihood of the agent's act, a model's next call.

The same context is put to a model once, however many arms made it. Behind each stands a short tail: what
came first behind the cut, the same for every method, so that none is rewarded for showing how a conversation
looks. The act is all that the agent said and called next, up to the next answer of a tool or a person;
thinking, which no context shows, is left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from pydantic import TypeAdapter

from tamis.errors import ModelError
from tamis.evals.acting.actions import CallAgreement, Said, action_of, agreement, read_call
from tamis.evals.experiment.model_cache import CachedModel, ExchangeLog, ModelCache
from tamis.evals.experiment.point_runner import ArmResult
from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.evals.rundir.results import LikelihoodRecord, NextActionRecord, SessionResults, digest
from tamis.messages import Counter, Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import arguments_text
from tamis.models import Model, Prompt, Reply
from tamis.models.likelihood import Cost, Likelihoods

TAIL_TOKENS = 200
"""The next act is the first behind so many tokens, where there is one; the newest of them are shown."""

ACT_TOKENS = 200
"""So much of an act is measured at most: a file that is written whole would outweigh all else."""

_CHARS_PER_TOKEN = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What is in view behind any context, what the agent did then, as text and as its first call."""

    tail: str
    act: str
    call: ToolCall | None

    def behind(self, context: Sequence[Message]) -> str:
        """Everything in view when the agent acts: a context, the tail, and who speaks."""
        return "\n\n".join(filter(None, (shown(context), self.tail, "assistant:\n")))


def scene_of(point: Point, counter: Counter) -> Scene | NotMeasured:
    """The scene at a point; not measured where the agent says and calls nothing that can be read."""
    acts = [i for i, m in enumerate(point.tail) if _acts(m) and not (i and _acts(point.tail[i - 1]))]
    if not acts:
        return NotMeasured(reason="the agent says and calls nothing behind the cut")
    before = [counter.count(shown(point.tail[:i])) for i in acts]
    at = next((i for i, tokens in zip(acts, before, strict=True) if tokens >= TAIL_TOKENS), acts[-1])
    followed = list(takewhile(_acts, point.tail[at:]))
    text = "\n".join(text for message in followed for text in _texts(message))
    return Scene(
        tail=_within(TAIL_TOKENS, shown(point.tail[:at]), counter, newest=True),
        act=_within(ACT_TOKENS, text, counter),
        call=next((call for message in followed for call in message.calls), None),
    )


def shown(messages: Sequence[Message]) -> str:
    """Messages as plain text, without the ids that nobody could foresee.

    >>> print(shown([Message(id="m1", role="user", parts=(Text(text="hi"),))]))
    user:
    hi
    """
    texts = ((m.role, "\n".join(_texts(m))) for m in messages)
    return "\n\n".join(f"{role}:\n{text}" for role, text in texts if text.strip())


def _acts(message: Message) -> bool:
    return message.role == "assistant" and any(text.strip() for text in _texts(message))


def _texts(message: Message) -> Iterator[str]:
    for part in message.parts:
        if isinstance(part, ToolCall):
            yield call_text(part)
        elif isinstance(part, Text | ToolResult):
            yield part.text


def call_text(call: ToolCall) -> str:
    """A call as a model is shown calls, and asked for its own.

    >>> call_text(ToolCall(id="c1", name="bash", arguments={"command": "ls"}))
    '{"tool": "bash", "arguments": {"command": "ls"}}'
    """
    return f'{{"tool": {json.dumps(call.name)}, "arguments": {arguments_text(call)}}}'


def _within(tokens: int, text: str, counter: Counter, *, newest: bool = False) -> str:
    chars = tokens * _CHARS_PER_TOKEN
    while True:
        text = text[-chars:] if newest else text[:chars]
        over = counter.count(text)
        if over <= tokens:
            return text
        chars = min(len(text) - 1, len(text) * tokens // over)


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


_NO_CALL = NotMeasured(reason="the agent's next act calls no tool")
_COST = TypeAdapter(Cost)
_Scene = Scene | NotMeasured


class KeptLikelihoods:
    """A model of likelihoods whose figures are kept with the run: none is worked out twice."""

    def __init__(self, desk: ModelCache, name: str, model: Likelihoods) -> None:
        self.name = name
        self._desk = desk
        self._model = model

    async def bits(self, prefix: str, continuation: str) -> Cost:
        """The figure that is kept, or a new one; raises what the model raises."""
        key = digest(f"bits\0{self.name}\0{prefix}\0{continuation}")
        # What is kept of a prompt is its digest: the context stands in the run's texts already.
        asked = f"bits of {digest(continuation)} behind {digest(prefix)}"

        async def ask() -> Reply:
            cost = await self._model.bits(prefix, continuation)
            said, read = _COST.dump_json(cost).decode(), cost.prefix_tokens + cost.tokens
            return Reply(text=said, model=self._model.name, input_tokens=read, output_tokens=0)

        return _COST.validate_json((await self._desk.exchange(key, self.name, asked, ask)).reply)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stagehands:
    """Who measures acts: models whose likelihoods are read, models that are asked for their next call."""

    likelihoods: tuple[KeptLikelihoods, ...] = ()
    actors: Mapping[str, Model] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.likelihoods or self.actors)


_Own = tuple[Said | NotMeasured, CallAgreement | NotMeasured]
"""What a model calls with everything in view, and how far it agrees with itself when asked again."""


class PointActing:
    """One point's scenes, put behind one context after another."""

    def __init__(
        self, hands: Stagehands, counter: Counter, defined: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """`defined` are the session's tool definitions, where it has them."""
        self._hands = hands
        self._counter = counter
        self._defined = defined
        self._scenes: dict[int, _Scene] = {}
        self._acted: dict[tuple[int, str], SessionResults] = {}
        self._own: dict[tuple[int, str], _Own] = {}

    async def act(self, measured: ArmResult, point: Point) -> SessionResults:
        """The records of a result; none where there is no context to act behind."""
        if measured.messages is None or not self._hands:
            return SessionResults()
        cycle = measured.result.cycle
        if cycle not in self._scenes:
            self._scenes[cycle] = scene_of(point, self._counter)
        place = (cycle, measured.result.context or "")
        if place not in self._acted:
            self._acted[place] = await self._all(measured.messages, point, cycle)
        acted, key = self._acted[place], measured.result.key
        return SessionResults(
            likelihoods=tuple(replace(one, result=key) for one in acted.likelihoods),
            next_actions=tuple(replace(one, result=key) for one in acted.next_actions),
        )

    async def _all(self, context: Sequence[Message], point: Point, cycle: int) -> SessionResults:
        hands, scene = self._hands, self._scenes[cycle]
        costs = [(model.name, await _cost(model, scene, context)) for model in hands.likelihoods]
        called = [await self._next(name, context, point, cycle) for name in hands.actors]
        return SessionResults(
            likelihoods=tuple(LikelihoodRecord(result="", model=name, cost=cost) for name, cost in costs),
            next_actions=tuple(called),
        )

    async def _next(
        self, name: str, context: Sequence[Message], point: Point, cycle: int
    ) -> NextActionRecord:
        model, scene = self._hands.actors[name], self._scenes[cycle]
        if isinstance(scene, NotMeasured) or scene.call is None:
            why = scene if isinstance(scene, NotMeasured) else _NO_CALL
            return NextActionRecord(result="", model=name, said=why, with_agent=why, with_full=why, noise=why)
        tools = tools_told(self._defined, [*(c for m in point.span for c in m.calls), scene.call])
        if (cycle, name) not in self._own:
            first = await ask_next(model, scene, point.span, tools)
            again = await ask_next(model, scene, point.span, tools, wording=1)
            self._own[cycle, name] = first.said, _compared(first.said, again.said)
        own, noise = self._own[cycle, name]
        asked = await ask_next(model, scene, context, tools)
        return NextActionRecord(
            result="",
            model=name,
            said=asked.said,
            with_agent=_compared(asked.said, action_of(scene.call)),
            with_full=_compared(asked.said, own),
            noise=noise,
            **asked.told,
        )


def _compared(one: Said | NotMeasured, other: Said | NotMeasured) -> CallAgreement | NotMeasured:
    if isinstance(one, NotMeasured):
        return one
    return other if isinstance(other, NotMeasured) else agreement(one, other)


async def _cost(model: KeptLikelihoods, scene: _Scene, context: Sequence[Message]) -> Cost | NotMeasured:
    if isinstance(scene, NotMeasured):
        return scene
    try:
        return await model.bits(scene.behind(context), scene.act)
    except ModelError as error:
        return NotMeasured(reason=str(error))
