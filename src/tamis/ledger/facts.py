"""Facts and entities: values that somebody stated or that were printed beside a name, and who has which role.

A version, a port, an amount, a date, an id, a URL counts where a label says what it is ("port 8443",
`version: 1.2.3`, 订单号是W123); a bare number does not. Tool output is read only where a line is a label and a
value, and only its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tamis.ledger import cues
from tamis.ledger.events import Entity, Fact, Source
from tamis.ledger.extract import Draft, ReadContext
from tamis.ledger.measures import find_measures
from tamis.ledger.prose import passages, said, speaker
from tamis.ledger.subjects import Subjects, key_words, read_statement
from tamis.messages import Message, ToolResult

MAX_STATED = 12
MAX_PRINTED = 8
"""Facts taken from one message that somebody wrote, and from one tool result."""

MAX_SCANNED_CHARS = 20_000
MAX_OUTPUT_CHARS = 4_000

_VALUE = (
    r"(?:https?://[^\s\"'<>()，。]+|[\w.+-]+@[\w-]+\.[\w.]+|[$€£¥]\s?\d[\d,.]*\d(?:\s?[kKmM]\b)?|[$€£¥]\s?\d+"
    r"|#?[A-Za-z]{0,8}[-_/]?\d[\w.:/-]*(?:\s?(?:%|ms|seconds?|minutes?|hours?|days?|weeks?|months?|[KMGT]i?B|dollars|USD|EUR|元|万元|万|天|秒|分钟|小时|人|个))?"
    r"|`[^`\n]{1,80}`|\"[^\"\n]{1,80}\"|[A-Z][A-Z0-9_-]{2,}\b|[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+)"
)
_LABELLED = re.compile(
    rf"(?i:\b(?P<label>(?:[\w-]+[ ]){{0,3}}(?:{cues.FACT_LABELS}))s?\b)"
    r"(?P<link>\s*(?:\*\*)?(?:[:=]|\bis(?: now| currently| set to| going to be)?\b|\bwas (?:changed|set|raised|bumped|moved) to\b|\bchanged to\b|\bare\b|->|→)(?:\*\*)?\s*(?:at |on |the |approximately |about )?|\s+#?(?=[A-Z]*\d|#))"
    rf"(?P<value>{_VALUE})"
)
_HAN_LABELLED = re.compile(
    rf"(?P<label>[\u4e00-\u9fffA-Za-z]{{0,6}}?(?:{cues.CHINESE_FACT_LABELS}))\s*(?:现在|目前|已经)?(?:是|为|：|:|=|改成|改为|改到|定在|定为)\s*"
    r"(?P<value>https?://[^\s，。]+|[A-Za-z0-9¥$#][\w.:/@%¥-]*(?:元|万元?|天|秒|分钟|小时|人|个|月\d+[日号])?|[零一二三四五六七八九十百千万亿两]+(?:元|块|天|个|人|点|万)?|(?:周|星期|下周)[一二三四五六日天])"
)
_ENV = re.compile(
    r"(?<![\w$])(?P<label>[A-Z][A-Z0-9]*_[A-Z0-9_]+|DEBUG|PORT|HOST|PATH|REGION|STAGE)=(?P<value>[^\s;,`'\"，。]+|\"[^\"\n]{1,80}\")"
)
_HAS_VALUE = re.compile(
    r"\d|https?://|=[A-Za-z\"]|@|`|[A-Z]{3,}|[a-z]-[a-z]|[零一二三四五六七八九十百千万两]"
)
_PRINTED = re.compile(
    rf"(?im)^[ \t{{,]*[\"']?(?P<label>(?:[a-z]+[ _-]){{0,3}}(?:{cues.FACT_LABELS.replace(' ', '[ _]')}))[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?P<value>https?://[^\s\"'<>]+|[$€£¥]?[\w.#@+/-]*\d[\w.:@+/%-]*)[\"']?,?[ \t]*$"
)
_WAVERING = re.compile(
    r"(?i)\?\s*$|？\s*$|^(?:if|what|which|is|are|does|do|did|should|could|can|would|e\.g\.|for example|such as|suppose|imagine|maybe)\b"
)

_NAME = r"(?-i:[A-Z][a-z]+(?:[-'][A-Z][a-z]+)?(?: [A-Z][a-z]+| [A-Z]\.){0,2})"
_OF = r"(?: (?:of|for|on|at|in) (?:the |our )?[\w &/-]{2,40}?)?"
_ROLE = rf"(?:(?:[\w-]+ ){{0,3}}(?:{cues.ROLES}){_OF})"
_ENTITY = (
    re.compile(
        rf"(?i)(?<![\w.])(?P<name>{_NAME})(?:,| is| was named| becomes?| will be| acts as|'s| remains)(?: now)?(?: the| our| my| a| an| their| his| her)* (?P<role>{_ROLE})(?=[\s.,;:)!]|$)"
    ),
    re.compile(
        rf"(?i)(?<![\w.])(?P<name>{_NAME}) (?P<role>(?:now |also )?(?:{cues.ROLE_VERBS}) (?!you|it\b|that\b)[\w &'/-]{{2,50}}?)(?= now\b|[.,;:)!]|$| and | but )"
    ),
    re.compile(
        rf"(?i)\b(?P<role>(?:{cues.ROLES}){_OF})(?: is(?: now)?|\s?:|\s=) (?P<name>{_NAME})(?=[\s.,;:()!]|$)"
    ),
    re.compile(rf"(?i)(?<![\w.])(?P<name>{_NAME}) ?\((?P<role>{_ROLE})\)"),
    re.compile(
        rf"(?P<role>[\u4e00-\u9fff]{{0,6}}?(?:{cues.CHINESE_ROLES}))(?:现在)?(?:是|：|:|换成|改成|改为)\s*(?P<name>[小老阿]?[\u4e00-\u9fff]{{1,3}}|[A-Z][a-z]+)(?=[，。；,.\s（(]|$)"
    ),
    re.compile(
        r"(?P<name>[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)(?:现在)?(?P<role>负责[\u4e00-\u9fffA-Za-z]{2,12})(?=[，。；,.\s]|$)"
    ),
)
_ENTITY_HINT = re.compile(rf"\b(?:{cues.ROLES}|{cues.ROLE_VERBS})\b|{cues.CHINESE_ROLES}|负责", re.I)
_HAS_VALUE_OR_ROLE = re.compile(f"(?:{_HAS_VALUE.pattern})|(?i:{_ENTITY_HINT.pattern})")
_NOW = re.compile(cues.UPDATE_CUES, re.I)
_VERBS = frozenset(
    {"runs", "run", "listens", "listen", "running", "listening", "serves", "binds", "sets", "see"}
)


def extract_facts(message: Message, context: ReadContext) -> Iterable[Draft]:
    """The facts and entities in a message, printed or said.

    >>> from tamis.messages import Message, Text
    >>> text = "The gateway runs on port 8443. Dana owns billing."
    >>> message = Message(id="1", role="user", parts=(Text(text=text),))
    >>> [(d.kind, d.value) for d in extract_facts(message, ReadContext())]  # doctest: +NORMALIZE_WHITESPACE
    [('fact', Fact(name='gateway port', value='8443')), ('entity', Entity(name='Dana', role='owns billing'))]
    """
    by = speaker(message)
    if message.origin == "conversation":
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                yield from _printed(part.text, Source(message_id=message.id, part=index, start=0, end=0))
    if by is None or by == "system":
        return
    subjects = Subjects(context)
    left = MAX_STATED
    for passage in passages(message, _HAS_VALUE_OR_ROLE):
        for sentence in said(passage):
            if left <= 0 or sentence.start > MAX_SCANNED_CHARS:
                break
            text = passage.text[sentence.body : sentence.end]
            if len(text) > 600 or _WAVERING.search(text):
                continue
            source = Source(message_id=message.id, part=passage.part, start=sentence.body, end=sentence.end)
            for draft in (*_stated(text, source), *_entities(text, source, subjects, by)):
                left -= 1
                yield draft


def _stated(text: str, source: Source) -> Iterator[Draft]:
    taken: list[range] = []
    if not _HAS_VALUE.search(text):
        return
    for pattern in (_ENV, _LABELLED, _HAN_LABELLED):
        for match in pattern.finditer(text):
            value = match["value"].strip("`\"'").rstrip(".,:;)-/")
            if not value or any(match.start("value") in span for span in taken):
                continue
            taken.append(range(match.start(), match.end()))
            label = _bare_label(match["label"]) if pattern is not _ENV else match["label"]
            if not label or value.lower() in ("it", "the", "a"):
                continue
            if label.lower() == "port" or label.lower().endswith(" port"):
                label = _with_owner(text, match.end("label") - len(label), label)
            yield _fact(label, value, source, says_new=bool(_NOW.search(text)))
    for measure in find_measures(text):
        if (
            measure.kind.startswith("version:")
            and "." in measure.value
            and not any(measure.start in span for span in taken)
        ):
            name = text[measure.start : measure.end].rsplit(measure.value, 1)[0].strip(" v")
            yield _fact(f"{name} version", measure.value, source, says_new=True)


def _printed(text: str, source: Source) -> Iterator[Draft]:
    seen = set()
    for match in _PRINTED.finditer(text, 0, MAX_OUTPUT_CHARS):
        label, value = match["label"].replace("_", " "), match["value"].rstrip(".,:;")
        if label in seen or not re.search(r"\d", value):
            continue
        seen.add(label)
        place = Source(
            message_id=source.message_id, part=source.part, start=match.start("label"), end=match.end("value")
        )
        yield _fact(label, value, place, says_new=False)
        if len(seen) == MAX_PRINTED:
            return


def _fact(label: str, value: str, source: Source, *, says_new: bool) -> Draft:
    words = sorted(key_words(label)) or [label.lower()]
    noun = label.lower().split()[-1]
    # "order W1" and "order W2" are two orders; "the port is 9000 now" is the same port.
    many = noun in cues.IDENTITY_LABELS and not says_new and len(words) < 2
    subject = " ".join([*words, value.lower()] if many else words)
    return Draft(kind="fact", subject=subject, value=Fact(name=label, value=value), source=source)


def _entities(text: str, source: Source, subjects: Subjects, by: str) -> Iterator[Draft]:
    if not _ENTITY_HINT.search(text):
        return
    seen = set()
    for pattern in _ENTITY:
        for match in pattern.finditer(text):
            name, role = match["name"].strip(), " ".join(match["role"].split())
            first = name.split()[0].lower()
            if (
                first in cues.NOT_PERSONS
                or name in seen
                or name in ("这个", "那个", "我们", "你们", "他们", "谁")
            ):
                continue
            seen.add(name)
            yield Draft(
                kind="entity",
                subject=_entity_subject(name, role, text, subjects, by),
                value=Entity(name=name, role=role),
                source=source,
            )


def _entity_subject(name: str, role: str, text: str, subjects: Subjects, by: str) -> str:
    """The person, or whoever had the role before where the sentence says that it went over."""
    duty = key_words(re.sub(rf"(?i)\b(?:{cues.ROLE_VERBS})\b", " ", role))
    statement = read_statement(text)
    return subjects.holder(name, duty, changes=statement.updates, by=by)


def _bare_label(label: str) -> str:
    """The noun and what qualifies it: "and then set the batch size" is "batch size"."""
    kept: list[str] = []
    for word in reversed(label.split()):
        if kept and (word.lower() in cues.STOP_WORDS or word.lower() in _VERBS):
            break
        kept.insert(0, word)
    return " ".join(kept)


def _with_owner(text: str, end: int, label: str) -> str:
    """What has the port: "The gateway runs on port" is the gateway's."""
    owner = re.search(
        r"(?i)(?:^|\b(?:the|our|my)\s+)([\w-]+(?: [\w-]+)?)\s+(?:now |still |also )?(?:runs?|listens?|is running|is listening|is served|is|serves|binds?|starts?)(?: now)? (?:on|at|to)\s+(?:the )?$",
        text[:end],
    )
    words = [w for w in owner[1].split() if w.lower() not in cues.STOP_WORDS] if owner else []
    return f"{' '.join(words)} {label}" if words else label
