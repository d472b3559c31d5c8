"""Finding a phrase in an answer at word boundaries, and telling whether its sentence affirms or denies it.

Case, width, quotation marks and the commas of large numbers do not matter; word boundaries and negation do.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from tamis.text.cues.vocabulary import DENIALS, NOT_ENDING

_SENTENCE_END = re.compile(r"\n|(?<=[.!?;])\s+|(?<=[。！？；])")
_CLAUSE_END = re.compile(r"[,:;–—，：；、]\s*|\s[-(]\s*|\b(?:but|so|because|then)\b|但|所以|因为")
_MARKS = re.compile(r"[`\"“”„«»「」]|\*\*|__(?=\s|$)|(?<=\s)__")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DENIES = re.compile(
    rf"\b(?:{DENIALS}|no more|without|avoid|other than|except|anything but|used to be|was once)\b"
    rf"|{NOT_ENDING}\b|不(?!过)|别|勿|而非|除了|不再"
)
_BOUNDS = re.compile(
    r"\b(?:(?:more|less|later|earlier|longer|higher|lower|fewer) than|beyond|above|below|over|under|before"
    r"|after|until|exceed\w*)\b|超过|早于|晚于|多于|少于"
)
"""What turns a denial into a limit: `not more than 3` says 3."""

_TELLING = 3
"""The fewest words that a clause has besides a value, to say something of it."""

_GONE = re.compile(
    r"^[\s)]*+(?:(?:is|was|are|were|has been|have been)\s*+)?(?:[(\[]\s*+)?"
    r"(?:superseded|replaced|obsolete|outdated|dropped|gone|no longer|history|out\b|overruled|revoked"
    r"|withdrawn|not any ?more)|^(?:已)?(?:作废|取消|废弃)"
)
_VOID = re.compile(
    r"\A[\s>*+•-]*+(?:superseded|replaced|obsolete|outdated|revoked|withdrawn|no longer holds)"
    r"(?: later)?[:：]"
    r"|\A[\s>*+•-]*+(?:已?(?:作废|取消|废弃)|不再有效)[:：]"
)
"""How a line begins that says of all behind its colon that it does not hold any more."""

_RULES_OUT = re.compile(
    r"\b(?:not|never|no|nothing|nobody|none|nowhere|cannot|without|avoid\w*|stay\w* (?:away|clear)"
    r"|steer clear|off[- ]limits|off the table|out of (?:bounds|the question)|hands off"
    r"|keep\w* (?:[\w.-]+ ){0,3}(?:out|away|off)|leave (?:[\w.-]+ ){0,6}alone|left alone|untouched|unchanged"
    r"|exclud\w*|forbid\w*|ban(?:ned)?|taboo|refus\w*|rul\w+ out|spare (?:us|me)|stop\w*|instead of"
    r"|rather than|anybody but|anything but|except|prohibit\w*|red line|veto\w*|must stay|has to stay"
    r"|stays? (?:as|put)|closed|skip\w*|blocked)\b|n['’]t\b|[不别勿禁免避]|除外|停止|排除"
)


def normalise(text: str) -> str:
    r"""The text as it is compared.

    >>> normalise("It takes  **4,000** `Rows`")
    'it takes 4000 rows'
    """
    plain = _MARKS.sub("", unicodedata.normalize("NFKC", text))
    return _THOUSANDS.sub("", " ".join(plain.casefold().split()))


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, normalised."""
    return [found for piece in _SENTENCE_END.split(text) if (found := normalise(piece))]


def places(sentence: str, form: str) -> Iterator[tuple[int, int]]:
    """Where a form stands in a normalised sentence, as words of its own."""
    wanted = normalise(form)
    if not wanted:
        return
    before = r"(?<![a-z0-9])(?<!\d[.,])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    after = r"(?![a-z0-9])(?![.,]\d)" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    for found in re.finditer(before + re.escape(wanted) + after, sentence):
        yield found.span()


def affirms(sentence: str, form: str) -> bool:
    """Whether the form stands in the sentence and its clause does not deny it.

    >>> affirms("use nats instead of kafka", "NATS"), affirms("use nats instead of kafka", "Kafka")
    (True, False)
    >>> affirms("superseded: use kafka", "Kafka")
    False
    """
    if _VOID.match(sentence):
        return False
    own = _DENIES.search(normalise(form)) is not None
    return any(own or not _is_denied(sentence, *place) for place in places(sentence, form))


def rules_out(sentence: str, form: str) -> bool:
    """Whether the form stands in a sentence that forbids something.

    >>> rules_out("hands off the table orders", "orders"), rules_out("add it to orders", "orders")
    (True, False)
    """
    if _VOID.match(sentence):
        return False
    return any(places(sentence, form)) and _RULES_OUT.search(sentence) is not None


def any_affirmed(sentence: str, forms: Iterable[str]) -> bool:
    """Whether the sentence affirms one of the forms."""
    return any(affirms(sentence, form) for form in forms)


def commits_to(sentence: str, form: str, rivals: Iterable[str]) -> bool:
    """Whether the sentence says the form of something, rather than list it among others of its kind.

    >>> commits_to("it runs in eu-1, its backups lie in eu-2", "eu-2", ["eu-1"])
    True
    >>> commits_to("api, eu-1, eu-2, orders", "eu-2", ["eu-1"])
    False
    """
    others = [rival for rival in rivals if affirms(sentence, rival)]
    if not others:
        return True
    for start, end in places(sentence, form):
        begin, stop = _clause_around(sentence, start, end)
        clause = sentence[begin:stop]
        words = len((sentence[begin:start] + " " + sentence[end:stop]).split())
        if words >= _TELLING and not any_affirmed(clause, others):
            return True
    return False


def _is_denied(sentence: str, start: int, end: int) -> bool:
    begin, _ = _clause_around(sentence, start, end)
    denial = _DENIES.search(sentence, begin, start)
    bounded = denial is not None and _BOUNDS.search(sentence, denial.end(), start) is not None
    return bool((denial and not bounded) or _GONE.search(sentence[end:]))


def _clause_around(sentence: str, start: int, end: int) -> tuple[int, int]:
    begin = max((m.end() for m in _CLAUSE_END.finditer(sentence, 0, start)), default=0)
    after = _CLAUSE_END.search(sentence, end)
    return begin, after.start() if after else len(sentence)
