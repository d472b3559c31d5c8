"""An agent without a model: it acts on a rule or a value only where that stands in its context.

It can mend every bug, knows no value by itself and remembers nothing. What it needs it looks for in its
context by words and by the form of the value, rules and what was settled only where the user or a summary
says it; a file that is not in view it reads again, and what it cannot find it leaves undone. So it shows what
a method left within reach of an agent that overlooks nothing, not how well a model does.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from tamis.ab.ticket_repository import LIMITS
from tamis.ab.ticket_work import Call
from tamis.models.protocol import Prompt, Reply

_CODE = r"[a-z]+-\d{4}\b"
_NUMBER = r"(?<![\w-])\d{3}\b"
_SENTENCE_END = re.compile(r"\n|(?<=[.!?]) ")
NEAR = 160
"""How far from the words that it belongs to a value may stand."""

UNKNOWN = "unknown"


class ScriptedAgent:
    """The agent as a model, for any number of tasks."""

    name = "scripted"
    window_tokens = None

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The next call, from the prompt alone."""
        del schema  # it says nothing else
        return Reply(text=json.dumps(_next(prompt).model_dump(exclude_defaults=True)), model=self.name)


@dataclass(frozen=True, slots=True)
class _View:
    """A context in parts: who speaks, and what is said."""

    parts: Sequence[tuple[str, str]]

    def of(self, *speakers: str) -> list[str]:
        return [text for who, text in self.parts if who in speakers]

    def find(self, words: str, form: str, *speakers: str) -> str | None:
        """The newest value of this form near all the words, in what these speakers say."""
        said = [sentence for text in self.of(*speakers) for sentence in _SENTENCE_END.split(text)]
        found = [nearest(sentence, words.split(), form) for sentence in said]
        return next((value for value in reversed(found) if value is not None), None)

    def calls(self) -> list[tuple[Call, str]]:
        """What the agent did and the tool said, as far as it is in view word for word."""
        made = []
        for (who, said), (other, result) in zip(self.parts, self.parts[1:], strict=False):
            if who == "you" and other == "tool" and said.startswith('{"tool"'):
                made.append((Call.model_validate_json(said), result))
        return made


def nearest(line: str, words: Sequence[str], form: str) -> str | None:
    """The value in a line that stands nearest to all of the words.

    >>> nearest("For render it is 331; for audit, in a batch, 614.", ["batch", "audit"], _NUMBER)
    '614'
    """
    text = line.lower()
    places = [[m.start() for m in re.finditer(rf"\b{re.escape(word)}\b", text)] for word in words]
    if not all(places):
        return None
    values = [
        (max((min(abs(at - match.start()) for at in each) for each in places), default=0), match.group())
        for match in re.finditer(form, text)
    ]
    distance, value = min(values, default=(NEAR + 1, ""), key=lambda pair: pair[0])
    return value if distance <= NEAR else None


def _next(prompt: Prompt) -> Call:
    marked = re.search(r"<<user (\w+)>>", prompt.instructions)
    mark = marked.group(1) if marked else ""
    pieces = re.split(rf"^<<(\w+) {mark}>>\n", prompt.text, flags=re.MULTILINE)[1:]
    said = (text.rstrip("\n") for text in pieces[1::2])
    view = _View(list(zip(pieces[::2], said, strict=True)))
    asked = [
        (n, match.group())
        for n, (who, text) in enumerate(view.parts)
        if who in ("user", "summary")
        for match in re.finditer(r"(Ticket|Question) \d+ of \d+.*", text)
    ]
    if not asked:
        return Call(tool="done", text=UNKNOWN)
    at, text = asked[-1]
    since = _View(view.parts[at:])
    return _answer(view, since, text) if text.startswith("Question") else _mend(view, since, text)


def _answer(view: _View, since: _View, asked: str) -> Call:
    for pattern, words, form, speakers in _QUESTIONS:
        if match := re.search(pattern, asked):
            value = view.find(words.format(match[1]), form, *speakers)
            if value is None and "incident" in asked and not since.calls():
                return Call(tool="read_file", path=f"src/{match[1]}.py")
            if value is None and "before" in asked:
                value = _before(view, match[1])
            return Call(tool="answer", text=value or UNKNOWN)
    return Call(tool="answer", text=UNKNOWN)


_ALL = ("user", "summary")
_OWN = (*_ALL, "you")
"""What the agent did itself shows these rules too."""

