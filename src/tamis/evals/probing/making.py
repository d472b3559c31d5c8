"""Making probes from a span's ledger, without a model, and leaving out what proves nothing.

Only the span is read, never what followed. A question is left out, and counted, where its own messages do not
hold the answer, or where somebody who never saw the span could give it: from what stays in view beside the
compaction, from the question's own wording, or from general knowledge. The last is told by a short list of
values that anybody would guess; put the probes to a model with no context to find more.

The same span gives the same probes, in the same order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tamis.evals.probing.answers import credit
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe, ProbeKind, probe_id
from tamis.evals.probing.questions import Draft, draft_questions
from tamis.ledger import State, read_ledger
from tamis.ledger.names import stands_in
from tamis.ledger.subjects import key_words
from tamis.messages import Message, part_text

MADE_BY = "ledger"
MAX_PER_KIND = 6

Reason = Literal["unproven", "in view", "wording", "general knowledge"]
REASONS: tuple[Reason, ...] = ("unproven", "in view", "wording", "general knowledge")

PROVEN_FROM = 0.99
"""The credit that the source messages must give each expected item."""

LEAKS_FROM = 0.75
"""The share of the expected items that gives a question away, where they can be had without the span."""

_GUESSABLE = """
0 1 2 3 4 5 10 100 80 200 404 443 500 8000 8080 true false none null utf-8 main master localhost 127.0.0.1
readme.md setup.py __init__ __init__.py package.json makefile pytest python ls
"""
GUESSABLE = frozenset(_GUESSABLE.split())
"""Values that anybody would guess."""

_MADE_UP = ("zephyr", "quokka", "tundra", "marigold", "obsidian", "larkspur")


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeSet:
    """The probes of one span, and how many questions were left out for which reason.

    `surplus` counts good questions beyond the bound per kind, by kind.
    """

    probes: tuple[Probe, ...]
    dropped: Mapping[Reason, int]
    surplus: Mapping[ProbeKind, int]


def make_probes(
    span: Sequence[Message],
    *,
    in_view: Sequence[Message] = (),
    max_per_kind: int = MAX_PER_KIND,
    state: State | None = None,
) -> ProbeSet:
    """The probes of a span.

    Args:
        span: what a compaction replaces.
        in_view: what stays beside it: the system prompt, the messages behind the cut.
        max_per_kind: the most probes of a kind.
        state: the ledger's state over the span, where it is known already.
    """
    state = state if state is not None else read_ledger(span).state
    texts = {m.id: _text(m) for m in span}
    view = "\n".join(map(_text, in_view))
    dropped: dict[Reason, int] = dict.fromkeys(REASONS, 0)
    good: dict[ProbeKind, dict[str, Draft]] = {kind: {} for kind in PROBE_KINDS}
    for draft in draft_questions(state):
        reason = find_fault(draft, texts, view)
        if reason is None:
            good[draft.kind].setdefault(draft.question, draft)
        else:
            dropped[reason] += 1
    for draft in _unanswerable(state, "\n".join(texts.values()) + view):
        good["unanswerable"].setdefault(draft.question, draft)
    chosen = {kind: _spread(list(drafts.values()), max_per_kind) for kind, drafts in good.items()}
    return ProbeSet(
        probes=tuple(_probe(draft) for kind in PROBE_KINDS for draft in chosen[kind]),
        dropped=dropped,
        surplus={kind: len(good[kind]) - len(chosen[kind]) for kind in PROBE_KINDS},
    )


def find_fault(draft: Draft, texts: Mapping[str, str], view: str) -> Reason | None:
    """Why a question proves nothing; None where it is good."""
    asked = key_words(draft.question)
    proof = "\n".join(texts.get(source, "") for source in draft.sources)
    if not draft.expected or not all(_is_proven(item, proof) for item in draft.expected):
        return "unproven"
    if any(_is_given_away(item, draft.question, asked) for item in draft.expected):
        return "wording"
    if all(item.value.lower() in GUESSABLE for item in draft.expected):
        return "general knowledge"
    if sum(credit(item, view, asked) for item in draft.expected) >= LEAKS_FROM * len(draft.expected):
        return "in view"
    return None


def _is_proven(item: Expected, proof: str) -> bool:
    if item.type == "text":
        return key_words(item.value) <= key_words(proof)
    if item.type == "path":  # resolved against a working directory, which the call need not repeat
        name = item.value.rpartition("/")[2]
        return bool(name) and stands_in(name, proof)
    return stands_in(item.value, proof)


def _is_given_away(item: Expected, question: str, asked: frozenset[str]) -> bool:
    if item.type == "text":
        return not key_words(item.value) - asked
    name = item.value.rpartition("/")[2] if item.type == "path" else item.value
    return stands_in(name, question) if name else True


def _spread(drafts: Sequence[Draft], most: int) -> list[Draft]:
    """As many as may be, of every form by turns, within a form in an order that favours no age."""
    by_form: dict[str, list[Draft]] = {}
    for draft in sorted(drafts, key=lambda d: hashlib.sha256(d.question.encode("utf-8", "replace")).digest()):
        by_form.setdefault(draft.form, []).append(draft)
    chosen: list[Draft] = []
    turn = 0
    while len(chosen) < min(most, len(drafts)):
        chosen += [by_form[form][turn] for form in sorted(by_form) if turn < len(by_form[form])]
        turn += 1
    return chosen[:most]


def _probe(draft: Draft) -> Probe:
    return Probe(
        id=probe_id(draft.kind, draft.question),
        kind=draft.kind,
        question=_savable(draft.question),
        expected=tuple(replace(item, value=_savable(item.value)) for item in draft.expected),
        closed=draft.closed,
        superseded=tuple(replace(item, value=_savable(item.value)) for item in draft.superseded),
        sources=draft.sources,
        made_by=MADE_BY,
    )


def _savable(text: str) -> str:
    """The text without the halves of characters that a log may hold and no file can."""
    return text.encode("utf-8", "replace").decode()


def _unanswerable(state: State, known: str) -> Iterator[Draft]:
    """Questions like the others, about things that the span never names."""
    for made_up, ask in zip(_fresh_words(known), _TEMPLATES, strict=False):
        neighbour = next((e.value.path for e in reversed(state.files)), "src/main.py")
        yield Draft(
            kind="unanswerable",
            form="made up",
            question=ask.format(word=made_up, folder=neighbour.rpartition("/")[0] or "src"),
            expected=(),
            sources=(),
        )


_TEMPLATES = (
    "What was changed in {folder}/{word}_settings.py?",
    "What was decided about the {word} migration, and why?",
    "What was the error message: {word}?",
)


def _fresh_words(known: str) -> Iterable[str]:
    folded = known.lower()
    return [word for word in _MADE_UP if word not in folded]


def _text(message: Message) -> str:
    return "\n".join(part_text(part) for part in message.parts)
