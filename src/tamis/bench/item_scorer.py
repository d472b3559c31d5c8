"""This package's own scorer: what an answer is worth. What the answers of a run come to is in `figures`.

It stands beside the published one (`tamis.bench.compat`), takes its weights and its formulas, and differs
where that can be gamed: words are matched at their boundaries and not where they are denied, an answer must
commit itself (a line that lists the right value among others of its kind says nothing), an empty answer earns
nothing, and drift is not measured where there was nothing to lose.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.bench.case import CaseQuestions
from tamis.bench.methodology import CONSTRAINTS
from tamis.bench.template import BenchItemType, EvaluationItem, ExpectedAnswer
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


SCORER: Final = "tamis-2"
UNDECIDED: Final = 0.5
"""What an answer earns that gives both what holds and what was superseded, and not which is which."""


@dataclass(frozen=True, kw_only=True)
class ItemScore:
    """What one answer is worth, from 0 to 1, whether it contradicts what holds, and why.

    A score of None is not measured: the reader gave no answer, and `reason` is why.
    """

    key: str
    type: BenchItemType
    score: float | None
    contradicts: bool
    reason: str


def score_answer(item: EvaluationItem, text: str, questions: CaseQuestions) -> ItemScore:
    """Score one answer; an empty one earns nothing whatever was asked."""
    expected = item.expected
    said = sentences(text)
    contradicts = _contradicts(item, said, questions)
    if not said:
        score, reason = 0.0, "no answer"
    elif expected.check == "forbidden_absent":
        score = float(not any_affirmed_in(said, (expected.value, *expected.forms)))
        reason = "keeps to the rule" if score else "says what is forbidden"
    elif expected.check == "exact":
        score = float(text.strip() in {expected.value.strip(), *(f.strip() for f in expected.forms)})
        reason = "the very text" if score else "another text"
    else:
        score, reason = _held(expected, said, questions.rivals.get(item.key, ()))
    return ItemScore(key=item.key, type=item.type, score=score, contradicts=contradicts, reason=reason)


def any_affirmed_in(said: Sequence[str], forms: Sequence[str]) -> bool:
    """Whether one of the sentences affirms one of the forms."""
    return any(any_affirmed(sentence, forms) for sentence in said)


def _held(expected: ExpectedAnswer, said: Sequence[str], rivals: Sequence[str]) -> tuple[float, str]:
    """The share of what is expected that the answer says; half, where it gives the superseded as well."""
    is_set = expected.check == "set_match"
    wanted = [(v,) for v in expected.values] if is_set else [(expected.value, *expected.forms)]
    alone = () if is_set else rivals
    found = [any(_says(s, forms, expected.forbids, alone) for s in said) for forms in wanted]
    if any(_holds_to_the_old(s, expected) for s in said):
        return UNDECIDED * sum(found) / len(found), "gives what was superseded as if it held"
    missing = [forms[0] for forms, there in zip(wanted, found, strict=True) if not there]
    return sum(found) / len(found), f"missing: {'; '.join(missing)}" if missing else "says it"


def _says(sentence: str, forms: Sequence[str], forbids: bool, rivals: Sequence[str]) -> bool:
    states = rules_out if forbids else affirms
    return any(states(sentence, form) and commits_to(sentence, form, rivals) for form in forms)


def _holds_to_the_old(sentence: str, expected: ExpectedAnswer) -> bool:
    """A sentence with both the old and the new tells of the change; one with the old alone holds to it."""
    if not any_affirmed(sentence, expected.superseded):
        return False
    new = [value for value in (expected.value, *expected.values) if value not in expected.superseded]
    return not any_affirmed(sentence, new)


def _contradicts(item: EvaluationItem, said: Sequence[str], questions: CaseQuestions) -> bool:
    """Whether the answer gives the superseded and not what holds, or says to do what is forbidden."""
    expected = item.expected
    if expected.check == "forbidden_absent" and any_affirmed_in(said, (expected.value, *expected.forms)):
        return True
    holds = any_affirmed_in(said, (expected.value, *expected.values, *expected.forms))
    if not holds and any(_holds_to_the_old(s, expected) for s in said):
        return True
    if item.type in CONSTRAINTS:
        return False
    forbidden = questions.ground_truth.forbidden_behaviors
    return any(affirms(s, phrase) and not rules_out(s, phrase) for s in said for phrase in forbidden)
