"""A call with its result and what the ledger read off them: what a statement of it is made from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.deeds.call_text import bare, output_of, search_words, titles_only
from tamis.compactors.brief.reading.deeds.own_scripts import ASSERTS, MOCKS
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import CommandRun, Event, FileChange, TestRun
from tamis.ledger.files.definitions import is_source
from tamis.ledger.files.file_tools import first_path, shape_of
from tamis.ledger.files.packages import PACKAGERS
from tamis.ledger.files.paths import resolve
from tamis.ledger.files.shell_commands import FORMATTERS, shell_effects
from tamis.ledger.outputs.commands import command_of, exit_status, name_words
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import PREPARING, is_named_check, only_reads, run_subject
from tamis.messages import ToolCall, ToolResult

ANSWERED = re.compile(
    r"(?:User has answered your questions?|Your questions? ha(?:s|ve) been answered):\s*(.+)", re.DOTALL
)
"""Begins what the user answered: it is told as his words."""

HELPER = re.compile(r"\A(?:task|agent|.*subagent.*|delegate.*)", re.IGNORECASE)
"""The name of a tool that hands work to another agent: its report is told by its sentences."""

_QUIET = frozenset(
    {"updateplan", "taskcreate", "taskupdate", "taskget", "tasklist", "exitplanmode", "enterplanmode"}
    | {"toolsearch", "reportintent", "think", "stopbash", "killbash", "killshell"}
)
"""Tools whose work the ledger keeps as tasks, or that do nothing to be told, as those that end a process;
so is any for to-dos."""

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_CUT_TRACE = re.compile(r"(?m)^Traceback \(most recent call last\):(?:\n  (?:File|  )[^\n]*+)++\s*+\Z")
_FRAMES = re.compile(
    r"(?m)^(?:(?:Creating|Destroying) test database .*|System check identified no issues.*|-{20,}"
    r"|Ran \d{1,7} tests? in .*|OK|ok|test_\w{1,100} \(.*\) \.\.\. ok)$\n?"
)
"""What a test runner says around what its tests print."""

_FRAME = re.compile(r'File "[^"\n]{1,300}", line \d+')
_SEEKS = re.compile(r"\b(?:[ef]?grep|rg|ag|git|diff|wc)\b")
ECHO_CHARS = 40
"""A line of an output that quotes so much of the user's request is an echo."""

