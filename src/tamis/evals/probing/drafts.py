"""Drafts of probes: questions with the words that name their subject."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from tamis.evals.probing.item_match import find_quantities
from tamis.evals.probing.probes import Expected, ItemType, ProbeKind
from tamis.text.key_words import key_words
from tamis.text.names import names_in

MAX_TEXT_CHARS = 300  # longer texts are dumps; nobody can be asked for them
TEMPLATE_CHARS = 2_000  # a longer message of the user's is a task as a harness hands it over
PHRASE_WORDS = 6  # the most words of a sentence that a question quotes to say which one it means
LEFT_WORDS = {3: 4, 2: 2}  # how many telling words a quotation of so many must leave to be answered
LEAST_TELLING = 2

_WORD = re.compile(r"[\u4e00-\u9fff]{2}|[^\W\u4e00-\u9fff](?:[\w./'’+#-]*[^\W\u4e00-\u9fff])?")
_BREAK = re.compile(r"[\n.,;:!?()\[\]{}<>|\"`*=—–…。，；：！？（）]|\s-{1,2}\s|(?<!\w)['‘’]|['’](?!\w)")
_CLAUSE = re.compile(
    r"\b(?:that|which|when|where|because|if|but|so|is|are|was|were|(?:and|or) (?:it|we|i|they))\b", re.I
)
_DANGLES = re.compile(r"(?:,|\s(?:or|and|but|to|the|an?|of|with|if|than))$", re.I)
CARRIERS = key_words(
    "issue, problem, bug, error, fix, solution, cause, reason, approach, change, code, file, line, test,"
    " function, method, way, case, thing, look, suggest, try, need, specific, relevant, related,"
    " description, first, next"
)
"""Words that carry a sentence about work of any kind: they do not say which one is meant."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True, slots=True)
class ProbeDraft:
    """A question that may become a probe.

    `form` names the kind of question. `subject` is the name that a value goes by, where it is one: if the
    span gives another value under it, nobody can tell which is meant. `made_by` says what it was read off.
    """

    kind: ProbeKind
    form: str
    question: str
    _: KW_ONLY
    expected: tuple[Expected, ...]
    sources: tuple[str, ...]
    closed: bool = False
    superseded: tuple[Expected, ...] = ()
    subject: str = ""
    made_by: str = "ledger"


def item(value: str, type: ItemType | None = None, *, forbids: bool = False) -> Expected:  # noqa: A002
    """An expected item, of the type that its value shows unless told."""
    return Expected(type=type or type_of(value), value=" ".join(value.split()), forbids=forbids)


def type_of(value: str) -> ItemType:
    """How a value is looked for.

    >>> [type_of(v) for v in ("src/io.py", "1,200", "v1.2.3", "the west wing")]
    ['path', 'number', 'identifier', 'text']
    """
    kinds = {name.kind for name in names_in(value) if name.text == value}
    if "path" in kinds:
        return "path"
    if any(found.start == 0 and found.end == len(value) for found in find_quantities(value)):
        return "number"
    return "text" if " " in value.strip() else "identifier"


def is_askable(text: str | None) -> bool:
    """Whether somebody can be expected to know the text: no dump, no memory address, no heading, no torso."""
    return (
        text is not None
        and 0 < len(text.strip()) <= MAX_TEXT_CHARS
        and not text.rstrip().endswith((":", "："))
        and not _DANGLES.search(text.rstrip()[-10:])
        and not _ADDRESS.search(text)
    )


def word_by_hash(forms: Sequence[str], *, about: str = "", **words: str) -> str:
    """One of several ways to ask, always the same for the same thing: the words filled in, and `about`.

    >>> word_by_hash(["Which port is {name}?"], name="http")
    'Which port is http?'
    """
    return forms[_digest("\0".join([about, *words.values()])) % len(forms)].format(**words)


def phrase_of(text: str, others: Sequence[str] = ()) -> str:
    """A few words of a text, as they stand there, that tell which one is meant; empty where none do.

    They begin and end with a telling word and hold three of them, two where it must be, and two that say more
    than `CARRIERS`; they stand in none of the `others`, and leave enough to ask for. Words of one clause are
    preferred. Which of several it is, a hash says, so that neither beginnings nor ends are favoured.

    >>> phrase_of("Never delete anything in the customer archive folder.")
    'customer archive'
    """
    words = [match.span() for match in _WORD.finditer(text)]
    telling = [i for i, (start, end) in enumerate(words) if key_words(text[start:end])]
    said = key_words(text)
    for held, left in LEFT_WORDS.items():
        candidates = (
            text[words[first][0] : words[last][1]]
            for first, last in zip(telling, telling[held - 1 :], strict=False)
            if last - first < PHRASE_WORDS and not text.startswith(("*", "_"), words[last][1])
        )
        enough = [
            phrase
            for phrase in candidates
            if not _BREAK.search(phrase)
            and not _ADDRESS.search(phrase)
            and len(said - key_words(phrase)) >= left
            and len(key_words(phrase) - CARRIERS) >= LEAST_TELLING
            and not any(phrase in other for other in others)
        ]
        if enough:
            return min(enough, key=lambda phrase: (bool(_CLAUSE.search(phrase)), _digest(phrase), phrase))
    return ""


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
