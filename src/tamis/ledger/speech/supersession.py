"""Which of the user's sentences replaces which: the same subject, another value.

Two sentences are about the same where neither has a word of its own that tells its subject from the other's
("the read timeout", "the connect timeout"). Then a value of the same kind replaces the older: figures and
dates in any case, names and paths only where something is said to have changed, as those add up ("never
touch A", "never touch B"). A wrong pair loses what holds; a missed one leaves an old line beside the new.
"""

from itertools import pairwise
from typing import NamedTuple

from tamis.ledger.speech.claims import (
    NAME_WORD,
    SOFT,
    Claim,
    ClaimPolarity,
    ClaimValue,
    given_up,
    holds,
    root,
)
from tamis.ledger.speech.contrasts import tells_of_another
from tamis.ledger.speech.value_clauses import stand_apart, value_clause
from tamis.text.cues import claim_cues as tellings
from tamis.text.cues.phrases import either

AMOUNTS = frozenset({"extent", "money", "percent", "size", "duration", "number"})
_DATED = frozenset({"day", "clock", "money", "percent", "duration", "size"})
_MEASURED = AMOUNTS | {"version", "clock"}
ONE_AT_A_TIME = AMOUNTS | _DATED
"""Kinds of values of which a thing has one at a time."""
NAMES = frozenset({"name", "ident"})
MAX_TOLD_CHARS = 160
"""In a longer sentence two words and a value may meet by chance."""

LEAST_SHARED, LEAST_IN_TALK = 0.5, 0.34
"""Of the words that tell what each of two clauses is about, the part that both have."""

_ITEM = either(tellings.ITEM)
_SWITCHES = either(tellings.SWITCHES)
_HELD = either(tellings.HELD)
_FOR_A_TIME = either(tellings.FOR_A_TIME)


class _WordsOfBoth(NamedTuple):
    """The words that two sentences share, and those that only the one, or the other, has of its subject."""

    shared: frozenset[str]
    own_new: frozenset[str]
    own_old: frozenset[str]


def replacement_strength(
    new: Claim,
    old: Claim,
    *,
    rules: tuple[ClaimPolarity, ClaimPolarity] = (None, None),
    in_talk: bool = False,
) -> int:
    """How surely the new sentence replaces the old one; 0: it does not.

    `rules` says of the new and of the old one which way it points, if it is a rule; `in_talk`, that both were
    said where nobody works, so that what states a value states how things are.

    >>> from tamis.ledger.speech.claims import read_claim
    >>> old = read_claim("The read timeout is 30 seconds.")
    >>> [replacement_strength(read_claim(text), old) > 0 for text in (
    ...     "The read timeout should be 45 seconds now.", "The connect timeout is 45 seconds now.")]
    [True, False]
    """
    found = _of_sentences(new, old, rules) or _of_clauses(new, old, rules, in_talk=in_talk)
    return 0 if found and not new.lifts and tells_of_another(new, old) else found


def changed_kinds(new: Claim, old: Claim) -> set[str]:
    """The kinds of those values of the old sentence to which the new one gives another."""
    return {value.kind for value in _changed(new, old)}


def says_the_same(new: Claim, old: Claim | None) -> bool:
    """Whether two sentences differ in no word that tells, nor in a value."""
    if old is None or new.values != old.values or new.about | new.light != old.about | old.light:
        return False
    return new.text == old.text or len(new.about | new.light) > 1 or bool(new.about and new.values)


def drops_value(new: Claim, old: Claim) -> bool:
    """Whether the new sentence names a value of the old one as what no longer holds."""
    return any(given_up(new.text, value.text) for value in _with_first(old, new))


def _words_of_both(new: Claim, old: Claim, shared: frozenset[str], changed: list[ClaimValue]) -> _WordsOfBoth:
    """The words of both; what is a name here and a word there is one word."""
    named = ({root(tag) for tag in old.tags} & new.about) | ({root(tag) for tag in new.tags} & old.about)
    own_new, own_old = new.about - old.about - named, old.about - new.about - named
    if {value.kind for value in changed} <= NAMES:  # who it is may be what changed
        own_new, own_old = own_new - _as_names(new), own_old - _as_names(old)
    return _WordsOfBoth(shared | named, own_new, own_old)


def _of_sentences(new: Claim, old: Claim, rules: tuple[ClaimPolarity, ClaimPolarity]) -> int:
    """By all words of both sentences."""
    if new.supposes or not (new.replaces or new.lifts or new.drops or new.about == old.about):
        return 0
    shared = (new.about & old.about) | (new.tags & old.tags) | (new.light & old.light & SOFT)
    if not shared and (new.about or old.about or not (new.light & old.light or _one_choice(new, old))):
        return 0
    changed = _changed(new, old) or (_figures_named_again(new, old) if new.replaces else [])
    words = _words_of_both(new, old, shared, changed)
    shared, own_new, own_old = words
    apart = bool(own_new and own_old)
    if new.lifts and rules[1] and any(word[0] >= "\u4e00" for word in own_new):
        return 0  # only a part is allowed; in another script a cue leaves words of its own
    if new.lifts and rules[1] and shared and _FOR_A_TIME.search(old.text):
        return 5 + len(shared)
    if new.lifts and not {value.kind for value in changed} & _MEASURED:
        return 0 if apart or rules[1] is None else _of_lifting(new, old, changed, shared)
    if (new.drops or new.replaces) and _gives_up(new, old, shared):
        return 6 + len(shared)
    if len({value.choice == "first" for value in changed}) > 1 and _of_two(new, old):
        return 0  # who, and what with: "Anna uses Vim", "Ben uses Emacs now"
    if apart or not changed:
        return _of_items(new, old, words)
    return _of_values(new, old, rules, changed, words)


