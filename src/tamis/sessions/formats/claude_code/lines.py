"""Which lines of a Claude Code log belong to which message, and which are no conversation at all."""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tamis.text.cues.phrases import word_set

NOT_CONVERSATION = word_set("""
    agent-color agent-name ai-title attribution-snapshot content-replacement custom-title
    file-history-snapshot last-prompt mode permission-mode pr-link progress queue-operation summary
    system tag task-summary worktree-state
""")
"""Types of line that carry no message (but for what the reader knows): bookkeeping of the program."""

_HARNESS_TAGS = (
    "command-name|command-message|command-args|command-contents|local-command-[a-z]+|bash-[a-z]+|system-reminder"
    "|task-notification|agent-notification|ide_[a-z_]+|user-prompt-submit-hook|user-memory-input|tool_use_error"
)
_HARNESS = re.compile(rf"<({_HARNESS_TAGS})(?: [^<>]*+)?>")
_NOTE = re.compile(r"\[Request interrupted by user[^\[\]]*\]|Full transcript available at: \S+")
_BLANKS = re.compile(r"\s+")
_ARGUMENTS = re.compile(r"<command-args>\s*[^<\s]")


def is_harness_text(text: str) -> bool:
    r"""Whether a user message's text was put there by the program and not typed.

    >>> is_harness_text("<local-command-stdout>ok</local-command-stdout>"), is_harness_text("fix it")
    (True, False)
    >>> is_harness_text("<task-notification>ok</task-notification>\nFull transcript available at: /a.log")
    True
    """
    if not text or _ARGUMENTS.search(text):
        return False
    at = 0
    while at < len(text):
        found = _HARNESS.match(text, at) or _NOTE.match(text, at) or _BLANKS.match(text, at)
        if found is None:
            return False
        closing = f"</{found[1]}>" if found.re is _HARNESS else ""
        end = text.find(closing, found.end())
        if end < 0:
            return False
        at = end + len(closing)
    return True


class SourceLine(NamedTuple):
    """A line and its place in the file: its object, or its text if it became no message, and its uuid."""

    number: int
    content: dict[str, Any] | str
    uuid: str = ""


@dataclass(eq=False, slots=True)
class SourceFile:
    """The file that a session was read from, as far as it must be known to write it back.

    `uuids` are all that were read from it; `before` are the lines ahead of the first message.
    """

    uuids: set[str] = field(default_factory=set)
    before: list[SourceLine] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class MessageLines:
    """The lines of one message: `own` were read into it, `after` are the others up to the next message."""

    file: SourceFile
    own: list[SourceLine]
    after: list[SourceLine] = field(default_factory=list)

    def in_order(self) -> list[SourceLine]:
        """All of them in the order of the file."""
        return sorted([*self.own, *self.after], key=lambda line: line.number)
