"""Whether a sentence lays down a rule, and whether it demands or forbids: by its cues, or as was learned.

Questions, tales of what happened, quoted words, reasons and conditions are put aside first; what is left is
tried against the cues.
"""

import re
from functools import lru_cache
from typing import Literal

from tamis.ledger.speech.prose import Speaker
from tamis.ledger.speech.requests import is_steering
from tamis.ledger.speech.sentence_acts import sentence_act
from tamis.text import find_measures
from tamis.text.cues import changes, rules, zh
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.courtesy import is_courtesy
from tamis.text.cues.phrases import Cue, either, looked_for

Polarity = Literal["must", "must_not"]

PROMISED = either(rules.PROMISED)
_SMALL = re.compile(r"[a-z]")

SURE_RULE, LEAST_WORDS = 0.8, 4
"""So likely a sentence is a rule that it needs no cue; fewer words ("fix tests") tell too little."""
MAX_BOUND_GAP = 16
"""Characters between "under" or "at most" and the value that it bounds."""
_STRONG = (
    looked_for(*rules.STRONG_MUST_NOT, zh.MUST_NOT, leads=rules.LEADS),
    looked_for(*rules.STRONG_MUST, zh.MUST, leads=rules.LEADS),
)
_WEAK = (
    looked_for(*rules.WEAK_MUST_NOT, leads=rules.LEADS),
    looked_for(*rules.WEAK_MUST, leads=rules.LEADS),
)
_TOLD = either(rules.TOLD)
_MUSING = either(rules.MUSING)
_ONE_CHANGE = either(asking.ONE_CHANGE)
_DESCRIBES = either(asking.DESCRIBES)
_SYSTEM = either(rules.SYSTEM_MUST)
_NEGATIVE = either(
    r"\b(?:without|not|never|avoid|leave|stop|refrain|won't|won’t)\b|n't\b|n’t\b|" + zh.NEGATIVE
)
_ASKED = either(rules.ASKED)
_DIRECTIVE = either(asking.DIRECTIVE)
_COMMANDS_THEN = either(rf"(?:^|[,;:(–—]\s*)(?:{asking.LEAD_INS}[,:]?\s+){{0,3}}{asking.IMPERATIVES}\b")
_QUESTION = either(asking.QUESTION)
_CHINESE_QUESTION = either(zh.QUESTION)
_POLITE = either(asking.POLITE)
_COMMANDING = either("please|let|" + zh.COMMANDING)
_NARRATION = either(asking.NARRATION)
_LIMIT_SET = either(rules.LIMIT_SET)
_BOUND = either(changes.UPPER_BOUND, changes.LOWER_BOUND)
_BOUNDS = either(rules.BOUNDS)
_SCHEDULED = either(rules.SCHEDULED)
_PAST = either(rules.PAST)
_OFFERS = re.compile(
    r"(?:please )?let me know\b|looks? (?:good|great|fine)\b|i['’]d like to\b|thank", re.IGNORECASE
)
"""Begins what closes a message, or says what its speaker wants to do himself."""
_STRESSED = re.compile(r"\b(?:(?<!does )(?<!did )(?<!would )NOT|NEVER|(?<!would )ONLY|ALWAYS|MUST)\b")
"""Who writes these in capitals, and goes on in small letters, lays down a rule; "it does NOT" tells."""
_SURE_NOT = either(
    r"\b(?:sure|certain|ensure|careful|remember|important|critical|essential)\b[^.?!,]{0,24}?"
    r"(?:\b(?:not|never|no|nothing|nobody)\b|n't\b|n’t\b)"
)
_TAG = either(r"(?:,|(?<![\s,]))\s*(?:ok|okay|please|alright|yeah|" + zh.TAG + r")\s*[?？]\s*$")
_WONDERING = re.compile(r"(?:can|could|should|shall)(?:n't|n’t)? we\b", re.IGNORECASE)
_WANTED = either(r"^what\s+(?:i|we)\s+(?:need|want|expect|ask|require)\b")
_INNER_DOT = re.compile(r"(?<=[A-Za-z_])\.(?=\w)|(?<=\w)\.(?=[A-Za-z_])|(?<![\w.])\.(?=[A-Za-z])")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_EMPHASIS = re.compile(r"[*_`~]")
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|「[^「」\n]*」|(?<!\w)'[^'\n]{3,}'(?!\w)|`[^`\n]+`")
_CONDITION = either(
    r"^(?:(?:and|but|also,?|so|then)\s+)?(?:if|when|while|unless|once|since|because|as\s+(?:long|"
    r"soon)\s+as|after|before|where(?!\s+(?:is|are|was|were|do|does|did|can|could|should|would|will)\b))"
    r"\b[^,，]*[,，]",
    zh.CONDITION,
)
_GENERAL = either(
    r"\A(?:(?:and|but|also,?|so|then)\s+)?(?:(?:if|when(?:ever)?|where(?:ver)?)\s++(?!(?:i|we|it|this|that)\b)"
    r"[^,]{0,200},|for\s++(?:each|every|any|all)\b(?!\s+of\b))"
)
"""Opens what holds whenever something is so: the main clause binds by a plain "must" or "has to"."""
_BINDS = either(
    r"^(?:\S+\s+){1,12}?(?:must|has\s+to|have\s+to|needs?\s+to|(?:is|are)\s+required)\b(?!\s+have\b)"
)
_LOOKS = re.compile(
    r"\b(?:can|could|would) you (?:(?:please|also|just|quickly|maybe) ){0,2}(?:(?:double|re).?)?"
    r"(?:check|see|look|review|tell|explain|find|investigate|search|list|show|summari[sz]e|compare)\b"
    r"|\b(?:would|['’]d) be (?:great|nice|good|cool|lovely|helpful)(?: if (?:we|you)\b|\W*\Z)",
    re.IGNORECASE,
)
"""Asks for a look, or for something nice to have (its "if" may be cut off before): what is told of the thing
is no rule, but for what is ordered behind it."""
_ORDERED = re.compile(
    r"[,;.–—-]\s*(?:(?:but|and|just|please|only)\s+){0,2}"
    r"(?:do(?:n['’]t| not)|never|keep|leave|avoid|stop|only|make sure|ensure)\b",
    re.IGNORECASE,
)
_NOTED_DOWN = re.compile(
    r"→\s*(?:add|remove|delete|drop|update|rename|fix)\b"
    r"|\ANo (?:[\w-]+ ){0,3}[\w-]+(?: in)?:|\A[^:]{0,40}\b(?:must|should):\Z"
    r"|\A[^.\n:]{0,60}\b(?:risks?|bugs?|leaks?|races?|vulnerabilit(?:y|ies)) [-–—] "
)
"""A step of a plan by an arrow, what stands over something, a finding under its name: none binds."""
_COMMIT_ONCE = re.compile(
    r"\A(?:(?:please|now|then|ok(?:ay)?|and|so),? ){0,3}(?:commit|push|merge|rebase|squash)\b"
    r"(?!.*\b(?:always|every|each|per|never|only|don['’]t|do not|not|no|without|after|when|until|by)\b)",
    re.IGNORECASE,
)
"""Orders one commit, or the like."""
_LABELLED = either(
    r"^(?:ticket|task|issue|step|item|bug|case|exercise|question)\s+#?\d{1,6}\b[^:.?!]{0,40}:\s"
)
"""A piece of work by its number: what it must come to is asked for once."""
_ARGUMENT = either(
    r"(?:[,;]|(?<!\s))\s+\b(?:because|since|so\s+that|otherwise|or\s+else|"
    r"if(?!\s+(?:you|we|nobody|no\s+one|they)\s+(?:could|would|kept|keep|never|didn't|left|used|stuck|"
    r"stayed|avoided|always|only)\b)|in\s+case)\b[^;]*",
    zh.ARGUMENT,
)


