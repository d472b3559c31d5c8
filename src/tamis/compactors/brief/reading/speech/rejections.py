"""What the user turned down: taken back, advised against, or answered as something else than was meant."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tamis.compactors.brief.reading.statement import DEEDS, STOPPED, WORDS, Statement, request_turns
from tamis.messages import Message, Text
from tamis.text.cues.claim_cues import TAKES_BACK
from tamis.text.cues.discourse_cues import LOOKED_AT
from tamis.text.cues.phrases import either
from tamis.text.terms import terms_of

PUT_AGAIN = 0.6
"""With so much of its words in the next one, a request was put again."""

_TAKES_BACK = either(TAKES_BACK)
_REJECTS = re.compile(
    r"\A\W{0,9}(?:(?:ok|oh|hm+|well|sorry)[,.]?\s+)?(?:no(?!\s+(?:problem|worries|rush|need)|,?\s+(?:that's|thanks|go))|nope|nah|"
    r"do\s?n['’]?o?t(?!\s+(?:forget|worry|stop))|stop(?:[,.!]|\s+(?:doing|that|it))|rather|instead|actually|"
    r"not\s+(?:that|like|so|what))\b|\A\W{0,9}(?:不要|别|不用|不是)",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\A\W{0,9}(?:(?:no|oh|sorry|ah|well)[,.]?\s+){0,2}(?:i\s+meant\b|i['’]?\s?a?m\s+(?:talking|asking)\s+about\b"
    r"|i\s+was\s+(?:talking|asking)\s+about\b|you\s+misunderst(?:an|oo)d|(?:that['’]?s\s+)?not\s+what\s+i\b)"
    r"|\A\W{0,9}我(?:是说|的意思是)",
    re.IGNORECASE,
)
"""Begins what says that the answer was of something else."""
_CONTRADICTS = re.compile(
    r"\A\W{0,9}(?i:(?:(?:u{1,9}m{1,9}|uh|hm{1,9}|but|no|oh)\W{1,5}){1,3}yes,? "
    r"(?:there|it|they) (?:is|are|do|does|has))\b"
)
_NAMES = re.compile(r"`([^`\n]{2,40})`|\b([A-Z][\w-]{0,30}[A-Z]\w{0,30})\b")
LEAST_NAMED = 2
"""A name tells what a request was taken for that so many sentences of the answer hold."""

_DENIES = re.compile(r"\b(?:no|not|none|nothing|never)\b|n['’]t\b", re.IGNORECASE)

_ADVISES = re.compile(
    r"\b(?:i(?:['’]d| would)? (?:recommend|suggest|propose|advise)|my (?:recommendation|suggestion|advice)"
    r"|shall i|"
    r"(?:we|you|i) should|i(?:['’]ll| will|['’]m going to)|let me|let['’]s|next steps?"
    r"|(?:do|would) you (?:want|like) me to)\b"
    r"|建议|推荐|我会|让我",
    re.IGNORECASE,
)
_STOPS = re.compile(r"\A\s{0,9}(?:\[Request interrupted by user[^\]\n]{0,160}\]|MessageAbortedError\b)")
_HANDED_IN = re.compile(r"\s{0,9}Exited \(autosubmitted\)\s{0,9}")
_OF_CALL = "the user stopped the agent's call"
_EFFECTS = frozenset({"changed", "committed", "posted"})
_SPEECH = frozenset({"asked", "said", "found", "thought", "ran"})


def turned_down(statements: Sequence[Statement]) -> set[int]:
    """The statements, by identity, that the user took back, turned down or meant otherwise."""
    told = {id(s) for o, s in pairwise(statements) if o.text.startswith(STOPPED) and s.text == _OF_CALL}
    silent = [s for s in statements if s.text.startswith(STOPPED) and s.text.endswith(")")]
    told |= {id(s) for o, s in pairwise(silent) if o.turn == s.turn}  # who stops one call stops those behind
    notes, stops = {*broken_off(statements).values()}, (s for s in statements if "aborted" in s.flags)
    told |= {id(s) for s in stops if f" (stopped by the user at #{s.turn})" in notes}
    return _withdrawn(statements) | _rejected(statements) | _put_again(statements) | told


def stop_of(message: Message, turn: int) -> Iterator[Statement]:
    """That the user, or the program itself, stopped the agent, where a harness says so in its own message.

    >>> stop = Message(id="s", role="user", parts=(Text(text="[Request interrupted by user]"),))
    >>> [s.text for s in stop_of(stop, 4)]
    ['the user stopped the agent']
    """
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    if message.role == "user" and texts and _STOPS.match(texts[-1]):
        text = "the user stopped the agent" + ("'s call" if "for tool use" in texts[-1] else "")
        yield Statement(kind="failed", text=text, turn=turn, place=(0, -1), flags=("aborted",))
    if message.origin == "meta" and texts and _HANDED_IN.fullmatch(texts[-1]):
        text = "the program around the agent stopped it and handed in its work as it was"
        yield Statement(kind="ran", text=text, turn=turn, place=(0, -1), flags=("ends", "value"))


def broken_off(statements: Sequence[Statement]) -> dict[int, str]:
    """What to add to requests before the newest that were stopped, and not in one call only."""
    notes: dict[int, str] = {}
    asked: Statement | None = None
    last: Statement | None = None
    for s in statements:
        if s.kind == "asked" and "answer" not in s.flags and (asked is None or s.turn != asked.turn):
            if asked and last and "aborted" in last.flags and not last.text.endswith("call"):
                by_user = last.text.startswith("the user ")
                notes[id(asked)] = f" ({'stopped by the user' if by_user else 'broken off'} at #{last.turn})"
            asked = s
        last = s
    return notes


def _put_again(statements: Sequence[Statement]) -> set[int]:
    """Requests that the user stopped to put them in other words right behind."""
    asked: dict[int, list[Statement]] = {}
    for s in statements:
        if s.kind == "asked" and "answer" not in s.flags:
            asked.setdefault(s.turn, []).append(s)
    words = {turn: {*terms_of(" ".join(s.text for s in said))} for turn, said in asked.items()}
    stops = (s.turn for s in statements if "aborted" in s.flags)
    again = (turn for turn in stops if turn - 1 in words and turn + 1 in words)
    return {
        id(s)
        for turn in again
        for s in asked[turn - 1]
        if len(words[turn - 1] & words[turn + 1]) >= PUT_AGAIN * len(words[turn - 1])
    }


def without_withdrawal(s: Statement) -> Statement:
    """A request; one that takes back the one before, without the words that do."""
    said = re.split(r"(?<=[.!?])\s", s.text)
    rest = [text for text in said if not _TAKES_BACK.search(text)]
    held = " ".join(rest) or s.text
    return replace(s, text=held, flags=(*s.flags, "withdraws")) if len(rest) < len(said) else s


def _withdrawn(statements: Sequence[Statement]) -> set[int]:
    """What the user took back, and what the agent answered to it."""
    asked = request_turns(statements)
    gone: set[int] = set()
    for s in statements:
        if "withdraws" in s.flags and s.turn in asked:
            for start in [turn for turn in asked if turn < s.turn][-1:]:
                gone |= {id(o) for o in statements if start <= o.turn < s.turn and o.kind in _SPEECH}
    return gone


def _rejected(statements: Sequence[Statement]) -> set[int]:
    """What the agent advised or meant to do, where the user's answer turns it down; with what leans on it.

    So is what it said and looked at where it talked of something else than was meant.
    """
    beside = misread(statements)
    gone = {
        id(s)
        for s in statements
        if (s.kind in WORDS or "reads" in s.flags) and any(s.turn in turns for turns in beside)
    }
    spoken: dict[int, list[Statement]] = {}  # what the agent said since the user last spoke, by turn
    answered = -1
    for s in statements:
        if s.kind in WORDS:
            spoken.setdefault(s.turn, []).append(s)
        elif s.kind == "asked" and s.turn != answered and not s.text.startswith(STOPPED):
            answered = s.turn
            if spoken and _CONTRADICTS.match(s.text):
                gone |= {id(o) for own in spoken.values() for o in own if _DENIES.search(o.text[:LOOKED_AT])}
            if spoken and _REJECTS.match(s.text):
                said = spoken[max(spoken)]
                gone |= {id(o) for o in said if _ADVISES.search(o.text[:LOOKED_AT])}
                gone |= {id(o) for o in said if o.leads and all(id(lead) in gone for lead in o.leads)}
            spoken = {}
    return gone


def misread(statements: Sequence[Statement]) -> list[range]:
    """The turns in which the agent took a request for another, as the user then says, and changed nothing.

    They reach back to the first request that it had not answered.
    """
    found: list[range] = []
    begun, asked, spoke, acted = -1, -1, False, False
    for s in sorted(statements, key=lambda s: (s.turn, s.place)):
        if s.kind in WORDS:
            spoke = True
        elif s.kind in DEEDS:  # behind its last words it is not done
            spoke, acted = False, acted or s.kind in _EFFECTS
        elif s.kind == "asked" and s.turn != asked:
            asked = s.turn
            if begun >= 0 and not acted and _MEANT.match(s.text):
                found.append(range(begun + 1, asked))
            if begun < 0 or acted or spoke:
                begun, acted = asked, False
    return found


def taken_for(statements: Sequence[Statement], turns: range) -> str:
    """What the agent spoke of most in turns in which it misread a request, and not the user; or nothing."""
    asked = (s for s in statements if s.kind == "asked" and turns.start - 1 <= s.turn <= turns.stop)
    meant = " ".join(s.text for s in asked).casefold()
    said = [s for s in statements if s.kind in WORDS and s.turn in turns]
    named = Counter(name for s in said for name in {a or b for a, b in _NAMES.findall(s.text)})
    names = ((n, name) for name, n in named.items() if n >= LEAST_NAMED and name.casefold() not in meant)
    return max(names, default=(0, ""))[1]
