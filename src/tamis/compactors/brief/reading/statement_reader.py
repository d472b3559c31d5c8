"""Reading a session into statements, one message at a time.

A reading can be put away as JSON and taken up again where it stopped, so that a later brief is made from what
was read and never from an earlier brief. Only where nothing else is left, an earlier brief is read as what it
says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.compactors.brief.reading.brief_extractor import BriefExtractor, statements_of_brief
from tamis.compactors.brief.reading.deeds.action import Action, newest_asked
from tamis.compactors.brief.reading.deeds.actions import action_statements, shown_by
from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.deeds.run_words import BEFORE_CHARS, counts_of, failed_before, overcome
from tamis.compactors.brief.reading.deeds.salience import PendingOutput, evidence
from tamis.compactors.brief.reading.deeds.taken_up import Spoken, weighed
from tamis.compactors.brief.reading.deeds.tree_reports import (
    TreeReport,
    branch_of,
    git_folder,
    is_told_clean,
    left_open,
    newest_commit,
    older_files,
    tree_report,
)
from tamis.compactors.brief.reading.edits.seen_files import NO_RESULT, SeenFiles
from tamis.compactors.brief.reading.edits.shown_diffs import with_shown_changes
from tamis.compactors.brief.reading.pending_calls import PendingCall, call_from_json, call_to_json, marked
from tamis.compactors.brief.reading.settling.installed import installed_by, with_installed
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.speech.agent_text import SeenPages
from tamis.compactors.brief.reading.speech.rejections import stop_of
from tamis.compactors.brief.reading.speech.task_file import with_demands
from tamis.compactors.brief.reading.speech.utterances import (
    agent_statements,
    summary_statements,
    with_user,
)
from tamis.compactors.brief.reading.statement import (
    Statement,
    bounded,
    statements_from_json,
    statements_to_json,
)
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.errors import InputError
from tamis.ledger import LedgerReader, State
from tamis.ledger.events import Event
from tamis.ledger.files.file_tools import command_line, folder_of
from tamis.ledger.files.paths import is_within, resolve, same_file
from tamis.ledger.outputs.commands import command_of
from tamis.ledger.speech.harness import formal_start, leaves
from tamis.ledger.speech.plan_mode import mode_after_call, mode_told
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult
from tamis.text.terms import all_terms_of, terms_of

CARRY_FORMAT = "tamis-brief/1"

_RUNNING = re.compile(r"(?i)\b(?:process|command) running (?:in \w+ )?with (?:session )?id:? ([\w-]{1,40})")
_PROCESS_ARGUMENTS = ("session_id", "bash_id", "shell_id", "task_id")
MOST_RUNNING = 64
"""Remembered from one compaction to the next."""

ABOUT_CHARS, SPOKEN_CHARS, SPEAKS_CHARS = 600, 12_000, 40
BEFORE = " (at #"
"""Opens the note of what a run had come to before."""


@dataclass(kw_only=True, slots=True)
class StatementReader:
    """A session as far as it was read.

    `turns` is the position behind the last message read. `last_calls` are the newest calls with their turn.
    `formal` says where in a message the instructions of a harness begin, by message id and part. `tree` is
    what the working tree was last said to be, `branch` what was checked out last, in the folder `branch_in`,
    `there` are files that it said to be older than the session,
    `head` is the newest commit that a log showed where the last was made, or the work is, with its turn;
    `under_way` is the merge, or the like, that git is in the midst of, and since which turn;
    `planning` since which turn plan mode is on; `left` is where the user ended the program and said no more.
    """

    reader: LedgerReader = field(default_factory=LedgerReader)
    statements: list[Statement] = field(default_factory=list)
    open_calls: dict[str, PendingCall] = field(default_factory=dict)
    last_calls: list[PendingCall] = field(default_factory=list)
    formal: dict[tuple[str, int], int] = field(default_factory=dict)
    turns: int = 0
    cwd: str | None = None
    branch: str = ""
    branch_in: str | None = None
    tree: TreeReport | None = None
    there: set[str] = field(default_factory=set)
    head: tuple[str, int] | None = None
    under_way: tuple[str, int] = "", -1
    planning: int | None = None
    left: int | None = None
    committed_in: str | None = None
    _running: dict[str, str] = field(default_factory=dict)
    _runs: dict[str, tuple[int, str, bool]] = field(default_factory=dict)
    _most: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    _touched: dict[str, int] = field(default_factory=dict)
    _edited: int = -1
    files: SeenFiles = field(default_factory=SeenFiles)
    _shown: list[PendingOutput] = field(default_factory=list)
    _pages: SeenPages = field(default_factory=SeenPages)
    _spoken: Spoken = field(default_factory=Spoken)
    _begins: bool = True

    @classmethod
    def resume(cls, carry: Mapping[str, Any]) -> StatementReader:
        """Go on where `carry` stopped.

        Raises:
            InputError: not this method's carry, or one of another version.
        """
        if carry.get("format") != CARRY_FORMAT:
            raise InputError(
                f"the previous compaction carries {carry.get('format')!r}, not {CARRY_FORMAT!r}; "
                "compact from the original session, or without a previous compaction"
            )
        return cls(
            reader=LedgerReader.restore(carry["reader"]),
            statements=statements_from_json(carry["statements"]),
            open_calls={call["id"]: call_from_json(call) for call in carry["open_calls"]},
            last_calls=[call_from_json(call) for call in carry["last_calls"]],
            formal={(message, part): start for message, part, start in carry["formal"]},
            turns=carry["turns"],
            cwd=carry["cwd"],
            branch=carry["branch"],
            branch_in=carry.get("branch_in"),
            tree=TreeReport(*carry["tree"]) if carry.get("tree") else None,
            head=tuple(carry["head"]) if carry.get("head") else None,
            under_way=tuple(carry.get("under_way", ("", -1))),
            planning=carry.get("planning"),
            left=carry.get("left"),
            committed_in=carry.get("committed_in"),
            there=set(carry.get("there", ())),
            _running=dict(carry.get("running", {})),
            _begins=False,
        )

    def carry(self) -> dict[str, Any]:
        """What the next compaction needs, as JSON values."""
        return {
            "format": CARRY_FORMAT,
            "reader": self.reader.snapshot(),
            "statements": statements_to_json(bounded(self.statements)),
            "open_calls": [call_to_json(opened) for opened in self.open_calls.values()],
            "last_calls": [call_to_json(opened) for opened in self.last_calls],
            "formal": [[*where, start] for where, start in self.formal.items()],
            "turns": self.turns,
            "cwd": self.cwd,
            "branch": self.branch,
            "branch_in": self.branch_in,
            "tree": [t.turn, dict(t.listed), t.complete, t.is_pushed, t.folder] if (t := self.tree) else None,
            "head": list(self.head) if self.head else None,
            "under_way": list(self.under_way),
            "planning": self.planning,
            "left": self.left,
            "committed_in": self.committed_in,
            "there": sorted(self.there),
            "running": dict(self._running),
        }

    @property
    def state(self) -> State:
        """What holds now."""
        return self.reader.state

    @property
    def unspoken(self) -> Sequence[PendingOutput]:
        """The newest long outputs: the agent has said nothing behind them yet."""
        return self._shown

    def read(self, messages: Sequence[Message], positions: Iterable[int] | None = None) -> list[int]:
        """Take in more messages, which stand at `positions` in the session; the next ones unless told.

        Gives back where each was put: behind an earlier brief that is read as what it says, positions go on
        from those of the brief; the brief itself is at -1.
        """
        places = positions if positions is not None else range(self.turns, self.turns + len(messages))
        turns, shift = list[int](), 0
        for message, place in zip(messages, places, strict=True):
            if self._begins and self._take_up(message):
                shift = self.turns - place - 1
                turns.append(-1)
                continue
            self._begins = self._begins and message.role == "system"
            turns.append(max(place + shift, self.turns))
            self._read(message, turns[-1])
        self.statements = weighed(self.statements, turns[0] if turns else 0, self._spoken.last)
        return turns

    def _take_up(self, message: Message) -> bool:
        """Read a brief as what it says; False for a message that is none."""
        part = message.parts[0] if len(message.parts) == 1 else None
        if message.role != "user" or message.origin == "meta" or not isinstance(part, Text):
            return False
        lines = parse_brief(part.text)
        if lines is None:
            return False
        self.reader.read(message, extractors=[BriefExtractor(lines)])
        self.statements += statements_of_brief(lines)
        self.turns = max([self.turns, *(line.turns[1] + 1 for line in lines)])
        return True

    def _read(self, message: Message, turn: int) -> None:
        self.turns = turn + 1
        events = self.reader.read(message)
        self._spoken.take(message, turn)
        self.cwd = message.cwd or self.cwd
        self._plan(mode_told(message), turn)
        if message.role == "assistant":
            self._tell_unanswered(events)
            self._tell_shown(message)
        self.statements = with_user(self.statements, message, turn)
        self.statements += agent_statements(message, turn, self.statements)
        if message.role == "assistant":
            self._shown += self._pages.of(message, turn)
        self.statements += [*summary_statements(message, turn), *stop_of(message, turn)]
        if message.role == "user":
            left = any(isinstance(part, Text) and leaves(part.text) for part in message.parts)
            self.left = turn if left else self.left if message.origin == "meta" else None
            if any("withdraws" in s.flags and s.turn == turn for s in self.statements[-1:]):
                self.last_calls, self._shown = [], []
        calls = []
        for index, part in enumerate(message.parts):
            typed = message.role == "user" and message.origin != "meta"
            if typed and isinstance(part, Text) and (start := formal_start(part.text)):
                self.formal[message.id, index] = start
            if isinstance(part, ToolCall):
                calls.append(PendingCall(part, turn, index, message.id))
        self.open_calls |= {opened.call.id: opened for opened in calls}
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult) and (opened := self.open_calls.pop(part.call_id, None)):
                self._answered(opened, part, _own(events, message, index, opened))
        if message.role == "assistant" and message.origin == "conversation":
            self.last_calls = calls or self.last_calls

    def _tell_unanswered(self, events: Sequence[Event]) -> None:
        """What calls changed that the agent has gone on from, where the session keeps no result of them."""
        for name, opened in list(self.open_calls.items()):
            place = opened.message, opened.part
            own = [e for e in events if e.kind == "file" and (e.source.message_id, e.source.part) == place]
            if own and command_line(opened.call) is None:
                self._answered(opened, ToolResult(call_id=name, text=NO_RESULT), own)
                self.open_calls[name] = replace(opened, is_told=True)

    def _answered(self, opened: PendingCall, result: ToolResult, events: Sequence[Event]) -> None:
        if opened.is_told:
            here = opened.turn, opened.part
            self.statements = [s for s in self.statements if (s.turn, s.place[0]) != here]
        self._plan(mode_after_call(opened.call, result), opened.turn)
        call, running = self._gone_on(opened.call, result)
        asked = newest_asked(self.statements)
        self.files.about = frozenset(terms_of(" ".join(asked)[:ABOUT_CHARS]))
        deed = Action(
            call=call,
            result=result,
            turn=opened.turn,
            part=opened.part,
            events=events,
            cwd=self.cwd,
            is_running=running,
            asked=next(iter(asked), ""),
            script=self.files.script_of(command_of(call) or ""),
            edited=self._edited >= 0,
        )
        self.last_calls = marked(self.last_calls, opened, result)
        self._shown += filter(None, [shown_by(deed)])
        told = [self._with_before(s) for s in action_statements(deed, self.files)]
        self.there |= self.files.older
        command = deed.command or ""
        told_by = command or command_line(call) or ""
        standing = with_shown_changes(self.files.standing(self.statements), told_by, deed.printed)
        self.statements = with_demands([*standing, *told], deed)
        failed = result.is_error or any(s.kind == "failed" for s in told)
        if names := [] if failed else installed_by(command, result.text):
            self.statements = with_installed(self.statements, names, opened.turn)
            self.statements.append(deed.told("ran", f"installed {', '.join(names)}", flags=("installed",)))
        if any("agent" in s.flags for s in told) and is_told_clean(result.text):
            self.tree = TreeReport(self.turns - 1, {}, complete=True)
        if "git" in command and not self.files.is_trial(command, self.cwd):
            cwd = resolve(folder_of(call) or "", self.cwd) or self.cwd
            folder, before = git_folder(command, cwd), self.under_way[0]
            now = left_open(command, result.text[:SPOKEN_CHARS], before)
            self.under_way = (now, opened.turn if now != before else self.under_way[1])
            if any(s.kind == "committed" for s in told):
                self.committed_in = folder
                self.under_way = "", opened.turn
            elif folder == (self.committed_in or self.cwd) and (
                newest := newest_commit(command, result.text)
            ):
                self.head = (newest, opened.turn)
            self._look_at_tree(command, result.text, opened.turn, cwd)
            if self._is_here(folder) and (branch := branch_of(command, result.text[:SPOKEN_CHARS])):
                self.branch, self.branch_in = branch, folder

    def _is_here(self, folder: str | None) -> bool:
        """Whether a command that ran in a folder ran where the work is, and in no other project's."""
        if folder is None or self.cwd is None or folder in (self.cwd, self.committed_in):
            return True
        own = any(s.kind == "changed" and is_within(s.key, folder) for s in self.statements)
        return own or is_within(folder, self.cwd) or is_within(self.cwd, folder)

    def _with_before(self, s: Statement) -> Statement:
        """A run with what the same one came to before the work was changed: the effect of the change."""
        if s.kind == "changed":
            self._touched[s.key.rpartition("/")[2]] = s.turn
            own = any(e.value.born and e.value.path == s.key for e in self.state.files)
            self._edited = s.turn if "source" in s.flags and not own else self._edited
        if s.kind not in ("tested", "failed") or not s.key or s.key.endswith(" -"):
            return s
        came = s.text.partition("` → ")[2] or s.text.partition("`: ")[2]
        ran = [self._runs[key] for key in (s.key, *s.key.split(" && ")) if key in self._runs]
        before, self._runs[s.key] = max(ran, default=None), (s.turn, came, s.kind == "failed")
        many, counts = counts_of(came)
        most, turn, was = self._most[s.key] = max(self._most.get(s.key, (0, 0, "")), (many, s.turn, counts))
        if 0 < 2 * many < most:  # it may have gone well for little was left to run
            return replace(s, text=f"{s.text}{BEFORE}{turn}, {most} tests ran: {was}; now {many})")
        if not before or came == before[1]:
            return s
        touched = max((self._touched.get(name, -1) for name in file_names(s.key)), default=-1)
        if touched > before[0]:  # what a script came to before it was changed itself says nothing of the work
            made = {e.value.path for e in self.state.files if e.value.born}
            told = [o.text for o in self.statements if o.turn == touched and o.key in made][-1:]
            edit = "".join(told).partition(": ")[2]
            changed = f"{BEFORE}{touched}, its file was changed: {edit})"
            is_told = edit and not before[2] and len(edit) <= BEFORE_CHARS
            note = told and failed_before(self.statements, s, BEFORE)
            return replace(s, text=s.text + (note or changed * bool(is_told)))
        if before[0] >= self._edited:
            return s
        was = overcome(before[1], came, failed=before[2])
        note = f"{BEFORE}{before[0]}, before the last change: {shortened(was, BEFORE_CHARS)})" if was else ""
        return replace(s, text=s.text + note, flags=(*s.flags, "gain")) if note else s

    def _plan(self, is_on: bool | None, turn: int) -> None:
        if is_on is not None:
            self.planning = (turn if self.planning is None else self.planning) if is_on else None

    def _gone_on(self, call: ToolCall, result: ToolResult) -> tuple[ToolCall, bool]:
        """The call, or the one whose process it looks at again, and whether that still runs."""
        sent = call.arguments
        known = next(
            (str(sent[key]) for key in _PROCESS_ARGUMENTS if str(sent.get(key)) in self._running), None
        )
        if known is not None:
            call = ToolCall(id=call.id, name="shell", arguments={"command": self._running[known]})
        found, command = _RUNNING.search(result.text[:300]), command_of(call)
        if found and command:
            self._running[found[1]] = command
            while len(self._running) > MOST_RUNNING:
                del self._running[next(iter(self._running))]
        elif known is not None and result.exit_code is not None:
            del self._running[known]
        return call, found is not None and command is not None

    def _look_at_tree(self, command: str, output: str, turn: int, cwd: str | None) -> None:
        """What git corrects: a file that it never listed as new, and lists as modified, was there."""
        before, self.tree = self.tree, tree_report(command, output, turn, cwd) or self.tree
        if older := older_files(command, output):
            commit = max((s.turn for s in self.statements if s.kind == "committed"), default=-1)
            files = [e for e in self.state.files if e.first_turn > commit or not e.value.certain]
            known = (e.value.path for e in files if e.value.born or not e.value.certain)
            was = (path for path in known if before is None or before.code(path) not in ("?", "A"))
            self.there |= {path for path in was if any(same_file(name, path) for name in older)}

    def _tell_shown(self, message: Message) -> None:
        """What the agent goes on to speak of, of the outputs that it has just read."""
        if not self._shown:
            return
        words = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        if message.author and not message.calls and sum(map(len, words)) < SPEAKS_CHARS:
            return  # it only hands on the word
        calls = [str(list(call.arguments.values()))[:2000] for call in message.calls]
        spoken = frozenset(all_terms_of("\n".join([*words, *calls])[:SPOKEN_CHARS]))
        shown = (x for x in self._shown if not x.is_code)
        self.statements += filter(None, (evidence(x, spoken) for x in shown))
        self._shown.clear()


def _own(events: Sequence[Event], message: Message, index: int, opened: PendingCall) -> list[Event]:
    """The events of one call among those that a message with several results gave."""
    if len(message.results) == 1:
        return list(events)
    return [
        e for e in events if e.source.part == (index if e.source.message_id == message.id else opened.part)
    ]
