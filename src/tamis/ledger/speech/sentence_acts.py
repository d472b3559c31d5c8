"""What a sentence of the user's does: it lays down a rule, tells a fact, or neither; learned.

People lay rules down in more words than a list of cues can hold: "Anything over 900 goes past me first", "Two
spaces in YAML, please." So the chance of each is read off the words, their neighbours, and the kinds of words
that names and numbers are, by a logistic regression. It was learned from made-up sentences of several hands
and tested on hands that it had not seen (`benchmarks/sentence_acts.py`).
"""

import json
import math
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from tamis.ledger.extract import ReadContext
from tamis.messages import Message
from tamis.text.cues.phrases import word_set

MAX_CHARS = 320
"""A longer sentence is no single act."""

MAX_WORDS = 60

MOST_IDLE = 0.3
"""With a smaller chance of being a rule or a fact, a sentence is none, whatever cue it holds."""

MAX_TALK_CHARS = 600
"""A longer message brings something in: a text, an issue, a plan."""

MAX_PROSE_CHARS = 2000
"""More than that nobody says at a time."""

_BROUGHT_IN = re.compile(r"\n[^\n]*\n|```|^\s*[\[{<|]")
_LISTED = re.compile(r"\n[^\n]+\n(?!\n)|```|(?m:^\s{0,9}(?:[\[{<|>#*+-]|\d{1,2}[.)]\s))")
"""Lines that are no paragraphs."""

_CALL = re.compile(r"\A\s{0,9}[{<\[]")
"""Opens the words of an agent that writes its calls itself."""

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d[\d.,:/-]*|\S")
_CODE = re.compile(
    r"`[^`\n]{1,80}`|--\w[\w-]{0,40}|\b[a-z]{1,30}[A-Z]\w{0,40}|(?<!\S)[\w~.-]{0,60}(?:[_/\\]|::|\.(?=\w))\w\S{0,120}"
)
_LATIN = re.compile(r"[A-Za-z]{2}")
_ENDINGS = ("ing", "ed", "ly", "tion", "s")
_CLOSED = word_set(
    """
    a an the this that these those my our your his her its their i you he it we they me us him them
    who what which when where why how am is are was were be been being do does did done has have had
    will would shall should can could may might must need and or but nor so yet for of in on at to
    from by with without within under over after before until till unless if while because since as
    than then not no never always only every each all any some none nobody nothing everything
    everyone anyone both either neither much many more most less few least very too also just even
    still already again now ever once up down out off about into onto through between against during
    per via above below next last first other another such same own here there please don't doesn't
    didn't isn't aren't wasn't won't wouldn't can't couldn't shouldn't mustn't let let's i'm i'd
    i've i'll you're you'd we're we've we'd we'll it's that's they're there's thanks ok okay yes
    yeah hi hello sorry well oh hm actually maybe perhaps rather instead
    """
)
"""Words that are told by themselves; of all others the kind tells more."""


class SentenceAct(NamedTuple):
    """How likely a sentence lays down a rule, and how likely it tells a fact; both from 0 to 1."""

    rule: float
    fact: float


def calls_tools(message: Message) -> bool:
    """Whether a message calls a tool or brings what one printed; some agents write their calls as text."""
    return bool(message.calls or message.results) or (
        message.role == "assistant" and _CALL.match(message.text) is not None
    )


def is_talk(message: Message, context: ReadContext) -> bool:
    """Whether the user speaks, in few words of his own, with somebody who has only spoken so far.

    Where an agent works, most of what is said is one step of the work, and much is brought in.
    """
    short = len(message.text) <= MAX_TALK_CHARS and not _BROUGHT_IN.search(message.text)
    return message.role == "user" and short and not context.works