_QUESTIONS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (r"customer of (\w+)", "customer {}", _CODE, _ALL),
    (r"deploy window of (\w+)", "deploy window {}", _CODE, _ALL),
    (r"batch of (\w+)", "batch {}", _NUMBER, _ALL),
    (r"first test run of (\S+) print", "trace {}", r"(?!later)" + _CODE, ("tool", "summary")),
    (r"incident does src/(\w+)\.py", "incident {}", _CODE, ("tool", "summary")),
    (r"TIMEOUT_S of (\S+) before", "before timeout_s {}", _NUMBER, ("summary",)),
)


def _before(view: _View, path: str) -> str | None:
    """The value that an edit in view replaced, or that a summary of edits quotes as replaced."""
    for call, _ in view.calls():
        if call.tool == "edit_file" and call.path == path and call.old.startswith("TIMEOUT_S = "):
            return call.old.removeprefix("TIMEOUT_S = ")
    for line in "\n".join(view.of("summary")).splitlines():
        if path in line and (match := re.search(r"TIMEOUT_S = (\d{3})\W{1,12}(?:to\W+)?TIMEOUT_S = ", line)):
            return match.group(1)
    return None


def _mend(view: _View, since: _View, asked: str) -> Call:
    path = next(iter(re.findall(r"src/\w+\.py", asked)), "")
    area = path[4:-3]
    if view.find("generated", re.escape(path), *_ALL):
        path = view.find("", rf"tools/{area}_source\.py", *_ALL) or path
    value = UNKNOWN
    if "BATCH" in asked:
        value = view.find(f"batch {area}", _NUMBER, *_ALL) or UNKNOWN
    if "TIMEOUT_S" in asked:
        found = view.find(f"timeout {area} seconds", _NUMBER, "tool", "summary")
        if found is None and not any(call.path == LIMITS for call, _ in since.calls()):
            return Call(tool="read_file", path=LIMITS)
        value = found or UNKNOWN
    source = _source(view.calls(), path)
    if source is None:
        return Call(tool="read_file", path=path)
    audited = view.find("audited", _CODE, *_ALL) if "audited" in asked else None
    mended = _mended_line(source, asked, value, audited)
    if mended is not None:
        return Call(tool="edit_file", path=path, old=mended[0], new=mended[1])
    approved = view.find("approved", _CODE, *_OWN)
    first = source.split("\n", 1)[0]
    if approved and not first.startswith("# approved"):
        return Call(tool="edit_file", path=path, old=first, new=f"# approved: {approved}\n{first}")
    if not any(call.tool == "run_tests" for call, _ in since.calls()):
        seed = view.find("seed", _NUMBER, *_OWN)
        return Call(tool="run_tests", path=path, seed=int(seed or 0))
    handover = view.find("night shift note", _CODE, *_ALL) if "night shift" in asked else None
    return Call(tool="done", text=handover or "done")


def _source(calls: Iterable[tuple[Call, str]], path: str) -> str | None:
    """The file as it is now: read in view word for word, with the edits since."""
    source: str | None = None
    for call, result in calls:
        if call.path != path:
            continue
        if call.tool == "read_file" and result.startswith(f"{path}:\n") and "\n# end of " in result:
            source = result.removeprefix(f"{path}:\n")
        elif call.tool == "edit_file" and source and result.startswith("edited"):
            source = source.replace(call.old, call.new)
    return source


def _mended_line(source: str, asked: str, value: str, audited: str | None) -> tuple[str, str] | None:
    """The line that is wrong and what it should be; None where nothing is, or nobody knows what."""
    for name, mend in _MENDS.items():
        if name not in asked or (value == UNKNOWN and name.isupper()):
            continue
        for line in source.splitlines():
            right = mend(line, value)
            if right is not None and audited and audited not in line:
                right += f"  # {audited}"
            if right not in (None, line):
                return line, right
    return None


def _set(name: str) -> Callable[[str, str], str | None]:
    def mend(line: str, value: str) -> str | None:
        return re.sub(r"= \d+", f"= {value}", line) if line.startswith(f"{name} = ") else None

    return mend


def _swap(wrong: str, right: str) -> Callable[[str, str], str | None]:
    return lambda line, _: line.replace(wrong, right) if wrong in line else None


_MENDS: dict[str, Callable[[str, str], str | None]] = {
    "TIMEOUT_S": _set("TIMEOUT_S"),
    "BATCH": _set("BATCH"),
    "is_allowed": _swap("count < MOST", "count <= MOST"),
    "first_items": _swap("count - 1", "count"),
    "mean_of": _swap("(len(values) + 1)", "len(values)"),
}
