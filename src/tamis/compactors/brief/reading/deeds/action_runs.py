"""What command lines came to: what they posted and what they ran, each with its own outcome."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from tamis.compactors.brief.reading.deeds.action import Action
from tamis.compactors.brief.reading.deeds.call_text import (
    BREAK,
    GAP,
    SAVED,
    bare,
    first_lines,
    is_trouble,
    joined,
    last_lines,
    placed,
    shortened,
)
from tamis.compactors.brief.reading.deeds.own_scripts import (
    FIXED_TEXT,
    HELP_TEXT,
    WELL,
    beside_work,
    cases,
    computed,
    how_far,
    recites,
)
from tamis.compactors.brief.reading.deeds.posts import created, is_refused, post_text, posts, without_chatter
from tamis.compactors.brief.reading.deeds.rolls import apart
from tamis.compactors.brief.reading.deeds.run_totals import own_errors, totals
from tamis.compactors.brief.reading.deeds.run_words import ENDS_WELL, without_settings
from tamis.compactors.brief.reading.deeds.salience import (
    CUT_RECORDS,
    MODULE,
    SEARCHES,
    is_usage,
    top_of_records,
)
from tamis.compactors.brief.reading.deeds.search_hits import unfound
from tamis.compactors.brief.reading.deeds.service_calls import lists_files
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import ErrorMessage
from tamis.ledger.files.paths import resolve
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import SimpleCommand, parse_script
from tamis.ledger.shell.programs import (
    PREPARING,
    READING,
    in_one_line,
    is_check,
    is_named_check,
    only_reads,
    run_subject,
    shows_help,
    version_steps,
)
from tamis.text.terms import terms_of

COMMAND_CHARS, CAUSE_CHARS, PLACE_CHARS = 110, 100, 30
OUTPUT_CHARS, RUN_CHARS, MANY_PARTS, FEW_PARTS, FOLDER_CHARS = 230, 340, 4, 3, 30
"""Of what a command printed, and of what a run of an own script did: that is its result."""

_ECHOED = re.compile(r"(?m)^(?:> |\$ |\+ |\[[\w:-]{1,40}\] \$ )\S.*\n?")
"""A line by which a runner says what it starts."""

_STARTED = re.compile(r"(?m)^(?:\[[\w:-]{1,40}\] )?\$ \S.*\n?")
_HEAD = re.compile(r"\|\s{0,9}head\b[^|;&]{0,40}\Z")
_COUNTS = re.compile(r"wc -l [^|;&\s]{1,300}")
"""How long a file is says where to look in it, and no more."""

_AT_LINE = re.compile(r"(?m)^\d{1,7}[:-]")
_ASIDE = re.compile(r"(?ms)^ANNOTATIONS$.*+|^</?bash_metadata>$")
"""What a watched build remarks behind its outcome, and a harness's tags."""

NOT_RUN = re.compile(
    r"\A\s{0,9}(?:<tool_use_error>|The tool execution failed with the following error:\s{0,9}(?:<error>)?"
    r"|(?=(?:Permission to use \w+ (?:with command [^\n]{1,2000} )?(?:has been |was )?denied"
    r"|Denied by|This command requires approval)\b))",
    re.IGNORECASE,
)
"""Begins what is told in place of a command's output where it was never started."""

_TIMED_OUT = re.compile(
    r"\A(?:<\w{1,20}>)?[^\n]{0,200}\bCommand '[^\n]{1,8000}' (timed out after [\d.]{1,9} seconds)\b"
    r"(?:</?\w{1,20}>|[^\w<]|\d){0,40}\Z"
)
"""What is told in place of an output by who stopped a command, and printed nothing of it."""

_OF_TESTS = re.compile(
    r"(?i)\b(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|ok|tests?|in [\d.]+ ?m?s|seconds)\b|\A\Z"
)

_ENDED = re.compile(r"(?i)(?:failed: )?exit code 1\b|")

_SEEKS = re.compile(r"\|\s{0,9}(?:[ef]?grep|rg)\b[^|;&]{0,200}\Z")
"""A command whose output is searched: with nothing printed, nothing was found."""

