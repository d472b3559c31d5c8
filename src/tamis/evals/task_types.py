"""The type of a session's task, told from the user's first request and from the agent's actions."""

import re
from collections import Counter
from typing import Literal

from tamis.ledger.files.file_tools import command_line, first_path
from tamis.ledger.speech.prose import speaker, without_harness
from tamis.messages import Session

TaskType = Literal["debugging", "feature", "review", "refactoring", "support", "other"]
ASKED_CHARS = 6_000  # of each message so much is looked at; what stands first weighs most
FIRST_CHARS = 400
FIRST_WEIGHT = 3

_CUES: dict[TaskType, re.Pattern[str]] = {
    "debugging": re.compile(
        r"\b(?:bugs?|fix(?:es|ed|ing)?|fails?|failing|failed|failure|errors?|exceptions?|traceback|crash\w*"
        r"|broken|regression|wrong|incorrect\w*|unexpected\w*|not work\w*|doesn't|does not|debug\w*"
        r"|reproduce)\b|修复|报错",
        re.IGNORECASE,
    ),
    "feature": re.compile(
        r"\b(?:add|implement\w*|support for|creat(?:e|ing)|build"
        r"|new (?:feature|command|option|page|endpoint)|introduce|allow"
        r"|enable|feature|make (?:a|an)|write (?:a|an)|set up)\b|新增|实现",
        re.IGNORECASE,
    ),
    "review": re.compile(
        r"\b(?:review\w*|feedback|audit|critique|look over|code quality"
        r"|comments? on (?:the|this|my) (?:pr|code)"
        r"|PR #?\d+|PR feedback|pull request comments?)\b|评审",
        re.IGNORECASE,
    ),
    "refactoring": re.compile(
        r"\b(?:refactor\w*|clean ?up|simplif\w*|renam(?:e|ing)|extract\w*|restructur\w*"
        r"|reorgani[sz]\w*|dedup\w*"
        r"|migrat\w*|split (?:up|into|the)|move \w+ (?:in)?to|dead code|unif(?:y|ied))\b|重构",
        re.IGNORECASE,
    ),
}
_SERVES = re.compile(
    r"\b(?:my (?:order|reservation|booking|flight|account|bill|phone|plan|payment)|refund"
    r"|cancel|exchange|return|baggage|passenger|delivered|customer)\b",
    re.IGNORECASE,
)


def task_type(session: Session) -> TaskType:
    """What most words of the first request ask for; support is a talk in which no file is touched.

    >>> from tamis.messages import Message, Text
    >>> asked = Message(id="1", role="user", parts=(Text(text="Fix the crash of the importer."),))
    >>> task_type(Session(id="s", format="messages", messages=(asked,)))
    'debugging'
    """
    said = (without_harness(m.text).strip() for m in session.messages if speaker(m) == "user")
    asked = [text[:ASKED_CHARS] for text in said if text]
    calls = [call for message in session.messages for call in message.calls]
    if _SERVES.search("\n".join(asked)) and not any(command_line(c) or first_path(c) for c in calls):
        return "support"
    for words in asked:  # what comes later is about how it went
        counts: Counter[TaskType] = Counter()
        for kind, cue in _CUES.items():
            for found in cue.finditer(words):
                counts[kind] += FIRST_WEIGHT if found.start() < FIRST_CHARS else 1
        if counts:
            return max(counts, key=lambda kind: counts[kind])
    return "other"
