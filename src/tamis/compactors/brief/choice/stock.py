"""The stock of a brief: all that can be said of a session, its worth, and what must be said."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.choice.request_room import shortened_in
from tamis.compactors.brief.choice.selection import KEPT, NEWEST_WHOLE, REQUIRED_SHARES, Candidate
from tamis.compactors.brief.choice.signals import signals_of
from tamis.compactors.brief.choice.talk_worth import talk_worths
from tamis.compactors.brief.choice.worth import Worth
from tamis.compactors.brief.reading.episodes import Episode, episodes_of
from tamis.compactors.brief.reading.settling.corrected import Corrections
from tamis.compactors.brief.reading.settling.validity import settled
from tamis.compactors.brief.reading.speech.closed_requests import with_answers, without_closed, without_done
from tamis.compactors.brief.reading.speech.findings import closed_findings
from tamis.compactors.brief.reading.speech.referents import names
from tamis.compactors.brief.reading.speech.rejections import misread
from tamis.compactors.brief.reading.speech.utterances import sentences_of_request
from tamis.compactors.brief.reading.statement import WORDS, Statement, is_order, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.reading.talks import serves
from tamis.compactors.brief.writing.layout import lines_of
from tamis.compactors.brief.writing.small_brief import replies_of
from tamis.compactors.brief.writing.turn_end import is_closed
from tamis.compactors.completeness import asked_words, fold
from tamis.messages import Counter
from tamis.text.cues.discourse_cues import pointers
from tamis.text.terms import terms_of

NEWEST, EFFECT, REPORT, FIRST, POINTED_AT = 1, 2, 3, 4, 5
"""Ranks of what has room before all else: the newest request, what was changed elsewhere, what the agent told
last in a talk, the first request, and what names the thing that a rule points at."""

WAITING_WHOLE, EDITED_WHOLE = 0.6, 0.33
"""The part of the room that a long request may take in any case where it waits and no code was changed, or
where some was, which is to be told as well."""

STEPS_SHARE = 0.06
"""With no more of the room the steps that a harness asks for are told."""

WHOLE_SHARE = 0.3
"""A request that takes more of the room is told by its sentences."""

LEAST_FOR_WHOLE = 420
"""In fewer tokens of a request that is worked on the parts go that are done."""

REPEATED_SHARE = 0.01
"""A request that repeats what the reader has for more of the room is told without it."""

FACT_AMONG = 3
"""Sentences of a message for each fact in it, from which on the facts are told without the others."""

_ROOT = re.compile(r"/(?:home|Users)/[^/]+/.+|/(?!home/|Users/)[^/]+/.+|/testbed|/[^/]*__[^/]*")
"""A folder that may be one work's own."""

_STEPS = re.compile(r"\b(?:steps|phases) to (?:resolve|solve|fix)\b", re.IGNORECASE)

Told = Callable[[Statement], bool]
"""Whether the reader has a statement already."""

