"""Records that services give back, in lines that a person reads: JSON without brackets and repeated names.

What stands by itself (an id with letters, a name, a date) loses its key; a bare number and a yes or no keep
it. What is empty says nothing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from tamis.messages.reprs import shortened

LINES_LOOKED_AT = 600
VALUE_CHARS = 160
FIELDS = 60

_SPEAKS = re.compile(r"[^\W\d]{3}|[A-Z]|\d[-/:]\d")
_NAMES_RECORD = re.compile(r"(?:^|_)(?:id|number|key|identifier)$", re.IGNORECASE)
_PAID = re.compile(r"payment|refund|charge|transaction", re.IGNORECASE)
_OUTCOME = re.compile(
    r"(?:^|_)(?:id|status|state|result|message|total|amount|balance|refund\w*|fee|price|cost|due|success)$",
    re.IGNORECASE,
)


def value_of(text: str) -> Any:
    """What a JSON object or list says; None for any other text.

    >>> value_of('{"id": 7}'), value_of("7 rows")
    ({'id': 7}, None)
    """
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def value_within(text: str, start: int) -> tuple[Any, int]:
    """The JSON that begins at a place in a text, and where it ends; at 0 where none begins there."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, 0


def record_lines(value: Any) -> list[str]:
    """A value in lines: its own fields one by one, then what it lists, an item a line, then its parts.

    >>> record_lines({"id": "W7", "to": {"zip": "01069"}, "items": [{"name": "Lamp", "price": 9.5}]})
    ['id: W7', 'items: Lamp, price 9.5', 'to: zip 01069']
    """
    lines: list[str] = []
    waiting: list[tuple[str | None, Any]] = [(None, value)]
    while waiting and len(lines) < LINES_LOOKED_AT:
        name, here = waiting.pop()
        head = f"{name}: " if name else ""
        if isinstance(here, Mapping) and name is not None:
            lines += [f"{head}{told}"] if (told := _in_line(here, name)) else []
            waiting += reversed([(key, inner) for key, inner in here.items() if _has_parts(inner)])
        elif isinstance(here, Mapping):
            waiting += sorted(here.items(), key=lambda item: _rank(item[1]))[::-1]
        elif isinstance(here, list) and any(map(_is_deep, here)):
            waiting += [(name or "", inner) for inner in reversed(here)]
        elif told := _in_line(here, "") if isinstance(here, list) else _plain(here):
            lines.append(head + told)
    return lines


def record_text(value: Any, most: int) -> str:
    """As many of the lines of a value as fit so many characters; items of one list behind one name."""
    told: list[str] = []
    before = ""
    for line in record_lines(value):
        name, colon, rest = line.partition(": ")
        again = bool(colon) and name == before and bool(told)
        more = f" | {rest}" if again else line
        if not told and len(more) > most:
            return f"{more[: most - 1]}…"
        most -= len(more) + (0 if again else 2)
        if most < 0:
            break
        before = name
        if again:
            told[-1] += more
        else:
            told.append(more)
    return "; ".join(told)


def record_key(value: Any) -> str:
    """By what a record is known again: the first of its fields that names it; empty where none does.

    >>> record_key({"order_id": "W7", "user_id": "ann_1"})
    'W7'
    """
    fields = value.items() if isinstance(value, Mapping) else ()
    return next((str(own) for name, own in fields if _NAMES_RECORD.search(name) and _plain(own)), "")


def outcome_of(value: Any, given: str = "") -> Mapping[str, Any]:
    """The fields that tell what came of a deed, without what was `given` to it: id, status, newest payment.

    >>> outcome_of({"id": "W7", "status": "cancelled", "payments": [{"amount": 9}, {"amount": -9}]}, "id: W7")
    {'status': 'cancelled', 'payments': {'amount': -9}}
    """
    told: dict[str, Any] = {}
    for name, own in value.items() if isinstance(value, Mapping) else ():
        if isinstance(own, list) and own and _PAID.search(name):
            told[name] = own[-1]
        elif _NAMES_RECORD.search(name) and _plain(own) != record_key(value):
            continue  # whose it is
        elif _OUTCOME.search(name) and (plain := _plain(own)) and plain not in given:
            told[name] = own
    return told


def _rank(value: Any) -> int:
    """Fields before lists, lists before parts."""
    return 2 if isinstance(value, Mapping) else int(isinstance(value, list) and any(map(_is_deep, value)))


def _is_deep(value: Any) -> bool:
    return isinstance(value, Mapping | list)


def _has_parts(value: Any) -> bool:
    """Whether a value is more than single values side by side."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(_is_deep, inner))


def _plain(value: Any) -> str:
    """A single value as text; empty where it says nothing."""
    return "" if value is None or _is_deep(value) else shortened(str(value), VALUE_CHARS)


def _in_line(value: Mapping[str, Any] | Sequence[Any], name: str) -> str:
    """The single values of a record or of a list, one behind the other."""
    if not isinstance(value, Mapping):
        return ", ".join(filter(None, map(_plain, value)))
    told: list[str] = []
    for key, own in islice(value.items(), FIELDS):
        text = _plain(own)
        if _is_deep(own) and own and not _has_parts(own):
            told.append(f"{key} ({_in_line(own, key)})")
        elif text and text != name and not any(text in other for other in (name, *told)):
            told.append(text if isinstance(own, str) and _SPEAKS.search(text) else f"{key} {text}")
    return ", ".join(told)
