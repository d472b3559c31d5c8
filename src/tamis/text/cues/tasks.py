"""Words of work that is left, done or put off, in English and Chinese.

Every pattern has cues beside it, of which one must stand in a text before the pattern is tried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamis.text.cues import zh


def _any(*phrases: str) -> str:
    return "|".join(phrases)


_OPEN_HEADINGS = _any(
    r"(?:what(?:'s| is) )?(?:still )?(?:remaining|outstanding|pending|unfinished|left)"
    r"(?: (?:to do|work|tasks?|items?|steps?|issues?|todos?))?",
    r"still to do",
    r"to[- ]?dos?(?: list)?",
    r"open (?:items|tasks|points)",
    r"next(?: steps?| up| tasks?)?",
    zh.OPEN_HEADINGS,
)
_DEFERRED_HEADINGS = _any(
    r"deferred(?: (?:work|tasks|items))?",
    r"(?:out[ -]of|not in)[ -]scope",
    r"follow[- ]?ups?(?: (?:work|tasks|items))?",
    r"future work",
    r"(?:for )?later",
    zh.DEFERRED_HEADINGS,
)

HEADING = re.compile(
    r"^[ \t]*+(?:#{1,6}[ \t]+)?(?:\d+[.)][ \t]*)?[*_]{0,2}"
    rf"(?:(?P<deferred>{_DEFERRED_HEADINGS})|(?P<open>{_OPEN_HEADINGS}))"
    r"[ \t]*+(?:[(（][^()（）\n]{0,40}[)）][ \t]*+)?[:：]?[*_]{0,2}[ \t]*+[:：]?[ \t]*+$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that says what the list below it is; the group that took part is the status."""

HEADING_CUES = (
    *("cope", "defer", "Defer", "eft", "emaining", "ending", "ext", "inished", "ater", "ODO", "o-do"),
    *("odo", "ollow", "pen ", "till ", "uture", "utstanding"),
    *zh.HEADING_CUES,
)

LABEL = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+)?[*_]{0,2}"
    rf"(?:(?P<open>TODO|To-do|Still to do|Remaining|{zh.OPEN_LABELS})"
    rf"|(?P<deferred>Deferred|Out of scope|Follow-up|{zh.DEFERRED_LABELS})"
    rf"|(?P<done>{zh.DONE_LABELS}))"
    r"(?:[ \t]*\([^()\n]{0,40}\))?[*_]{0,2}[:：][*_]{0,2}[ \t]*(\S.*)$",
    re.MULTILINE,
)
"""`TODO: ...` at the beginning of a line; the named group that took part is the status, group 4 the task."""

LABEL_CUES = (
    *("TODO", "o-do", "till to do", "emaining", "eferred", "ut of scope", "ollow-up"),
    *zh.LABEL_CUES,
)

_PUTTING = r"(?:leave|save|defer|postpone|push|do|handle|tackle|fix|add|address|revisit|come back to)"
_OFF = _any(
    r"(?:for|until|to) later",
    r"later(?: on)?[.!]?$",
    r"in a (?:follow[- ]?up|separate|later|future) \w+",
    r"(?:for|until) (?:the )?next (?:release|sprint|version|week|month|pr)",
)

PUT_OFF = re.compile(
    rf"\b(?:{_PUTTING}\b(?:(?!\b{_PUTTING}\b).){{0,120}}\b(?:{_OFF})|(?:is|are|be) out of scope"
    r"|(?:defer|postpone|park) (?:the|that|this|it)\b)"
    rf"|{zh.PUT_OFF}",
    re.IGNORECASE,
)
"""A sentence by which somebody puts work off."""

PUT_OFF_CUES = (
    *("ater", "ollow", "cope", "efer", "ostpone", "next ", "ark ", "eparate ", "future "),
    *zh.PUT_OFF_CUES,
)

NOTHING = re.compile(
    rf"\A[*_]*(?:none|n/a|nothing|no (?:pending|remaining|open|outstanding)|{zh.NOTHING})", re.IGNORECASE
)
"""What stands in a list of tasks where there are none."""


def may_hold(text: str, cues: Sequence[str]) -> bool:
    """Whether one of the cues stands in the text."""
    return any(cue in text for cue in cues)
