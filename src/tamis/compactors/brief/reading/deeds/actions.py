"""What was done, as statements: each call with what it came to, worded so that the effect can be read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.action import ANSWERED, HELPER, Action, is_quiet, is_skill
from tamis.compactors.brief.reading.deeds.action_runs import (
    OUTPUT_CHARS,
    RUN_CHARS,
    as_written,
    cause_of,
    errors_of,
    keeps_versions,
    posted_and_ran,
)
from tamis.compactors.brief.reading.deeds.call_text import (
    arguments_of,
    ends_in_verdict,
    first_lines,
    name_of,
    search_words,
    shortened,
)
from tamis.compactors.brief.reading.deeds.mocked_tests import mocked_by, with_mocks
from tamis.compactors.brief.reading.deeds.own_scripts import beside_work, cases, computed, how_far
from tamis.compactors.brief.reading.deeds.posts import COMMAND_CHARS, commit_text, commits, posts
from tamis.compactors.brief.reading.deeds.records import record_lines, value_of
from tamis.compactors.brief.reading.deeds.run_totals import own_errors
from tamis.compactors.brief.reading.deeds.run_words import without_settings
from tamis.compactors.brief.reading.deeds.salience import PendingOutput
from tamis.compactors.brief.reading.deeds.service_calls import RECORD_CHARS, service_statements
from tamis.compactors.brief.reading.edits.file_deeds import file_statements
from tamis.compactors.brief.reading.edits.hunks import SOURCE_CHARS, compared
from tamis.compactors.brief.reading.edits.seen_files import NO_RESULT, SeenFiles, is_later
from tamis.compactors.brief.reading.speech.pieces import TextPiece, pieces_of
from tamis.compactors.brief.reading.speech.plans import puts_up_plan
from tamis.compactors.brief.reading.speech.short_lists import lists_together
from tamis.compactors.brief.reading.statement import STOPPED_PLAN, Statement, StatementKind
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import FileChange
from tamis.ledger.files.effect_results import refused
from tamis.ledger.files.file_tools import (
    command_line,
    first_path,
    patch_text,
    replacements_of,
    shape_of,
    simple_arguments,
)
from tamis.ledger.files.paths import resolve
from tamis.ledger.files.window_editor import is_window_command
from tamis.ledger.files.window_editor import refused as turned_down
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import (
    is_check,
    is_named_check,
    only_reads,
    run_subject,
    shows_help,
)
from tamis.messages import ToolCall
from tamis.text.cues.discourse_cues import flags_of
from tamis.text.sentences import split_sentences

MOST_REPORTED = 60
REFUSAL_CHARS = 230
STOPPED_CHARS, QUESTION_CHARS = 160, 120
FEW_RECORDS = 4
_SAID = re.compile(r"the user said:\s*(.+)\Z", re.DOTALL | re.IGNORECASE)
_STOPPED = re.compile(
    r"\A\W{0,3}aborted by user|The user doesn'?t want to (?:proceed|take this action)"
    r"|user rejected|User denied|\[Request interrupted"
)
_ABORTED = re.compile(r"\A\W{0,3}Tool execution aborted\W{0,3}\Z")
"""Says no more than that a call came to nothing; not who stopped it."""

_FORMAL = re.compile(
    r"(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call"
    r"|File has (?:not been read yet|been modified since read))\b"
)
"""Says that a call is to be made anew, and nothing of the work."""

_QUESTION = re.compile(r'(?:(?<=^)|(?<=, ))"([^"]{1,600})"="')
_ASKS = re.compile(r"(?i)(?<![^\W_])(?:ask|request)_?(?:user|human|followup)|\Aquestion\Z")
"""The name of a tool that puts a question to the user: what it gives back is the answer."""

_LABEL = re.compile(r"(?i)\A(?:the )?user \w{4,12}: ?")
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"\s*:|"((?:[^"\\]|\\.)+)"')
"""Of an answer: what stands before it; of one in JSON a key, or a value."""

_AROUND_ANSWERS = re.compile(r'\s?You can now continue\b[^"]{0,80}$')
_PATCHED = re.compile(r"(?m)^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b/)([^\n]+)")
_COMMIT = re.compile(
    r"(?m)^[ \t]{0,8}(?:[-*] |\d{1,3}[.)] )?[`*]{0,3}([0-9a-f]{7,40})[`*]{0,3}[ \t:—–-]{1,5}(\S[^\n]{4,300})$"
)
"""A commit in another agent's report."""
_TRAILER = re.compile(
    r"(?m)^(?:agentId|task_id): [^\n]{1,200}\(for resuming[^\n]{0,200}\n?|^</?task_result>\n?"
    r"|^<usage>[^<]{0,400}</usage>\n?"
)
"""What a harness puts around the report of another agent."""

