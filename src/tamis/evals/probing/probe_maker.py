"""Making probes from a span, without a model, and leaving out what proves nothing.

They are read off the ledger, off what the agent said, and off recaps behind the cut: these choose what is
asked, but every answer is the span's. What followed is looked at besides to leave out what it tells anyway
(`leaks.py`). A question is left out too, and counted, where the span does not hold the answer,
or gives several values under the name that is asked for.

The same span gives the same probes, in the same order.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tamis.compactors.protocol import Usage
from tamis.evals.points import Point
from tamis.evals.probing.drafts import TEMPLATE_CHARS, ProbeDraft, type_of
from tamis.evals.probing.exact_scorer import credit, words_of
from tamis.evals.probing.leaks import REASONS, LeakReason, Surroundings, find_fault
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe, ProbeKind, probe_id
from tamis.evals.probing.progress_questions import ask_for_progress
from tamis.evals.probing.questions import draft_questions, draft_unanswerable
from tamis.evals.probing.recap_questions import ask_for_recaps
from tamis.evals.probing.spoken_questions import ask_for_choices, ask_for_findings, ask_for_named_files
from tamis.evals.statements.keypoints import KeyPoints, find_key_points
from tamis.ledger import State, read_ledger
from tamis.messages import Message, message_text
from tamis.text.key_words import key_words
from tamis.text.names import names_in, stands_in

MAX_PER_KIND = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeSet:
    """The probes of one span, and how many questions were left out for which reason.

    `surplus` counts good questions beyond the bound per kind, by kind. `dropped` has a key for each of
    `leaks.REASONS`, and those of `model_probes.FAULTS` where a model made them; `failures` then say what it
    did not answer, and `usage` what it took.
    """

    probes: tuple[Probe, ...]
    dropped: Mapping[str, int]
    surplus: Mapping[ProbeKind, int]
    failures: tuple[str, ...] = ()
    usage: Usage | None = None


def make_point_probes(
    point: Point, *, max_per_kind: int = MAX_PER_KIND, recalled: KeyPoints | None = None
) -> ProbeSet:
    """The probes of a compaction point, each with the session and the point that it belongs to.

    The system prompt is in view beside the compaction. `recalled` are the key points, where they are known.
    """
    recalled = recalled if recalled is not None else find_key_points(point)
    made = make_probes(
        point.span, in_view=point.system, tail=point.tail, max_per_kind=max_per_kind, recalled=recalled
    )
    return replace(made, probes=tuple(belonging(probe, point) for probe in made.probes))


def belonging(probe: Probe, point: Point) -> Probe:
    """The probe with the place that it belongs to."""
    return replace(probe, session=_savable(point.session_id), point=point.label)


def make_probes(
    span: Sequence[Message],
    *,
    in_view: Sequence[Message] = (),
    tail: Sequence[Message] = (),
    max_per_kind: int = MAX_PER_KIND,
    state: State | None = None,
    recalled: KeyPoints | None = None,
) -> ProbeSet:
    """The probes of a span.

    `in_view` stays beside it, as the system prompt does; `tail` came behind the cut; `state` is the ledger's,
    where it is known already; `recalled` are key points of the span that were summed up behind it.
    """
    state = state if state is not None else read_ledger(span).state
    texts = {message.id: message_text(message) for message in span}
    beside = Surroundings(in_view, tail)
    good: list[ProbeDraft] = []
    dropped: dict[str, int] = dict.fromkeys(REASONS, 0)
    drafts = [*draft_questions(state), *ask_for_progress(span, state)]
    for ask in (ask_for_choices, ask_for_findings, ask_for_named_files):
        drafts += ask(span)
    if recalled is not None:
        drafts += ask_for_recaps(span, recalled.points)
    templates = {m.id for m in span if m.role == "user" and len(texts[m.id]) > TEMPLATE_CHARS}
    for draft in drafts:
        if draft.kind == "decision" and draft.made_by == "ledger" and templates.issuperset(draft.sources):
            continue  # nobody decided that: it is how a harness tells every agent to work
        sifted = sift(draft, texts, beside)
        if isinstance(sifted, ProbeDraft):
            good.append(sifted)
        else:
            dropped[sifted] += 1
    good += draft_unanswerable(state, "\n".join([*texts.values(), *map(message_text, (*in_view, *tail))]))
    probes, surplus = choose(good, max_per_kind)
    return ProbeSet(
        probes=tuple(to_probe(d, made_by=d.made_by) for d in probes), dropped=dropped, surplus=surplus
    )


def sift(draft: ProbeDraft, texts: Mapping[str, str], beside: Surroundings) -> ProbeDraft | LeakReason:
    """The draft with all of its proof, or why it is no good. `texts` are the span's messages by id."""
    proof = find_proof(draft.question, draft.expected, draft.sources, texts)
    told = "\n".join(texts.values())
    if proof is None or not is_said(draft, told):
        return "unproven"
    if is_ambiguous(draft, told):
        return "ambiguous"
    return find_fault(draft, beside) or replace(draft, sources=proof)


