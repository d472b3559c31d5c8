"""Where things stand at the end of the span, and what is next.

Each line has a place in the order in which lines get room; what is long has a shorter form besides, for
budgets in which the whole one would take too much.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.call_text import JOINT, bare, is_trouble, shortened
from tamis.compactors.brief.reading.deeds.own_scripts import runs_one
from tamis.compactors.brief.reading.deeds.run_words import in_words, short_run
from tamis.compactors.brief.reading.edits.edited_places import PLANS
from tamis.compactors.brief.reading.settling.proofs import DOCUMENT, verdict_on, wanted
from tamis.compactors.brief.reading.settling.told_paths import told_from
from tamis.compactors.brief.reading.settling.whole_session import printed_by_many
from tamis.compactors.brief.reading.statement import STOPPED, Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import BEFORE, StatementReader
from tamis.compactors.brief.writing.by_plan import BY_THE_WAY
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.next_lines import NEWEST_RESULT, next_lines
from tamis.compactors.brief.writing.outside import outside_lines
from tamis.compactors.brief.writing.small_brief import LEAST_FOR_ALL
from tamis.compactors.brief.writing.status_line import WITH_ROOM, StatusLine, acts, is_run, kinds_of
from tamis.compactors.brief.writing.turn_end import ending
from tamis.compactors.brief.writing.work_tree import is_work, work_tree_lines
from tamis.ledger.files.paths import is_trial, is_within
from tamis.ledger.state import Entry, FileState
from tamis.messages import Counter as TokenCounter
from tamis.messages import Message
from tamis.text.terms import terms_of

LONGEST_SHARE = 0.2
"""The part of the room that one line may take; else it is told shorter."""

SHARE = 0.4
"""The part of the room that state and next may take together."""

SHORT_ROOM = 160
"""In fewer tokens every line stands in its short form."""

LEAST_FOR_READ = 1_000
"""In fewer tokens no line has room that is only good to have."""

MOST_TASKS, MOST_INSTALLED, MOST_BY_OTHERS, MOST_PUT_BACK = 14, 6, 2, 40
MANY_EDITS = 5
MOST_OF_CHANGE, MOST_OF_EARLIER, MOST_OF_MIDDLE = 120, 200, (440, 280)

_PROSE_FILE = re.compile(r"(?:^|/)\.[^/]*$|\.(?:mdx?|txt|rst|adoc|json|ya?ml|toml|lock|csv)$", re.IGNORECASE)
_RED = re.compile(r"\b[1-9]\d* (?:failed|errors)\b|\bFAIL")
"""Of commands that are tied by `&&`, those behind one that failed were not run."""
_WATCHES = re.compile(r"gh run watch\b")
"""Prints the steps of jobs again and again, done or not: what came of them is told elsewhere."""

_SET_BEFORE = re.compile(r"\A(?:\w{1,60}=\S{0,300} ){1,8}")
_BUILT = re.compile(r" -o (\S{3,200})")
"""Where a build puts the program: who runs that tries what was built."""

_NEW = re.compile(r"\A`[^`]{1,2000}` → (`[^`]{1,2000}`)\Z")
_NUMBER = re.compile(r" ?\((?:as of |of |at |git log at )?#\d{1,7}(?:-\d{1,7})?\)")
_OPENING_NUMBER = re.compile(r"\((?:at )?#\d{1,7}(?:-\d{1,7})?[,:;] ")
_AT_NUMBER = re.compile(r" (?:at|since) #\d{1,7}\b")
"""How the lines of these sections name a message."""

_RUNS_TESTS = re.compile(
    r"\b(?:pytest|unittest|runtests\.py|jest|vitest|tox|nox|rspec|phpunit|ctest)\b"
    r"|\b(?:django|manage\.py|go|cargo|npm|pnpm|bun|yarn|make|mvn|gradle|dotnet|mix|rake)(?: run)? test\b"
)
_IN_QUOTES = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_LOADS_TESTS = re.compile(r"(?m)^\s{0,12}(?:from|import) (?:[\w.]{1,100}\.)?tests?\.\w")
_NOT_BEGUN = re.compile(
    r"No module named [\w.'-]{1,80}|ModuleNotFoundError[^⏎…]{0,80}|ImportError[^⏎…]{0,80}"
    r"|ImproperlyConfigured|command not found|0 passed, \d{1,6} errors?"
)
"""A run of tests, and how it tells that it did not come to run any."""
_TASK = re.compile(r"\[(?:[ ~?]|later)\] ")
_WAITS = re.compile(r" and waits for the user|; the user is next")
_UNBEGUN = re.compile(r"is not begun: nothing was done for it yet")
_OVER = (NEWEST_RESULT.removeprefix("- "), "the agent was about to", "to be done now")
"""What is next only where nothing is behind."""


def standing(
    reading: StatementReader, root: str, room: int, counter: TokenCounter, *, tail: Sequence[Message] = ()
) -> dict[str, list[str]]:
    """The lines of the sections `state` and `next` that have room, in their order; `tail` goes on behind."""
    lines = [*_state(reading, root), *_going_on([*next_lines(reading, root, room)], tail)]
    lines = [line for line in lines if line.rank < WITH_ROOM or room >= LEAST_FOR_READ]
    left = int(SHARE * room)
    chosen: dict[int, str] = {}
    for at in sorted(range(len(lines)), key=lambda n: lines[n].rank):
        line = lines[at]
        in_short = room < SHORT_ROOM or (room < LEAST_FOR_ALL and line.rank >= BY_THE_WAY)
        for words in (line.short or line.text,) if in_short else (line.text, *line.middle, line.short):
            told = one_line(told_from(root, words))
            told = told if room >= LEAST_FOR_ALL else _unnumbered(told)
            tokens = counter.count(told) + 2
            if words and tokens <= left and (words == line.short or tokens <= max(LONGEST_SHARE * room, 24)):
                chosen[at] = f"- {told}"
                left -= tokens
                break
    tasks = [at for at, line in enumerate(lines) if _TASK.match(line.text)]
    told_of = [at for at in tasks if at in chosen]
    if told_of and len(tasks) > len(told_of):
        chosen[told_of[-1]] += f" … and {len(tasks) - len(told_of)} more"
    return {
        name: [chosen[at] for at in sorted(chosen) if lines[at].section == name] for name in ("state", "next")
    }


def _going_on(lines: Sequence[StatusLine], tail: Sequence[Message]) -> list[StatusLine]:
    """The lines of `next` where the conversation goes on behind the brief: what is newer stands there."""
    if how := next((how for message in tail for call in message.calls if (how := ending(call))), ""):
        text = f"the agent ends its work with `{how}` right behind this brief"
        short = "the agent ends its work right behind this brief"
        return [StatusLine(section="next", rank=0, text=text, short=short)]
    asks = any(m.role == "user" and m.origin == "conversation" and m.text for m in tail)
    if not asks and not any(m.role == "assistant" for m in tail):
        return [*lines]
    more = f"; {'the user' if asks else 'the work'} goes on right behind this brief"
    begun = "is only begun" if any(m.role == "assistant" for m in tail) else r"\g<0>"
    return [
        replace(
            line,
            text=_UNBEGUN.sub(begun, _WAITS.sub("", line.text)) + more,
            short=_UNBEGUN.sub(begun, _WAITS.sub("", line.short)) + more,
        )
        if line.rank == 0
        else line
        for line in lines
        if not line.text.startswith(_OVER)
    ]


def _state(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """What is committed, changed and tested, and the tasks that are open."""
    if root:
        text, cwd = f"paths of calls are in {root} where nothing else is said", reading.cwd or root
        moved = not (is_within(cwd, root) or is_within(root, cwd))  # its newest calls are told from there
        text += f"; the newest ran in {cwd}" * moved
        yield StatusLine(section="state", rank=4 if moved else 8, text=text)
    if reading.planning is not None:
        text = (
            f"plan mode is on since #{reading.planning}: nothing is to be changed before a plan is approved"
        )
        yield StatusLine(section="state", rank=0, text=text, short="plan mode is on: change nothing yet")
    yield from work_tree_lines(reading, root)
    yield from _by_others(reading, root)
    yield from outside_lines(reading)
    yield from _runs(reading, root)
    yield from _never_ran(reading)
    for note, many in printed_by_many(reading.statements).items():
        text = f"at least {many} edits were made although each printed: {note}"
        yield StatusLine(section="state", rank=6, text=text)
    installed = dict.fromkeys(s.text for s in reading.statements if "installed" in s.flags)
    if installed:
        names = ", ".join(text.removeprefix("installed ") for text in [*installed][-MOST_INSTALLED:])
        yield StatusLine(section="state", rank=5, text=f"installed: {names}")
    left = [e for e in reading.state.tasks if e.value.status in ("open", "in_progress", "deferred")]
    before, newest = [-1, -1, *request_turns(reading.statements)][-2:]
    stopped = [s for s in reading.statements if s.text.startswith(STOPPED)]
    done = sum(e.value.status == "done" for e in reading.state.tasks)
    if left and done:
        yield StatusLine(section="state", rank=3, text=f"{done} of {done + len(left)} tasks are done")
    for entry in left[:MOST_TASKS]:
        task = entry.value
        is_new = entry.last_turn >= before >= 0
        rank = 2 * (not is_new) if task.status == "in_progress" else 2 if is_new else 5
        since = f" (as of #{entry.last_turn})" if entry.last_turn < newest else ""
        later = {s.key.rpartition("/")[2]: s.turn for s in reading.statements if s.kind == "changed"}
        name = next((n for n, at in later.items() if n in task.text and at > entry.last_turn), "")
        was_done = "." in name and bool(since) and task.status == "in_progress"
        mark = (
            "[?]" if was_done else {"open": "[ ]", "in_progress": "[~]", "deferred": "[later]"}[task.status]
        )
        if "." in name and since:
            how = "under way at" if was_done else "as of"
            since = f" ({how} #{entry.last_turn}; {name} changed at #{later[name]})"
        said = (s for s in stopped if s.turn > entry.last_turn and task.status == "in_progress")
        if stop := next((s.turn for s in said if _names_one(s.text, task.text)), None):
            since = f" (the user stopped its edit at #{stop}, nothing written)"
        yield StatusLine(section="state", rank=rank, text=f"{mark} {one_line(task.text)}{since}")
    if not left:
        yield from _left_off(reading)


def _by_others(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """What somebody else changed since in files that the agent had changed: its report of them is older."""
    edits = [s for s in reading.statements if s.kind == "changed"]
    own = {s.key for s in edits}
    seen = {s.key: s for s in reading.statements if "seen" in s.flags and s.key in own}
    for s in [*seen.values()][-MOST_BY_OTHERS:]:
        out = s.text.partition("removed `")[2][:MOST_PUT_BACK].partition("`")[0]
        since = [e for e in edits if e.turn > s.turn and e.key == s.key]
        if since and (not out or any(out in e.text for e in since)):
            continue  # the agent put it back, or may have changed what was put in
        path, _, hunk = told_from(root, s.text.removeprefix("saw ")).partition(" changed by others")
        what = hunk.partition(": ")[2]
        if len(what) > MOST_OF_CHANGE and (new := _NEW.search(what)):
            what = f"now {new[1]}"
        text = f"changed by others, seen at #{s.turn}: {path}: {shortened(what, MOST_OF_CHANGE)}"
        yield StatusLine(section="state", rank=3, text=text, short=f"changed by others: {path}")


def _unnumbered(told: str) -> str:
    """A line of a small brief, without numbers of messages, which nothing explains there; quotes keep theirs.

    >>> _unnumbered("last run (#83, edited since): ran `gh pr view` → PR (#2) is open")
    'last run (edited since): ran `gh pr view` → PR (#2) is open'
    >>> _unnumbered("on branch main; last commit 1a2b3c4 (#9), pushed")
    'on branch main; last commit 1a2b3c4, pushed'
    """
    head, colon, words = _OPENING_NUMBER.sub("(", told).partition(": ")
    if not _TASK.match(told):
        head = _AT_NUMBER.sub("", _NUMBER.sub("", head))
    end = _NUMBER.search(words or head, max(0, len(words or head) - 24))
    if end and end.end() == len(words or head):
        head, words = (head, words[: end.start()]) if words else (head[: end.start()], "")
    return head + colon + words


def _left_off(reading: StatementReader) -> Iterator[StatusLine]:
    """Tasks that were not done, and that the list of them by which all are done has no more."""
    last = max((e.last_turn for e in reading.state.tasks), default=-1)
    newest = [e.value for e in reading.state.tasks if e.last_turn == last]
    done = [{*terms_of(task.text)} for task in newest if task.status == "done"]
    for task in newest if done else ():
        own = {*terms_of(task.text)}
        if task.status == "dropped" and all(2 * len(own & other) < len(own) for other in done):
            text = f"[ ] {one_line(task.text)} (left off the list of tasks undone, #{last})"
            yield StatusLine(section="state", rank=2, text=text)


def _names_one(stopped: str, task: str) -> bool:
    """Whether an edit that the user stopped was of a file that a task names."""
    path, told, _ = stopped.partition(", nothing written: ")
    return bool(told) and path.rpartition(" ")[2].rpartition("/")[2] in task


def _runs(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """The newest runs of tests, checks and scripts, and whether anything was changed since."""
    newest: dict[str, Statement] = {}
    made = {e.value.path.rpartition("/")[2] for e in reading.state.files if e.value.born}
    made |= {built for s in reading.statements for built in _BUILT.findall(s.key) if is_run(s)}
    runs = [s for s in reading.statements if is_run(s) or _tries(s, made)]
    runs = [s for s in runs if not _lost_its_folder(s, reading.state.files) and not _WATCHES.match(s.key)]
    for s in sorted(runs, key=_when):
        parts = bare(s.key).split(" && ")
        for part in parts if s.kind == "tested" and not _RED.search(s.text) else parts[:1]:
            words = _SET_BEFORE.sub("", part).split()
            program = " ".join(words[: 4 if words[1:2] == ["-m"] else 3 if " run " in part else 2])
            before = newest.pop(program, s)
            newest[program] = before if _when(before) == _when(s) else s  # what it printed, not what was said
    runs = list(dict.fromkeys(newest.values()))[-2:]
    gone = {e.value.path for e in reading.state.files if e.value.born and e.value.status == "deleted"}
    changes = [s for s in reading.statements if s.kind == "changed" and "captured" not in s.flags]
    changes = [s for s in changes if s.key not in gone and is_work(s.key, root) and not PLANS.search(s.key)]
    new = {e.value.path for e in reading.state.files if e.value.born} - {*reading.there}
    first = {s.key: _when(s) for s in reversed(changes)}
    later = ""
    hoped = wanted(reading.statements)
    own = [made & {word.rpartition("/")[2] for word in bare(s.key).split()} for s in runs]
    for s, script in zip(runs, own, strict=True):
        others = set[str]().union(*own) - script  # what only another run tries
        since = [e for e in changes if _when(e) > _when(s) and e.key.rpartition("/")[2] not in others]
        since = [e for e in since if not DOCUMENT.search(e.key) or e.key.rpartition("/")[2] in s.key]
        since = [e for e in since if e.key not in new or first[e.key] <= _when(s) or not is_trial(e.key)]
        counts = kinds_of({_when(e): e for e in since}, {k: at for k, at in first.items() if k in new})
        later = f", {' and '.join(sorted(counts))} since" if counts else ""
        is_last = s is runs[-1]
        stands = {e.key: e.text for e in since}.values()
        if s.kind != "tested" and _is_amiss(s) and any(text.startswith("reverted ") for text in stands):
            continue  # it may have failed for what was taken back
        if not is_last and s.kind == "failed" and counts["edited"] >= MANY_EDITS:
            continue  # what failed then tells nothing of now
        if not is_last and script and own[-1] and _is_amiss(s) and not _is_amiss(runs[-1]):
            continue  # the agent has looked into it since, by another script of its own
        name = "run" if any(_when(o) > _when(s) for o in filter(acts, reading.statements)) else "last run"
        is_own = runs_one(s.key, script) and not _RUNS_TESTS.search(bare(s.key))
        whose = ", the agent's script" * is_own
        names = {e.key.rpartition("/")[2] for e in since}
        if whose and {*counts} == {"edited"} and len(names) == 1:  # it may be another file than the script
            later = f", {names.pop()} edited since"
        head = f"{name if is_last else 'earlier run'} (#{s.turn}{whose}{later}): "
        came, was = s.text.partition(BEFORE)[0], "".join(s.text.partition(BEFORE)[1:])
        if said := hoped.get((s.turn, s.place)):
            ahead = [e for e in changes if _when(e) < _when(s) and e.key.rpartition("/")[2] in s.key]
            told = () if was else ahead[-1:]
            was += "".join(f"{BEFORE}{e.turn}: {shortened(e.text, MOST_OF_CHANGE)})" for e in told)
            was += f" = {said.text}"
        judged = verdict_on(reading.statements, s) if whose and not _is_amiss(s) else None
        most = 440 if is_last or " → " not in s.text else MOST_OF_EARLIER
        text, *middle, short = (in_words(short_run(came, n), judged) for n in (most, *MOST_OF_MIDDLE, 80))
        yield StatusLine(
            section="state",
            rank=1 if is_last else 6,
            text=head + text + was,
            middle=tuple(head + told + was for told in middle),
            short=head + short + was * (" tests ran" in was),
        )
    edited = [s for s in changes if "source" in s.flags]
    helped = max((_when(s) for s in reading.statements if "agent" in s.flags), default=(-1, 0))
    if (
        edited
        and helped < _when(edited[-1])  # another agent may have run more than it tells
        and not any(_when(s) >= _when(edited[-1]) for s in runs)
        and not _PROSE_FILE.search(edited[-1].key)
        and not (runs and later)  # the line of the run says so
    ):
        text = f"no test or script output since the last edit (#{edited[-1].turn})"
        if not any(is_run(s) or acts(s) for s in reading.statements):
            text = "no test, build or script was run"
        yield StatusLine(section="state", rank=4, text=text)


def _never_ran(reading: StatementReader) -> Iterator[StatusLine]:
    """That the project's own tests were tried and came to nothing each time, whatever scripts may say."""
    made = {e.value.path.rpartition("/")[2]: e.value.path for e in reading.state.files if e.value.born}
    tried = []
    for s in (s for s in reading.statements if s.kind in ("tested", "failed")):
        own = [made[name] for word in bare(s.key).split() if (name := word.rpartition("/")[2]) in made]
        if s.kind == "tested" and any(_LOADS_TESTS.search(reading.files.text_of(path)) for path in own):
            return  # a script of the agent's own has run some of them
        if not own and _RUNS_TESTS.search(_IN_QUOTES.sub("", s.key)):
            tried.append(s)
    if not tried or not all(_NOT_BEGUN.search(s.text) for s in tried):
        return
    at = [f"#{s.turn}" for s in {s.turn: s for s in tried}.values()]
    why = {found[0] for s in tried if (found := _NOT_BEGUN.search(s.text))}
    came = f"failed{f': {why.pop()}' if len(why) == 1 else ''}"  # several reasons stand with their runs
    text = f"the project's own tests never ran ({', '.join(at[-3:])} {came})"
    yield StatusLine(section="state", rank=2, text=text, short="the project's own tests never ran")


def _is_amiss(run: Statement) -> bool:
    return any(map(is_trouble, JOINT.split(run.text.partition(BEFORE)[0])))


def _tries(s: Statement, made: Set[str]) -> bool:
    """Whether a command worked with a file that the agent made."""
    return acts(s) and not made.isdisjoint(bare(s.key).split())


def _lost_its_folder(run: Statement, files: Sequence[Entry[FileState]]) -> bool:
    """Whether a command ran in a folder that was deleted since."""
    folder = run.key.partition(" && ")[0].removeprefix("cd ") if run.key.startswith("cd /") else ""
    inside = [e for e in files if folder and is_within(e.value.path, folder)]
    return bool(inside) and all(e.value.status == "deleted" and e.last_turn > run.turn for e in inside)


def _when(s: Statement) -> tuple[int, int]:
    return s.turn, s.place[0]