def _of_values(
    new: Claim,
    old: Claim,
    rules: tuple[ClaimPolarity, ClaimPolarity],
    changed: list[ClaimValue],
    words: _WordsOfBoth,
) -> int:
    """By the values that changed, where the words speak of one subject."""
    shared, own_new, own_old = words
    kinds = {value.kind for value in changed}
    forbids = [rule == "must_not" for rule in rules]
    if (old.lifts or forbids[0] != forbids[1]) and not kinds & _MEASURED:
        return 0  # "Don't deploy on Friday" is no other date of "The release is on Monday"
    if new.replaces:
        if kinds <= NAMES and own_new:
            return 0
        asks = rules[1] or not holds(old.text)
        if asks and len(own_old) > len(shared) and old.tags - new.tags:
            return 0  # of a task that asks for more, with names, only a part is changed
        # "The read timeout is ... now" says more than "the timeout is ...": it may be another one.
        if len(own_new) > 1 or _qualified(new, own_new, shared):
            return 0
        return 3 + 2 * len(shared) - len(own_new) - len(own_old)
    # Where a name and a figure differ, the name says whose figure it is.
    one = kinds <= NAMES and max(len(new.tags - old.tags), len(old.tags - new.tags)) <= 1
    one = (one or new.tags == old.tags) and not (own_new or own_old or new.adds)
    if one and (_one_choice(new, old) or (_HELD.match(new.text) and _HELD.match(old.text))):
        return 2 + len(shared)  # "The tag is v1", "the tag is v2": it has one at a time
    # Names add up ("never touch A", "never touch B"): without a word of change only figures give way.
    if new.adds or own_new or own_old or kinds & NAMES or (any(forbids) and not kinds & AMOUNTS):
        return 0
    return 2 + len(shared)


def _of_clauses(new: Claim, old: Claim, rules: tuple[ClaimPolarity, ClaimPolarity], *, in_talk: bool) -> int:
    """By the clauses that hold the values: around them stand words that tell nothing of the subject."""
    if new.supposes or new.adds or old.lifts or max(len(new.text), len(old.text)) > MAX_TOLD_CHARS:
        return 0
    states = (in_talk or holds(new.text), in_talk or holds(old.text))
    if not (new.replaces or all(states)):
        return 0
    now, was = value_clause(new), value_clause(old)
    named = {value.text for value in new.values}
    changed = _changed(now, was)
    if not changed and (new.replaces or in_talk):  # "from 30 to 45"
        changed = [v for v in was.values if v.text in named and _is_given_another(v, new, was)]
    shared = now.about & was.about
    if not changed or not shared or stand_apart(now, was, shared):
        return 0
    kinds = {value.kind for value in changed}
    forbids = [rule == "must_not" for rule in rules]
    if kinds <= NAMES:
        one = max(len(now.tags - was.tags), len(was.tags - now.tags)) <= 1
        counted = {v.kind for v in now.values} - {v.kind for v in was.values}
        apart = len(shared) == 1 and now.about - was.about and was.about - now.about
        if any(rules) or counted & AMOUNTS or apart or not (all(states) and one):
            return 0
    elif (now.tags - was.tags and was.tags - now.tags) or forbids[0] != forbids[1] or _of_two(now, was):
        return 0  # the names say whose figures they are
    least, most = sorted(len(shared) / len(claim.about) for claim in (now, was))
    if in_talk:
        if now.about - was.about and was.about - now.about and not new.replaces:
            return 0
        alike = least >= LEAST_IN_TALK and most >= LEAST_SHARED
        return 1 + len(shared) if alike or (new.replaces and kinds <= _DATED) else 0
    if len(shared) == 1 and not (now.about == was.about and (new.replaces or holds(now.text))):
        return 0
    if least < LEAST_SHARED or (most == LEAST_SHARED and not new.replaces):
        return 0
    return 1 + len(shared)


def _of_two(new: Claim, old: Claim) -> bool:
    """Whether each begins with a name of its own: "Anna has two kids", "Ben has three kids"."""
    return bool(new.first and old.first) and new.first != old.first


def _is_given_another(value: ClaimValue, new: Claim, old: Claim) -> bool:
    """Whether the new sentence names a value of the old one and another of its kind: from which to which."""
    known = {v.text for v in old.values}
    return any(_comparable(value, other, new.replaces) for other in new.values if other.text not in known)


