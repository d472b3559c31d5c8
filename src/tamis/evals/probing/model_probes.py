"""Probes that a model writes: a typed patch, of which only what its own quotations prove is taken.

The model reads the span in parts, tool calls and results included. Each probe must cite messages, quote the
passage that proves it, and give an answer that stands in what it quotes; then it goes through the same sieve
as those made without a model. What is dropped is counted by its reason.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from pydantic import BaseModel, Field

from tamis.compactors.modelled.citations import cited_positions
from tamis.compactors.modelled.interview import Interview, share_window
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.compactors.modelled.transcript import Stretch, over_stretches, stretches_of
from tamis.errors import ModelError, UnusableReply
from tamis.evals.probing.drafts import ProbeDraft, is_askable
from tamis.evals.probing.leaks import REASONS, Surroundings
from tamis.evals.probing.probe_maker import MAX_PER_KIND, ProbeSet, choose, holds, sift, to_probe
from tamis.evals.probing.probes import Expected, ItemType
from tamis.messages import Counter, Message, message_text
from tamis.models import Model
from tamis.text.key_words import key_words
from tamis.text.names import texts_of

MOST_PROBES = 8  # that a model may propose for one stretch of the span
TOKENS_PER_PROBE = 160
MOST_QUESTION_CHARS = 300

Fault = Literal[
    "malformed", "without a source in the span", "quoting what its source does not say", "unquoted"
]
FAULTS: tuple[Fault, ...] = get_args(Fault)
_PROMPT = load_prompt("probes", "tamis.evals.probing")


class ProposedItem(BaseModel, extra="forbid", frozen=True):
    """One thing that an answer must hold."""

    type: ItemType
    value: str = Field(json_schema_extra={"maxLength": 200})


class ProposedProbe(BaseModel, extra="forbid", frozen=True):
    """One probe, as a model proposes it."""

    kind: Literal["recall", "artifact", "continuation", "decision", "constraint"]
    question: str = Field(json_schema_extra={"maxLength": MOST_QUESTION_CHARS})
    expected: list[ProposedItem] = Field(json_schema_extra={"minItems": 1, "maxItems": 6})
    forbids: bool = False
    cites: list[str] = Field(json_schema_extra={"minItems": 1, "maxItems": 4})
    quotes: list[str] = Field(json_schema_extra={"minItems": 1, "maxItems": 4})


class Proposals(BaseModel, extra="forbid", frozen=True):
    """What a model proposes for one stretch."""

    probes: list[ProposedProbe] = Field(json_schema_extra={"maxItems": MOST_PROBES})


async def propose_probes(
    model: Model,
    span: Sequence[Message],
    *,
    counter: Counter,
    in_view: Sequence[Message] = (),
    tail: Sequence[Message] = (),
    max_per_kind: int = MAX_PER_KIND,
) -> ProbeSet:
    """The probes that a model writes for a span; `failures` say which parts it gave none for.

    `in_view` stays beside the compaction, as the system prompt does; `tail` came behind the cut.
    """
    interview = Interview(model)
    proposed, failures = await _ask(model, span, counter, interview)
    texts = {message.id: message_text(message) for message in span}
    beside = Surroundings(in_view, tail)
    dropped: dict[str, int] = dict.fromkeys((*FAULTS, *REASONS), 0)
    good: list[ProbeDraft] = []
    for probe in proposed:
        read = read_proposal(probe, span)
        sifted = sift(read, texts, beside) if isinstance(read, ProbeDraft) else read
        if isinstance(sifted, ProbeDraft):
            good.append(sifted)
        else:
            dropped[sifted] += 1
    chosen, surplus = choose(good, max_per_kind)
    made_by = f"{model.name}+probes.{_PROMPT.version}"
    return ProbeSet(
        probes=tuple(to_probe(draft, made_by=made_by) for draft in chosen),
        dropped=dropped,
        surplus=surplus,
        failures=failures,
        usage=interview.usage,
    )


def read_proposal(proposed: ProposedProbe, span: Sequence[Message]) -> ProbeDraft | Fault:
    """The draft that a proposal makes, or what is wrong with it by itself."""
    question, values = " ".join(proposed.question.split()), [item.value for item in proposed.expected]
    asks = question.endswith(("?", "？")) and len(key_words(question)) > 1
    if not asks or len(question) > MOST_QUESTION_CHARS or not values or not all(map(is_askable, values)):
        return "malformed"
    cited = [span[at] for at in cited_positions(proposed.cites, len(span))]
    if not cited:
        return "without a source in the span"
    said = " ".join(" ".join(_readings(message)) for message in cited)
    quotes = [" ".join(quote.split()) for quote in proposed.quotes if quote.strip()]
    if not quotes or not all(quote in said for quote in quotes):
        return "quoting what its source does not say"
    expected = tuple(
        Expected(
            type=item.type,
            value=" ".join(item.value.split()),
            forbids=proposed.forbids and item.type == "text",
        )
        for item in proposed.expected
    )
    if not all(holds("\n".join(quotes), item) for item in expected):
        return "unquoted"
    sources = tuple(message.id for message in cited)
    return ProbeDraft(proposed.kind, proposed.kind, question, expected=expected, sources=sources)


def _readings(message: Message) -> list[str]:
    """A message as it may be quoted: calls as JSON, and their arguments as they are."""
    texts = [message_text(message), *(text for part in message.parts for text in texts_of(part))]
    return [" ".join(text.split()) for text in texts]


async def _ask(
    model: Model, span: Sequence[Message], counter: Counter, interview: Interview
) -> tuple[list[ProposedProbe], tuple[str, ...]]:
    """What the model proposes; an answer that cannot be used costs only the probes of its stretch."""
    beside = f"{_PROMPT.instructions.template}{Proposals.model_json_schema()}"
    space = share_window(model, counter, answer_tokens=MOST_PROBES * TOKENS_PER_PROBE, beside=beside)
    proposed: list[ProposedProbe] = []

    async def ask(stretch: Stretch) -> None:
        prompt = _PROMPT.fill(span=stretch.text, most=str(MOST_PROBES), max_output_tokens=space.answer_tokens)
        proposed.extend((await interview.ask_for(prompt, Proposals)).probes)

    stretches = stretches_of(span, space.read_tokens, counter)
    failures: list[str] = []
    for number, stretch in enumerate(stretches, 1):
        try:
            await over_stretches([stretch], ask)
        except ModelError as error:
            failures.append(f"no probes for part {number} of {len(stretches)}: {error}")
            if not isinstance(error, UnusableReply):
                break  # it is down, and each further question would wait for that again
    return proposed, tuple(failures)


def dropped_line(dropped: Mapping[str, int]) -> str:
    """What was left out, for a person: `3 wording, 1 tail`; empty where nothing was."""
    return ", ".join(f"{count} {reason}" for reason, count in dropped.items() if count)