def commands(text: str) -> bool:
    """Whether a sentence commands, or stresses a word as who lays down a rule."""
    main = _EMPHASIS.sub("", text.partition(" (")[0])
    return _DIRECTIVE.search(main) is not None or _STRESSED.search(main) is not None


@lru_cache(maxsize=1024)
def rule_polarity(text: str, *, by: Speaker = "user") -> Polarity | None:
    """Whether a sentence is a rule by its own words, and which way it points.

    >>> rule_polarity("Keep the API as it is."), rule_polarity("Why must it be so?")
    ('must', None)
    """
    if by == "assistant":
        return polarity_of(text) if PROMISED.search(text) else None
    main = main_clause(text)
    if main is None or (by == "user" and _ONE_CHANGE.stands_in(main)):
        return None
    if by == "user" and (_NOTED_DOWN.search(main) or _COMMIT_ONCE.match(main)):
        return None
    if by == "user" and (looks := _LOOKS.search(main)):
        ordered = _ORDERED.search(main, looks.end())
        return polarity_of(main[ordered.start() :]) if ordered else None
    if _POLITE.stands_in(main) and not _COMMANDING.match(main):
        asked = _ASKED.search(main)
        return polarity_of(main[asked.start() :]) if asked else None
    lowered = main.lower()
    if by == "user" and _LABELLED.match(main) and not _COMMANDS_THEN.search(main):
        return None
    if by == "user" and _GENERAL.match(text) and _BINDS.match(main) and not _DESCRIBES.search(main):
        return "must_not" if _NEGATIVE.search(main) else "must"
    for (forbidding, demanding), applies in (
        (_STRONG, True),
        (_WEAK, by == "system" or bool(_DIRECTIVE.stands_in(main) or _COMMANDS_THEN.search(main))),
    ):
        if applies and _rules(forbidding, lowered):
            return "must_not"
        tells = by == "user" and _DESCRIBES.search(main) and not _COMMANDS_THEN.search(main)
        if applies and not tells and _rules(demanding, lowered):
            return "must_not" if _SURE_NOT.search(main) else "must"
    if (stress := _STRESSED.search(main)) and _SMALL.search(main, stress.end()):
        return "must_not" if stress.group() in ("NOT", "NEVER") else "must"
    if by == "system" and _SYSTEM.search(main):
        return polarity_of(main)
    return "must" if _sets_limit(main) or _sets_date(main) else None


