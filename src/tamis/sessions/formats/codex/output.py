"""The output of a Codex tool call: text, and how the command ended."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tamis.messages import Media
from tamis.sessions.blocks import result_content
from tamis.sessions.loose import as_dict

_ENDED = re.compile(
    r"(?:(?!Output:).*\n){0,4}?(?:Exit code:|Process exited with code) (-?\d+)\n(?:.*\n){0,4}?Output:"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What a call gave back; what the rollout does not tell is None."""

    text: str
    exit_code: int | None = None
    is_error: bool | None = None
    media: tuple[Media, ...] = ()


def read_output(value: object) -> Output:
    r"""Read an output in any of the shapes that Codex has used.

    JSON text with `output` and `metadata.exit_code`; text that begins with the exit code; content blocks; an
    object with `stdout`, `exitCode` or `success`.

    >>> read_output('{"output": "ok", "metadata": {"exit_code": 0}}')
    Output(text='ok', exit_code=0, is_error=None, media=())
    >>> read_output("Exit code: 2\nOutput:\nno such file").exit_code
    2
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
    return Output(
        text=text,
        exit_code=_exit_code(fields, text),
        is_error=not succeeded if isinstance(succeeded, bool) else None,
        media=media,
    )


def _exit_code(fields: dict[str, object], text: str) -> int | None:
    metadata = as_dict(fields.get("metadata"))
    for code in (metadata.get("exit_code"), fields.get("exit_code"), fields.get("exitCode")):
        if isinstance(code, int) and not isinstance(code, bool):
            return code
    match = _ENDED.match(text)
    return int(match[1]) if match else None