_TO_AGENT = re.compile(r"\bper your\b|\byou (?:\w{3,12}ly )?(?:ask|instruct|request|said|told|want)")
_SURVEYED = re.compile(
    r"(?i)i(?:['’]ve| have) (?:now )?(?:\w{4,12}ly )?(?:explored|examined|analy[sz]ed"
    r"|(?:completed|conducted|finished) (?:an?|my|the|this) (?:\w{4,15} )?"
    r"(?:exploration|analysis|investigation|research|search|survey))\b[^\d`:]{0,200}[.!]"
)
"""Says in a report that the one who writes it has looked."""

_FORM = frozenset({"opens", "announces", "vague", "question"})
_PARTLY = frozenset({"offset", "limit", "startline", "endline", "viewrange", "lines", "linerange"})
"""Arguments of tools that show a part of a file."""


def action_statements(deed: Action, files: SeenFiles) -> Iterator[Statement]:
    """The statements of one call; nothing where it only looked and there is nothing to tell.

    `files` is what is known of the files' text; what the call writes and shows is added.
    """
    output = deed.printed
    if said := _users_words(deed, output):
        yield deed.told("asked", said, flags=("answer",))
        return
    if _FORMAL.match(output):
        return
    if _ABORTED.match(output):
        yield deed.told("failed", f"{_what_was_asked(deed)} → aborted, no result", flags=("aborted",))
        return
    command, changes = deed.command, deed.changes
    files.turn = deed.turn
    if command is not None and is_check(command):
        files.run()
    looks = (e.value for e in deed.events if isinstance(e.value, FileChange) and e.value.action == "read")
    files.found |= {look.path: deed.turn for look in looks if not deed.result.is_error}
    files.changed |= dict.fromkeys(change.path for change in changes)
    files.unsure |= output == NO_RESULT
    yield from _see_whole(deed, output, files)
    is_trial = command is not None and files.is_trial(command, deed.cwd)
    made = commit_text(command, output, sure=deed.went_well) if command and commits(command) else None
    if made and not is_trial:
        yield deed.told("committed", made)
    files.take_in(output)
    if changes:
        yield from file_statements(deed, changes, files, output if command is None else "")
    if "[File: " in output:
        touched = {change.path for change in changes}
        for path in {e.value.path for e in deed.events if isinstance(e.value, FileChange)}:
            files.show(path, output, changed=path in touched)
    if command is not None:
        mocked = mocked_by(command, files.changed, files.text_of, files.about)
        yield from (with_mocks(s, mocked) for s in posted_and_ran(deed, command, output, made))
    elif not changes:
        yield from _used(deed, output)


def _see_whole(deed: Action, output: str, files: SeenFiles) -> Iterator[Statement]:
    """Take in what a file is shown, or on record, to hold; what others changed in it since is told."""
    paths = {e.value.path for e in deed.events if isinstance(e.value, FileChange)}
    shown = (deed.result.details or {}).get("originalFile")
    if not isinstance(shown, str):
        shown = output if not deed.changes and _shows_whole(deed) else ""
    if len(paths) != 1 or deed.result.is_error or not shown:
        return
    (path,) = paths
    before, now = files.see(path, shown)
    if hunk := compared(before, now, path, SOURCE_CHARS) if is_later(before, now) else "":
        text = f"saw {path} changed by others (the user, a command): {hunk}"
        yield deed.told("ran", text, key=path, flags=("seen",))


def _shows_whole(deed: Action) -> bool:
    if deed.command is None:
        return shape_of(deed.call) == "read" and _PARTLY.isdisjoint(simple_arguments(deed.call.arguments))
    commands = parse_script(deed.command, deed.cwd).commands
    return len(commands) == 1 and commands[0].name == "cat" and len(commands[0].argv) == 2