def lays_down(text: str) -> bool:
    """Whether a sentence of the user's that holds no cue lays down a rule all the same."""
    if len(text.split()) < LEAST_WORDS or sentence_act(text).rule < SURE_RULE:
        return False
    if _ONE_CHANGE.stands_in(text) or _PAST.stands_in(text):
        return False
    if is_courtesy(text) or is_steering(text) or _OFFERS.match(text):
        return False
    main = main_clause(text)
    return main is not None and not _DESCRIBES.search(main)


def polarity_of(text: str) -> Polarity:
    """What a rule is by its words alone: it forbids where it denies."""
    return "must_not" if _NEGATIVE.search(text) else "must"


def main_clause(text: str) -> str | None:
    """What the sentence itself says, or None for a question or a tale."""
    # "src/a.py" and "v1.2": a dot that ends no sentence must not end a cue.
    main = _INNER_DOT.sub("_", text)
    main = _QUOTED.sub(lambda match: '"' + "x" * (len(match.group()) - 2) + '"', main)
    main = _TAG.sub("", _EMPHASIS.sub("", main).strip())
    main = _ARGUMENT.sub("", _CONDITION.sub("", main).strip()).strip()
    if not main or _NARRATION.stands_in(main) or _MUSING.stands_in(main):
        return None
    asks = main.endswith("?") or _QUESTION.stands_in(main) or _CHINESE_QUESTION.stands_in(main)
    if asks and _WANTED.match(main) and not main.endswith(("?", "？")):
        asks = False
    is_order = _POLITE.stands_in(main) and not _WONDERING.match(main)
    return None if asks and not is_order else main


def _rules(cue: Cue, lowered: str) -> bool:
    """Whether the cue is found where the sentence does not tell of somebody else."""
    found = cue.search_lower(lowered)
    return found is not None and not _TOLD.search_lower(lowered, 0, found.start())


def _sets_limit(main: str) -> bool:
    given = _LIMIT_SET.stands_in(main)
    if not given and not (_BOUND.stands_in(main) and (_BOUNDS.stands_in(main) or _DIRECTIVE.stands_in(main))):
        return False
    limits = [m for m in find_measures(main) if m.kind.split(":")[0] not in ("choice", "version", "port")]
    if given or _HAN.search(main):  # in Chinese a bound may stand behind its value
        return bool(limits)
    bounds = list(_BOUND.finditer(main))
    before = any(0 <= limit.start - bound.end() <= MAX_BOUND_GAP for limit in limits for bound in bounds)
    return before or any(0 <= bound.start() - limit.end <= 1 for limit in limits for bound in bounds)


def _sets_date(main: str) -> bool:
    if not _SCHEDULED.stands_in(main) or _PAST.stands_in(main):
        return False
    return any(m.kind in ("day", "clock") for m in find_measures(main))
