"""What the agent's program put into a message, as against what somebody typed: told by structure alone.

Programs wrap what they add in tags of their own, and agents without tool calls put what a tool gave back
into the user's mouth. Text inside such a wrapper may hold anything, closing tags and words in the user's name
too: so a wrapper reaches from its first opening tag to the last closing one, and where that cannot be told it
is data.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

_TAGS = (
    "system-reminder|local-command-[a-z]+|command-name|command-message|command-contents|bash-[a-z]+"
    "|user-memory-input|environment_details|environment_context|EXTRA_INFO|extra_info|ide_[a-z_]+"
    "|task-notification|user-prompt-submit-hook|function_calls|function_results?|tool_results?|tool_response"
    "|tool_output|file_content|thinking|repository_info|runtime_information|teammate-message|channel"
    "|mcp-resource|mcp-[a-z-]+|observation|documents?|returncode|stdout|stderr|persisted-output"
)
_TAG = re.compile(rf"<(?P<close>/)?(?P<name>{_TAGS})\b[^<>\n]{{0,400}}>")
_WRAPPERS = re.compile(r"</?(?:command-args|task|user_query|user_message|feedback|answer)>")
_LONE_TAG = re.compile(r"(?m:^[ \t]{0,40}</?[a-zA-Z][\w-]{0,60}(?: [^<>\n]{0,80})?/?>[ \t\r]{0,40}$)")
_COMMENT = re.compile(r"<!--(?:(?!<!--|-->).)*+-->", re.DOTALL)
"""What the form of an issue says to those who fill it in."""

_PAGE = re.compile(
    r"(?m)^(?:Here is a screenshot of\b|(?:[\w ]{1,40}: )?Address: \S+$"
    r"|The following metadata was extracted\b|Automatic OCR of\b)"
)

_NOTES = re.compile(
    r"\A\s{0,9}/(?:clear|config|cost|context|doctor|help|ide|login|logout|mcp|memory|model|permissions|status"
    r"|terminal-setup|theme|usage|vim)\s{0,9}\Z|"
    r"\[(?:Request interrupted by user|Response interrupted by)[^\]\n]{0,160}\]|\[Image[^\]\n]{0,80}\]"
    r"|^Caveat: The messages below .*$|\A\s{0,9}#{3}(?:STOP|TRANSFER|OUT-OF-SCOPE)#{3}\s{0,9}\Z"
)

_OUTPUT_HEAD = re.compile(
    r"""(?x)\s{0,40}(?:
        (?i:observations?)\s{0,3}: | EXECUTION\ RESULT\ of\ \[
      | <(?:tool_response|tool_results?|function_results?|observation
          |returncode|output|exception|warning|error)\b | (?i:tool|command|execution)\ (?:output|results?)\s?:
      | \[[a-z]\w{1,60}(?:\ for\ '[^\n]{0,400})?\]\ Result:
      | Operation\ stopped\ by\ hook:
      | The\ last\ command\ <command> | Your\ (?:last\ )?command\ (?:timed\ out|was\ killed)
      | The\ command\ (?:timed\ out|was\ killed|exited\ with) | \(?[Cc]ommand\ (?:timed\ out|exited\ with)
    )"""
)
_PROMPT_TAIL = re.compile(r"\(Current directory: (?:(?!\(Current )[^\n]){0,400}\)\nbash-\$\s{0,10}\Z")
_INSTRUCTIONS = re.compile(
    r"(?mi)^[ \t]*(?:<instructions>|INSTRUCTIONS:|Follow these (?:steps|phases) to resolve the issue:"
    r"|#+ Task Instructions\b.*|#+ (?:Recommended Workflow|Response Format|Submission"
    r"|Command Execution Rules|Environment Details|Useful command examples"
    r"|Formatting your response)\b.*)[ \t]*$"
)
_NUDGE = re.compile(
    r"\A\s{0,9}(?:Please )?continue (?:working )?on the task\b"
    r"[^#]{0,300}\b(?:finish the interaction|NEVER ASK FOR HUMAN)",
    re.IGNORECASE,
)
"""Sent by a program in the user's place to an agent that stopped."""

_HOLDS_TASK = re.compile(r"\bISSUE:|<(?:issue|pr_description|task)\b")
_TAIL_CHARS = 1_000
_LEAVES = re.compile(r"<command-name>/(?:exit|quit)</command-name>|#{3}STOP#{3}\s{0,9}\Z")


def is_output(text: str) -> bool:
    """Whether a user's message is what a tool gave back, by how it begins or, for SWE-agent, ends.

    >>> is_output("Observation: never do this"), is_output("My observation: it is slow.")
    (True, False)
    """
    if _OUTPUT_HEAD.match(text):
        return True
    return bool(_PROMPT_TAIL.search(text[-_TAIL_CHARS:])) and not _HOLDS_TASK.search(text)


def formal_start(text: str) -> int | None:
    r"""Where the instructions of a harness begin, behind the task that it hands over; None where they do not.

    >>> formal_start("Mend it.\nINSTRUCTIONS:\nOne command at a time.")
    9
    >>> formal_start("Please continue working on the task. Never ask for human help.")
    0
    """
    if _NUDGE.match(text):
        return 0
    cut = _INSTRUCTIONS.search(text)
    return cut.start() if cut and text[: cut.start()].strip() else None


def leaves(text: str) -> bool:
    """Whether the user ended the agent's program by a command of its own.

    >>> leaves("<command-name>/exit</command-name>"), leaves("What does /exit do?")
    (True, False)
    """
    return _LEAVES.search(text) is not None


def is_rule_file(text: str) -> bool:
    r"""Whether a program hands over a project's own rules for agents, as Codex does.

    >>> is_rule_file("# AGENTS.md instructions for /work/shop\\n..."), is_rule_file("Read AGENTS.md.")
    (True, False)
    """
    return text.lstrip().startswith("# AGENTS.md instructions for ")


def without_tags(text: str) -> str:
    """The text with a program's tags, and what stands in them, replaced by blanks, each character by one."""
    if "<" in text:
        text = _COMMENT.sub(lambda match: blank(match.group()), text)
        for start, end in reversed(list(_wrapped(text))):
            text = text[:start] + blank(text[start:end]) + text[end:]
        text = _WRAPPERS.sub(lambda match: blank(match.group()), text)
        text = _LONE_TAG.sub(lambda match: blank(match.group()), text)
    opens = text.startswith(("[", "/", "Caveat:", "###"))
    if opens or any(sign in text for sign in ("[Request", "[Response", "[Image")):
        text = _NOTES.sub(lambda match: blank(match.group()), text)
    return text


def blank(text: str) -> str:
    """As many blanks, the first two of them line breaks, so that no sentence reaches across."""
    return "\n" * min(2, len(text)) + " " * (len(text) - 2)


def _wrapped(text: str) -> Iterator[tuple[int, int]]:
    """The ranges that wrappers take up, outermost first, from left to right."""
    opened: dict[str, list[int]] = {}
    closed: dict[str, list[tuple[int, int]]] = {}
    tags = list(_TAG.finditer(text))
    for tag in tags:
        if tag["close"]:
            closed.setdefault(tag["name"], []).append(tag.span())
        else:
            opened.setdefault(tag["name"], []).append(tag.start())
    first, last = (text.find(text.lstrip()[:1]) if text.strip() else 0), len(text.rstrip())
    reached = 0
    for tag in tags:
        if tag["close"] or tag.start() < reached:
            continue
        ends = closed.get(tag["name"], [])
        if tag.start() == first and ends and ends[-1][1] == last:
            reached = last  # all of it is the program's, whatever it quotes
        elif (end := _last_closing(ends, tag.end(), opened[tag["name"]])) is not None:
            reached = end
        elif _stands_alone(text, tag.start()):
            reached = len(text)  # never closed: nobody can tell where it ends
        else:
            continue  # named in a sentence
        yield tag.start(), reached


def _last_closing(ends: list[tuple[int, int]], start: int, openings: list[int]) -> int | None:
    """The end of the last closing tag before the same tag opens again."""
    follows = bisect_right(openings, start)
    # An opening tag right inside is quoted: skip to the one that stands behind a closing tag.
    at = bisect_left(ends, (start, 0))
    if at == len(ends):
        return None
    while follows < len(openings) and openings[follows] < ends[at][0]:
        follows += 1
    bound = openings[follows] if follows < len(openings) else float("inf")
    final = bisect_left(ends, (bound, 0)) - 1
    return ends[final][1] if final >= at else None


def _stands_alone(text: str, at: int) -> bool:
    return not text[text.rfind("\n", max(0, at - 200), at) + 1 : at].strip()


def page_start(text: str) -> int:
    """Where in a browsing agent's message the page begins that it sees; the length of any other text."""
    return found.start() if (found := _PAGE.search(text)) else len(text)