def _users_words(deed: Action, output: str) -> str | None:
    """What the user said through a tool: an answer, or why a call was stopped."""
    found, stopped = ANSWERED.match(output), _STOPPED.search(output[:300])
    asks = _ASKS.search(deed.call.name) and output.strip() and not (stopped or deed.result.is_error)
    if found or asks:
        return _answers(deed.call, one_line(found[1] if found else output.strip()))
    if not stopped:
        return None
    if pairs := replacements_of(deed.call):
        path, (old, new) = first_path(deed.call) or "", pairs[0]
        what = f"{path}, nothing written: {compared(old, new, path, STOPPED_CHARS)}"
    else:
        what = shortened(one_line(command_line(deed.call) or arguments_of(deed.call)), 90)
    said = _SAID.search(output)
    words = one_line(said[1]).split(" Note: The user")[0] if said else ""
    if puts_up_plan(deed.call):
        return f"{STOPPED_PLAN} {words}".strip()
    return f"(stopped the agent's {deed.call.name} {one_line(what)}) {words}".strip()


def _what_was_asked(deed: Action) -> str:
    """A call in a few words; of one that another agent was handed, to which and what."""
    call, given = deed.call, deed.call.arguments
    if HELPER.fullmatch(call.name):
        to = str(given.get("subagent_type") or "")
        asked = shortened(str(given.get("description") or given.get("prompt") or ""), 160)
        return f"handed to another agent{f' ({to})' * bool(to)}: {asked}"
    what = command_line(call) or first_path(call) or arguments_of(call)
    return search_words(call) or f"{name_of(call)} {shortened(what, 90)}"


def _answers(call: ToolCall, told: str) -> str:
    """The answers, each behind the end of its question, without what the tool says around them."""
    told = _AROUND_ANSWERS.sub("", told)
    parts = _QUESTION.split(told)
    pairs = [(q, said.rstrip(", ").rstrip('."')) for q, said in zip(parts[1::2], parts[2::2], strict=True)]
    if not pairs:
        listed = call.arguments.get("questions")
        given = listed[0] if isinstance(listed, list) and len(listed) == 1 else call.arguments
        asked = str(given.get("question") or "") if isinstance(given, Mapping) else ""
        values = ", ".join(filter(None, _VALUE.findall(told))) if told[:1] in "{[" else ""
        pairs = [(one_line(asked), values or _LABEL.sub("", told))]
    answers = []
    for asked, said in pairs:
        if len(asked) > QUESTION_CHARS:
            *before, asked = re.split(r"(?<=[.?!]) (?=\S)", asked)
            asked = "… " * bool(before) + shortened(asked, QUESTION_CHARS)
        answers.append(f"({asked}) " * bool(asked) + shortened(said, 300))
    return f"answered{'' if pairs[0][0] else ':'} {'; '.join(answers)}"


def _used(deed: Action, output: str) -> Iterator[Statement]:
    """What a tool that is neither a shell nor about a file gave back."""
    call = deed.call
    if is_quiet(call.name):
        return
    if is_skill(call) and not refused(deed.result, reading=False):
        name = next((str(given) for given in call.arguments.values()), "")
        yield deed.told("ran", f"took up the skill {shortened(name, 60)}", flags=("reads", "short"))
        return
    if HELPER.fullmatch(call.name) and not refused(deed.result, reading=False):
        yield from _reported(deed, output)
        return
    if shape_of(call) in ("edit", "patch", "write", "editor", "insert") and refused(
        deed.result, reading=False
    ):
        yield _refused(deed, output)
        return
    if is_window_command(command_line(call) or "", output) and turned_down(output):
        yield _refused(deed, output)
        return
    looked = any(isinstance(e.value, FileChange) for e in deed.events)
    looked = looked or (shape_of(call) == "editor" and call.arguments.get("command") == "view")
    yield from service_statements(deed, output, looked=looked)


def _refused(deed: Action, output: str) -> Statement:
    """A change that was not made, by its file: it goes when a later change of the file is made."""
    named = _PATCHED.search(patch_text(deed.call) or "")
    path = first_path(deed.call) or (named[1].strip() if named else "")
    typed = shortened((command_line(deed.call) or "").strip().partition("\n")[0], 60)
    call = f"{name_of(deed.call)} {path}" if path else typed or name_of(deed.call)
    said = output.replace(path, path.rpartition("/")[2]) if path else output
    text = f"{call} failed: {first_lines(said, REFUSAL_CHARS)}"
    key = resolve(path, deed.cwd) if path else ""
    return deed.told("failed", text, key=key, flags=("refused",))


