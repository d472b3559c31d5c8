"""Asking a compactor that somebody else wrote: what comes is a compaction or a typed failure.

This is the edge at which a plug-in is called. What tamis's own methods raise is passed on: it is a bug.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, get_args

from tamis.compactors.protocol import AccountEntry, Compaction, CompactionRequest, Compactor, Outcome, Usage
from tamis.errors import MethodFailed, TamisError
from tamis.messages import Message, Part, part_text
from tamis.plugins import told

_HERE = "tamis."
_PEERS = "tamis.compactors.peers"
_PARTS: tuple[type, ...] = get_args(Part)


async def ask(compactor: Compactor, request: CompactionRequest) -> Compaction:
    """The compactor's answer.

    Raises:
        MethodFailed: somebody else's method raised, or answered with something else; names the method.
        TamisError: what the method raised of these itself.
    """
    try:
        made = await compactor.compact(request)
        fault = "" if is_own(compactor) else _fault(made)
    except TamisError:
        raise
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if is_own(compactor) or is_own(error) or ((task := asyncio.current_task()) and task.cancelling()):
            raise
        raise MethodFailed(f"{name_of(compactor)} raised {told(error)}") from error
    if fault:
        raise MethodFailed(f"{name_of(compactor)} {fault}")
    return made


def is_own(compactor: object) -> bool:
    """Whether a method is tamis's own: no plug-in, no user's file, and no library behind a peer.

    >>> is_own(print)
    False
    """
    module = str(getattr(type(compactor), "__module__", ""))
    return module.startswith(_HERE) and not module.startswith(_PEERS)


def name_of(compactor: object) -> str:
    """A method's name; its class's name where the method's cannot be read."""
    try:
        name: Any = getattr(compactor, "name", None)
    except Exception:  # a plug-in's own property
        name = None
    return name if isinstance(name, str) and name else type(compactor).__name__


def _fault(made: object) -> str:
    """What is wrong with the shape of an answer; empty where nothing is."""
    if not isinstance(made, Compaction):
        return f"returned {type(made).__name__}, not a tamis.compactors.Compaction"
    if made.outcome not in get_args(Outcome):
        return f"gave the outcome {made.outcome!r}; it is one of {', '.join(get_args(Outcome))}"
    expected = (
        ("messages", made.messages, Message),
        ("account", made.account, AccountEntry),
        ("warnings", made.warnings, str),
    )
    for field, values, kind in expected:
        if not isinstance(values, Iterable) or isinstance(values, str):
            return f"gave {type(values).__name__} for its {field}, not a tuple"
        if wrong := next((type(value).__name__ for value in values if not isinstance(value, kind)), None):
            return f"put {wrong} among its {field}; they are {kind.__name__}"
    if not all(isinstance(count, int) for count in (made.tokens_before, made.tokens_after)):
        return "gave token counts that are no whole numbers"
    if not isinstance(made.usage, Usage):
        return f"gave {type(made.usage).__name__} for its usage, not a tamis.compactors.Usage"
    parts = (part for message in made.messages for part in message.parts)
    if not all(isinstance(part, _PARTS) and isinstance(part_text(part), str) for part in parts):
        return "put something that is no part among the parts of a message"
    return ""
