"""What a language model is asked and what it answers: the contract on one page.

A model may be anybody's: an object with a name, a window and an async `ask`. What is handed to it and what
comes back are plain values, so that a test can script them and a file can record them.
"""

from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, ValidationError

from tamis.errors import UnusableReply

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What a model is asked: what it is to do, and what it is to do it on.

    `max_output_tokens` bounds the answer; one that is cut off there is an `UnusableReply`.
    """

    instructions: str
    text: str
    max_output_tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a model answered. Tokens are None where the server does not report them."""

    text: str
    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float = field(default=0.0, compare=False)


@runtime_checkable
class Model(Protocol):
    """A language model.

    `name` says which, `window_tokens` how much it can take in at once, where that is known.
    """

    @property
    def name(self) -> str:
        """Which model."""

    @property
    def window_tokens(self) -> int | None:
        """How many tokens prompt and answer may take together; None where it is not known."""

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """Answer the prompt, in JSON of this schema where one is given.

        The server is told to keep to the schema; whether it did is seen when the reply is read
        (`read_reply`).

        Raises:
            ModelError: one of its kinds, for each way to give no answer.
        """


def read_reply(reply: Reply, schema: type[T]) -> T:
    """The value in a reply that was to be JSON, alone or in a fence of Markdown.

    Raises:
        UnusableReply: prose, half a JSON, or fields that do not fit; names the first of them.

    >>> class Port(BaseModel):
    ...     number: int
    >>> read_reply(Reply(text='{"number": 8080}', model="m"), Port).number
    8080
    """
    try:
        return schema.model_validate_json(_unfenced(reply.text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        said = " ".join(reply.text.split())[:80]
        place = f" at {where!r}" if where else ""
        raise UnusableReply(
            f"{reply.model} did not answer with the JSON that was asked for: {first['msg']}{place}; "
            f"it said {said!r}"
        ) from None


def _unfenced(text: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1] == "```":
        return "\n".join(lines[1:-1])
    return text
