"""Commits, and what was put where others see it: pushes, pull requests, issues, comments."""

from __future__ import annotations

import re

from tamis.compactors.brief.reading.call_text import BREAK, bare, last_lines, shortened
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.shell.heredocs import cut_heredocs

MESSAGE_CHARS = 1_200
BODY_CHARS = 420
COMMAND_CHARS = 110

_COMMIT = re.compile(r"\bgit\b(?:(?!\bgit\b)[^\n|;&])*?\bcommit\b")
_PUSH = re.compile(r"\bgit\b(?:(?!\bgit\b)[^\n|;&])*?\bpush\b")
_REFUSED = re.compile(r"rejected|error:|fatal:")
_HASH = re.compile(r"\[[^\[\]\n]*? ([0-9a-f]{7,40})\]")
_QUOTED = r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)')"
_MESSAGE = re.compile(rf"(?:\s-[a-zA-Z]*m|--message)[ =]\s*{_QUOTED}", re.DOTALL)
_TRAILER = re.compile(r"(?im)^[ \t]*(?:co-authored-by|signed-off-by|entire-[\w-]|🤖|generated with).*$")
_POSTS = re.compile(
    r"\bgh\s+(?:pr|issue|release)\s+(?:create|comment|review|edit|merge|close|reopen|ready)\b"
    r"|\bgh\s+api\b(?:(?!\bgh\s+api\b)[^\n])*(?:-f|--field|-F|--raw-field|-X\s*(?:POST|PATCH|PUT))"
    r"|\bgit\s+(?:push|merge|rebase|reset|checkout|switch|stash|cherry-pick|tag|revert|branch -[dDm])\b"
)
_FIELD = re.compile(
    rf"(?:(?:-f|-F|--field|--raw-field)\s+(?:body|title|state)=|--(?:title|body|comment)[ =]){_QUOTED}",
    re.DOTALL,
)
_PATH = re.compile(r"\bgh\s+api\s+(?:-X\s*\w+\s+|--method\s+\w+\s+)?[\"']?(\S+?)[\"']?(?:\s|$)")
_REPLY = re.compile(r"(?:pulls/(\d+)/)?comments/(\d+)/replies")
_OPTIONS = re.compile(r"\s--?(?:title|body)[ =].*", re.DOTALL)
_IDENTIFIERS = (
    re.compile(r"\"(?:identifier|key|html_url|number)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
    re.compile(r"(https?://\S+/(?:pull|issues)/\d+)|\b([A-Z]{2,6}-\d+)\b"),
    re.compile(r"\"(?:url|id)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
)


def commits(command: str) -> bool:
    """Whether a command makes a commit."""
    return _COMMIT.search(command) is not None


def posts(command: str) -> bool:
    """Whether a command changes what others see, or where the work stands in version control."""
    return _POSTS.search(command) is not None


def commit_text(command: str, output: str) -> str | None:
    """The commit with its hash and its message; None where the output does not show that it was made.

    >>> commit_text("git commit -m 'Keep blank rows'", "[main 0a1b2c3] Keep blank rows")
    'committed 0a1b2c3: Keep blank rows'
    """
    bodies = cut_heredocs(command)[1]
    quoted = [found["double"] or found["single"] or "" for found in _MESSAGE.finditer(command)]
    lines = [line.strip() for line in _TRAILER.sub("", "\n".join(bodies or quoted)).splitlines()]
    message = [line for line in lines if line]
    made = _HASH.search(output)
    if made is None and message:
        logged = rf"(?m)^\W{{0,3}}([0-9a-f]{{7,40}}) (?:\([^)]*\) )?{re.escape(message[0])}"
        made = re.search(logged, output)
    if made is None:
        return None
    pushed = " and pushed" if _PUSH.search(command) and not _REFUSED.search(output) else ""
    return f"committed{pushed} {made[1][:10]}: {shortened(BREAK.join(message), MESSAGE_CHARS)}"


def post_text(command: str, subject: str, output: str, *, failed: bool) -> str:
    """What was posted where, and what came of it."""
    words = [found["double"] or found["single"] or "" for found in _FIELD.finditer(command)]
    words = [text for text in words if text and not text.startswith("$(cat")]
    words += cut_heredocs(command)[1]
    reply = _REPLY.search(command)
    if reply and words and not failed:
        of = f" of PR {reply[1]}" if reply[1] else ""
        return f"replied to comment {reply[2]}{of}: {shortened(one_line(words[0]), 300)}"
    if words:
        path = _PATH.search(command)
        head = f"gh api {path[1]}" if path else shortened(bare(_OPTIONS.sub("", subject)), 70)
        told = f"{head}: {shortened(one_line(' — '.join(words)), BODY_CHARS)}"
    else:
        told = f"ran `{shortened(bare(subject), COMMAND_CHARS)}`"
    return f"{told} → {_outcome(output)}"


def _outcome(output: str) -> str:
    if output.startswith("{"):
        found = identifier_in(output)
        return f"ok ({found})" if found else "ok"
    return last_lines(output, 140) or "ok"


def identifier_in(output: str) -> str | None:
    """What a service calls the thing that it made or changed.

    >>> identifier_in('{"id": "d629", "identifier": "ENT-228"}')
    'ENT-228'
    """
    for pattern in _IDENTIFIERS:
        if found := pattern.search(output):
            return next(group for group in found.groups() if group)
    return None
