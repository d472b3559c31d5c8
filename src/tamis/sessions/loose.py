"""Taking what is expected out of JSON of unknown shape, without trusting it.

Session files are written by many versions of many programs. A reader asks for what it needs; where the
value is of another kind it gets the empty one of the kind it asked for.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from tamis.messages import ToolCall


def as_dict(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def content_text(value: object) -> str:
    """The text of a message's content: a string, or a list of blocks of which some hold `text`.

    >>> content_text([{"type": "text", "text": "a"}, {"type": "image"}]), content_text(None)
    ('a', '')
    """
    if isinstance(value, str):
        return value
    given = (as_dict(block).get("text") if isinstance(block, dict) else block for block in as_list(value))
    return joined(map(as_text, given))


def file_stem(name: str) -> str:
    """A file's name without the endings that say what kind of file it is.

    >>> file_stem("django__django-11001.traj.json.gz"), file_stem("v1.2-notes.md")
    ('django__django-11001', 'v1.2-notes')
    """
    endings = (".gz", ".xz", ".json", ".jsonl", ".traj", ".md", ".txt")
    while name.endswith(endings) and name.rpartition(".")[0]:
        name = name.rpartition(".")[0]
    return name


def tool_call(call_id: str, name: str, sent: object, *, native: object = None) -> ToolCall:
    """A call whose arguments came as an object or as JSON text; other arguments are kept as they came.

    >>> tool_call("c1", "bash", '{"command": "ls"}').arguments, tool_call("c2", "bash", "ls").raw_arguments
    ({'command': 'ls'}, 'ls')
    """
    arguments, raw = parse_arguments(sent)
    return ToolCall(id=call_id, name=name, arguments=arguments, raw_arguments=raw, native=native)


def parse_arguments(value: object) -> tuple[dict[str, Any], str | None]:
    """A call's arguments as an object; arguments that are no object come second, as text.

    >>> parse_arguments('{"path": "a.py"}'), parse_arguments("*** Begin Patch"), parse_arguments(None)
    (({'path': 'a.py'}, None), ({}, '*** Begin Patch'), ({}, None))
    """
    if isinstance(value, dict):
        return value, None
    if value is None:
        return {}, None
    if not isinstance(value, str):
        return {}, json.dumps(value, ensure_ascii=False)
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return {}, value
    return (parsed, None) if isinstance(parsed, dict) else ({}, value)


def first(record: dict[str, Any], *names: str) -> Any:
    """The value under the first of the names that is there and not null."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def first_text(record: dict[str, Any], *names: str) -> str | None:
    """The text under the first of the names that holds a text which is not empty."""
    return next((value for name in names if isinstance(value := record.get(name), str) and value), None)


def iso_time(value: object) -> str | None:
    """A timestamp as ISO 8601: as it came if it is text, else from seconds (milli, micro, nano) since 1970.

    >>> iso_time("2026-01-01T00:00:00Z"), iso_time(1767225600000), iso_time(None)
    ('2026-01-01T00:00:00Z', '2026-01-01T00:00:00+00:00', None)
    """
    if isinstance(value, str):
        return value or None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    seconds = float(value)
    while seconds > 1e11:  # the year 5138: nobody means that, so the unit is a thousandth
        seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return None


def joined(texts: Iterable[str]) -> str:
    """The texts that say something, a line break between."""
    return "\n".join(text for text in texts if text)


def texts_within(value: object) -> Iterator[str]:
    """Every text in a JSON value, however deep; keys are none.

    >>> list(texts_within({"a": ["b", {"c": "d", "e": 1}]}))
    ['b', 'd']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from texts_within(inner)