LEAST_ANSWERING = 4
"""Of the terms of what is asked, so many in an edit show that it is what was asked."""
_OF_NO_EDIT = frozenset({"stale", "trial", "scratch"})
_NOT_REQUIRED = frozenset({"boilerplate", "heading", "code", "answer", "opens", "vague", "paste"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Stock:
    """What can be said: candidates in the order of the session, in episodes; paths are told from `root`.

    `is_served` says that it was said in a talk in which somebody is served.
    """

    candidates: Sequence[Candidate]
    episodes: Sequence[Episode]
    root: str
    is_served: bool


def stock_of(
    reading: StatementReader,
    extra: Sequence[Statement],
    *,
    worth: Worth,
    counter: Counter,
    room: int,
    is_told: Told,
    cuts: Sequence[int] = (),
) -> Stock:
    """The stock of a session as far as it was read, less what is told, for a brief of `room` tokens."""
    root = root_of(reading)
    talks = reading.reader.talks
    tells_fact = Corrections(reading.state, talks=talks).tells_fact
    beside = misread(reading.statements)
    newest = [s for s in extra if not any(s.turn in turns for turns in beside)]
    every = [*_within(settled(reading, root), room, counter, is_told, tells_fact), *newest]
    whole = _with_room(every, room, counter)
    every = [*without_done(every, [e.value for e in reading.state.tasks], whole)]
    every = with_answers(without_closed(every, _leading(every, reading) | whole))
    done = closed_findings(every)
    statements = [s for s in every if not is_told(s) and id(s) not in done]
    statements, kept = _with_requests(statements, reading, room, counter)
    tokens = counter.count_many(["\n".join(lines_of(s)) + "\n" for s in statements])
    worths = [worth(signals, talks=talks) for signals in signals_of(statements, tokens, reading.turns)]
    if is_served := serves(reading):
        worths = talk_worths(statements, tokens, worths)
    _with_named(statements, tokens, worths)
    episodes = episodes_of(statements, reading.turns, cuts)
    # A request that stands among the rules takes nothing along: what it points at is told for itself.
    pointed = {
        id(o): POINTED_AT for s in every if s.kind == "asked" and is_told(s) for o in s.leads if names(o)
    }
    leading = _leading(statements, reading)
    pointed |= dict.fromkeys(_steps_of_harness(statements, room, counter), POINTED_AT)
    ranks = {**pointed, **dict.fromkeys(leading, NEWEST), **_ranks(statements), **dict.fromkeys(kept, KEPT)}
    if is_served:  # what else was said has room by the values that it tells
        ranks = {at: rank for at, rank in ranks.items() if rank in (NEWEST, EFFECT)}
    answering = _answering(statements)
    candidates = []
    at = 0
    for number in sorted(range(len(statements)), key=lambda n: (statements[n].turn, statements[n].place)):
        statement = statements[number]
        while statement.turn >= episodes[at].end:
            at += 1
        candidates.append(
            Candidate(
                statement=statement,
                tokens=max(1, tokens[number]),
                worth=worths[number],
                episode=at,
                required=ranks.get(id(statement), 0),
                leads=id(statement) in leading or statement is answering,
            )
        )
    return Stock(candidates=candidates, episodes=episodes, root=root, is_served=is_served)


def _with_room(statements: Sequence[Statement], room: int, counter: Counter) -> set[int]:
    """The pieces of the newest request, where all of them have room in a brief that is not small."""
    newest = request_turns(statements)[-1:]
    own = [s for s in statements if s.kind == "asked" and s.turn in newest and "boilerplate" not in s.flags]
    fits = room >= LEAST_FOR_WHOLE and sum(counter.count_many([s.text for s in own])) <= NEWEST_WHOLE * room
    return {id(s) for s in own} if fits else set()


def _with_requests(
    statements: Sequence[Statement], reading: StatementReader, room: int, counter: Counter
) -> tuple[list[Statement], set[int]]:
    """The statements, long requests that wait cut to have room: the newest and the first; what is kept."""
    asked, answered = request_turns(reading.statements), replies_of(reading.statements)
    edited = any(_is_edit_of_work(s) and not s.key.endswith(".md") for s in statements)
    waits = EDITED_WHOLE if edited else NEWEST_WHOLE if is_closed(reading) else WAITING_WHOLE
    told, kept, most = [*statements], set[int](), int(waits * room)
    is_small = room < LEAST_FOR_WHOLE
    for turn in dict.fromkeys([*asked[-1:], *([] if is_small else _first_of(asked, statements))]):
        own = [s.text for s in told if s.kind == "asked" and s.turn == turn]
        if turn in answered or sum(counter.count_many(own)) <= REQUIRED_SHARES[NEWEST] * room:
            continue  # it has its room among the others
        leading = _leading(told, reading)
        told, parts = shortened_in(told, turn, most, counter, kept=leading, ordered=not is_small)
        most -= sum(counter.count_many([s.text for s in told if id(s) in parts]))
        kept |= parts
    return told, kept


def _steps_of_harness(statements: Sequence[Statement], room: int, counter: Counter) -> set[int]:
    """The steps in which a harness wants an issue solved, where they take little of the room."""
    own = [s for s in statements if s.turn in request_turns(statements)[-1:] and "boilerplate" in s.flags]
    steps = [s for s in own if any(_STEPS.search(lead.text) for lead in s.leads) and "item" in s.flags]
    fits = sum(counter.count_many([s.text for s in steps])) <= STEPS_SHARE * room
    return {id(s) for s in steps} if fits else set()


def _first_of(asked: Sequence[int], statements: Sequence[Statement]) -> Sequence[int]:
    """The turn of the first request: of several messages before the agent did anything, the last."""
    began = min((s.turn for s in statements if s.kind != "asked"), default=asked[-1] if asked else 0)
    return [turn for turn in asked if turn < began][-1:] or asked[:1]


def _leading(statements: Sequence[Statement], reading: StatementReader) -> set[int]:
    """What the gate would ask for of the newest and the first request, where it was said last."""
    told = (s for s in statements if s.kind == "asked" and not {"heading", "boilerplate"} & {*s.flags})
    texts = [(s, fold(s.text)) for s in told]
    holding = ([s for s, text in texts if words in text] for words in asked_words(reading.state))
    return {id(max(held, key=lambda s: s.turn)) for held in holding if held}


def _with_named(statements: Sequence[Statement], tokens: Sequence[int], worths: list[float]) -> None:
    """What names the thing that a request points at is part of the request, and its tokens worth as much."""
    place = {id(s): at for at, s in enumerate(statements)}
    for at, s in enumerate(statements):
        of_token = worths[at] / max(1, tokens[at])
        for lead in filter(names, s.leads if s.kind == "asked" else ()):
            if (named := place.get(id(lead))) is not None:
                worths[at] += max(0.0, of_token * tokens[named] - worths[named])


def _within(
    statements: Sequence[Statement],
    room: int,
    counter: Counter,
    is_told: Told,
    tells_fact: Callable[[str], bool],
) -> Iterator[Statement]:
    """The statements; a request by its sentences where the whole is too long, or repeats what is told.

    So is a message that tells a fact among many other things: the fact is worth its room.
    """
    ranks = _ranks(statements)
    for s in statements:
        if s.kind != "asked" or "whole" not in s.flags:
            yield s
            continue
        sentences = list(sentences_of_request(s))
        if not any(map(is_told, sentences)):
            sentences = list(sentences_of_request(s, lists=True))
        repeated = sum(counter.count(o.text) for o in sentences if is_told(o))
        share = NEWEST_WHOLE if ranks.get(id(s)) == NEWEST else WHOLE_SHARE
        is_long = id(s) in ranks and counter.count(s.text) > share * room
        facts = [o for o in sentences if "fact" in s.flags and tells_fact(o.text)]
        if (
            is_long
            or repeated > REPEATED_SHARE * room
            or (facts and len(sentences) > FACT_AMONG * len(facts))
        ):
            made: dict[int, Statement] = {}
            for o in sentences:
                leads = (*(made[id(lead)] for lead in o.leads), *(s.leads if pointers(o.text) else ()))
                made[id(o)] = replace(o, leads=leads, flags=(*o.flags, "fact") if o in facts else o.flags)
                yield made[id(o)]
        else:
            yield s


def root_of(reading: StatementReader) -> str:
    """The folder that paths are told from: the one that most files lie under; empty where none is known."""
    paths = [e.value.path for e in reading.state.files if e.value.path.startswith("/")]
    changed = [
        e.value.path for e in reading.state.files if e.value.status != "read" and e.value.path in paths
    ]
    changed = [path for path in changed if not path.startswith("/tmp/")]
    cwd = (reading.cwd or "").rstrip("/")
    if cwd and 2 * sum(path.startswith(cwd + "/") for path in changed) >= len(changed):
        return cwd
    folder = os.path.commonpath(changed) if len(changed) > 1 else cwd
    if folder in changed:
        folder = folder.rpartition("/")[0]
    for path in paths:  # what was only read tells how far the work reaches
        wider = os.path.commonpath([folder, path]) if folder else ""
        folder = wider if _ROOT.fullmatch(wider) else folder
    return folder if _ROOT.fullmatch(folder) else cwd


def _is_edit_of_work(s: Statement) -> bool:
    """Whether an agent that works alone tells with it what it changed in a file of the work."""
    return {"alone", "source"} <= {*s.flags} and ": " in s.text and not _OF_NO_EDIT.intersection(s.flags)


def _main_edits(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Of each file of the work the newest edit that does most, or one that is more of what is asked."""
    wanted = _wanted(statements)
    edits = filter(_is_edit_of_work, statements)
    weighty = sorted(edits, key=lambda s: ("slight" not in s.flags, "outline" in s.flags))
    for key, newest in {s.key: s for s in weighty}.items():
        own = [(len(wanted.intersection(terms_of(s.text))), s.turn, s) for s in weighty if s.key == key]
        most, _, answering = max(own, key=lambda each: each[:2])
        known = next(many for many, _, s in own if s is newest)
        yield answering if most >= max(LEAST_ANSWERING, 2 * known) else newest


def _answering(statements: Sequence[Statement]) -> Statement | None:
    """Of the main edits of several files the one that is most of what is asked."""
    wanted = _wanted(statements)
    edits = [*_main_edits(statements)]
    shared = [len(wanted.intersection(terms_of(s.text))) for s in edits]
    return edits[shared.index(max(shared))] if len(edits) > 1 and max(shared) >= LEAST_ANSWERING else None


def _wanted(statements: Sequence[Statement]) -> set[str]:
    """The terms of what is asked."""
    asked = (s for s in statements if s.kind == "asked" and "boilerplate" not in s.flags)
    return {term for s in asked for term in terms_of(s.text)}


def _ranks(statements: Sequence[Statement]) -> Mapping[int, int]:
    asked = request_turns(statements)
    if not asked:
        return {}
    ranks = {asked[0]: FIRST, asked[-1]: NEWEST}
    outlined = {(s.turn, s.place) for s in statements if {"effect", "outline"} <= {*s.flags}}
    effects = [*(s for s in statements if "effect" in s.flags), *_main_edits(statements)]
    reports = (
        s
        for s in statements
        if s.kind in WORDS
        and {"last", "value"} <= {*s.flags}
        and not (_NOT_REQUIRED & {*s.flags} or is_order(s))
    )
    return (
        {id(s): REPORT for s in reports}
        | {id(s): EFFECT for s in effects if "outline" in s.flags or (s.turn, s.place) not in outlined}
        | {
            id(s): ranks[s.turn]
            for s in statements
            if s.kind == "asked"
            and s.turn in ranks
            and not (
                _NOT_REQUIRED - ({"vague"} if "final" in s.flags and s.turn == asked[-1] else set())
            ).intersection(s.flags)
            and ("retold" not in s.flags or s.turn == asked[0])
        }
    )
