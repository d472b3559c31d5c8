"""Calls to services, as statements: what was changed there, what was refused, what was looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from tamis.compactors.brief.reading.deeds.call_text import (
    HEADING,
    first_lines,
    name_of,
    search_words,
    shortened,
)
from tamis.compactors.brief.reading.deeds.records import outcome_of, record_key, record_text, value_of
from tamis.compactors.brief.reading.deeds.search_hits import SearchHit, search_hits
from tamis.ledger.files.effect_results import refused
from tamis.ledger.files.file_tools import command_line, first_path, shape_of
from tamis.ledger.outputs.commands import name_words

if TYPE_CHECKING:
    from tamis.compactors.brief.reading.deeds.action import Action
    from tamis.compactors.brief.reading.statement import Statement, StatementKind

GIVEN_CHARS = 330
GIVEN_OUTLINE_CHARS = 60
RECORD_CHARS = 520
OUTLINE_CHARS = 150
TOLD_CHARS = 230
SUMMARY_CHARS = 420

_CHANGES = frozenset(
    """
    create add update set edit modify change post send comment reply close merge save book cancel exchange
    return refund pay order transfer enable disable toggle reset reboot reseat suspend resume grant revoke
    issue remove delete disconnect connect apply register schedule submit approve reject turn replace upload
    publish
    """.split()  # noqa: SIM905 - a list of these would be a page
)
_LOOKS = frozenset("get list find search check show view read look lookup fetch query describe".split())  # noqa: SIM905
_ECHO = re.compile(r"\AWeb search results for query: [^\n]{1,400}\n+")
"""Says again what was sought."""
NOTHING = re.compile(
    r"No (?:matches|files|results) (?:found|were found)|no matches? for|0 (?:matches|results)"
    r"|(?:\[\s*\]|\{\s*\}|null|none)\s*\Z",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(
    r"\bNo such file or directory\b|\bENOENT\b|\b(?:path|directory) does not exist\b", re.IGNORECASE
)
_TOO_LONG = re.compile(r"\W{0,9}(?:[Ee]rror: )?File content \([^)\n]{1,60}\) exceeds ")
"""A file that is read by its parts next."""

_DIFF = re.compile(r"\s{0,9}diff --git ")
_SUMMARY = re.compile(r"(?m)^#{0,4} ?Summary:\s*(\S[^\n]+)")
_QUERY = re.compile(r"[?&](?:q|query|search\w*)=|/search\b")
_CALLED = ("identifier", "key", "html_url", "number")


def changes_something(name: str) -> bool:
    """Whether a tool's name says that it changes something at the other side.

    >>> changes_something("cancel_order"), changes_something("get_order_details")
    (True, False)
    """
    words = name_words(name)
    return bool(words & _CHANGES) and not words & _LOOKS


def service_statements(deed: Action, output: str, *, looked: bool) -> Iterator[Statement]:
    """What a call to a service came to; `looked` says that it read a file."""
    call = deed.call
    given = record_text(dict(call.arguments), GIVEN_CHARS)
    name = name_of(call) if call.name != "unknown" else ""
    if [*call.arguments.values()] == [name] and not refused(deed.result, reading=looked):
        return  # `submit`: it says nothing but its name
    path = first_path(call) if looked or shape_of(call) == "read" else None
    words = search_words(call) or command_line(call) or f"{name} {path or given}".strip()
    if looked and path and not search_words(call):
        if lists_files(output):
            return
        words = f"{'view' if shape_of(call) == 'editor' else name} {path}"
    changes = changes_something(call.name) and not looked
    output = _ECHO.sub("", output)
    value = value_of(output)
    if NOTHING.match(output) or (search_words(call) and _NO_PLACE.search(output[:TOLD_CHARS])):
        yield deed.told("ran", f"{words} → nothing found", flags=("reads", "detail", "vague"))
    elif _TOO_LONG.match(output):
        return
    elif refused(deed.result, reading=looked):
        said = f" failed: {first_lines(output, TOLD_CHARS)}"
        if changes:
            yield from _effect(deed, "failed", name, said)
        else:
            yield deed.told("failed", words + said, flags=("reads",))
    elif changes:
        said = "" if _DIFF.match(output) else first_lines(output, TOLD_CHARS)  # its head says nothing
        came = _came_of(value, given) or (said if value is None else "done")
        yield from _effect(deed, "posted", name, f" → {came}" if came else "")
        if _is_record(value):
            yield from _records(deed, name, value)
    elif value is not None and not (looked and path):  # a file of the work is no record of a service
        asked = [own for own in call.arguments.values() if str(own) not in output]
        yield from _records(deed, words if asked else name, value)
    elif not (fetched := looked or fetches(call.arguments)) and (hits := search_hits(output, given)):
        yield from _found(deed, words, hits)
    else:
        summary = _SUMMARY.search(output)
        came = shortened(summary[1].strip(), SUMMARY_CHARS) if summary else ""
        looked = looked or bool(search_words(call))
        if not summary and (len(output) <= TOLD_CHARS or not (looked or fetched)):
            came = first_lines(output, TOLD_CHARS)  # a page, a file or hits begin with what says little
        if fetched and not output.strip() and "truncated" in deed.result.text:
            came = "too large for its tool: nothing was shown"
        if looked and not came:
            return  # what of it matters is told when the agent has spoken of it
        is_look = looked or command_line(call) is not None
        flags = ("reads",) if is_look and not summary else ("reads", "record")
        yield deed.told("ran", f"{words} → {came}" if came else words, flags=flags)


def lists_files(output: str) -> bool:
    """Whether an output is a list of files, but for headings and a line that says so."""
    lines = [line for line in output.splitlines() if not HEADING.fullmatch(line.strip())]
    names = (line.strip().partition(" (")[0] for line in lines)
    return 0 < sum("/" in name and " " not in name for name in names) >= len(lines) - 1


def fetches(arguments: Mapping[str, Any]) -> bool:
    """Whether a call asks for one page by its address: its links are no hits."""
    given = [own for own in arguments.values() if isinstance(own, str)]
    return any(own.startswith(("http://", "https://")) and not _QUERY.search(own) for own in given)


def _effect(deed: Action, kind: StatementKind, name: str, came: str) -> Iterator[Statement]:
    """What was changed, or refused, in outline and in full."""
    given = dict(deed.call.arguments)
    plain = {key: own for key, own in given.items() if not isinstance(own, dict | list)}
    if kind == "failed":  # why is worth more than with what
        plain = dict(islice(plain.items(), 1))
    outline, full = record_text(plain, GIVEN_OUTLINE_CHARS), record_text(given, GIVEN_CHARS)
    if outline != full:
        yield deed.told(kind, f"{name} {outline}".strip() + came, flags=("effect", "outline"))
    yield deed.told(kind, f"{name} {full}".strip() + came, flags=("effect",))


def _found(deed: Action, words: str, hits: Sequence[SearchHit]) -> Iterator[Statement]:
    """What was sought, and what was found: a hit is told with its search."""
    sought = deed.told("ran", f"{words} → hits", flags=("reads", "record", "opens"))
    yield sought
    for at, hit in enumerate(hits):
        told = deed.told("ran", f"hit: {hit}", key=hit.address, flags=("reads", "record"))
        yield replace(told, leads=(sought,), place=(deed.part, at))


def _came_of(value: Any, given: str) -> str:
    """What a service says of its deed: what it calls the thing that it made, or the thing's state."""
    fields = value if isinstance(value, Mapping) else {}
    called = next((str(fields[name]) for name in _CALLED if fields.get(name)), "")
    return called or record_text(outcome_of(value, given), OUTLINE_CHARS)


def _is_record(value: Any) -> bool:
    return bool(record_key(value)) and len(value) > len(outcome_of(value))


def _records(deed: Action, words: str, value: Any) -> Iterator[Statement]:
    """A record in outline and in full; by its key, a newer version takes the place of an older one."""
    key, head = record_key(value) or words, f"{words} → ".removeprefix(" → ")
    outline, full = (record_text(value, most) for most in (OUTLINE_CHARS, RECORD_CHARS))
    if outline != full:
        yield deed.told("ran", head + outline, key=key, flags=("outline", "reads", "record"))
    if full:
        yield deed.told("ran", head + full, key=key, flags=("reads", "record"))
