"""Decisions: what was chosen, why, and what was turned down.

"We'll go with X because Y instead of Z", "chose X over Y", 决定用X而不是Y，因为Z. What an agent says of its
next small step ("let me use grep") is no decision: its choices count where a reason or an alternative is
given.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tamis.ledger.events import Decision, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.prose import ProsePart, Speaker, passages, said, speaker
from tamis.ledger.speech.standing import Subjects
from tamis.messages import Message
from tamis.text import Sentence, find_measures
from tamis.text.cues import changes, choices, zh
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.phrases import either

MAX_DECISIONS = 6
"""Taken from one message."""

MAX_CHARS = 500
MIN_CHOICE_CHARS, MAX_CHOICE_CHARS = 2, 240
MAX_CHOICE_WORDS = 12
MAX_SCANNED_CHARS = 20_000

_CHOSEN = either(choices.DECIDED)
_DIRECTED = either(
    rf"^(?:{asking.LEAD_INS},?\s+|let's\s+|let\s+us\s+|we\s+(?:should|can)\s+)*{choices.CHOOSING}"
)
_EXPLICIT = either(choices.SAID_TO_BE_ONE)
_INSTEAD = either(
    rf"^(?:{asking.LEAD_INS},?\s+)*(?:instead,?\s+let's\s+|let's\s+instead\s+"
    r"|(?:(?:let's|we're\s+going\s+to)\s+|(?=use\s))(?=[^.?\n]{3,160}\sinstead\b)"
    r"|(?:(?:you\s+know\s+what|ok|so),?\s+)?(?:final\s+(?:answer|decision)|new\s+(?:plan|approach))"
    r":\s+(?:let's\s+|we'll\s+)?)"
)
"""What the user wants in the place of something else, whatever it is."""

_CHANGE = either(changes.UPDATES)
_REASON = either(choices.REASONS)
_OTHER = either(choices.ALTERNATIVES)
_LEADING_REASON = either(
    rf"^(?:since|because|given\s+that|given|as|due\s+to|{zh.LEADING_REASON})\s*(?P<reason>[^,，]{{8,160}})[,，]\s*"
)
_FOLLOWING_REASON = either(
    r"(?:this\s+is\s+because|that's\s+because|because|the\s+reason(?:\s+is|:)|reason:|"
    rf"{zh.FOLLOWING_REASON})\s*"
)
_QUESTION = either(asking.QUESTION, zh.QUESTION, r"^(?:if|whether|should|could|can|would|perhaps|maybe|or)\b")
_STEP = either(
    rf"^(?:{asking.LEAD_INS}[,.!]?\s+)*(?:let\s+me|let's\s+(?:check|look|see|run|try|start|begin|examine|find)"
    r"|i'll\s+(?:check|look|run|try|start))\b"
)
_SUBORDINATE = re.compile(
    r"(?i)\b(?:whether|if|when|how|why|what|where|once|unless|until|that|which|version)\s+$"
)
_DRESSING = either(
    rf"^(?:{asking.LEAD_INS},?\s+)*(?:let's\s+|let\s+us\s+)?(?:use\s+)?|(?<!\s)\s+(?:instead|now|then|please)$"
)
_NAMED = re.compile(
    r"\A(?:[Uu]se\s+)?(?:the\s+)?(?:[A-Z]\w*|`[^`]+`|\w+\.\w+|\w[^\W_]*_\w+)(?:\s[A-Z]\w*){0,2}"
    r"(?:\s(?:for|as)\s[\w -]{2,40})?"
)
_CUE = either(
    choices.DECIDED, choices.CHOOSING, changes.UPDATES, r"\b(?:final|new)\s+(?:answer|plan|approach):"
)
_AGENT_CUE = either(choices.ARGUED, signs=choices.ARGUED_SIGNS)


def extract_decisions(message: Message, context: ReadContext) -> Iterable[EventDraft]:
    """The decisions in what the user or the assistant says.

    >>> from tamis.messages import Message, Text
    >>> text = "We decided to use Postgres instead of MySQL because we need JSON columns."
    >>> [draft] = extract_decisions(Message(id="1", role="user", parts=(Text(text=text),)), ReadContext())
    >>> draft.value.choice, draft.value.rejected, draft.value.reason
    ('Postgres', ('MySQL',), 'we need JSON columns')
    """
    by = speaker(message)
    if by not in ("user", "assistant"):
        return
    subjects = Subjects(context)
    left = MAX_DECISIONS
    for passage in passages(message, _AGENT_CUE if by == "assistant" else _CUE):
        sentences = list(said(passage))
        for i, sentence in enumerate(sentences):
            if left == 0 or sentence.start > MAX_SCANNED_CHARS:
                break
            text = passage.text[sentence.body : sentence.end]
            if len(text) > MAX_CHARS or not _tells(text, by):
                continue
            following = sentences[i + 1] if i + 1 < len(sentences) else None
            found = _read(text, by, subjects, reason=_reason_behind(passage, following))
            if found is None:
                continue
            left -= 1
            value, subject = found
            yield EventDraft(
                kind="decision",
                subject=subject,
                value=value,
                source=Source(
                    message_id=message.id, part=passage.part, start=sentence.body, end=sentence.end
                ),
            )


@lru_cache(maxsize=1024)
def _tells(sentence: str, by: Speaker) -> bool:
    """Whether a sentence may tell of a choice."""
    return (_AGENT_CUE if by == "assistant" else _CUE).stands_in(sentence)


def _read(text: str, by: Speaker, subjects: Subjects, *, reason: str | None) -> tuple[Decision, str] | None:
    if text.rstrip("*_ ").endswith(("?", "？")) or _QUESTION.search(text) or _STEP.search(text):
        return None
    parts = _parts(text, by)
    changes = parts is None and by == "user" and bool(_CHANGE.search(text))
    if parts is None and not changes:
        return None
    replaced = subjects.replaced_by(text, by=by, kind="decision")
    if parts is None:
        if not (replaced and find_measures(text)):
            return None
        parts = Decision(choice=text.rstrip(".。!！ "))
    subject = subjects.add("decision", text, by=by, replaced=replaced)
    return replace(parts, reason=parts.reason or reason), subject


def _parts(text: str, by: Speaker) -> Decision | None:
    """Choice, reason and alternatives of one sentence, or None where it decides nothing."""
    reason = None
    offset = 0
    if leading := _LEADING_REASON.match(text):
        reason, offset = leading["reason"].strip(), leading.end()
    chosen = _CHOSEN.search(text, offset) if _CHOSEN.search_lower(text.lower(), offset) else None
    directed = _DIRECTED.match(text[offset:]) if by == "user" else None
    if chosen is not None and _SUBORDINATE.search(text, 0, chosen.start()):
        chosen = None
    instead = _INSTEAD.match(text[offset:]) if by == "user" else None
    if instead is not None:
        chosen, directed = None, instead
    if chosen is None and directed is None:
        return None
    begin = instead.end() + offset if instead else chosen.end() if chosen else offset + directed.start()  # type: ignore[union-attr]
    rest = text[begin:]
    why = _REASON.search(rest)
    other = _OTHER.search(rest)
    if why and reason is None:
        reason = _trimmed(rest[why.end() : other.start() if other and other.start() > why.end() else None])
    rejected: tuple[str, ...] = ()
    if other:
        stop = why.start() if why and why.start() > other.end() else len(rest)
        turned_down, _, because = re.split(r"[.;,，。；]\s", rest[other.end() : stop])[0].partition(": ")
        turned_down, reason = _trimmed(turned_down), reason or _trimmed(because) or None
        rejected = (turned_down,) if turned_down and len(turned_down) <= 80 else ()
    cut = min([m.start() for m in (why, other) if m] or [len(rest)])
    choice = _DRESSING.sub("", _trimmed(rest[:cut]))
    if not MIN_CHOICE_CHARS <= len(choice) <= MAX_CHOICE_CHARS or choice[0] in "([{":
        return None
    reasoned = bool(reason or rejected or instead)
    if not _weighs(text, choice, by, reasoned=reasoned, directed=directed is not None):
        return None
    return Decision(choice=choice, reason=reason or None, rejected=rejected)


def _weighs(text: str, choice: str, by: Speaker, *, reasoned: bool, directed: bool) -> bool:
    """Whether it is a decision: argued for, said to be one, or the user's pick of a named thing."""
    if reasoned or _EXPLICIT.search(text):
        return True
    if by != "user":
        return False
    if any(measure.kind.startswith(("choice", "day")) for measure in find_measures(choice)):
        return len(choice.split()) <= MAX_CHOICE_WORDS
    return bool(_NAMED.fullmatch(choice)) and (directed or text.lower().startswith(("let", "we")))


def _reason_behind(passage: ProsePart, following: Sentence | None) -> str | None:
    """A reason given in a sentence of its own right behind."""
    if following is None:
        return None
    text = passage.text[following.body : following.end]
    match = _FOLLOWING_REASON.match(text)
    return _trimmed(text[match.end() :]) or None if match else None


def _trimmed(text: str) -> str:
    """Without the marks around it; a bracket stays with the one that opens it."""
    bare = text.strip().strip("*_:：,，;；—–- ").rstrip(".。!！")
    opened = bare.count("(") + bare.count("（")
    while bare.endswith((")", "）")) and bare.count(")") + bare.count("）") > opened:
        bare = bare[:-1].rstrip(".。!！")
    return bare.strip("*_ ")
