"""Words of work that is left, done or put off, in English and Chinese.

Every pattern has cues beside it, of which one must stand in a text before the pattern is tried.
"""

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

IN_TREE = re.compile(r"\A[^\n]{0,40}\b(?:untracked|unstaged|gitignored)\b", re.IGNORECASE)
"""What remains in the work tree, which nobody is to do."""

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

_IDLE = r"(?:(?:ok(?:ay)?|well|actually|hm+|so|and|but|also|please|then|no|sorry|oh)[,.!]?\s+){0,3}"
GIVES_UP = re.compile(
    rf"^{_IDLE}(?:let's\s+|you\s+can\s+|we\s+can\s+)?(?P<verb>drop|scrap|skip|cancel|abandon|forget(?:\s+about)?|"
    r"leave\s+out|never\s?mind(?:\s+about)?|don['’]?t\s+(?:do|bother\s+with|worry\s+about)|no\s+need\s+(?:for|to\s+do)|"
    r"not\s+do|stop\s+working\s+on|(?:i|we)\s+(?:don['’]?t|do\s+not|no\s+longer)\s+(?:need|want))\b"
    r"\s*(?P<what>[^.!?;,:\n]{0,80})"
    r"|^(?P<zh>[^，。！？\n]{0,20}?)[，]?(?:就|也)?(?:先不做|不做|不用做|不要|取消|算)了",
    re.IGNORECASE,
)
"""A sentence by which the user gives a task up."""

FOR_NOW = re.compile(r"\b(?:for now|for the moment|yet|later)\b|先|暂", re.IGNORECASE)
"""It is only put off."""

NOTHING = re.compile(
    rf"\A[*_]*(?:none|n/a|nothing|no (?:pending|remaining|open|outstanding)|the user (?:may|might|could)\b"
    rf"|no \S+.{{0,60}}\b(?:yet|was|were|is|are)\b|confirm to the user\b|{zh.NOTHING})",
    re.IGNORECASE,
)
"""What stands in a list of tasks where there are none."""


def may_hold(text: str, cues: Sequence[str]) -> bool:
    """Whether one of the cues stands in the text."""
    return any(map(text.__contains__, cues))
