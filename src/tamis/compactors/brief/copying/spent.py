"""Which outputs are spent: what they show is no more, is at hand, or was only looked at."""

import re
from collections.abc import Container, Mapping, Sequence

from tamis.compactors.brief.reading.deeds.action import is_quiet, is_skill
from tamis.compactors.brief.reading.deeds.action_runs import NOT_RUN
from tamis.compactors.brief.reading.deeds.call_text import is_trouble, search_words
from tamis.compactors.brief.reading.deeds.salience import SEARCHES, is_usage
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.ledger.files.effect_results import refused
from tamis.ledger.files.file_tools import command_line, first_path, paths_of, shape_of
from tamis.ledger.outputs.commands import exit_status
from tamis.ledger.shell.programs import is_named_check, only_reads, shows_help
from tamis.messages import Message, ToolCall, ToolResult
from tamis.messages.conversation import Part

HEAD_CHARS, END_LINES = 300, 30
"""Of what a call was given, so much names the file that it is about, as a patch does; of a run, so much says
how it went."""

_SHOWS = re.compile(r"(?m)^\[File: (\S+) ")
"""What a line editor says of the file that it has open."""

_DOCUMENT = re.compile(r"\.(?:mdx?|txt|rst|adoc|html?|pdf|log)\Z")
"""Ends the name of a file that is read for what it says."""

_DIFFS = re.compile(r"\bgit [^|;&]{0,80}\b(?:diff|show)\b")
"""A command that shows what was changed."""

_CLAIMS = re.compile(
    r"\W{0,9}(?:successfully )?(?:fixed|updated|patched|replaced|modified)\b[^\n]{0,80}\n?", re.I
)
"""What a script that edits says of itself, and no more: what it changed is told as its edit."""

_ALL_PASSED = re.compile(r"(?m)^={2,200} \d{1,9} passed\b(?![^\n]{0,200}\b(?:failed|error))")
"""The totals of a run of tests without a failure: nothing above them tells more."""


class Spent:
    """Whether a part is of a quiet or vain call, or shows what is no more."""

    def __init__(
        self, messages: Sequence[Message], calls: Mapping[str, ToolCall], changed: Mapping[str, int]
    ) -> None:
        results = [result for message in messages for result in message.results]
        self._calls, self._changed = calls, changed
        self._vain = {r.call_id for r in results if r.call_id in calls and _is_vain(calls[r.call_id], r)}
        told = (call for message in messages for call in message.calls)
        quiet = {c.id for c in told if is_quiet(c.name) or is_skill(c) or _reads_skill(c, changed)}
        self._skipped = self._vain | quiet

    def __call__(self, part: Part, turn: int) -> bool:
        """Whether a part of the message at a turn is spent."""
        if not isinstance(part, ToolResult):
            return isinstance(part, ToolCall) and part.id in self._vain
        return part.call_id in self._skipped or self.is_old(part, turn)

    def is_old(self, part: Part, turn: int) -> bool:
        """Whether a part is no more than what a file was before it was changed."""
        if not isinstance(part, ToolResult) or part.call_id in self._skipped:
            return False
        return _is_old(self._calls.get(part.call_id), part.text, turn, self._changed)


def only_looks(call: ToolCall, output: str, at_hand: Container[str], *, documents: bool = False) -> bool:
    """Whether a call only looks at files, or shows what an edit made of one.

    A document is read for what it says, unless it is `at_hand`: it was worked on, or holds the rest of an
    output; with `documents`, that counts no more.
    """
    line = command_line(call)
    names = [*file_names(line or ""), *(paths_of(call) if line is None else ())]
    if (
        names
        and not documents
        and all(_DOCUMENT.search(name) and name.rpartition("/")[2] not in at_hand for name in names)
    ):
        return False
    if line is None:
        return bool(search_words(call) or (names and shape_of(call) not in (None, "python")))
    return _SHOWS.search(output) is not None or (only_reads(line, None) and not _DIFFS.search(line))


def seeks(call: ToolCall) -> bool:
    """Whether a call searches."""
    return bool(search_words(call) or SEARCHES.match(f"ran `{command_line(call)}"))


def _reads_skill(call: ToolCall, changed: Mapping[str, int]) -> bool:
    """Whether a call opens instructions that stay at hand, and are not what is worked on."""
    opened = command_line(call) or first_path(call) or ""
    return opened.rstrip("'\"").endswith("/SKILL.md") and "SKILL.md" not in changed


def _is_vain(call: ToolCall, result: ToolResult) -> bool:
    """Whether what was to be written was not, or a call shows how a program is used, or that tests pass."""
    line = command_line(call)
    if line is None or NOT_RUN.match(result.text):
        return refused(result, reading=False) or line is not None
    calls = is_usage(result.text) and not (result.is_error or only_reads(line, None))
    ends = result.text.splitlines()[-END_LINES:]
    if is_named_check(line) and exit_status(result)[1] is not False and not any(map(is_trouble, ends)):
        return True  # that it went well is told
    if _CLAIMS.fullmatch(result.text) and "\n" not in line:
        return True
    return calls or shows_help(line, None) or _ALL_PASSED.search(result.text) is not None


def _is_old(call: ToolCall | None, output: str, turn: int, changed: Mapping[str, int]) -> bool:
    """Whether a call looked at a file that was changed afterwards, or only at how a program is called."""
    if call is not None and "--help" in (command_line(call) or "").split():
        return True
    words = "".join(f" {path}" for path in _SHOWS.findall(output))
    if call is not None:
        words += command_line(call) or first_path(call) or str([*call.arguments.values()])[:HEAD_CHARS]
    return any(changed.get(name, -1) >= turn for name in file_names(words))
