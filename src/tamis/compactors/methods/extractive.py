"""`extractive`: reasoning stripped, tool output shortened, the best sentences of long messages kept.

The three published phases ("Context Compression Phase 3"), with their triggers and thresholds as settings.
Named `extractive@WINDOW` it declines below half of a window of so many tokens, as published;
`extractive@learned` scores sentences by what was needed in recorded sessions. Where the phases do not reach
the budget, fewer sentences are kept, step by step; in the end the oldest whole units go, and the account says
which.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.account import MessageFate
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.methods.output_placeholder import calls_of_results, describe_output, is_left_out
from tamis.compactors.methods.sentence_scores import PUBLISHED, SentenceWeights, rank_sentences
from tamis.compactors.packing import first_that_fit, newest_that_fit
from tamis.compactors.protocol import CompactionRequest
from tamis.messages import Counter, Message, Part, Text, Thinking, ToolCall, ToolResult, count_messages

_THINKS = re.compile(r"<(think|thinking)>")
_BLANKS = re.compile(r"\s*+")


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractiveSettings:
    """When the method acts, and on what.

    `window_tokens` is the model's context window; where it is given, less than `context_use` of it in use
    means that the method declines. The newest `recent_messages` are left as they are. Tool output longer than
    `output_tokens` keeps `output_kept_tokens` of its first and last lines. Assistant messages longer than
    `message_tokens` keep `ratio` of their sentences; `ratio_step` is taken off while the budget is not met.
    """

    window_tokens: int | None = None
    context_use: float = 0.5
    recent_messages: int = 3
    output_tokens: int = 1000
    output_kept_tokens: int = 500
    message_tokens: int = 1000
    ratio: float = 0.7
    ratio_step: float = 0.2
    scores: SentenceWeights = PUBLISHED

    def ratios(self) -> Iterator[float]:
        """The shares of sentences to try, the published one first."""
        ratio = self.ratio
        while ratio > 0:
            yield ratio
            ratio = round(ratio - self.ratio_step, 9) if self.ratio_step > 0 else 0.0


class Extractive(Method):
    """Selects what is there; writes nothing anew but a line where output was cut."""

    name = "extractive"

    def __init__(
        self,
        settings: ExtractiveSettings | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(clock=clock)
        self.settings = settings or ExtractiveSettings()

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Run the phases, then lower the ratio, then drop the oldest."""
        window = self.settings.window_tokens
        used = sum(material.tokens)
        if window is not None and used < self.settings.context_use * window:
            return CannotFit(f"{used} of {window} tokens are in use, less than the trigger")
        draft = _Draft(material)
        for _ in _phases(draft, self.settings):
            pass
        return _drop_oldest(draft)


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """What one phase did: tokens of the whole, how many messages it changed, and their tokens before."""

    name: str
    tokens_before: int
    tokens_after: int
    changed: int
    changed_before: int


def phases(
    messages: Sequence[Message], counter: Counter, settings: ExtractiveSettings | None = None
) -> Iterator[Phase]:
    """The phases over a whole conversation, one after the other, without a budget and dropping nothing."""
    span = tuple(messages)
    material = Material(
        messages=span,
        originals=span,
        positions=tuple(range(len(span))),
        tokens=tuple(count_messages(span, counter)),
        budget_tokens=sys.maxsize,
        counter=counter,
        request=CompactionRequest(span=span, budget_tokens=sys.maxsize, counter=counter),
    )
    yield from _phases(_Draft(material), settings or ExtractiveSettings())


def _phases(draft: _Draft, settings: ExtractiveSettings) -> Iterator[Phase]:
    old = range(max(0, len(draft.messages) - settings.recent_messages))
    for name, run in _PHASES.items():
        tokens, messages = list(draft.tokens), list(draft.messages)
        run(draft, old, settings)
        changed = [i for i, (a, b) in enumerate(zip(messages, draft.messages, strict=True)) if a is not b]
        yield Phase(
            name=name,
            tokens_before=sum(tokens),
            tokens_after=draft.total(),
            changed=len(changed),
            changed_before=sum(tokens[i] for i in changed),
        )