def only_talked(message: Message, context: ReadContext) -> bool:
    r"""Whether the user speaks, later on also in paragraphs of prose, where nobody has worked so far.

    What opens a session in paragraphs is a report, or a task.

    >>> from tamis.messages import Text
    >>> told = [Message(id="1", role="user", parts=(Text(text=text),)) for text in ("A.\n\nB.", "A:\nx\ny")]
    >>> [only_talked(message, ReadContext(turn=2)) for message in told]
    [True, False]
    """
    if is_talk(message, context):
        return True
    spoken = context.turn > 0 and len(message.text) <= MAX_PROSE_CHARS and not _LISTED.search(message.text)
    return message.role == "user" and spoken and not context.works


@lru_cache(maxsize=2048)
def sentence_act(text: str) -> SentenceAct:
    """What a sentence does.

    >>> act = sentence_act("Anything over 900 euros goes past me first.")
    >>> act.rule > 0.5 > act.fact
    True
    >>> max(sentence_act("Thanks, that reads much better.")) < 0.5
    True
    """
    if len(text) > MAX_CHARS or not _LATIN.search(text):
        return SentenceAct(0.0, 0.0)
    intercept, weights = _weights()
    found = features(text)
    scale = 1 / math.sqrt(len(found))
    rule, fact = intercept
    for feature in sorted(found & weights.keys()):
        of_rule, of_fact = weights[feature]
        rule += scale * of_rule
        fact += scale * of_fact
    most = max(rule, fact, 0.0)
    odds = math.exp(rule - most), math.exp(fact - most), math.exp(-most)
    return SentenceAct(odds[0] / sum(odds), odds[1] / sum(odds))


def is_idle(text: str, *, most: float = MOST_IDLE) -> bool:
    """Whether a sentence most likely tells nothing that holds: hearsay, a question, thanks, one step.

    >>> is_idle("The docs of some library say you should always close handles.")
    True
    """
    return 0 < sum(sentence_act(text)) < most


def features(text: str) -> set[str]:
    """What is seen of a sentence: words, pairs and threes of words and of their kinds, how it begins."""
    return set(_features(text))


def _features(text: str) -> Iterator[str]:
    tokens = _TOKEN.findall(_CODE.sub(" \0 ", text.replace("’", "'")))[:MAX_WORDS]
    words = ["^", *map(_word, tokens), "$"]
    kinds = ["^", *(_kind(token, is_first=at == 0) for at, token in enumerate(tokens)), "$"]
    yield f"length {min(len(tokens) // 4, 8)}"
    yield from words[1:-1]
    yield from (f"k {kind}" for kind in kinds[1:-1])
    for at in range(len(words) - 1):
        one, two = at, at + 1
        yield f"{words[one]} {words[two]}"
        yield f"{kinds[one]} {kinds[two]}"
        yield f"{words[one]} {kinds[two]}"
        yield f"{kinds[one]} {words[two]}"
    for at in range(len(kinds) - 2):
        yield " ".join(kinds[at : at + 3])
    for size in range(1, min(5, len(kinds) - 1)):
        yield "^" + " ".join(kinds[1 : 1 + size])


def _word(token: str) -> str:
    return "<code>" if token == "\0" else "<number>" if token[0].isdigit() else token.lower()


def _kind(token: str, *, is_first: bool) -> str:
    low = token.lower()
    if not token[0].isalpha() or low in _CLOSED:
        return _word(token)
    if token.isupper() and len(token) > 1:
        return "<CAPITALS>"
    if token[0].isupper() and not is_first:
        return "<Name>"
    ending = next((end for end in _ENDINGS if low.endswith(end) and len(low) > len(end) + 2), "")
    return f"<-{ending}>"


@cache
def _weights() -> tuple[tuple[float, float], dict[str, tuple[float, float]]]:
    """The intercepts of rule and fact against neither, and the weights of each feature for both."""
    data = json.loads(files("tamis.ledger.speech").joinpath("sentence_acts.json").read_text(encoding="utf-8"))
    return tuple(data["intercept"]), {name: (rule, fact) for name, (rule, fact) in data["weights"].items()}
