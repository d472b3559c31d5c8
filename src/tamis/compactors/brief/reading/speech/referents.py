"""What a request means that points ("the second", "that one", "option B") and names nothing.

Alone it says nothing to a reader. So what names the thing stands with it: the item that it goes by, or the
words with which the agent took it up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.ledger.speech.requests import is_steering
from tamis.text.cues.courtesy import offers
from tamis.text.cues.discourse_cues import LOOKED_AT, pointers
from tamis.text.terms import terms_of

REFERRING_CHARS = 160
"""A longer request says what it is about."""

REPLY_CHARS = 200
"""A longer sentence of the agent's is a report, or a list."""

BARE_OFFER = 60
"""A shorter offer points at what the agent recommended before it."""

MOST_REPLIES = 2
MOSTLY = 0.75
LOOKED_BEHIND = 60
"""Among so many statements behind a request the one is looked for that takes it up."""

_WAY = r"(?:option|variant|approach|scenario|alternative)"
_LABEL = re.compile(
    r"\b(?:option|variant|approach|choice|number|#)\s*([A-Fa-f]|\d{1,2})\b|(?<![\w'])([A-F])(?![\w'])"
    r"|(?<![\w.])(\d{1,2})(?![\w%])"
)
_LABELLED = re.compile(
    r"(?:- |\| )?"
    rf"(?:{_WAY}\s+([A-Fa-f]|\d{{1,2}})\b|#?([A-F]|\d{{1,2}})(?:[.):]| \|))",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\bif you(?:['’]d| would)? (?:want|like|prefer)\b|\bi can\b"
    r"|\b(?:do|would|should|shall|want) (?:you|i|me)\b",
    re.IGNORECASE,
)
_OPTION = re.compile(rf"\b{_WAY}\s+([A-F]|\d{{1,2}})\b", re.IGNORECASE)
_CHOSEN = re.compile(
    r"\b(?i:option|variant|approach|choice)\s+([A-Fa-f]|\d{1,2})\b"
    r"|(?<![\w'])([A-F])(?=[.,:;!)]|\s*\Z| please)"
)
_ITEMS = re.compile(
    r"\b(?:finding|item|issue|point|problem|step)s? #?(\d{1,2}(?:(?:, | ?[-–&] ?|,? and )\d{1,2}){0,9})\b",
    re.IGNORECASE,
)
"""Names items of a list by their numbers."""

_BUT = re.compile(
    r"\b(?:skip|drop|declin\w{1,3}|defer|not|no|except|but|without|rest|others?|both|all)\b", re.IGNORECASE
)
"""Is in an answer that names what it does not want, or wants more than it names."""

_AGREES = re.compile(
    r"\W{0,3}(?:(?:y(?:es|ep|up|eah)|ok(?:ay)?|sure)\b.{0,30}(?:\Z|\b(?:that|this) way\b)"
    r"|(?:do )?(?:both|all|neither)\b)",
    re.IGNORECASE,
)
_REFUSES = re.compile(r"\W{0,3}(?:no(?:pe)?|nah)\b(?! (?:longer|more|need|one)\b)", re.IGNORECASE)
ADVISES = re.compile(r"\brecommendation\b|\bI(?:['’]d| would)? recommend\b", re.IGNORECASE)
_CORRECTS = re.compile(r"\A\W{0,3}(?:(?:no|oh|sorry|well)\b\W{0,3}){0,2}(?:i|we) meant?\b", re.IGNORECASE)
_STOPS = re.compile(r"\b(?:na?h|nope?|not|off|quit|stop|wait)\b", re.IGNORECASE)
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"} | {
    f"第{han}": str(at) for at, han in enumerate("一二三四五", start=1)
}
_SHORT = frozenset({"whole", "answer", "retold"})
_SAYS_NO_NAME = frozenset({"announces", "courtesy", "question", "opens", "heading", "code", "boilerplate"})


def with_referents(statements: Sequence[Statement]) -> list[Statement]:
    """Statements in order, what names the things that the user pointed at among the leads of the request.

    Offers of the agent's stay where a request leans on them, and where the user has not spoken since.
    """
    found = list(statements)
    newest = max((s.turn for s in statements if s.kind == "asked"), default=-1)
    declined: set[int] = set()
    said: list[Statement] = []  # the agent's last message
    options: list[Statement] = []  # the last that told of options, from the first of them on
    place = {id(s): at for at, s in enumerate(statements)}
    for at, s in enumerate(statements):
        if s.kind in ("said", "found", "concluded"):
            said = [*said, s] if said and said[-1].turn == s.turn else [s]
            if options and options[-1].turn == s.turn:
                options.append(s)
            elif _options_at_head(s.text):
                options = [s]
            if items := _items_named(s.text, said[:-1]):
                found[at] = replace(s, leads=tuple(dict.fromkeys((*s.leads, *items))))
        elif s.kind == "asked" and len(s.text) <= REFERRING_CHARS and _SHORT & {*s.flags}:
            points = [] if "answer" in s.flags else pointers(s.text)
            named = [o for o in _referred(s.text, said) if not _says(s, o)]
            if points and not named:
                behind = statements[at + 1 : at + 1 + LOOKED_BEHIND]
                named = _taken_up(s, behind, len(points)) or list(_counted(points, said))
            if _CORRECTS.match(s.text):
                named += [o for o in statements[:at] if o.kind == "asked"][-1:]
            if named:
                found[at] = replace(s, leads=(*s.leads, *named))
            elif said and s.turn < newest and is_steering(s.text) and not _STOPS.search(s.text):
                found[at] = replace(s, flags=(*s.flags, "courtesy"))  # it only says to go on
            declined |= {id(o) for o in (*_not_chosen(s.text, said), *_not_chosen(s.text, options))}
            for other in said if "answer" in s.flags else ():
                if (text := _chosen_of(other.text, s.text)) != other.text:
                    found[place[id(other)]] = replace(other, text=text)
    found = list(_with_options(found))
    declined -= {id(lead) for s in found if s.kind == "asked" for lead in s.leads}
    found = list(_with_leads(statements, found, declined))
    taken = {id(lead) for s in found if s.kind == "asked" for lead in s.leads}
    offered = {id(s) for s in found if s.turn <= newest and id(s) not in taken and _is_offer(s)}
    return [s for s in found if id(s) not in offered and not (s.leads and {*map(id, s.leads)} <= offered)]


def _chosen_of(text: str, answer: str) -> str:
    r"""Of a list of ways the one that an answer to a question names.

    >>> _chosen_of("Two ways:\n1. On disk - slow\n2. In memory - quick", "answered (Where?) In memory")
    '2. In memory - quick'
    """
    ways = text.split("\n")[1:]
    chosen = re.sub(r" \(\w{1,20}\)\Z", "", answer).rpartition(") ")[2]
    named = [way for way in ways if chosen and way.partition(". ")[2].startswith(chosen)]
    return named[0] if len(named) == 1 < len(ways) else text


def _with_options(found: Sequence[Statement]) -> Iterator[Statement]:
    """What was found; what names an option of an earlier message leans on the line that says what it is."""
    own = {(s.turn, label) for s in found if s.kind in WORDS for label in _options_at_head(s.text)}
    offered: dict[str, Statement] = {}
    for s in found:
        named = {label.upper() for label in _OPTION.findall(s.text)} & offered.keys()
        heads = _options_at_head(s.text)  # "Option 2: as option 1, and more"
        others = {label for label in named if (s.turn, label) not in own or (heads and label not in heads)}
        missing = [o for label in sorted(others) if not _says(s, o := offered[label])]
        leads = dict.fromkeys((*s.leads, *missing))
        yield replace(s, leads=tuple(leads)) if len(leads) > len(s.leads) else s
        offered |= dict.fromkeys(heads if s.kind in WORDS else (), s)


def _options_at_head(text: str) -> list[str]:
    """The label of the option that a text is of, by its beginning."""
    head = _OPTION.match(text.removeprefix("- "))
    return [head[1].upper()] if head else []


def _says(s: Statement, lead: Statement) -> bool:
    """Whether a statement says itself most of what a line says that stands over an option."""
    terms = {*terms_of(lead.text)} if "heading" in lead.flags else set()
    return bool(terms) and len(terms & {*terms_of(s.text)}) >= MOSTLY * len(terms)


def _with_leads(
    statements: Sequence[Statement], found: Sequence[Statement], declined: set[int]
) -> Iterator[Statement]:
    """What was found, leaning on what was found, but what was `declined`, and what stands under it."""
    now: dict[int, Statement] = {}
    for s, new in zip(statements, found, strict=True):
        under = s.kind in WORDS and any(id(o) in declined and _labels_of(o.text) for o in s.leads)
        if id(s) in declined or (under and not _OPTION.search(s.text)):
            declined.add(id(s))
            continue
        leads = tuple(now.get(id(lead), lead) for lead in new.leads if id(lead) not in declined)
        new = replace(new, leads=leads) if leads != new.leads else new
        if new is not s:
            now[id(s)] = new
        yield new


def _is_offer(s: Statement) -> bool:
    return s.kind in WORDS and offers(s.text.removeprefix("(reported) "))


def names(lead: Statement) -> bool:
    """Whether what stands with a request names a thing shortly: no offer, no question, no list."""
    says = lead.kind in WORDS and "question" not in lead.flags and len(lead.text) <= REPLY_CHARS
    return says and not _OFFERS.search(lead.text)


def _referred(words: str, said: Sequence[Statement]) -> Iterator[Statement]:
    """The items of the agent's last message that a short answer names: `A.`, `option 3`, `skip 5, 7, 8`."""
    labels = _labels_in(words)
    verdicts = [s for s in said if len(labels) > 1 and labels < _labels_in(s.text)]
    verdicts = [s for s in verdicts if "question" not in s.flags and _BUT.search(s.text)]
    if verdicts:  # it says what is not done besides
        yield verdicts[-1]
    elif is_steering(words) or _AGREES.match(words) or _REFUSES.match(words):
        # "yes please" says what was offered last, "both" what was asked, "no" what is not wanted
        offered = [s for s in said if _OFFERS.search(s.text[:LOOKED_AT])]
        offer = (offered or [s for s in said if "question" in s.flags])[-1:]
        if not offer or len(offer[0].text) <= BARE_OFFER:
            advised = [s for s in said if ADVISES.search(s.text) and not {"item", "heading"} & {*s.flags}]
            yield from (s for s in advised[-1:] if s not in offer)
        yield from offer
        counted = {label for s in offer for label in _labels_in(s.text)}  # "option 1, or both 1 and 2?"
        lines = ((line, s) for s in said for line in s.text.splitlines())
        yield from dict.fromkeys({n: s for line, s in lines for n in _labels_of(line) & counted}.values())
    for statement in said:
        if own := labels & _labels_of(statement.text):
            yield statement
            labels -= own
    lists = [s for s in said if any(labels & _labels_of(line) for line in s.text.splitlines()[1:])]
    yield from lists[-1:]  # of several the one that the answer stands behind


def _labels_in(words: str) -> set[str]:
    """The labels that words name: where they say "option 2", a number beside it counts something else."""
    found = [label.groups() for label in _LABEL.finditer(words)]
    said = {label.upper() for label, *_ in found if label}
    return said or {label.upper() for labels in found for label in labels if label}


def _not_chosen(words: str, said: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent offered beside the one thing that an answer chooses, said for it, or asked."""
    chosen = {label.upper() for found in _CHOSEN.findall(words) for label in found if label}
    if len(chosen) != 1 or _BUT.search(words) or not any(chosen & _labels_of(s.text) for s in said):
        return
    under: set[str] = set()  # the option that the last heading, or the last line with a colon, brings in
    for s in said:
        own = _labels_of(s.text) or {label.upper() for label in _OPTION.findall(s.text)}
        if "heading" in s.flags or (own and "opens" in s.flags):
            under = own
        own = own or under
        if own.isdisjoint(chosen) if own else s.text.endswith("?"):
            yield s


def _counted(points: Sequence[str], said: Sequence[Statement]) -> Iterator[Statement]:
    """The items that are pointed at by their number; a short list is one statement."""
    numbers = {_ORDINALS[word] for word in points if word in _ORDINALS}
    return (s for s in said if any(numbers & _labels_of(line) for line in s.text.splitlines()))


def _items_named(words: str, said: Sequence[Statement]) -> list[Statement]:
    """Of the newest list that has all the items that words name by their numbers, those items."""
    named = {number for numbers in _ITEMS.findall(words) for number in re.findall(r"\d+", numbers)}
    lists: dict[tuple[Statement, ...], dict[str, Statement]] = {}
    for s in said if named else ():
        own = {label for line in s.text.splitlines() for label in _labels_of(line)}
        lists.setdefault(s.leads[:1], {}).update(dict.fromkeys(own, s))
    held = [own for own in lists.values() if named <= own.keys()]
    return [held[-1][number] for number in sorted(named)] if held else []


def _labels_of(line: str) -> set[str]:
    item = _LABELLED.match(line)
    return {(item[1] or item[2]).upper()} if item else set()


def _taken_up(request: Statement, behind: Sequence[Statement], many: int) -> list[Statement]:
    """The short sentences in which the agent takes up what was pointed at; one that repeats a word first."""
    asked = {*terms_of(request.text)}
    end = next((at for at, s in enumerate(behind) if s.kind == "asked"), len(behind))
    replies = [s for s in behind[:end] if s.kind in WORDS and s.kind != "thought"]
    telling = [
        s
        for s in replies
        if names(s) and not _SAYS_NO_NAME & {*s.flags} and not asked.issuperset(terms_of(s.text))
    ]
    telling.sort(key=lambda s: asked.isdisjoint(terms_of(s.text)))
    return telling[: min(many, MOST_REPLIES)]
