"""Shell commands: which calls run one, how it ended, and when one run of tests includes another."""

import re
import shlex
from functools import lru_cache
from typing import Any

from tamis.messages import ToolCall, ToolResult
from tamis.text.cues.phrases import word_set

SHELL_WORDS = word_set("""
    bash cmd command console exec execute powershell run sh shell terminal zsh
""")
"""A tool with one of these words in its name runs what stands in its `command` argument."""

COMMAND_ARGUMENTS = ("command", "cmd", "commands", "script", "CommandLine", "action")

_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@lru_cache(maxsize=1024)
def name_words(name: str) -> frozenset[str]:
    """The words of a tool's name, in lower case.

    >>> sorted(name_words("mcp__dev__runShellCommand"))
    ['command', 'dev', 'mcp', 'run', 'shell']
    """
    return frozenset(word.lower() for word in _NAME_WORD.findall(name.replace("todo", "todo_")))


def command_of(call: ToolCall) -> str | None:
    """The command line that a call runs in a shell, or None if it is another kind of call.

    >>> command_of(ToolCall(id="1", name="shell", arguments={"command": ["bash", "-lc", "ls -l"]}))
    'ls -l'
    >>> command_of(ToolCall(id="1", name="str_replace_editor", arguments={"command": "view", "path": "a"}))
    """
    sent = next((call.arguments[key] for key in COMMAND_ARGUMENTS if key in call.arguments), None)
    if sent is None or name_words(call.name).isdisjoint(SHELL_WORDS):
        return None
    if isinstance(sent, dict):  # Codex's local_shell puts an action around it
        sent = sent.get("command")
    if isinstance(sent, str):
        return sent.strip() or None
    if isinstance(sent, list) and sent and all(isinstance(word, str) for word in sent):
        wrapped = len(sent) == 3 and sent[1] in ("-c", "-lc", "-Command")
        return (sent[2] if wrapped else shlex.join(sent)).strip() or None
    return None


_LAUNCHERS = word_set("""
    -- bun bundle cargo exec go gotestsum hatch jest mocha nextest npm npx
    pnpm poetry pytest python python3 rspec run t test unittest uv vitest yarn
""")
_NARROWING = frozenset({"-k", "-run", "--run", "-t", "--testNamePattern", "--grep", "-g", "--filter", "-e"})


def covers(command: str, other: str) -> bool:
    """Whether a test command runs at least the tests of another: its targets contain the other's.

    >>> covers("pytest tests", "pytest tests/test_a.py::test_b"), covers("pytest -k a", "pytest tests")
    (True, False)
    """
    if command == other:
        return True
    before, _, command = command.rpartition(" && ")
    other_before, _, other = other.rpartition(" && ")
    targets, filters = _aim(command)
    other_targets, other_filters = _aim(other)
    if before != other_before or not filters <= other_filters:
        return False
    return not targets or (
        bool(other_targets) and all(any(_within(o, t) for t in targets) for o in other_targets)
    )


def _aim(command: str) -> tuple[list[str], set[str]]:
    """The targets that a test command names, and the options that narrow them down."""
    targets, filters = [], set()
    try:
        words = iter(shlex.split(command))
    except ValueError:  # a subject that was cut within a quotation
        words = iter(command.split())
    for word in words:
        if word in _NARROWING:
            filters.add(f"{word} {next(words, '')}")
        elif not word.startswith("-") and word.rsplit("/", 1)[-1] not in _LAUNCHERS:
            targets.append(word.removeprefix("./"))
    return targets, filters


def _within(target: str, folder: str) -> bool:
    folder = folder.removesuffix("...").rstrip("/")
    return (
        folder in ("", ".")
        or target == folder
        or target.startswith((folder + "/", folder + "::", folder + "."))
    )


_EXIT = re.compile(
    r"(?im)^\W{0,3}(?:<returncode>|(?:the )?(?:command|process)\b[^\n]{0,40}?\bexit(?:ed)?\b"
    r"(?: with)?(?: exit)?(?: code| status)?:?\s*|exit[ _]?(?:code|status):?\s*)(-?\d{1,10})\b"
    r'|"exit_?code":\s*(-?\d{1,10})\b'
)
_DETAIL_KEYS = ("exit_code", "exitCode", "returncode", "return_code", "returnCode")
_EDGE_CHARS = 400


def exit_status(result: ToolResult) -> tuple[int | None, bool | None]:
    """The exit code, and whether the command went well; None where the session does not tell.

    Looked for in the result itself, in the agent's own record of it, then in the first and last lines of the
    text, where agents write it down.
    """
    code = result.exit_code
    if code is None and result.details:
        code = _recorded_code(result.details)
    if code is None:
        head, tail = result.text[:_EDGE_CHARS], result.text[_EDGE_CHARS:][-_EDGE_CHARS:]
        found = next(
            (match for text in (head, tail) if _tells_exit(text) and (match := _EXIT.search(text))), None
        )
        if found:
            code = int(found[1] or found[2])
    if code is not None:
        return code, code == 0
    return None, None if result.is_error is None else not result.is_error


def _tells_exit(text: str) -> bool:
    """Whether it is worth while to look how a command ended: most outputs do not say it."""
    lowered = text.lower()
    return "exit" in lowered or "returncode" in lowered


def _recorded_code(details: Any) -> int | None:
    for level in (details, details.get("metadata"), details.get("extra")):
        if isinstance(level, dict):
            for key in _DETAIL_KEYS:
                if isinstance(level.get(key), int):
                    return int(level[key])
    return None