def _reported(deed: Action, output: str) -> Iterator[Statement]:
    """What another agent was asked, and the sentences of its report."""
    made = {found[1]: found[2] for found in _COMMIT.finditer(output if "commit" in output else "")}
    lead = deed.told("ran", _what_was_asked(deed), flags=("agent",))
    yield (lead := replace(lead, place=(deed.part, -1 - len(made))))  # the commits in their order behind it
    for at, (commit, said) in enumerate(made.items(), -len(made)):
        title = said[1:].partition("`")[0] if said[0] == "`" else said.strip("` ")
        told = deed.told("committed", f"committed {commit[:10]}: {title} (by another agent)")
        yield replace(told, place=(deed.part, at))
    report = _TRAILER.sub("", output)
    top = TextPiece(lead.text, -1, (), [], made=lead)
    pieces = lists_together(pieces_of(report, split_sentences(report)[:MOST_REPORTED]))
    for number, piece in enumerate(p for p in pieces if "code" not in p.flags):
        flags = [*piece.flags, *_FORM.intersection(flags_of(piece.text))]
        piece.leads = piece.leads or [top]
        texts = [p.text for p in (piece, *piece.leads)]
        is_commit = "item" in flags and any(commit in text for text in texts for commit in made)
        if is_commit or _TO_AGENT.search(piece.text):  # whose "you" is not the user
            continue
        if ("announces" not in flags or "opens" in flags) and not _SURVEYED.fullmatch(piece.text):
            piece.text = "\n".join(f"(reported) {line}" for line in piece.text.splitlines())
            yield piece.statement("reported", deed.turn, deed.part, flags, key=str(number))


def shown_by(deed: Action) -> PendingOutput | None:
    """An output too long to be told whole, with the words for what showed it."""
    output = deed.printed
    fields = "\n".join(record_lines(value := value_of(output)))
    records = [own for own in value if isinstance(own, dict)] if isinstance(value, list) else []
    if fields and (len(fields) <= RECORD_CHARS or len(records) > FEW_RECORDS):
        return None  # it is told whole; of many records, which of them matters is said
    output = fields or output
    if len(output) <= OUTPUT_CHARS or deed.result.is_error or deed.is_running:
        return None
    opened = (deed.command or first_path(deed.call) or "").rstrip("'\"")
    stays = opened.endswith("/SKILL.md") and "/." in opened  # at hand; it says nothing of the work
    if _users_words(deed, deed.printed) or HELPER.fullmatch(deed.call.name) or is_skill(deed.call) or stays:
        return None  # it is told by its sentences, or by none
    call, command, reads, key = deed.call, deed.command, True, ""
    kind: StatementKind = "ran"
    told, note = tuple[str, ...](), ""
    if command is not None:
        key = run_subject(command, deed.cwd)
        if shows_help(command, deed.cwd) or (keeps_versions(key) and (posts(command) or commits(command))):
            return None
        reads = only_reads(command, deed.cwd)
        output = output if reads else computed(output, deed.script)
        line = as_written(command, deed.cwd)
        words = f"ran `{shortened(without_settings(line, 90), COMMAND_CHARS if ' | ' in line else 90)}`"
        tests = [] if reads else deed.tests
        errors = [] if reads else errors_of(deed, deed.printed)
        if tests and (not any(t.is_red for t in tests) or own_errors(tests[0], output, errors)):
            return None  # its totals tell it, with each error
        failed = deed.run is not None and deed.run.ok is False
        ends = (
            [cause_of(errors, output), shortened(errors[-1], 160)] if errors and not deed.ended_well else []
        )
        told = tuple(filter(None, ends))
        kind = "failed" if failed and not reads else kind
        if not reads and is_check(command) and not tests:
            is_whole = len(output) <= RUN_CHARS or bool(cases(output, RUN_CHARS))
            if is_whole and not (failed or told or is_named_check(key)):
                return None  # it is told whole
            if deed.own_script and not (failed or told) and ends_in_verdict(output):
                return None  # that is what it came to
            kind = "failed" if failed or told else "tested"  # what its own script printed is what it found
            note = beside_work(deed.trial, output) if kind == "tested" else how_far(deed.own_script, output)
    elif shape_of(call) in ("read", "editor", None) and not is_quiet(call.name) and not deed.changes:
        what = first_path(call) or shortened(command_line(call) or arguments_of(call), 90)
        tool = "view" if shape_of(call) == "editor" else name_of(call)
        words = search_words(call) or one_line(f"{tool} {what}")
    else:
        return None
    return PendingOutput(
        words=words,
        output=output,
        turn=deed.turn,
        part=deed.part,
        key=key,
        reads=reads,
        kind=kind,
        errors=told,
        note=note,
        is_code=deed.shows_code,
    )
