"""The archive as a tool that an agent can call: one definition that stays the same, and the answer to a call.

    tools=[*yours, *tool_definitions("anthropic")]
    answer = answer_call(archive, call.name, call.arguments)

Register it once at the beginning of a session: a definition that appears later would break the prompt cache.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Literal, get_args

from tamis.archive.store import SHORT_ID, Archive, Hit, SessionIds, text_of
from tamis.errors import InputError, TamisError

ToolFormat = Literal["openai", "openai-responses", "anthropic", "mcp"]

TOOL_NAME = "recall"
DESCRIPTION = (
    "Get back what was taken out of this conversation to save room. Give `words` to search for (names, "
    "paths, numbers or phrases as they were written): each hit has an id. Give an `id` to get that message "
    "in full, exactly as it was."
)
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "words": {"type": "string", "description": "What to search for."},
        "id": {"type": "string", "description": "The id of a message, from a search."},
        "limit": {"type": "integer", "description": "How many hits at most; 5 unless told.", "minimum": 1},
    },
    "additionalProperties": False,
}
_MAX_HITS = 50


def tool_definitions(shape: ToolFormat) -> list[dict[str, Any]]:
    """The `recall` tool as an API takes it.

    Raises:
        InputError: no such shape.

    >>> tool_definitions("anthropic")[0]["name"]
    'recall'
    """
    parameters = deepcopy(PARAMETERS)
    function = {"name": TOOL_NAME, "description": DESCRIPTION, "parameters": parameters}
    match shape:
        case "openai":
            return [{"type": "function", "function": function}]
        case "openai-responses":
            return [{"type": "function", **function, "strict": False}]
        case "anthropic":
            return [{"name": TOOL_NAME, "description": DESCRIPTION, "input_schema": parameters}]
        case "mcp":
            return [{"name": TOOL_NAME, "description": DESCRIPTION, "inputSchema": parameters}]
    raise InputError(f"no API has the shape {shape!r}; choose one of {', '.join(get_args(ToolFormat))}")


def answer_call(
    archive: Archive, name: str, arguments: Mapping[str, Any], session: SessionIds | None = None
) -> str:
    """What to hand back to an agent that called the tool; a call that cannot be answered says why.

    Where `session` names one or several, nothing of any other is given. Words are searched for where an id
    leads nowhere: small models fill in every argument that there is.

    Raises:
        InputError: the call is for another tool.
    """
    if name != TOOL_NAME:
        raise InputError(f"the archive answers calls of {TOOL_NAME!r}, not of {name!r}")
    try:
        words, limit = str(arguments.get("words") or ""), arguments.get("limit") or 5
        if wanted := str(arguments.get("id") or "").strip():
            try:
                return text_of(archive.get(wanted, session))
            except InputError:
                if not words.strip():
                    raise
        if not isinstance(limit, int):
            raise InputError(f"a limit is a whole number, not {limit!r}")
        hits = archive.search(words, min(limit, _MAX_HITS), session)
    except TamisError as error:
        return f"Nothing was recalled: {error}".replace(str(archive.path), "the archive")
    nothing = f"Nothing in the archive says {words!r}; try fewer or other words."
    return "\n".join(map(hit_line, hits)) or nothing


def recall_function(archive: Archive) -> Callable[..., str]:
    """The tool as a function of whatever arguments a model gives by name."""
    return lambda **arguments: answer_call(archive, TOOL_NAME, arguments)


def hit_line(hit: Hit) -> str:
    """A hit on a line: the id as a call may give it, who spoke, and what was said."""
    return f"{hit.id[:SHORT_ID]} [{hit.role}] {hit.snippet}"