_UNTIED = re.compile(r"[;\n]|\|\|")


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """A call, its result, and what the ledger read off them.

    `turn` and `part` say where the call stands; `is_running`, that its process goes on in the background;
    `asked` is the user's newest request, `script` the text of what ran, as far as the agent wrote it;
    `edited`, that it had changed the work.
    """

    call: ToolCall
    result: ToolResult
    turn: int
    part: int
    events: Sequence[Event]
    cwd: str | None
    is_running: bool = False
    asked: str = ""
    script: str = ""
    edited: bool = False

    def told(
        self, kind: StatementKind, text: str, *, key: str = "", flags: tuple[str, ...] = ()
    ) -> Statement:
        """A statement of the deed."""
        return Statement(
            kind=kind, text=one_line(text), turn=self.turn, place=(self.part, -1), key=key, flags=flags
        )

    @property
    def command(self) -> str | None:
        """The command that a shell ran, if one did."""
        return command_of(self.call) if shape_of(self.call) in ("shell", None) else None

    @property
    def run(self) -> CommandRun | None:
        """How the command ended."""
        told = next((e.value for e in self.events if isinstance(e.value, CommandRun)), None)
        if told is None and self.command is not None:
            code, ok = exit_status(self.result)
            return CommandRun(command=self.command, exit_code=code, ok=ok)
        return told

    @property
    def own_script(self) -> str:
        """The text of the script of the agent's own that ran, as far as it is known; else nothing."""
        written = cut_heredocs(self.command or "")[1]
        return "\n".join([*written, self.script.removeprefix(self.command or "")]).strip("\n")

    @property
    def trial(self) -> str:
        """The text of a script that tries out a change of the work, or what it makes up; else nothing."""
        script = self.own_script or self.script
        return script if self.edited or MOCKS.search(script) else ""

    @property
    def asserts_nothing(self) -> bool:
        """Whether it ran a script of the agent's own that tries something and judges nothing."""
        line = self.command or ""
        return bool(self.own_script) and not is_named_check(line) and not ASSERTS.search(self.own_script)

    @property
    def tests(self) -> list[TestRun]:
        """What a test runner totalled; that what asserts nothing has passed says only that it ran."""
        told = [e.value for e in self.events if isinstance(e.value, TestRun)]
        return [] if self.asserts_nothing and not any(test.is_red for test in told) else told

    @property
    def went_well(self) -> bool:
        """Whether the exit status says that every command of the line did its work."""
        if self.run is None or not self.run.ok or self.command is None:
            return False
        commands = parse_script(self.command, self.cwd).commands
        untied = _UNTIED.search(_QUOTED.sub("", cut_heredocs(self.command)[0]))
        return bool(commands) and commands[-1].last and untied is None

    @property
    def ended_well(self) -> bool:
        """Whether the exit status says that the one program that did the work of the line did it."""
        if self.went_well or self.run is None or not self.run.ok or self.command is None:
            return self.went_well
        commands = parse_script(self.command, self.cwd).commands
        alone = " && " not in bare(run_subject(self.command, self.cwd))
        return alone and bool(commands) and commands[-1].last and commands[-1].name not in PREPARING

    @property
    def shows_code(self) -> bool:
        """Whether it only shows files of code: some lines of those say nothing without the others."""
        line = self.command or ""
        names = [*file_names(line)] if line else [first_path(self.call) or ""]
        looks = only_reads(line, None) and not _SEEKS.search(line) if line else not search_words(self.call)
        return looks and bool(names) and all(map(is_source, names))

    @property
    def changes(self) -> list[FileChange]:
        """What was done to files by name, not their layout; where the command failed, only what is sure."""
        failed = self.run is not None and self.run.ok is False
        found = [e.value for e in self.events if isinstance(e.value, FileChange)]
        effects = shell_effects(self.command, self.cwd) if self.command else ()
        by_the_way = {resolve(e.path, e.cwd) for e in effects if e.verb in FORMATTERS | PACKAGERS}
        changes = [change for change in found if change.action != "read" and (change.certain or not failed)]
        changes = [change for change in changes if change.certain or change.path not in by_the_way]
        return list({change.path: change for change in changes}.values())

    @property
    def printed(self) -> str:
        """What the call printed, without the command that a terminal shows before it."""
        output = _CUT_TRACE.sub(_where_cut, output_of(self.result))
        if not self.tests and any(isinstance(e.value, TestRun) for e in self.events):
            output = _FRAMES.sub("", output)
        if not self.command:
            return output
        asked = " ".join(self.asked.split())[:ECHO_CHARS]
        if len(asked) == ECHO_CHARS and f'"{asked}' in output:
            output = re.sub(rf'(?m)^[^\n"]{{0,40}}"{re.escape(asked)}[^\n]{{0,120}}$', "…", output)
        return titles_only(output.removeprefix(self.command), self.command).strip("\n")


def newest_asked(statements: Sequence[Statement]) -> list[str]:
    """What the user's newest request says."""
    asked = [s for s in statements if s.kind == "asked" and "answer" not in s.flags]
    return [s.text for s in asked if s.turn == asked[-1].turn]


def _where_cut(trace: re.Match[str]) -> str:
    """A traceback without its error, by the last place that it names."""
    return ", in ".join(["a traceback, cut before its error", *_FRAME.findall(trace[0])[-1:]])


def is_skill(call: ToolCall) -> bool:
    """Whether a call takes up instructions that stay at hand: they need not be told."""
    return call.name.lower() == "skill"


def is_quiet(tool: str) -> bool:
    """Whether calls of a tool are not told.

    >>> is_quiet("update_todos"), is_quiet("tool_search"), is_quiet("update_row")
    (True, True, False)
    """
    return tool.lower().replace("_", "") in _QUIET or not name_words(tool).isdisjoint({"todo", "todos"})
