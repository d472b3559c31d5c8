"""Messages as a person reads them: the text, with a line above each that says who speaks."""

from collections.abc import Iterable, Iterator

from tamis.messages.conversation import Media, Message, Part, ToolCall


def prose(messages: Iterable[Message]) -> str:
    """The messages as text. A summary that stands alone is its text and nothing else.

    >>> from tamis.messages import Message, Text
    >>> talk = [Message(id="1", role="user", parts=(Text(text="Fix it."),))]
    >>> print(prose([*talk, Message(id="2", role="assistant", parts=(Text(text="It is fixed."),))]))
    [user]
    Fix it.
    <BLANKLINE>
    [assistant]
    It is fixed.
    """
    given = list(messages)
    if len(given) == 1 and given[0].origin == "summary":
        return _body(given[0])
    return "\n\n".join(f"[{_speaker(message)}]\n{_body(message)}".rstrip() for message in given)


def _speaker(message: Message) -> str:
    if message.origin == "summary":
        return f"{message.role}, summary"
    names = " ".join(dict.fromkeys(result.name for result in message.results if result.name))
    return f"{message.role} {names}" if names else message.role


def _body(message: Message) -> str:
    return "\n".join(text for part in message.parts if (text := _part(part)))


def _part(part: Part) -> str:
    if isinstance(part, Media):
        return f"({part.kind})"
    if isinstance(part, ToolCall):
        return "\n".join(_call(part))
    return part.text.rstrip()


def _call(call: ToolCall) -> Iterator[str]:
    """Its name and its arguments: one behind it, several each on a line of its own."""
    if call.raw_arguments is not None or len(call.arguments) == 1:
        alone = call.raw_arguments if call.raw_arguments is not None else next(iter(call.arguments.values()))
        yield f"> {call.name}: {alone}"
        return
    yield f"> {call.name}"
    for name, value in call.arguments.items():
        said = str(value)
        lines = "\n".join(f"      {line}".rstrip() for line in said.rstrip().splitlines())
        yield f"    {name}: {said}" if "\n" not in said else f"    {name}:\n{lines}"
