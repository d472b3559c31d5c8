"""What a single line looks like: code, a console, data, or what a program says of trouble."""

import re

from tamis.text.cues.discourse_cues import LOOKED_AT

_SAID_OF = r"[^()\n]{0,80}\) (?!(?:if|for|and|or|in|is|not|as)\b)[\w'’]+ [\w'’]+ \w"
"""Words behind a call: a sentence that names it."""

_CODE_LINE = re.compile(
    r"\A\s*(?:from \S+ import\b|import \w+|class \w.*:$|(?:async )?def \w+\(|return\b.{0,80}$|self\.\w+"
    r"|@\w[\w.]*$|>>> |\.\.\. "
    r"|(?:if|for|while|with|try|except|else|elif)\b(?!.{0,80}\b(?:I|we|you|the|this|these|following|example)\b).*:$"
    r"|\w{1,60}=[^\s=].{0,100},$|assert [\w.]{1,80}(?:[(=\[]| [=!<>])"
    r"|\w+(?:\.\w+|\[[^\]]*\])* = \S|\w+(?:\.\w+)*\((?!" + _SAID_OF + r").*\)?,?$|[)\]}]+,?$"
    r"|['\"][\w./-]+['\"],?$|[$>] \w)"
)
_CONSOLE = re.compile(
    r"\A\s*(?:\([\w.-]+\) \S+ |\S{0,20}[➜❯] |(?:Creating|Destroying) test database|System check identified"
    r"|Ran \d+ tests? in|(?:FAILED|OK)(?: \(|$)|[.FEsx]{1,80}\.?$|(?:FAIL|ERROR): \w+ \(|Traceback \("
    r"|File \"[^\"]+\", line|[-=~]{5,})"
)
_DATA = re.compile(r"\A(?:[\"{}\[\]<]|\w+\\n)")
_TROUBLE = re.compile(
    r"error|fail|panic|exception|✗|✘|undefined|cannot|fatal|assert|\bno such |\bexit (?:status|code) [1-9]"
    r"|\bnot found\b|\b(?:permission|access) denied\b",
    re.IGNORECASE,
)


def is_code(line: str) -> bool:
    """Whether a line looks like code, or like what stands in a console."""
    return bool(_CODE_LINE.match(line[:LOOKED_AT]) or _CONSOLE.match(line[:LOOKED_AT]))


def is_data(line: str) -> bool:
    """Whether a line begins as data do: a bracket, a quoted key, a tag."""
    return bool(_DATA.match(line))


def tells_trouble(line: str) -> bool:
    """Whether a pasted line tells what went wrong."""
    return bool(_TROUBLE.search(line[:LOOKED_AT]))
