"""Everyday work of an agent, made up to any length: what buries the part of a transcript that is tested.

An episode is a request, a tool call with its output, and what the agent makes of it, composed from word
lists. Its lines hold what any session holds: rules in files that were read, warnings, numbers, names, "never"
and "must" in logs, so that what is tested cannot be told by its looks.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import as_file, files
from itertools import count
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from tamis.bench.word_lists import MAX_TRIES, Draws, Words, own_words
from tamis.errors import InputError
from tamis.messages import Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Role
from tamis.sessions.loose import texts_within
from tamis.yaml_files import YamlDocument, read_documents

FillerTexts = Annotated[list[str], Field(min_length=1)]


class FillerOutput(BaseModel, extra="forbid", frozen=True):
    """What a tool prints: `head`, then some `lines` drawn from `line`, then `tail`."""

    head: str | None = None
    line: FillerTexts
    lines: Annotated[tuple[int, int], Field(description="from, to")]
    tail: FillerTexts | None = None


class FillerEpisode(BaseModel, extra="forbid", frozen=True):
    """A piece of work. `let` are values drawn once, which the other texts name as `{=name}`."""

    let: dict[str, str] = {}
    ask: FillerTexts | None = None
    say: FillerTexts | None = None
    tool: str | None = None
    arguments: dict[str, str] = {}
    output: FillerOutput | None = None
    exit_code: int = 0
    close: FillerTexts | None = None


class FillerWork:
    """Episodes to draw from."""

    def __init__(self, episodes: list[FillerEpisode], words: Words) -> None:
        self._episodes = episodes
        self._words = words

    def episodes(
        self, draws: Draws, avoid: Collection[str], *, only_talk: bool = False
    ) -> Iterator[tuple[Message, ...]]:
        """Episodes without end, none of which holds a text that is to be avoided.

        With `only_talk` they are those without a tool: a remark and its answer.
        """
        episodes = [e for e in self._episodes if e.tool is None or not only_talk]
        avoided = _any_of(avoid)
        for number in count():
            for attempt in range(MAX_TRIES):
                own = draws.named(f"{number}.{attempt}")
                made = self._episode(own.choice(episodes), own, number)
                if not any(avoided.search(said) for said in _texts(made)):
                    break
            else:
                raise InputError(f"every episode of work holds one of {sorted(avoid)}; draw from other lists")
            yield made

    def _episode(self, episode: FillerEpisode, draws: Draws, number: int) -> tuple[Message, ...]:
        given: dict[str, str] = {}
        for name, text in episode.let.items():
            given[name] = self._words.fill(text, draws, given)

        def fill(text: str) -> str:
            return self._words.fill(text, draws, given)

        messages = []
        if episode.ask:
            messages.append(_said("user", fill(draws.choice(episode.ask))))
        if episode.tool and episode.output:
            arguments = {name: fill(text) for name, text in episode.arguments.items()}
            call = ToolCall(id=f"work_{number}", name=episode.tool, arguments=arguments)
            said = (Text(text=fill(draws.choice(episode.say))),) if episode.say else ()
            messages.append(Message(id="", role="assistant", parts=(*said, call)))
            result = ToolResult(
                call_id=call.id,
                name=call.name,
                text=self._output(episode.output, draws, given),
                exit_code=episode.exit_code,
                is_error=episode.exit_code != 0,
            )
            messages.append(Message(id="", role="tool", parts=(result,)))
        if episode.close:
            messages.append(_said("assistant", fill(draws.choice(episode.close))))
        return tuple(messages)

    def _output(self, output: FillerOutput, draws: Draws, given: dict[str, str]) -> str:
        lines = [output.head] if output.head else []
        lines += [draws.choice(output.line) for _ in range(draws.between(*output.lines))]
        if output.tail:
            lines.append(draws.choice(output.tail))
        return "\n".join(self._words.fill(line, draws, given) for line in lines)


@cache
def own_work() -> FillerWork:
    """The work that ships with this package."""
    words = own_words()
    episodes = []
    with as_file(files("tamis.bench") / "episodes") as folder:
        for path in sorted(folder.glob("*.yaml")):
            for document in read_documents(path):
                episodes += [_read_episode(document, at, words) for at in range(len(document.data))]
    return FillerWork(episodes, words)


def _read_episode(document: YamlDocument, at: int, words: Words) -> FillerEpisode:
    try:
        episode = FillerEpisode.model_validate(document.data[at])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise document.error((at, *first["loc"]), first["msg"]) from None
    for text in texts_within(document.data[at]):
        if missing := words.unknown_in(text, episode.let):
            raise document.error((at,), f"{missing} names no word list; add it or correct the name")
    return episode


def _any_of(texts: Collection[str]) -> re.Pattern[str]:
    """Finds any of the texts as words of their own; without texts it finds nothing."""
    if not texts:
        return re.compile(r"(?!)")
    choices = "|".join(re.escape(text) for text in sorted(texts))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{choices})(?![A-Za-z0-9])", re.IGNORECASE)


def _said(role: Role, text: str) -> Message:
    return Message(id="", role=role, parts=(Text(text=text),))


def _texts(messages: tuple[Message, ...]) -> Iterator[str]:
    for message in messages:
        for part in message.parts:
            match part:
                case Text() | ToolResult():
                    yield part.text
                case ToolCall():
                    yield from (str(value) for value in part.arguments.values())
