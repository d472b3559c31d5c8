"""Questions about what was said: choices and their reasons, findings, and the files that were spoken of.

They are read off sentences, not off the ledger. A sentence that gives a reason is asked from both ends; one
that names a cause or a choice is asked for by a few of its words. What the agent only looked up, and why, is
asked where there is little else, and the user's own words where the agent said nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.reading.speech.utterances import (
    agent_statements,
    sentences_of_request,
    user_statements,
)
from tamis.compactors.brief.reading.statement import Statement
from tamis.evals.probing import spoken_cues as cues
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
from tamis.messages import Message, ToolResult
from tamis.text.cues.discourse_cues import leans
from tamis.text.key_words import key_words
from tamis.text.names import names_in

ENOUGH = 3  # with so many choices of weight, small steps and private reasoning are not asked about
LEAST_WORDS = 4  # telling words of a sentence that can be asked for
LEAST_SIDE = 3  # telling words of what is quoted in a question, and of its answer
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
_REMEDY = (
    'What did the agent decide upon this: "{before}"?',
    'What did the agent want to do about this: "{before}"?',
)
_PLANNED = (
    'Which change did the agent decide on with regard to "{phrase}"?',
    'What did the agent mean to change as far as it concerns "{phrase}"?',
)
_CONCLUDED = (
    'What did the agent conclude with regard to "{phrase}"?',
    'What did the agent make out about "{phrase}"?',
)
_NAMED_FILE = ('Which file was meant here: "{rest}"?', 'Of which file was this said: "{rest}"?')
_FOUND = ('What did the agent say of "{phrase}"?', 'What did the agent report about "{phrase}"?')
_SAID = ('What did the user say of "{phrase}"?', 'What did the user write about "{phrase}"?')
_WANTED = ('How did the user want this done: "{phrase}"?', 'What did the user lay down about "{phrase}"?')
_PICKED = ('What did the user answer to this: "{asked}"?', 'What was chosen when this was asked: "{asked}"?')

_DULL = frozenset(["heading", "table", "code", "question", "opens", "vague", "guess"])
_OF_USER = frozenset(["reasoned", "instead", "followed", "replaced", "cause"])
_HANDED_OVER = frozenset(["boilerplate", "paste", "trouble"])
"""Of a user's message: a harness's words, and what was pasted."""

_NUMBER = re.compile(r"^\d{1,2}[.)] ")
_ANSWER = re.compile(r"\"(?P<asked>[^\"\n]{15,300})\"\s*=\s*\"(?P<said>[^\"\n]{2,300})\"")


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    source: str
    flags: frozenset[str]
    thought: bool
    before: str = ""
    """The sentence before it in the same message."""


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
        (_users_wish, [*_sentences(messages, of_user=True)]),
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
    other = (cues.REASON, cues.OTHER, cues.NAMES_CAUSE, cues.DECIDES, cues.CONCLUDES, cues.OPEN)
    for one in told:
        if not any(cue.search(one.text) for cue in other) and (phrase := _phrase(one.text, said)):
            yield _draft("found", word_by_hash(questions, phrase=phrase), one.text, one.source, of="recall")


def _sentences(messages: Sequence[Message], *, of_user: bool = False) -> Iterator[_Said]:
    dull = _DULL | _HANDED_OVER if of_user else _DULL
    for turn, message in enumerate(messages):
        before = ""
        for made in _users_words(message, turn) if of_user else agent_statements(message, turn):
            earlier, before, text = before, made.text, made.text
            fits = "\n" not in text and 20 <= len(text) <= MAX_TEXT_CHARS and not looks_pasted(text)
            if (
                fits
                and not cues.RETELLS.match(text)
                and not dull & set(made.flags)
                and len(key_words(text)) >= LEAST_WORDS
            ):
                yield _Said(
                    text=_NUMBER.sub("", text.removeprefix("- ")),
                    source=message.id,
                    flags=frozenset(made.flags),
                    thought=made.kind == "thought",
                    before=earlier,
                )


def _users_words(message: Message, turn: int) -> Iterator[Statement]:
    for made in user_statements(message, turn):
        if "whole" in made.flags:
            said = [*sentences_of_request(made)]
            listed = any("item" in one.flags for one in said)  # it may be a template's
            typed = () if listed else ("typed",)
            yield from (replace(one, flags=(*one.flags, *typed)) for one in said)
        elif "final" not in made.flags:  # what ends a long message is how its harness tells agents to work
            yield made


def _picks(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolResult) and "answered your question" in part.text[:200]:
                for found in _ANSWER.finditer(part.text):
                    question = word_by_hash(_PICKED, asked=_quoted(found["asked"]))
                    yield _draft("picked", question, found["said"], message.id)


def _weighty(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """A sentence with a reason, alternative, consequence or purpose; one that names a cause, or chooses."""
    text = cues.LEAD_IN.sub("", one.text) if leans(one.text) else one.text
    if (sides := _sides(cues.REASON, text)) and _is_pair(*sides):
        main, reason = sides
        yield _draft("reasoned", word_by_hash(_REASONED, main=_quoted(main)), reason, one.source)
    elif (sides := _sides(cues.OTHER, text)) and cues.CHOOSES.search(sides[0]) and _is_pair(*sides[::-1]):
        chosen, other = sides
        yield _draft("instead", word_by_hash(_INSTEAD, other=_quoted(other)), chosen, one.source)
    elif (sides := _sides(cues.SO, text) or _sides(cues.LEADS, text)) and _is_pair(*sides):
        main, what_followed = sides
        yield _draft("followed", word_by_hash(_FOLLOWED, main=_quoted(main)), what_followed, one.source)
    elif (found := cues.SINCE.match(text)) and _is_pair(found["why"], text[found.end() :]):
        question = word_by_hash(_FOLLOWED, main=_quoted(found["why"]))
        yield _draft("followed", question, text[found.end() :], one.source)
    elif (found := cues.SWAP.search(text)) and not leans(found["old"]) and _tells(found["old"]):
        question = word_by_hash(_REPLACED, old=_quoted(found["old"]))
        yield _draft("replaced", question, found["new"], one.source)
    elif (found := cues.STEP.search(text)) and _tells(found["act"]) and _is_pair(found["act"], found["why"]):
        question = word_by_hash(_PURPOSE, act=_quoted(found["act"]))
        yield _draft("purpose", question, found["why"], one.source)
    elif (
        cues.PLAN.search(text)
        and not cues.TURNS.match(text)
        and cues.LACKS.search(one.before)
        and not cues.AHEAD.search(one.before)
        and _is_pair(lack := cues.FINDS.sub("", one.before), text)
    ):
        yield _draft("remedy", word_by_hash(_REMEDY, before=_quoted(lack)), text, one.source)
    elif "announces" in one.flags or cues.OPEN.search(text):
        return
    elif (found := cues.NAMES_CAUSE.search(text)) and (phrase := _phrase(text, others)):
        what = (found["what"] or "case").lower()
        yield _draft("cause", word_by_hash(_CAUSE, what=what, phrase=phrase), text, one.source)
    elif cues.DECIDES.search(text) and (phrase := _phrase(text, others)):
        yield _draft("choice", word_by_hash(_CHOICE, phrase=phrase), text, one.source)


def _users_reason(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    yield from (draft for draft in _weighty(one, others) if draft.form in _OF_USER)


def _users_wish(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """How the user wanted the work done, in words that were typed for it."""
    wished = {"typed", "wants"} <= one.flags and cues.LAYS_DOWN.search(one.text) and not leans(one.text)
    if wished and (phrase := _phrase(one.text, others)):
        yield _draft("wanted", word_by_hash(_WANTED, phrase=phrase), one.text, one.source)


def _small_step(one: _Said, others: Sequence[str]) -> Iterator[ProbeDraft]:
    """What the agent wanted to look at, and what for; what it concluded."""
    found = cues.LOOK.search(one.text)
    if found and _tells(found["act"]) and _is_pair(found["act"], found["why"]):
        question = word_by_hash(_PURPOSE, act=_quoted(found["act"]))
        yield _draft("look", question, found["why"], one.source)
    elif (
        (found := cues.PLAN.search(one.text))
        and not leans(found["what"])
        and not cues.TRIES.search(act := cues.PURPOSE.split(found["what"], maxsplit=1)[0])
        and (phrase := _phrase(act, [other for other in others if other != one.text]))
    ):
        question = word_by_hash(_PLANNED, phrase=phrase)
        yield _draft("planned", question, one.text, one.source)
    elif (
        found := cues.SEES.search(one.text)
        or (None if "announces" in one.flags else cues.CONCLUDES.match(one.text))
    ) and (phrase := _phrase(one.text, others, start=found.end(found.lastindex) if found.lastindex else 0)):
        yield _draft("concluded", word_by_hash(_CONCLUDED, phrase=phrase), one.text, one.source)


def _phrase(text: str, all_said: Sequence[str], *, start: int = 0) -> str:
    return phrase_of(text[start:], [other for other in all_said if other != text])


def _tells(act: str) -> bool:
    """Whether a step says more than any step does, as "create a test file" does not."""
    return bool(names_in(act)) or len(key_words(act) - CARRIERS) >= LEAST_TELLING


def _sides(cue: re.Pattern[str], text: str) -> tuple[str, str] | None:
    """What stands before a cue, which begins where its group does if it has one, and what behind it."""
    found = cue.search(text)
    return (text[: found.start(found.lastindex or 0)], text[found.end() :]) if found else None


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
