"""The session files that a trial's command wrote, in any format that tamis reads."""

import glob
from collections.abc import Sequence
from pathlib import Path

from tamis.ab.trial import SessionLog
from tamis.errors import TamisError
from tamis.messages import Counter, Message, count_messages
from tamis.sessions import read_all

CLOCK_STEP_S = 2.0
"""How coarse a file system's clock may be."""


def read_logs(
    patterns: Sequence[str], folder: Path, *, since: float, counter: Counter, notes: list[str]
) -> SessionLog | None:
    """What the newest files say together; None where there is none, and `notes` then say why.

    Patterns are as the shell has them; `{dir}` is the trial's folder. Files older than `since` (seconds since
    the epoch) are another's. `notes` is added to.
    """
    found = sorted(
        path
        for path in {
            Path(name)
            for pattern in patterns
            for name in glob.glob(pattern.replace("{dir}", str(folder)), recursive=True)  # noqa: PTH207 - may be absolute
        }
        if path.is_file() and path.stat().st_mtime >= since - CLOCK_STEP_S
    )
    if not found:
        if patterns:
            notes.append(f"wrote no session log at {', '.join(patterns)}")
        return None
    messages: list[Message] = []
    for path in found:
        try:
            messages += [message for session in read_all(path) for message in session.messages]
        except TamisError as error:
            notes.append(f"a session log could not be read: {error}")
    if not messages:
        return None
    return SessionLog(
        files=len(found),
        messages=len(messages),
        turns=sum(message.role == "assistant" for message in messages),
        tokens=sum(count_messages(messages, counter)),
    )
