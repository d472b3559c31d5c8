"""Questions about what was said: choices and their reasons, findings, and the files that were spoken of.

They are read off sentences, not off the ledger. A sentence that gives a reason is asked from both ends; one
that names a cause or a choice is asked for by a few of its words. What the agent only looked up, and why, is
asked where there is little else, and the user's own words where the agent said nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.reading.utterances import agent_statements, sentences_of_request, user_statements
from tamis.evals.probing.drafts import (
    CARRIERS,
    LEAST_TELLING,
    MAX_TEXT_CHARS,
    ProbeDraft,
    item,
    phrase_of,
    word_by_hash,
)
from tamis.evals.probing.probes import ProbeKind
from tamis.ledger.files.paths import looks_like_file
from tamis.ledger.speech.prose import looks_pasted
from tamis.ledger.speech.subjects import key_words
from tamis.messages import Message, ToolResult
from tamis.text.cues.discourse_cues import leans
from tamis.text.names import names_in

ENOUGH = 3
"""With so many choices of weight, small steps and private reasoning are not asked about."""

LEAST_WORDS = 4
"""Telling words of a sentence that can be asked for."""

LEAST_SIDE = 3
"""Telling words of what is quoted in a question, and of its answer."""

MOST_QUOTED = 160

_REASONED = ('Why: "{main}"?', 'What reason was given for this: "{main}"?')
_INSTEAD = ('What was to be done instead of this: "{other}"?', 'What was preferred to this: "{other}"?')
_FOLLOWED = ('What followed from this: "{main}"?', 'To what did this lead: "{main}"?')
_REPLACED = ('What was to take the place of "{old}"?', 'With what was "{old}" to be replaced?')
_PURPOSE = ('For what purpose was this to be done: "{act}"?', 'What was this step to achieve: "{act}"?')
_CAUSE = (
    'What was found to be the {what}, as far as it concerns "{phrase}"?',
    'How was the {what} explained that has to do with "{phrase}"?',
)
_CHOICE = (
    'What did the agent choose with regard to "{phrase}"?',
    'Which choice did the agent make that concerns "{phrase}"?',
)
_CONCLUDED = (
    'What did the agent conclude with regard to "{phrase}"?',
    'What did the agent make out about "{phrase}"?',
)
_NAMED_FILE = ('Which file was meant here: "{rest}"?', 'Of which file was this said: "{rest}"?')
_FOUND = ('What did the agent say of "{phrase}"?', 'What did the agent report about "{phrase}"?')
_SAID = ('What did the user say of "{phrase}"?', 'What did the user write about "{phrase}"?')
_PICKED = ('What did the user answer to this: "{asked}"?', 'What was chosen when this was asked: "{asked}"?')

_DULL = frozenset(["heading", "table", "code", "question", "opens", "vague", "guess"])
_OF_USER = frozenset(["reasoned", "instead", "followed", "replaced", "cause"])
_HANDED_OVER = frozenset(["boilerplate", "paste", "trouble"])
"""Of a user's message: a harness's words, and what was pasted."""

_REASON = re.compile(
    r"(?:[,;]|(?<!\s))\s+(?:—\s*|–\s*)?(?:because(?! of)|since(?= \w+ \w+ \w+)|so that|due to|because of"
    r"|to avoid|given that)\s+|[,;] as (?=(?:the|it|they|this|these|we|i|there)\b)",
    re.IGNORECASE,
)
_SO = re.compile(r"(?:,|\s[—–-])\s+(?:so(?! that)|which means(?: that)?|therefore|hence)\s+", re.IGNORECASE)
_LEADS = re.compile(
    r"^[^,;:]{15,160}?( (?:causes?|caused|leads? to|led to|results? in|resulted in|prevents?) )",
    re.IGNORECASE,
)
_SWAP = re.compile(
    r"\breplac(?:e|ed|ing) (?:the |all )?(?P<old>[^.,;:!?]{3,80}?) (?:with|by) (?P<new>[^!?;]{3,150})",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"^[^—–:]{3,40}(?:\s[—–]|:)\s+(?=\S+\s)")
"""What a sentence begins with before it comes to the point: "That makes sense — ..."."""

_OTHER = re.compile(r"(?:,|(?<!\s))\s+(?:instead of|rather than)\s+", re.IGNORECASE)
_WILL = (
    r"(?:(?:let me|let's|let us|i'll|i will|i'm going to|(?:i|we) (?:now )?(?:need|have|want) to"
    r"|(?:i|we) (?:should|can|could)|we'll)\s+(?:\w+ly |also |now |then |first |just )?)"
)
_CHANGING = (
    r"(?:modify|update|change|add|edit|create|refactor|replace|remove|fix|use|implement|write|rename|move"
    r"|extend|introduce|split|extract|wrap|convert|revert|keep|skip|set|make|handle|delete|drop|simplify)"
)
_LOOKING = (
    r"(?:look|check|see|open|view|examine|search|find|run|test|try|locate|explore|verify|read|trace"
    r"|investigate)"
)
_VERBS = (
    r"(?:see|check|verify|understand|find|ensure|make|avoid|handle|support|use|get|reproduce|test|confirm|fix|include"
    r"|add|remove|prevent|allow|keep|return|log|create|determine|know|learn|identify|locate|match|show|update|set"
    r"|reflect|work|pass|call|convert|replace|accept|compare|figure|follow|have|judge|place|clear|delegate|skip"
    r"|support|take|treat|ignore|read|write|run|validate|exclude|preserve|provide|display|catch|raise|reduce"
    r"|simplify|look|move|cover|split|store|import|properly|correctly|only|not|also)"
)
_TO = rf"(?:(?:to|in order to) {_VERBS}|so that)\b\s+"
_STEP = re.compile(
    rf"{_WILL}(?P<act>{_CHANGING}\b[^.!?]{{12,150}}?)\s+(?P<why>{_TO}[^!?]{{12,}})", re.IGNORECASE
)
_LOOK = re.compile(
    rf"{_WILL}(?P<act>{_LOOKING}\b[^.!?]{{12,150}}?)\s+(?P<why>(?:{_TO}|if |whether )[^!?]{{8,}})",
    re.IGNORECASE,
)
_NAMES_CAUSE = re.compile(
    r"\bthe (?:\w+ ){0,2}?(?P<what>root cause|cause|issue|problem|bug|error|culprit|reason|fix|solution"
    r"|difference|key insight|trade-?off)(?: here)?(?: with [^,.;:]{1,50}| in [^,.;:]{1,50})?"
    r"(?: (?:is|was|lies|comes|came|happens|occurs)\b|: )"
    r"|\b(?:turns|turned) out\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:i|we|let's|let us)(?:['’](?:ll|ve|d|re|m)| will| have| would| should| are| am)*"
    r" (?:now |also |just |then |still |only )?(?:decid|chose|opt(?:ed)? |prefer|go(?:ing)? with"
    r"|skip|keep|leav|focus|recommend|suggest|propos|stick|use|using)\w*"
    r"|\b(?:better|best|simplest|cleanest|safest|right|recommended|chosen)"
    r" (?:approach|option|fix|solution|way|choice)\b"
    r"|\b(?:recommend(?:ation|ed)|out of scope|not worth"
    r"|on purpose|deliberately|intentionally|design decision)\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:i(?! bet)|we|let's|let us|use|should|better|best|fix|now|would|chose|decided|keep|prefer|will)\b"
    r"|['’]ll\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"^(?:so|thus|therefore|hence|which means|this means|that means|this suggests"
    r"|i (?:can )?(?:now )?(?:see|notice|understand)"
    r"|it (?:appears|seems|looks)|(?P<ground>(?:looking at|based on)[^,]{0,120})"
    r"|the (?:error|code|test|output|function|method)\b)",
    re.IGNORECASE,
)
_SEES = re.compile(r"\b(?:we|i) can (?:now |also )?see (that) ", re.IGNORECASE)
_OPEN = re.compile(r"\bif (?:it|we|i|you|the|that)\b|\blet(?:['’]s| me| us)\b", re.IGNORECASE)
"""What is a condition or a plan names no cause and makes no choice."""

_RETELLS = re.compile(r"^(?:the )?user\b", re.IGNORECASE)
"""What the user wants is asked of the user's own words."""