_LOOKS = re.compile(r"(?:\A|[|;&] ?)(?:git )?(?:[ef]?grep|rg|ag|find)\b(?! -q)[^>]{0,400}\Z")
"""A search that says by printing nothing that there is nothing."""


_SHOWS = re.compile(r"[\w./-]{1,60} (?:[\w-]{1,30} )?(?:describe|get|info|list|ls|show|status|view)\b")
"""Asks a program for something, of which the beginning says what it is."""

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_masked = partial(_QUOTED.sub, lambda found: "_" * len(found[0]))
_JOINT = re.compile(r"&&|\|\||[;\n]|(?<![<>&|])&(?![&>])")
_LOOP = re.compile(r"(?:\A|[;&|\n(]) {0,20}(?:for|while|until|if|case) ")
_FIRST = re.compile(
    r"\A(?:(?:cd|export|set|source|\.|sleep) [^\n;&|]{1,300}|\w{1,40}=[^\s;&|'\"$]{0,300})"
    r"[ \t]{0,9}(?:&&|[;\n])\s{0,9}"
)
_MOVES = re.compile(r"(?:&&|[;\n]) {0,9}cd ")
_IN_ANY_CASE = re.compile(r"\s{0,9}\|\| ?(?:true|:)\s{0,9}\Z")
_SILENCED = re.compile(r" (?:2>&1|[12&]?>{1,2} ?/dev/null)(?= |;|\n|\Z)")
_BOUNDS = re.compile(r"(?<= )--(?:no|dry|skip|exclude)-[\w-]{1,40}(?:=[^\s\"';]{1,60})?(?= |\Z)")
_TELLS_MORE = re.compile(r"\A(?:echo|printf)\b(?=.*(?:\$\(|`))", re.DOTALL)


def posted_and_ran(deed: Action, command: str, output: str, made: str | None) -> Iterator[Statement]:
    """What a command line put where others see it, and what else it ran, each with its own outcome."""
    subject = run_subject(command, deed.cwd)
    if (denied := NOT_RUN.match(output)) and not (deed.run and deed.run.ok):
        why = one_line(output[denied.end() :].partition("</")[0])
        what = shortened(one_line(bare(command)), COMMAND_CHARS)
        yield deed.told(
            "failed", f"did not run `{what}`: {shortened(why, OUTPUT_CHARS)}", key=subject, flags=("refused",)
        )
        return
    alone = keeps_versions(subject)
    failed = deed.run is not None and deed.run.ok is False
    posted = posts(command)
    if made or (deed.changes and alone):  # a commit tells of its push, a change of what brought it about
        posted = " && ".join(
            s for s in posted.split(" && ") if s.startswith("gh ") or (made and is_refused(output))
        )
    own = bool(posts([command, *_parts(command)][-1]))
    refused = is_refused(output) and (own or "git push" in posted)
    if failed and not (made or refused or (alone and own)):
        posted = ""  # it may have been done before something else failed
    if posted:
        kind: StatementKind = "failed" if failed else "posted"
        own = own or failed or is_refused(output)
        yield deed.told(kind, post_text(command, posted, output, failed=failed, own=own))
        failed = failed and alone
    if alone and (made or posted):
        return
    printed = without_chatter(output) if made or posted else output
    if statement := _ran(deed, command, printed, failed=failed and not made):
        yield statement if not _puts_aside(command) else replace(statement, key="", flags=("aside",))


def _puts_aside(command: str) -> bool:
    """Whether a command line stashes the changes first: what it runs says nothing of them."""
    return any(step[1:2] == ["stash"] and step[2:3] in ([], ["push"]) for step in version_steps(command))


def keeps_versions(subject: str) -> bool:
    """Whether a run is one of version control and nothing else."""
    return bare(subject).startswith(("git ", "gh ")) and not is_check(subject)