def _figures_named_again(new: Claim, old: Claim) -> list[ClaimValue]:
    """The figures of the old sentence that the new one names beside another: "I said 20, it's 50"."""
    named = {value.text for value in new.values}
    figures = [value for value in old.values if value.kind in ONE_AT_A_TIME and value.text in named]
    return [value for value in figures if _is_given_another(value, new, old)]


def _qualified(new: Claim, own: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a word of its own stands right before what both are about: "the read timeout"."""
    words = [root(word) for word in NAME_WORD.findall(new.text)]
    return any(a in own and b in shared for a, b in pairwise(words))


def _of_lifting(new: Claim, old: Claim, changed: list[ClaimValue], shared: frozenset[str]) -> int:
    """Whether what the new sentence allows or waives is what the old one ruled."""
    if changed or not new.tags <= old.tags | old.about or _qualified(new, new.light - old.light, shared):
        return 0
    most = 2 * len(shared) >= len(old.about | old.tags)
    return 5 + len(shared) if most or (len(shared) > 2 and new.about <= old.about) else 0


def _gives_up(new: Claim, old: Claim, shared: frozenset[str]) -> bool:
    """Whether the new sentence names a value of the old one as what no longer holds, and another."""
    values = _with_first(old, new)
    given = {v.text for v in values if v.kind in ("name", "ident", "version") and given_up(new.text, v.text)}
    words = set() if given else {w for w in old.about if w in new.about and given_up(new.text, w)}
    if new.replaces and not given and not words:  # "They shut the one in Ghent, it is in Lille now"
        named = [v for v in values if v.kind in NAMES and v.text in new.tags & old.tags]
        other = [v for v in new.values if v.kind in NAMES and v.text not in old.tags]
        given = {before.text for before in named if any(_comparable(before, after, True) for after in other)}
        if len(given) != 1 or len(old.tags) != 1:
            return False
    if not given and not words:
        return False
    others = [v for v in _with_first(new, old) if v.text not in {w.text for w in values}]
    subject = (shared - given - words - {root(name) for name in given}) or (new.light & old.light)
    return bool(subject and (others or new.about - old.about))


def _changed(new: Claim, old: Claim) -> list[ClaimValue]:
    """The values of the old sentence that give way to another of their kind."""
    theirs, ours = _with_first(old, new), _with_first(new, old)
    known = {value.text for value in theirs}
    held = {value.text for value in ours if not given_up(new.text, value.text)}
    added = [value for value in ours if value.text not in known]
    return [
        before
        for before in theirs
        if before.text not in held and any(_comparable(before, after, new.replaces) for after in added)
    ]


def _one_choice(new: Claim, old: Claim) -> bool:
    """Whether both name one of a set of which one is chosen at a time, not the same."""
    were = {value.choice: value.text for value in old.values if value.choice}
    return any(
        value.choice in were and were[value.choice] != value.text for value in new.values if value.choice
    )


def _with_first(telling: Claim, other: Claim) -> tuple[ClaimValue, ...]:
    """The values; the first word with them as a name, unless the other sentence uses it as a word."""
    as_word = (
        other.first != telling.first and telling.first and root(telling.first) in other.about | other.light
    )
    if telling.first is None or as_word:
        return telling.values
    return (*telling.values, ClaimValue("name", telling.first, "first"))


def _as_names(telling: Claim) -> frozenset[str]:
    return frozenset({root(telling.first)}) if telling.first else frozenset()


def _comparable(before: ClaimValue, after: ClaimValue, replaces: bool) -> bool:
    if before.kind != after.kind and not {before.kind, after.kind} <= NAMES:
        return False
    choices = {before.choice, after.choice} - {None, "first"}
    if replaces and before.kind == "version":
        return True  # what runs is another product now
    if "first" in (before.choice, after.choice) and (choices or "ident" in (before.kind, after.kind)):
        return False  # who does something is no other value of what it is done with
    return len(choices) < 2


def _of_items(new: Claim, old: Claim, words: _WordsOfBoth) -> int:
    """The same words but for one behind a preposition, and a word of change: "made with A", "now with B"."""
    shared, own_new, own_old = words
    if not new.replaces or not shared or max(len(own_new), len(own_old)) > 1:
        return 0
    switches = _SWITCHES.search(new.text)
    if not (switches or holds(new.text)):
        return 0
    one = len(own_new) == len(own_old) == 1 and len(shared) > 1 and not (new.values or old.values)
    if one and switches:
        return len(shared)  # "the blue banner", "the green banner"
    before, after = _items(old.text), _items(new.text)
    was = [w for w in before if (root(w) in own_old or w in old.tags) and w not in new.tags]
    now = [w for w in after if (root(w) in own_new or w in new.tags) and w not in old.tags]
    if len(was) != 1 or len(now) != 1 or not own_old <= {root(was[0])} or not own_new <= {root(now[0])}:
        return 0
    return 1 + len(shared) if before[was[0]] == after[now[0]] or switches else 0


def _items(text: str) -> dict[str, str]:
    return {match["item"].lower(): match["link"] for match in _ITEM.finditer(text.lower())}
