"""Tool calls that a model wrote as XML in its text.

    <read_file>
    <path>src/app.py</path>
    </read_file>

This is no XML: values are not escaped, and a file's content may hold any tag, its own closing tag included.
So a value ends at the first closing tag that is followed by another parameter or by the end of the call. A
call that was cut off keeps what it got. Every text is read in one pass.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

_TAG = re.compile(r"<([A-Za-z_]\w*)>")
_OPENING = re.compile(r"<([A-Za-z_]\w*)>\s*(?=<)")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlCall:
    """A call as it was written: the tool's name and its parameters."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Element:
    """A closed element: where it stands, tags included, and what is inside."""

    start: int
    end: int
    inner: str


def split_calls(text: str, names: Collection[str]) -> Iterator[str | XmlCall]:
    """The prose and the calls of a text, in order; prose as it stands, without the line breaks at its ends.

    Args:
        text: what the model wrote.
        names: the tools that there are; other tags are prose.

    >>> list(split_calls("Look: <ls> <path>src</path> </ls>", {"ls"}))
    ['Look: ', XmlCall(name='ls', arguments={'path': 'src'})]
    """
    parameters = _Parameters(text)
    start = at = 0
    while opening := _OPENING.search(text, at):
        name = opening.group(1)
        if name not in names:
            at = opening.end()
            continue
        if prose := text[start : opening.start()].strip("\n"):
            yield prose
        pairs, at = parameters.read(opening.end(), f"</{name}>")
        start = at
        yield XmlCall(name=name, arguments=_arguments(pairs))
    if prose := text[start:].strip("\n"):
        yield prose


def find_elements(text: str, names: Collection[str]) -> Iterator[Element]:
    """The elements with one of these names that are closed, in order; what is inside is not looked into.

    >>> [element.inner for element in find_elements("a <b>c</b> <b>", {"b"})]
    ['c']
    """
    left = set(names)
    at = 0
    while opening := _TAG.search(text, at):
        at = opening.end()
        name = opening.group(1)
        if name not in left:
            continue
        closing = f"</{name}>"
        end = text.find(closing, at)
        if end < 0:
            left.discard(name)  # none of this name is closed any more: do not search for it again
            continue
        inner = text[at:end].removeprefix("\n").removesuffix("\n")
        at = end + len(closing)
        yield Element(start=opening.start(), end=at, inner=inner)


@dataclass(slots=True)
class _Parameters:
    """Reads parameters off one text. `hopeless` are the tags known to have no good end any more."""

    text: str
    hopeless: set[tuple[str, str]] = field(default_factory=set)

    def read(self, at: int, closing: str) -> tuple[list[tuple[str, str]], int]:
        """The parameters from `at` up to `closing`, and the place behind it. Loose text is called `text`."""
        text = self.text
        pairs: list[tuple[str, str]] = []
        while at < len(text):
            at = _after_space(text, at)
            if text.startswith(closing, at):
                return pairs, at + len(closing)
            if tag := _TAG.match(text, at):
                end, at = self._value_end(tag.end(), f"</{tag.group(1)}>", closing)
                value = text[tag.end() : end].removeprefix("\n").removesuffix("\n")
                pairs.append((tag.group(1), value))
                continue
            end = text.find(closing, at)
            end = len(text) if end < 0 else end
            if loose := text[at:end].strip():
                pairs.append(("text", loose))
            at = end
        return pairs, at

    def _value_end(self, start: int, own: str, closing: str) -> tuple[int, int]:
        """Where a value ends and where the next thing begins; both are the end of a text that was cut off."""
        text = self.text
        first = end = text.find(own, start)
        if first < 0:
            return len(text), len(text)
        while end >= 0 and (own, closing) not in self.hopeless:
            behind = end + len(own)
            following = _after_space(text, behind)
            if following == len(text) or text.startswith(closing, following) or _TAG.match(text, following):
                return end, behind
            end = text.find(own, behind)
        self.hopeless.add((own, closing))
        return first, first + len(own)


def _arguments(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Parameters as a call's arguments.

    `<args>` is a wrapper around `<file>` elements: it is taken off, and the files become a list of objects
    called `files`, as in the same tools' native calls.
    """
    arguments: dict[str, Any] = {}
    for name, value in pairs:
        if name == "args" and value.lstrip().startswith("<"):
            children = _Parameters(value).read(0, "</args>")[0]
            files = [_file(inner) for tag, inner in children if tag == "file"]
            arguments |= {tag: inner for tag, inner in children if tag != "file"}
            if files:
                arguments["files"] = files
        else:
            arguments[name] = f"{arguments[name]}\n{value}" if name in arguments else value
    return arguments


def _file(source: str) -> dict[str, Any]:
    """One `<file>`: its path, and one or several of what is to be done with it."""
    fields: dict[str, Any] = {}
    for name, value in _Parameters(source).read(0, "</file>")[0]:
        known: Any = value
        if name == "diff" and value.lstrip().startswith("<"):
            known = dict(_Parameters(value).read(0, "</diff>")[0])
        if name in fields:
            earlier = fields[name] if isinstance(fields[name], list) else [fields[name]]
            known = [*earlier, known]
        fields[name] = known
    return fields


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