def _ran(deed: Action, command: str, output: str, *, failed: bool) -> Statement | None:
    """What a command came to."""
    subject = run_subject(command, deed.cwd)
    run, reads = deed.run, only_reads(command, deed.cwd)
    found = output if reads else computed(output, deed.script)
    tests = deed.tests
    errors = errors_of(deed, output)
    line = as_written(command, deed.cwd, failed=failed or bool(errors))
    shown = f"ran `{_both_ends(line, COMMAND_CHARS)}`"
    shown += " with the changes put aside" if _puts_aside(command) else ""
    if deed.is_running:
        so_far = f"; so far: {last_lines(output, 120)}" if output else ""
        kind: StatementKind = "tested" if is_check(command) else "ran"
        return deed.told(kind, f"{shown} → still running{so_far}", key=subject)
    if tests and not reads and not any(t.is_red or t.passed != 0 for t in tests):
        return deed.told("ran", f"{shown} → no test was selected", flags=("short",))
    if tests and not reads:
        own = own_errors(tests[0], output, errors)
        told = "; ".join(totals(test, own) for test in tests[:2])
        end = _ECHOED.sub("", f"{output}\n").strip().rpartition("\n")[2].strip()
        if " && " in bare(subject) and not failed and not _OF_TESTS.search(end):
            told += f"; {shortened(end, 60)}"  # what the last of several programs came to
        one_of = "e.g. " * (len(errors) > 1 < len(tests[0].failing))
        is_told = not errors or own or not any(t.is_red for t in tests)
        why = "" if is_told else f" — {one_of}{shortened(errors[0], 160)}"
        return deed.told("tested", f"{shown}: {told}{why}", key=subject)
    nothing = failed and reads and run is not None and run.exit_code == 1  # grep that found nothing
    if not output and (nothing or (_SEEKS if failed else _LOOKS).search(command)):
        what = shortened(one_line(bare(command)), COMMAND_CHARS)
        return deed.told("ran", f"ran `{what}` → nothing found", key=subject, flags=("reads", "short"))
    checks = not reads and is_check(command)
    goes_on = deed.run is not None and deed.run.ok is None and ENDS_WELL.search(output) is not None
    if (failed and not nothing) or (errors and not reads and not (deed.ended_well or goes_on)):
        cause = cause_of(errors, output)
        error = errors[-1 if cause else 0] if errors else ""
        told = f"{cause}{GAP}" * bool(cause) + shortened(error, 200) or last_lines(
            found or output, OUTPUT_CHARS
        )
        if reads and not told:
            return None  # what it looked for is not known, nor why it is not there
        if _ENDED.fullmatch(told) and "".join(_parts(command)[-1:]).split(" ")[0] in READING | {"test"}:
            return None  # that nothing is there is what was looked for
        if failed and not is_trouble(told):  # what a linter says is no error by its words
            code = run.exit_code if run is not None else None
            how = "failed" if code in (None, 1) else f"exit code {code}"  # 8 of `gh` is: not yet
            told = f"{how}: {told}" if told else how
        if stopped := _TIMED_OUT.match(output):
            told = stopped[1]
        told += how_far(deed.own_script, output)
        flags = ("check",) if checks else ()
        return deed.told("failed", f"{shown} → {told}", key=subject, flags=flags)
    named = cut_heredocs(command)[0]
    names = ((change, re.escape(change.path.rpartition("/")[2])) for change in deed.changes)
    others = (change for change, name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", named))
    tells = WELL.search(found) or any(map(is_trouble, found.splitlines()))
    edits = any(change.action != "created" or not tells for change in others)
    if checks and (is_named_check(command) or not edits):  # a script that edits is told as its edits
        most = 120 if is_named_check(subject.rpartition(" && ")[2]) else RUN_CHARS
        came = _ASIDE.sub("", _ECHOED.sub("", found)).strip()
        is_head = _HEAD.search(command) or SAVED in output
        ends = first_lines if is_head else partial(last_lines, trouble=not deed.ended_well)
        if ends is first_lines and not any(apart(came.splitlines())):
            return None  # the first of many like things
        came = FIXED_TEXT if recites(deed.trial) else came
        each = cases(came, most) if most == RUN_CHARS else ""
        told = joined(came) if len(came) <= most else each or ends(came, most)
        if most == RUN_CHARS and is_usage(came):
            lines = [line for line in came.splitlines() if line != GAP.strip()]
            ended = "exit code 0, " * (run is not None and run.exit_code == 0)
            told = f"{ended}{HELP_TEXT} of {len(lines)} lines"
        told += beside_work(deed.trial, told)
        return deed.told("tested", f"{shown} → {told or ('ok' if output else 'no output, ok')}", key=subject)
    if not posts(command) and (made := created(command, output)):
        return deed.told("posted", made)
    silent = not _STARTED.sub("", found).strip()
    edits = bool(deed.changes) and not _runs_beside(deed, command)
    looks = reads or shows_help(command, deed.cwd) or is_usage(output) or output.startswith(CUT_RECORDS)
    looks = looks or output.count("\n\n") > MANY_PARTS or "\n@@ -" in output
    looks = looks or top_of_records(output.splitlines()) != output.splitlines()
    echoes = SEARCHES.match(shown) and {*terms_of(_AT_LINE.sub("", output))} <= {*terms_of(command)}
    is_vain = (is_usage(output) and not reads) or ("\n" in output and lists_files(output))
    is_vain = is_vain or _COUNTS.fullmatch(subject) is not None
    if edits or silent or echoes or is_vain or (looks and len(output) > OUTPUT_CHARS):
        return None  # of a long output, what matters is told when the agent has spoken of it
    short = len(found) <= OUTPUT_CHARS
    flags = (*(("reads",) if reads else ()), *(("short",) if short else ()))
    ends = (
        first_lines
        if SAVED in output or [*map(bool, map(_SHOWS.match, _parts(command)))] == [True]
        else last_lines
    )
    told = joined(found) + unfound(command, output) if short else ends(found, OUTPUT_CHARS)
    if not told.strip(" …") or (told.startswith("Full output saved") and "…" in told and BREAK not in told):
        return None  # half the place of an output is none
    return deed.told("ran", f"{shown} → {told}", key=subject, flags=flags)


def errors_of(deed: Action, output: str) -> list[str]:
    """What went wrong by an output, each with the place that stands before it."""
    errors = (e.value for e in deed.events if isinstance(e.value, ErrorMessage))
    return [one_line(_with_place(e, output)) for e in errors if e.message in output]


def _with_place(error: ErrorMessage, output: str) -> str:
    at = output.find(error.message)
    head = output[output.rfind("\n", 0, at) + 1 : at]
    path = error.place.rpartition(":")[0] if error.place else "\n"
    start = head.find(path if len(path) <= PLACE_CHARS else path.rpartition("/")[2])
    return head[start:] * (start >= 0) + error.message


def cause_of(errors: Sequence[str], output: str) -> str:
    """The first of several errors that were raised, where the last is another; else nothing."""
    ends = {MODULE.sub("", error): error for error in (*errors[-1:], *errors[:1])}
    is_chain = output.count("Traceback (most recent") > 1 and len(ends) > 1 and errors[0][-1] != ":"
    return shortened(errors[0], CAUSE_CHARS) if is_chain else ""


def as_written(command: str, cwd: str | None, *, failed: bool = False) -> str:
    """A command line without what prepares it, joined as it is written, with what printed last.

    Where one of several `failed`, that may be any.

    >>> as_written("cd /repo; make a 2>&1 | tail -3; make b", None), as_written("cd doc && ls -l", None)
    ('make a; make b', 'cd doc && ls -l')
    """
    subject, written = run_subject(command, cwd, placed=True), cut_heredocs(command, "<<…")[0].strip()
    told = placed(subject, cwd)
    if subject == " ".join(command.split()):
        return told
    written = _IN_ANY_CASE.sub("", written)
    while first := _FIRST.match(written):
        written = written[first.end() :]
    masked = _masked(written)
    joints = [*_JOINT.finditer(masked)]
    kinds = {joint[0].replace("\n", ";") for joint in joints}
    parts = [one_line(part) for part in _parts(written)]
    hidden = (part for part in parts[:-1] if part.split(" ")[0] in READING and "sed -i" not in part)
    is_hidden = any(part.partition(" |")[0] not in told for part in hidden)
    if not is_named_check(subject) and (is_hidden or (failed and not _tells(told, parts[-1:]))):
        moved = re.match(r"cd \S+ && ", told) if not parts[0].startswith("cd ") else None
        line = (" && " if kinds == {"&&"} else "; ").join(parts)  # who knows which of them printed what
        return f"{moved[0]}{line}" if moved else line
    if "xargs " in told or (" && " in told and (_LOOP.search(masked) or "&" in kinds or "||" in kinds)):
        return in_one_line(_SILENCED.sub("", written))
    if moves := [*_MOVES.finditer(masked)]:
        told = told.replace(" && ", GAP)  # they ran in several folders
        folder = written[moves[-1].end() :].split(maxsplit=1)[0].rstrip(";&|")
        if folder.startswith(("/", "~")) and len(folder) <= FOLDER_CHARS:
            told = f"{GAP}in {folder}: ".join(told.rsplit(GAP, 1))
    if "&&" not in kinds:
        told = told.replace(" && ", "; ")
    last = written[joints[-1].end() :].strip() if joints else ""
    prints = (last.split(" ")[0] in READING and " -i" not in last) or _TELLS_MORE.match(last)
    if prints and ">" not in masked[joints[-1].end() :] and not told.endswith(one_line(last)):
        begins = joints[-2].end() if len(joints) > 1 else 0
        own = "".join(_parts(told)[-1:]).split(" ")[0]
        follows = written[begins : joints[-1].start()].split()[:1] == [own]
        tie = (" && " if joints[-1][0] == "&&" else "; ") if follows else GAP
        told += f"{tie}{one_line(last)}"
    return told


def _tells(told: str, parts: Sequence[str]) -> bool:
    """Whether the programs of these parts are named, those of version control with what they do."""
    heads = (" ".join(step[:2]) for part in parts for step in version_steps(part) or [part.split()])
    return all(head in told for head in heads)


def _both_ends(line: str, most: int) -> str:
    """A command line in so many characters, by its few parts, or by the first and the last of many."""
    moved = re.match(r"cd (\S+) && ", line)
    if moved and len(line) > most:  # where it ran says what it ran on
        where = f"cd {shortened(moved[1], FOLDER_CHARS)}{GAP}"
        return where + _both_ends(line[moved.end() :], most - len(where))
    parts = [part for piece in line.split(GAP) for part in _parts(piece)]
    if len(line) <= most or len(parts) < 2:
        return _with_bounds(line, most)
    parts = parts if len(parts) <= FEW_PARTS else [parts[0], parts[-1]]  # any of few may be what printed
    return GAP.join(_with_bounds(part, most // len(parts)) for part in parts).replace("… … ", "… ")


def _with_bounds(part: str, most: int) -> str:
    """A part of a command line in so many characters, with what it was told not to do."""
    told = shortened(without_settings(part, most), most)
    return " ".join([told, *[flag for flag in _BOUNDS.findall(part) if flag not in told][:2]])


def _parts(line: str) -> list[str]:
    """The parts of a command line that print something of their own."""
    line = _SILENCED.sub("", cut_heredocs(line)[0])
    masked = _masked(line)
    ends = [0, *(end for joint in _JOINT.finditer(masked) for end in joint.span()), len(line)]
    spans = zip(ends[::2], ends[1::2], strict=True)
    parts = (line[start:end].strip() for start, end in spans if ">" not in masked[start:end])
    return [part for part in parts if part and part[0] != "#" and part.split(" ")[0] not in PREPARING]


def _runs_beside(deed: Action, command: str) -> bool:
    """Whether a command line runs a program beside what it puts into files by the shell's own means."""
    commands = [c for c in parse_script(command, deed.cwd).commands if c.argv and not c.inner]
    works = [c for c in commands if c.name not in PREPARING | READING | {"git"} and not _into_files(c)]
    written = (c for c in commands if c.name in PREPARING | READING)
    targets = {resolve(path, c.cwd) for c in written for path in _into_files(c)}
    into = all(change.path in targets for change in deed.changes)
    return bool(works) and commands[-1] is works[-1] and into


def _into_files(command: SimpleCommand) -> list[str]:
    return [r.target.text for r in command.redirects if r.operator in (">", ">>", ">|", "&>", "&>>")]
