"""The output of a Codex tool call: text, and how the command ended."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tamis.messages import Media
from tamis.sessions.blocks import result_content
from tamis.sessions.loose import as_dict

_HEADER = re.compile(
    r"(?:Chunk ID: (?P<chunk_id>\S+)\n)?"
    r"(?:Exit code: (?P<exit_code>-?\d+)\n)?"
    r"(?:Wall time: (?P<wall_time_seconds>\d+(?:\.\d+)?)(?: seconds)?\n)?"
    r"(?:Process exited with code (?P<exited_with>-?\d+)\n)?"
    r"(?P<running>Process running with session ID (?P<session_id>\S+)\n)?"
    r"(?:Original token count: (?P<original_token_count>\d+)\n)?"
    r"(?:Total output lines: (?P<total_lines>\d+)\n)?"
    r"Output:(?:\n|\Z)(?:Total output lines: (?P<lines>\d+)\n\n?)?"
)
"""The lines that Codex puts above a command's output for the model; one of them at least, in this order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What a call gave back; what the rollout does not tell is None.

    `details` holds what stood above the output: how long it took, how long it was before it was cut.
    """

    text: str
    exit_code: int | None = None
    is_error: bool | None = None
    media: tuple[Media, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def read_output(value: object) -> Output:
    r"""Read an output in any of the shapes that Codex has used.

    JSON text with `output` and `metadata.exit_code`; text under a header of lines such as `Exit code: 0` and
    `Wall time: 0.1 seconds`; content blocks; an object with `stdout`, `exitCode` or `success`. The header is
    taken off, but for the line that says that the process still runs.

    >>> read_output('{"output": "ok", "metadata": {"exit_code": 0}}')
    Output(text='ok', exit_code=0, is_error=None, media=(), details={})
    >>> output = read_output("Exit code: 2\nWall time: 0.5 seconds\nOutput:\nno such file")
    >>> output.text, output.exit_code, output.details
    ('no such file', 2, {'wall_time_seconds': 0.5})
    """
    if isinstance(value, str) and value.startswith("{"):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict) and "output" in parsed:
            value = parsed
    fields = as_dict(value)
    succeeded = fields.get("success")
    text, media = result_content(value)
    text, told = _without_header(text)
    ended = told.pop("exit_code", None)
    code = next((c for c in _exit_codes(fields) if isinstance(c, int) and not isinstance(c, bool)), ended)
    seconds = as_dict(fields.get("metadata")).get("duration_seconds")
    return Output(
        text=text,
        exit_code=code,
        is_error=not succeeded if isinstance(succeeded, bool) else None,
        media=media,
        details=told | ({"wall_time_seconds": seconds} if isinstance(seconds, int | float) else {}),
    )


def _without_header(text: str) -> tuple[str, dict[str, Any]]:
    header = _HEADER.match(text)
    if header is None or header[0].startswith("Output:"):
        return text, {}
    told: dict[str, Any] = {name: value for name, value in header.groupdict().items() if value is not None}
    still_running = told.pop("running", "")
    for one, other in (("exited_with", "exit_code"), ("lines", "total_lines")):
        if one in told:
            told[other] = told.pop(one)
    for name in ("exit_code", "original_token_count", "total_lines"):
        if name in told:
            told[name] = int(told[name])
    if "wall_time_seconds" in told:
        told["wall_time_seconds"] = float(told["wall_time_seconds"])
    return still_running + text[header.end() :], told


def _exit_codes(fields: Mapping[str, Any]) -> tuple[object, ...]:
    metadata = as_dict(fields.get("metadata"))
    return metadata.get("exit_code"), fields.get("exit_code"), fields.get("exitCode")
