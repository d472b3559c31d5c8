"""Rules: what the user, the system prompt or an agreement says must or must not be, in the words it was said.

A sentence is a rule where its main clause commands, forbids or sets a limit. Questions, tales of what happened,
quoted words, reasons and conditions are put aside first; what is left is tried against the cues in `cues.py`.
A sentence that takes back or changes a rule that stands replaces it, even where no cue of its own is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from tamis.ledger import cues
from tamis.ledger.events import Constraint, Source
from tamis.ledger.extract import Draft, ReadContext
from tamis.ledger.measures import find_measures
from tamis.ledger.prose import Speaker, passages, said, speaker
from tamis.ledger.sentences import Sentence
from tamis.ledger.subjects import Statement, Subjects, read_statement
from tamis.messages import Message

Polarity = Literal["must", "must_not"]

MAX_RULES = {"user": 24, "system": 48, "assistant": 4}
"""Rules taken from one message, by speaker; a manual pasted whole is not a list of rules."""

MAX_RULE_CHARS = 600
MAX_SCANNED_CHARS = 60_000

_RULES: tuple[tuple[Polarity, re.Pattern[str]], ...] = tuple(
    (polarity, re.compile(pattern, re.I))  # type: ignore[misc]
    for polarity, pattern in (*cues.RULE_CUES, *cues.CHINESE_RULE_CUES)
)
_ASKED = re.compile(cues.ASKED_RULE_CUES, re.I)
_QUESTION = re.compile(cues.QUESTION_OPENERS, re.I)
_CHINESE_QUESTION = re.compile(cues.CHINESE_QUESTION)
_POLITE = re.compile(cues.POLITE_OPENERS, re.I)
_NARRATION = re.compile(cues.NARRATION, re.I)
_ACKNOWLEDGED = re.compile(cues.ACKNOWLEDGED)
_PROMISED = re.compile(cues.PROMISED)
_CHANGE = re.compile(f"(?:{cues.UPDATE_CUES})|(?:{cues.LIFT_CUES})", re.I)
_TAG = re.compile(r"(?i),?\s*(?:ok|okay|right|please|alright|yeah|好吗|行吗)\s*[?？]\s*$")
_EMPHASIS = re.compile(r"[*_`~]")
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|(?<!\w)'[^'\n]{3,}'(?!\w)|`[^`\n]+`")
_CONDITION = re.compile(
    r"(?i)^(?:and |but |also,? |so |then )?(?:if|when|whenever|while|unless|once|since|because|as (?:long|soon) as|after|before)\b[^,，]*[,，]"
    r"|^(?:如果|当|若|因为|由于)[^,，]*[,，]"
)
_TRAILING = re.compile(
    r"(?i)[,;]?\s+\b(?:because|since|so that|otherwise|or else|if|in case)\b.*$|[，,](?:因为|由于|否则|如果).*$"
)
_LIMIT_SET = re.compile(
    rf"(?i)\b{cues.LIMIT_NOUNS}\b[^.?!]{{0,40}}?(?:\bis\b|\bare\b|\bof\b|:|=|\bat\b|\bstays?\b|\bremains?\b|\bto\b|\bwas (?:raised|cut|set)\b)"
)
_BOUNDED = re.compile(f"(?:{cues.UPPER_CUES})|(?:{cues.LOWER_CUES})", re.I)
_DIRECTS = re.compile(
    r"(?i)\b(?:keep|stay|spend|must|should|shall|need|needs|has to|have to|want|can|may|limit|aim|make|use|please|cap|don't|do not|go|wait|retry|return|write|within|fit|take|allow)\b"
    r"|^(?:at most|at least|no (?:more|less|later)|up to|under|max|min)|[\u4e00-\u9fff]"
)
_SCHEDULED = re.compile(
    r"(?i)\b(?:deploy|release|ship|launch|freeze|due|deadline|deliver|submit|finish|done|go live|migrat\w+|cut-?over|demo|meeting|review|"
    r"handover|standup|rollout|publish|departs?|appointment)\w*\b|部署|上线|发布|交付|截止|开会|会议|提交|完成|评审|迁移"
)
_PAST = re.compile(
    r"(?i)\b(?:was|were|did|had|went|\w{3,}ed|broke|ran|saw|got|came|began|fell|last)\b|昨天|上周|已经|了[。.!]?$"
)


def extract_constraints(message: Message, context: ReadContext) -> Iterable[Draft]:
    """The rules in a message, each replacing the one that it changes.

    >>> from tamis.messages import Message, Text
    >>> message = Message(id="1", role="user", parts=(Text(text="Fix it. Never touch the lock file!"),))
    >>> [(d.value.text, d.value.polarity) for d in extract_constraints(message, ReadContext())]
    [('Never touch the lock file!', 'must_not')]
    """
    by = speaker(message)
    if by is None:
        return
    subjects = Subjects(context)
    left = MAX_RULES[by]
    for passage in passages(message, _PROMISED if by == "assistant" else None):
        agreeing = by == "assistant" and bool(_ACKNOWLEDGED.match(passage.text))
        for sentence in said(passage):
            if left == 0 or sentence.start > MAX_SCANNED_CHARS or (by == "assistant" and not agreeing):
                break
            text = passage.text[sentence.body : sentence.end]
            if not 4 <= len(text) <= MAX_RULE_CHARS or (by == "assistant" and not _PROMISED.search(text)):
                continue
            draft = _read(text, sentence, by, subjects)
            if draft is None:
                continue
            polarity, subject = draft
            left -= 1
            yield Draft(
                kind="constraint",
                subject=subject,
                value=Constraint(text=text, polarity=polarity, by=by),
                source=Source(
                    message_id=message.id, part=passage.part, start=sentence.body, end=sentence.end
                ),
            )


def rule_polarity(text: str) -> Polarity | None:
    """Whether a sentence is a rule by its own words, and which way it points.

    >>> rule_polarity("Keep the API as it is."), rule_polarity("Why must it be so?")
    ('must', None)
    """
    main = _main_clause(text)
    if main is None:
        return None
    if _POLITE.search(main) and not main.startswith(("please", "Please", "let", "Let", "请", "麻烦")):
        asked = _ASKED.search(main)
        if not asked:
            return None
        negative = re.search(r"(?i)without|n't|not|never|avoid|leave|stop", main[asked.start() :])
        return "must_not" if negative else "must"
    for polarity, pattern in _RULES:
        if pattern.search(main):
            return polarity
    return "must" if _sets_limit(main) or _sets_date(main) else None


def _read(text: str, sentence: Sentence, by: Speaker, subjects: Subjects) -> tuple[Polarity, str] | None:
    """Polarity and subject of what a sentence rules, changes or takes back; None where it does nothing."""
    polarity = rule_polarity(text) if by != "assistant" else _promise_polarity(text)
    if sentence.kind == "heading" and polarity is None:
        return None
    changes = by == "user" and polarity is None and bool(_CHANGE.search(text))
    if polarity is None and not (changes and _main_clause(text)):
        return None
    statement = read_statement(text, forbids=polarity == "must_not")
    replaced = subjects.replaced_by(statement, by=by, kind="constraint")
    if polarity is None and not (replaced and _may_change(statement)):
        return None
    if by == "assistant" and subjects.says_already(statement):
        return None  # the user's own words stay
    return polarity or "must", subjects.add("constraint", text, statement, by=by, replaced=replaced)


def _may_change(statement: Statement) -> bool:
    return bool(statement.measures and statement.updates) or statement.lifts


def _promise_polarity(text: str) -> Polarity:
    return (
        "must_not" if re.search(r"(?i)\b(?:never|not|won't|avoid|refrain|leave)\b|won’t|不", text) else "must"
    )


def _main_clause(text: str) -> str | None:
    """What the sentence itself says, or None for a question or a tale."""
    main = _EMPHASIS.sub("", _QUOTED.sub(lambda m: '"' + "x" * (len(m.group()) - 2) + '"', text)).strip()
    main = _TAG.sub("", main)
    main = _TRAILING.sub("", _CONDITION.sub("", main).strip()).strip()
    if not main or _CHINESE_QUESTION.search(main) and not _POLITE.search(main):
        return None
    if (main.endswith("?") or _QUESTION.search(main)) and not _POLITE.search(main):
        return None
    if _NARRATION.search(main):
        return None
    return main


def _sets_limit(main: str) -> bool:
    if not (_LIMIT_SET.search(main) or (_BOUNDED.search(main) and _DIRECTS.search(main))):
        return False
    return any(m.kind.split(":")[0] not in ("choice", "version", "port") for m in find_measures(main))


def _sets_date(main: str) -> bool:
    if not _SCHEDULED.search(main) or _PAST.search(main):
        return False
    return any(m.kind in ("day", "clock") for m in find_measures(main))