_NUMBER = re.compile(r"^\d{1,2}[.)] ")
_ANSWER = re.compile(r"\"(?P<asked>[^\"\n]{15,300})\"\s*=\s*\"(?P<said>[^\"\n]{2,300})\"")


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    source: str
    flags: frozenset[str]
    thought: bool


def ask_for_choices(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    """Choices with their reasons, causes, and the user's picks; small steps where there are few of these."""
    drafts = [*_picks(messages)]
    said = [*_sentences(messages)]
    aloud, thought = [s for s in said if not s.thought], [s for s in said if s.thought]
    for ask, sentences in (
        (_weighty, aloud),
        (_weighty, thought),
        (_small_step, aloud),
        (_small_step, thought),
        (_users_reason, [*_sentences(messages, of_user=True)]),
    ):
        if len({draft.sources for draft in drafts}) >= ENOUGH:
            break
        others = [s.text for s in sentences]
        for one in sentences:
            drafts += ask(one, others)
    yield from drafts


def ask_for_named_files(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    """Which file was spoken of: the sentence with the one file that it names taken out."""
    yield from [*_named_files(_sentences(messages))] or _named_files(_sentences(messages, of_user=True))


def _named_files(said: Iterable[_Said]) -> Iterator[ProbeDraft]:
    for one in said:
        named = {n.text for n in names_in(one.text) if n.kind == "path" and looks_like_file(n.text)}
        if len(named) != 1:
            continue
        path = named.pop()
        rest = one.text.replace(path, "…")
        short = path.rpartition("/")[2]
        if (
            short not in rest
            and rest.count("…") == 1
            and len(key_words(rest)) >= LEAST_WORDS
            and len(rest) <= MOST_QUOTED
        ):
            question = word_by_hash(_NAMED_FILE, rest=_quoted(rest.replace("`…`", "…")))
            yield _draft("named", question, path, one.source, of="artifact")


def ask_for_findings(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    """What was found, where it names something and gives neither a reason nor a choice."""
    told = [one for one in _sentences(messages) if "named" in one.flags and "announces" not in one.flags]
    yield from [*_findings(told, _FOUND)] or _findings([*_sentences(messages, of_user=True)], _SAID)


def _findings(told: Sequence[_Said], questions: Sequence[str]) -> Iterator[ProbeDraft]:
    said = [one.text for one in told]
    other = (_REASON, _OTHER, _NAMES_CAUSE, _DECIDES, _CONCLUDES, _OPEN)
    for one in told:
        if not any(cue.search(one.text) for cue in other) and (phrase := _phrase(one.text, said)):
            yield _draft("found", word_by_hash(questions, phrase=phrase), one.text, one.source, of="recall")


def _sentences(messages: Sequence[Message], *, of_user: bool = False) -> Iterator[_Said]:
    """The agent's or the user's sentences that can be asked about, in order."""
    dull = _DULL | _HANDED_OVER if of_user else _DULL
    for turn, message in enumerate(messages):
        for made in _users_words(message, turn) if of_user else agent_statements(message, turn):
            text = made.text
            fits = "\n" not in text and 20 <= len(text) <= MAX_TEXT_CHARS and not looks_pasted(text)
            if (
                fits
                and not _RETELLS.match(text)
                and not dull & set(made.flags)
                and len(key_words(text)) >= LEAST_WORDS
            ):
                yield _Said(
                    text=_NUMBER.sub("", text.removeprefix("- ")),
                    source=message.id,
                    flags=frozenset(made.flags),
                    thought=made.kind == "thought",
                )


def _users_words(message: Message, turn: int) -> Iterator[Statement]:
    for made in user_statements(message, turn):
        if "whole" in made.flags:
            yield from sentences_of_request(made)
        elif "final" not in made.flags:  # what ends a long message is how its harness tells agents to work
            yield made


def _picks(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    """What the user chose when a tool of the agent asked."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolResult) and "answered your question" in part.text[:200]:
                for found in _ANSWER.finditer(part.text):
                    question = word_by_hash(_PICKED, asked=_quoted(found["asked"]))
                    yield _draft("picked", question, found["said"], message.id)


def _weighty(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """A sentence with a reason, alternative, consequence or purpose; one that names a cause, or chooses."""
    text = _LEAD_IN.sub("", one.text) if leans(one.text) else one.text
    if (found := _REASON.search(text)) and _is_pair(text[: found.start()], text[found.end() :]):
        question = word_by_hash(_REASONED, main=_quoted(text[: found.start()]))
        yield _draft("reasoned", question, text[found.end() :], one.source)
    elif (
        (found := _OTHER.search(text))
        and _CHOOSES.search(text[: found.start()])
        and _is_pair(text[found.end() :], text[: found.start()])
    ):
        question = word_by_hash(_INSTEAD, other=_quoted(text[found.end() :]))
        yield _draft("instead", question, text[: found.start()], one.source)
    elif (found := _SO.search(text) or _LEADS.match(text)) and _is_pair(
        text[: found.start(found.lastindex or 0)], text[found.end() :]
    ):
        question = word_by_hash(_FOLLOWED, main=_quoted(text[: found.start(found.lastindex or 0)]))
        yield _draft("followed", question, text[found.end() :], one.source)
    elif (found := _SWAP.search(text)) and not leans(found["old"]) and key_words(found["old"]) - CARRIERS:
        question = word_by_hash(_REPLACED, old=_quoted(found["old"]))
        yield _draft("replaced", question, found["new"], one.source)
    elif (found := _STEP.search(text)) and _tells(found["act"]) and _is_pair(found["act"], found["why"]):
        question = word_by_hash(_PURPOSE, act=_quoted(found["act"]))
        yield _draft("purpose", question, found["why"], one.source)
    elif "announces" in one.flags or _OPEN.search(text):
        return
    elif (found := _NAMES_CAUSE.search(text)) and (phrase := _phrase(text, others)):
        what = (found["what"] or "case").lower()
        yield _draft("cause", word_by_hash(_CAUSE, what=what, phrase=phrase), text, one.source)
    elif _DECIDES.search(text) and (phrase := _phrase(text, others)):
        yield _draft("choice", word_by_hash(_CHOICE, phrase=phrase), text, one.source)


def _users_reason(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """What a user's sentence gives a reason for, prefers, or names as the cause."""
    yield from (draft for draft in _weighty(one, others) if draft.form in _OF_USER)


def _small_step(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """What the agent wanted to look at, and what for; what it concluded."""
    if (found := _LOOK.search(one.text)) and _tells(found["act"]) and _is_pair(found["act"], found["why"]):
        question = word_by_hash(_PURPOSE, act=_quoted(found["act"]))
        yield _draft("look", question, found["why"], one.source)
    elif (
        found := _SEES.search(one.text) or (None if "announces" in one.flags else _CONCLUDES.match(one.text))
    ) and (phrase := _phrase(one.text, others, start=found.end(found.lastindex) if found.lastindex else 0)):
        yield _draft("concluded", word_by_hash(_CONCLUDED, phrase=phrase), one.text, one.source)


def _phrase(text: str, all_said: Sequence[str], *, start: int = 0) -> str:
    return phrase_of(text[start:], [other for other in all_said if other != text])


def _tells(act: str) -> bool:
    """Whether a step says more than any step does, as "create a test file" does not."""
    return bool(names_in(act)) or len(key_words(act) - CARRIERS) >= LEAST_TELLING


def _is_pair(quoted: str, answer: str) -> bool:
    """Whether one side can be quoted and the other asked for."""
    told, left = key_words(quoted), key_words(answer)
    return (
        len(quoted) <= MOST_QUOTED
        and len(told) >= LEAST_SIDE
        and len(left - told) >= LEAST_SIDE
        and not leans(quoted.strip())
        and quoted.count("`") % 2 == answer.count("`") % 2 == 0
        and quoted.count("(") == quoted.count(")")
    )


def _draft(form: str, question: str, answer: str, source: str, *, of: ProbeKind = "decision") -> ProbeDraft:
    value = answer.strip(" .,;:") if of == "decision" else answer
    expected = (item(value, "path" if of == "artifact" else "text"),)
    return ProbeDraft(of, form, question, expected=expected, sources=(source,), made_by="speech")


def _quoted(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:").replace('"', "'")