class _Draft:
    """The messages as the phases change them, with their tokens and what was done to each."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.messages = list(material.messages)
        self.tokens = list(material.tokens)
        self.done: dict[int, dict[str, str]] = {}
        self._uncounted: set[int] = set()

    def change(self, position: int, parts: Iterable[Part], phase: str, what: str) -> None:
        """Put other parts there. `what` replaces what the same phase said before."""
        changed = self.messages[position].with_parts(parts)
        if changed != self.messages[position]:
            self.messages[position] = changed
            self.done.setdefault(position, {})[phase] = what
            self._uncounted.add(position)

    def total(self) -> int:
        """The tokens of all of it; what was changed since the last time is counted again."""
        positions = sorted(self._uncounted)
        counts = count_messages([self.messages[i] for i in positions], self.material.counter)
        for i, n in zip(positions, counts, strict=True):
            self.tokens[i] = n if self.messages[i].parts else 0
        self._uncounted.clear()
        return sum(self.tokens)


def _strip_reasoning(draft: _Draft, old: range, _: ExtractiveSettings) -> None:
    """Phase 1: no thinking in older messages, neither as a part of its own nor in tags."""
    for i in old:
        message = draft.messages[i]
        if message.role != "assistant":
            continue
        parts: list[Part] = []
        for part in message.parts:
            if isinstance(part, Text) and (bare := _without_reasoning(part.text)) != part.text:
                part = Text(text=bare)
            if not isinstance(part, Thinking) and part != Text(text=""):
                parts.append(part)
        draft.change(i, parts, "reasoning", "reasoning stripped")


def _without_reasoning(text: str) -> str:
    kept, at = [], 0
    last = {tag: text.rfind(f"</{tag}>") for tag in ("think", "thinking")}
    while opening := _THINKS.search(text, at):
        kept.append(text[at : opening.start()])
        at = opening.end()
        if last[opening[1]] < at:  # never closed
            kept.append(opening[0])
            continue
        end = text.find(f"</{opening[1]}>", at) + len(f"</{opening[1]}>")
        at = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    return "".join([*kept, text[at:]])


def _shorten_outputs(draft: _Draft, old: range, settings: ExtractiveSettings) -> None:
    """Phase 2: only the ends of long tool output, and of long system messages behind the opening."""
    opening = next((i for i, m in enumerate(draft.messages) if m.role != "system"), len(draft.messages))
    calls = calls_of_results(draft.messages)
    for i in old:
        message = draft.messages[i]
        if draft.tokens[i] <= settings.output_tokens:
            continue
        parts: list[Part] = []
        for p, part in enumerate(message.parts):
            if isinstance(part, ToolResult) and not is_left_out(part):
                if (text := _ends(part, calls.get((i, p)), settings, draft.material.counter)) is not None:
                    part = replace(part, text=text, media=(), details=None, native=None)
            elif isinstance(part, Text) and message.role == "system" and i >= opening:
                shown = ToolResult(call_id="", text=part.text, name="system message")
                if (text := _ends(shown, None, settings, draft.material.counter)) is not None:
                    part = Text(text=text)
            parts.append(part)
        draft.change(i, parts, "output", "output shortened to its first and last lines")


def _ends(
    result: ToolResult, call: ToolCall | None, settings: ExtractiveSettings, counter: Counter
) -> str | None:
    """The first and the last lines and, between them, a line about the rest; None where it is short."""
    lines = result.text.splitlines(keepends=True)
    counts = counter.count_many(lines)
    if sum(counts) <= settings.output_tokens:
        return None
    share = settings.output_kept_tokens // 2
    head = first_that_fit(counts, share)
    tail = len(lines) - first_that_fit(counts[:head:-1], share)
    left_out = describe_output(result, call, left_out="".join(lines[head:tail]))
    return f"{''.join(lines[:head])}{left_out}\n{''.join(lines[tail:])}"


def _keep_sentences(draft: _Draft, old: range, settings: ExtractiveSettings) -> None:
    """Phase 3: the best sentences of long assistant messages, fewer as long as the budget is not met."""
    draft.total()
    long = {
        i: draft.messages[i]
        for i in old
        if draft.messages[i].role == "assistant" and draft.tokens[i] > settings.message_tokens
    }
    rankings = {
        text: rank_sentences(text, settings.scores)
        for message in long.values()
        for text in (p.text for p in message.parts if isinstance(p, Text))
    }
    for ratio in settings.ratios():
        for i, message in long.items():
            parts = [
                replace(part, text=rankings[part.text].keep(ratio), native=None)
                if isinstance(part, Text)
                else part
                for part in message.parts
            ]
            draft.change(i, parts, "sentences", f"{ratio:.0%} of its sentences kept")
        if not long or draft.total() <= draft.material.budget_tokens:
            return


_PHASES = {"reasoning": _strip_reasoning, "output": _shorten_outputs, "sentences": _keep_sentences}


def _drop_oldest(draft: _Draft) -> Replacement | CannotFit:
    material = draft.material
    draft.total()
    units = material.units(draft.tokens)
    kept_units = newest_that_fit([u.tokens for u in units], material.budget_tokens)
    kept = [i for k in kept_units for i in units[k].positions if draft.messages[i].parts]
    if not kept:
        return CannotFit("not one whole message fits the budget, even shortened")
    standing = set(kept)
    return Replacement(
        messages=tuple(draft.messages[i] for i in kept),
        told=tuple(_tell(draft, i, i in standing) for i in range(len(draft.messages))),
    )


def _tell(draft: _Draft, position: int, stands: bool) -> MessageFate:
    done = "; ".join(draft.done.get(position, {}).values())
    if stands:
        return MessageFate("condensed", done) if done else MessageFate("kept", "nothing in it was too long")
    if not draft.messages[position].parts:
        return MessageFate("archived", f"{done}; nothing else was in it")
    return MessageFate("archived", "no room left for anything so old")
