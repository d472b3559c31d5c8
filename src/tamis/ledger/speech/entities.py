"""Who has which role: "Dana owns billing", "contact: Lee Wong (CTO)", 负责人是小王."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tamis.ledger.events import Entity
from tamis.text.cues import values, zh
from tamis.text.cues.phrases import Cue, word_set

_NAME = r"(?-i:[A-Z][a-z]+(?:[-'][A-Z][a-z]+)?(?:\ [A-Z][a-z]+|\ [A-Z]\.){0,2})"
_OF = r"(?:\ (?:of|for|on|at|in)\ (?:the\ |our\ )?[\w\ &/-]{2,40}?)?"
_ROLE = rf"(?:(?:[\w-]+\ ){{0,3}}{values.ROLES}{_OF})"
_END = r"(?=[\s.,;:()!]|$)"

_PATTERNS = (
    Cue(  # Dana is the owner of billing; Lee, our CTO
        rf"""(?ix)(?<![\w.])(?P<name>{_NAME})
        (?:,|\ is|\ was\ named|\ becomes?|\ will\ be|\ acts\ as|'s|\ remains)(?:\ now)?
        (?:\ (?:the|our|my|a|an|their|his|her))*\ (?P<role>{_ROLE}){_END}"""
    ),
    Cue(  # Dana owns billing
        rf"""(?ix)(?<![\w.])(?P<name>{_NAME})[ ]
        (?P<role>(?:(?:now|also)\ )?{values.ROLE_VERBS}\ (?!(?:you|it|that)\b)
        [\w\ &'/-]{{2,50}}?)(?=\ now\b|[.,;:)!]|$|\ and\ |\ but\ )"""
    ),
    Cue(rf"(?ix)\b(?P<role>{values.ROLES}{_OF})(?:\ is(?:\ now)?|\s?:|\s=)\ (?P<name>{_NAME}){_END}"),
    Cue(rf"(?ix)(?<![\w.])(?P<name>{_NAME})\ ?\((?P<role>{_ROLE})\)"),
    Cue(zh.ROLE_THEN_NAME),
    Cue(zh.NAME_THEN_DUTY),
)
_NAMED_FIRST, _DUTY, _NAMED_LAST, _IN_BRACKETS, *_HAN_PATTERNS = _PATTERNS
_HAN_MENTION = re.compile(rf"{zh.ROLES}|{zh.DUTY}")
_WORDS = re.compile(r"[a-z]+")
_PASSING = word_set("a er for has in is of off on one only organi over s sz the to")
_ROLE_WORDS = frozenset(_WORDS.findall(values.ROLES)) - _PASSING | {"oncall", "organiser", "organizer"}
_DUTY_WORDS = frozenset(_WORDS.findall(values.ROLE_VERBS)) - _PASSING


@lru_cache(maxsize=1024)
def find_entities(text: str) -> tuple[Entity, ...]:
    """Every person with a role in a sentence, once each.

    >>> [(e.name, e.role) for e in find_entities("The reviewer is Ana Ruiz.")]
    [('Ana Ruiz', 'reviewer')]
    """
    found: dict[str, Entity] = {}
    for pattern in _patterns_for(text):
        for match in pattern.finditer(text):
            name, role = _person(match["name"]), " ".join(match["role"].split())
            if name and name not in found:
                found[name] = Entity(name=name, role=role)
    return tuple(found.values())


def _patterns_for(text: str) -> Iterator[Cue]:
    """Only those that can match: most sentences name no role and no duty at all."""
    words = _WORDS.findall(text.lower())
    names_role = not _ROLE_WORDS.isdisjoint(words)
    if names_role:
        yield _NAMED_FIRST
    if not _DUTY_WORDS.isdisjoint(words):
        yield _DUTY
    if names_role:
        yield _NAMED_LAST
        yield _IN_BRACKETS
    if not text.isascii() and _HAN_MENTION.search(text):
        yield from _HAN_PATTERNS


def _person(name: str) -> str:
    """The name without what only begins the sentence: "Ask Lee Wong" is Lee Wong."""
    words = name.split()
    while words and words[0].lower() in values.NOT_PERSONS:
        words.pop(0)
    return " ".join(words)
