"""Sessions in which the agent finds things on the way and sums them up at the end."""

from __future__ import annotations

import json
from pathlib import Path

from tamis.messages import Message, Role, Session, Text

FINDINGS = (
    "The importer drops row {n}44 because the counter starts behind the header.",
    "The scheduler fires twice since daylight saving moves midnight to hour {n}.",
    "The renderer leaks {n} handles because no surface is ever released.",
    "The uploader stalls because the proxy swallows chunk {n} without an answer.",
    "The exporter writes umlauts wrongly since codec latin{n} is the default.",
    "The cache never expires because its deadline of {n} seconds is compared with milliseconds.",
    "The router prefers gateway {n} since weights are sorted as strings.",
    "The mailer bounces because certificate {n} ended in March.",
)
"""What the agent finds, and says again at the end."""

BLAND = (
    "Looking at folder {i} now, where the older sources of this tool lie.",
    "There is a long listing here, with nothing in it that was asked for.",
    "I go on with file number {i} and read it from its top.",
    "Most of it is as one would think, so far.",
)
"""What the agent says on the way, and never again."""


def summed_up(number: int) -> Session:
    """Eight findings among many bland words; the last message tells all eight again."""
    findings = [finding.format(n=number + 11) for finding in FINDINGS]
    said: list[tuple[Role, str]] = [("user", f"Find out why the nightly run {number} breaks.")]
    for i, finding in enumerate(findings):
        bland = " ".join(line.format(i=f"{number}.{i}.{k}") for k in range(6) for line in BLAND)
        said.append(("assistant", f"{bland} {finding}"))
    report = "\n".join(f"- {finding}" for finding in findings)
    said.append(("assistant", f"In summary, these break the nightly run:\n{report}"))
    messages = tuple(Message(id=f"m{i}", role=r, parts=(Text(text=t),)) for i, (r, t) in enumerate(said))
    return Session(id=f"nightly-{number}", format="messages", messages=messages)


def chat_file(path: Path, session: Session) -> Path:
    """The session as a chat in a file."""
    path.write_text(json.dumps([{"role": m.role, "content": m.text} for m in session.messages]))
    return path