def is_said(draft: ProbeDraft, told: str) -> bool:
    """Whether the span gives a value under the very name that the question asks about, if it asks so.

    What a fact goes by in the ledger is made of a sentence's key words: nobody can be asked for that.
    """
    if not draft.subject or draft.subject.endswith(" version"):
        return True
    known = [one.value for one in draft.expected]
    return any(value in one or one in value for value in _given(draft.subject, told) for one in known)


def _given(subject: str, told: str) -> set[str]:
    behind = r"\W{1,4}(?:(?:is|was|of|to|are)\W+)?(?P<value>[\w.#$@/:-]*\w)"
    return {match["value"] for match in re.finditer(rf"(?<!\w){re.escape(subject)}{behind}", told, re.I)}


def is_ambiguous(draft: ProbeDraft, told: str) -> bool:
    """Whether the span gives other values under the name that the question asks for.

    >>> from tamis.evals.probing.drafts import item
    >>> port = {"kind": "recall", "form": "", "question": "", "sources": (), "subject": "http port"}
    >>> asked = ProbeDraft(**port, expected=(item("8080"),))
    >>> [is_ambiguous(asked, f"http port: 8080, http port: {other}") for other in (9090, 8080)]
    [True, False]
    """
    if not draft.subject:
        return False
    known = {one.value for one in (*draft.expected, *draft.superseded)}
    types = {one.type for one in draft.expected}
    return any(
        type_of(other) in types and not any(other in one or one in other for one in known)
        for other in _given(draft.subject, told)
        if not other.isalpha() or other.isupper()  # not just the next word of a sentence
    )


def choose(drafts: Sequence[ProbeDraft], most: int) -> tuple[list[ProbeDraft], dict[ProbeKind, int]]:
    """At most so many of each kind, each question once, and how many good ones that leaves, by kind."""
    by_kind: dict[ProbeKind, dict[str, ProbeDraft]] = {kind: {} for kind in PROBE_KINDS}
    for draft in drafts:
        by_kind[draft.kind].setdefault(draft.question, draft)
    chosen = {kind: _spread(list(asked.values()), most) for kind, asked in by_kind.items()}
    surplus = {kind: len(by_kind[kind]) - len(chosen[kind]) for kind in PROBE_KINDS}
    return [draft for kind in PROBE_KINDS for draft in chosen[kind]], surplus


def to_probe(draft: ProbeDraft, *, made_by: str) -> Probe:
    """The draft as it is saved."""
    return Probe(
        id=probe_id(draft.kind, draft.question),
        kind=draft.kind,
        question=_savable(draft.question),
        expected=tuple(replace(one, value=_savable(one.value)) for one in draft.expected),
        closed=draft.closed,
        superseded=tuple(replace(one, value=_savable(one.value)) for one in draft.superseded),
        sources=draft.sources,
        made_by=made_by,
    )


def _spread(drafts: Sequence[ProbeDraft], most: int) -> list[ProbeDraft]:
    """As many as may be, of every form by turns, within a form in an order that favours no age."""
    by_form: dict[str, list[ProbeDraft]] = {}
    for draft in sorted(drafts, key=lambda d: hashlib.sha256(d.question.encode("utf-8", "replace")).digest()):
        by_form.setdefault(draft.form, []).append(draft)
    turns = zip_longest(*(by_form[form] for form in sorted(by_form)))
    return [draft for turn in turns for draft in turn if draft is not None][:most]


def _savable(text: str) -> str:
    """The text without the halves of characters that a log may hold and no file can."""
    return text.encode("utf-8", "replace").decode()


PROVEN_FROM = 0.99  # the share of an expected text's words that its sources must hold


def find_proof(
    question: str, expected: Sequence[Expected], sources: Sequence[str], texts: Mapping[str, str]
) -> tuple[str, ...] | None:
    """The sources, and those that are needed besides; None where the span does not hold the answer.

    A ledger's entry points at the newest message about its subject, which need not hold all of the answer.
    What is missing is looked for in the span, newest first, where every name that the question asks about
    stands too. Nothing expected is nothing proven. `texts` are the messages by id, oldest first.
    """
    if not expected:
        return None
    proof = "\n".join(texts.get(source, "") for source in sources)
    found = dict.fromkeys(sources)
    names = [name.text.rpartition("/")[2] or name.text for name in names_in(question)]
    for item in expected:
        if holds(proof, item):
            continue
        newest = (
            source
            for source, text in reversed(list(texts.items()))
            if holds(text, item) and all(stands_in(name, text) for name in names)
        )
        if (source := next(newest, None)) is None:
            return None
        found[source] = None
    return tuple(found)


def holds(text: str, item: Expected) -> bool:
    """Whether the text holds the whole of what is expected."""
    if item.type == "text":
        words = key_words(item.value)
        return len(words & words_of(text)) >= PROVEN_FROM * len(words)
    if item.type == "path":  # resolved against a working directory, which the call need not repeat
        name = item.value.rpartition("/")[2]
        return bool(name) and stands_in(name, text)
    return stands_in(item.value, text) or credit(item, text) == 1.0
