"""Where things stand at the end of the span, and what is next.

Each line has a place in the order in which lines get room; what is long has a shorter form besides, for
budgets in which the whole one would take too much.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from tamis.compactors.brief.reading.call_text import JOINT, bare, is_trouble, short_run
from tamis.compactors.brief.reading.renames import renamed
from tamis.compactors.brief.reading.statement import Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import BEFORE, OF_ITSELF, StatementReader
from tamis.compactors.brief.reading.validity import told_from
from tamis.compactors.brief.reading.whole_session import printed_by_many
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.next_lines import NEWEST_RESULT, next_lines
from tamis.compactors.brief.writing.status_line import StatusLine, acts, by_beginning, is_run, kinds_of
from tamis.compactors.brief.writing.turn_end import ending
from tamis.ledger.files.paths import is_aside, is_copy_of, is_temporary, is_trial
from tamis.ledger.state import Entry, FileState
from tamis.messages import Counter as TokenCounter
from tamis.messages import Message

LONGEST_SHARE = 0.2
"""The part of the room that one line may take; else it is told shorter."""

SHARE = 0.4
"""The part of the room that state and next may take together."""

SHORT_ROOM = 160
"""In fewer tokens every line stands in its short form."""

MOST_FILES, FEW_FILES = 40, 3
MOST_TASKS, MOST_INSTALLED, MOST_LISTED = 14, 6, 8
MANY_EDITS = 5
MOST_OF_EARLIER, MOST_OF_MIDDLE = 200, (440, 280)

_TITLES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("changed", 3, ("modified",)),
    ("made", 4, ("created",)),
    ("removed", 7, ("deleted",)),
    ("moved", 7, ("renamed",)),
)
_PROSE_FILE = re.compile(r"(?:^|/)\.[^/]*$|\.(?:mdx?|txt|rst|adoc|json|ya?ml|toml|lock|csv)$", re.IGNORECASE)
_COMMIT_ASKED = re.compile(
    r"\A\W{0,9}commit\b|\b(?:please|then|and|also|now|are|be|get|(?:can|could) you) commit(?:t?ed)?\b"
    r"|(?<!not )(?<!n't )\bcommit (?:it|this|these|them|all|everything"
    r"|(?:the|your|my|our) (?:changes|work|files))\b",
    re.IGNORECASE,
)
"""Asks for a commit."""

_PLANS = re.compile(r"/\.(?:claude|codex|copilot|gemini)/(?:plans|todos|memory)/")
"""Where agents' programs keep what is no part of the work."""

_RED = re.compile(r"\b[1-9]\d* (?:failed|errors)\b|\bFAIL")
"""Of commands that are tied by `&&`, those behind one that failed were not run."""
_LOOKS_ON = re.compile(r"\A(?:repro|test|debug|check|verify|demo|example|compare|analy[sz]e)")
_BUILT = re.compile(r" -o (\S{3,200})")
"""Where a build puts the program: who runs that tries what was built."""

_WAITS = re.compile(r" and waits for the user|; the user is next")
_OVER = (NEWEST_RESULT.removeprefix("- "), "the agent was about to")
"""What is next only where nothing is behind."""

_COMMITTED = re.compile(r"^committed(?: and pushed)?(?: (?P<hash>[0-9a-f]{7,}))?: (?P<subject>.{0,60})")


def standing(
    reading: StatementReader, root: str, room: int, counter: TokenCounter, *, tail: Sequence[Message] = ()
) -> dict[str, list[str]]:
    """The lines of the sections `state` and `next` that have room, in their order; `tail` goes on behind."""
    lines = [*_state(reading, root), *_going_on([*next_lines(reading, root, room)], tail)]
    left = int(SHARE * room)
    chosen: dict[int, str] = {}
    for at in sorted(range(len(lines)), key=lambda n: lines[n].rank):
        line = lines[at]
        for words in (
            (line.text, *line.middle, line.short) if room >= SHORT_ROOM else (line.short or line.text,)
        ):
            told = one_line(told_from(root, words))
            tokens = counter.count(told) + 2
            if words and tokens <= left and (words == line.short or tokens <= max(LONGEST_SHARE * room, 24)):
                chosen[at] = f"- {told}"
                left -= tokens
                break
    return {
        name: [chosen[at] for at in sorted(chosen) if lines[at].section == name] for name in ("state", "next")
    }


def _going_on(lines: Sequence[StatusLine], tail: Sequence[Message]) -> list[StatusLine]:
    """The lines of `next` where the conversation goes on behind the brief: what is newer stands there."""
    if how := next((how for message in tail for call in message.calls if (how := ending(call))), ""):
        text = f"the agent ends its work with `{how}` right behind this brief"
        return [StatusLine(section="next", rank=0, text=text, short=text)]
    asks = any(m.role == "user" and m.origin == "conversation" and m.text for m in tail)
    if not asks and not any(m.role == "assistant" for m in tail):
        return [*lines]
    more = f"; {'the user' if asks else 'the work'} goes on right behind this brief"
    return [
        StatusLine(
            section="next",
            rank=0,
            text=_WAITS.sub("", line.text) + more,
            short=_WAITS.sub("", line.short) + more,
        )
        if line.rank == 0
        else line
        for line in lines
        if not line.text.startswith(_OVER)
    ]


def _state(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """What is committed, changed and tested, and the tasks that are open."""
    if root:
        yield StatusLine(section="state", rank=8, text=f"paths are in {root} where nothing else is said")
    if reading.planning is not None:
        text = (
            f"plan mode is on since #{reading.planning}: nothing is to be changed before a plan is approved"
        )
        yield StatusLine(section="state", rank=0, text=text, short="plan mode is on: change nothing yet")
    commits = [s for s in reading.statements if s.kind == "committed"]
    commit = commits[-1].turn if commits else -1
    yield from _committed(reading, commits)
    yield from _left_uncommitted(reading, commit, root)
    yield from _files(reading, commit, root)
    yield from _renamed(reading)
    yield from _runs(reading, root)
    for note, many in printed_by_many(reading.statements).items():
        text = f"{many} edits were made although each printed: {note}"
        yield StatusLine(section="state", rank=6, text=text)
    installed = dict.fromkeys(s.text for s in reading.statements if "installed" in s.flags)
    if installed:
        names = ", ".join(text.removeprefix("installed ") for text in [*installed][-MOST_INSTALLED:])
        yield StatusLine(section="state", rank=5, text=f"installed: {names}")
    left = [e for e in reading.state.tasks if e.value.status in ("open", "in_progress", "deferred")]
    newest = max(request_turns(reading.statements), default=-1)
    for entry in left[:MOST_TASKS]:
        task = entry.value
        rank = 2 if task.status == "in_progress" else 5
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
        yield StatusLine(section="state", rank=rank, text=f"{mark} {one_line(task.text)}{since}")


def _committed(reading: StatementReader, commits: Sequence[Statement]) -> Iterator[StatusLine]:
    on = f"on branch {reading.branch}; " if reading.branch else ""
    found = _COMMITTED.match(commits[-1].text) if commits else None
    tree, head = reading.tree, reading.head
    changed = max((s.turn for s in reading.statements if s.kind == "changed"), default=-1)
    clean = f"; nothing uncommitted (#{tree.turn})" if tree and tree.is_clean and tree.turn > changed else ""
    now, since = reading.under_way
    amid = f"; git was in the midst of {now} (#{since}): not concluded since" if now else ""
    asked = (s.text for s in reading.statements if s.kind == "asked" and "boilerplate" not in s.flags)
    wanted = changed >= 0 and any(map(_COMMIT_ASKED.search, asked))
    if found is None:
        gone = bool(_now_clean(reading, -1))  # what was changed was committed, or put back, unseen
        pushed = ", pushed" if tree and tree.is_pushed else ""
        seen = f"HEAD is {head[0][:10]} (git log at #{head[1]}){pushed}" if head else ""
        came = seen if seen and gone else "no commit seen" + f"; {seen}" * bool(seen)
        rank, told = 2 if amid or wanted or gone else 7, f"{came}{amid}"
        if on or clean or seen or rank == 2:
            yield StatusLine(section="state", rank=rank, text=f"{on}{came}{clean}{amid}", short=told)
        return
    last = commits[-1]
    turn, seen, name = last.turn, "", found["hash"] or f'"{found["subject"].split(" ⏎ ")[0]}"'
    if head and head[1] > turn and not (found["hash"] or "").startswith(head[0][:7]):
        name, turn, seen = head[0][:10], head[1], "git log at "
    pushes = [s.turn for s in reading.statements if s.kind == "posted" and "git push" in s.text]
    pushes += [s.turn for s in commits if s.text.startswith("committed and pushed")]
    pushed = "no push seen" if not pushes else "pushed" if max(pushes) >= turn else "not pushed since"
    if tree and tree.turn > turn and tree.is_pushed is not None:
        pushed = "pushed" if tree.is_pushed else "not pushed"
    at_rest = clean if tree and tree.turn > last.turn else ""
    text = f"{on}last commit {name} ({seen}#{turn}), {pushed}{at_rest}{amid}"
    yield StatusLine(section="state", rank=2, text=text, short=f"last commit {name}, {pushed}")


def _left_uncommitted(reading: StatementReader, commit: int, root: str) -> Iterator[StatusLine]:
    """What `git status` listed last, where it is not what the calls have changed since the commit."""
    tree = reading.tree
    if tree is None or not tree.complete or not tree.listed or not 0 <= commit < tree.turn:
        return
    work = {e.value.path for e in reading.state.files if e.value.status in ("created", "modified")}
    own = {s.key for s in reading.statements if s.kind == "changed" and s.turn < tree.turn}
    if any(not tree.code(path) and _is_work(path, root) for path in own & work):  # else it says nothing new
        head = f"`git status` at #{tree.turn} lists"
        text = f"{head} only: {tree.told(MOST_LISTED)}"
        yield StatusLine(section="state", rank=3, text=text, short=f"{head} {len(tree.listed)} files")


def _files(reading: StatementReader, commit: int, root: str) -> Iterator[StatusLine]:
    """The files that stand changed, by folder; those there before apart from what the agent made."""
    helped = any("agent" in s.flags for s in reading.statements)
    entries = [e for e in reading.state.files if e.value.status != "read" and "$" not in e.value.path]
    changed = sorted(entries, key=lambda e: -e.last_turn)
    asked = "\n".join(s.text for s in reading.statements if s.kind == "asked")
    paths = [(e, e.value.path) for e in changed]
    wanted = [e for e, path in paths if (path if is_temporary(path) else path.rpartition("/")[2]) in asked]
    work = [e for e in changed if _is_work(e.value.path, root) or e in wanted]
    work = work or [e for e in changed if e.value.born]
    kept = [(e, e.value.path, o.value.path) for e in changed if e not in work for o in work]
    backups = [e for e, own, path in kept if own.startswith(f"{path}.") or is_copy_of(own, path)]
    written = _uncommitted(reading, commit)
    clean = [e for e in _now_clean(reading, commit) if e in work]
    if clean and reading.tree:
        head = f"changed before, clean in `git status` at #{reading.tree.turn}: "
        text = head + _listed(clean, MOST_FILES, None, root, written)
        yield StatusLine(section="state", rank=4, text=text)
    work = [e for e in work if e not in clean]
    for title, rank, statuses in _TITLES:
        own = [e for e in work + backups * (title == "made") if _status(reading, e.value) in statuses]
        if title in ("removed", "moved"):
            own = [e for e in own if e.value.certain and not e.value.born]
        if own:
            since = commit if any(written.get(e.value.path, -1) > commit >= 0 for e in own) else None
            head = title + (" (* = since that commit)" if since is not None else "")
            text = f"{head}: {_listed(own, MOST_FILES, since, root, written)}"
            short = f"{title}: {_listed(own, FEW_FILES, None, root, written)}"
            rank = 1 if title == "changed" and len(own) == 1 else rank  # the one that it is all about
            elsewhere = root and not any(e.value.path.startswith(root + "/") for e in own)
            yield StatusLine(section="state", rank=7 if elsewhere else rank, text=text, short=short)
        elif title == "changed" and changed and not clean and commit < 0 and not helped:
            back = any(e.value.status == "reverted" for e in changed)
            text = f"no file that was there before {'stands' if back else 'was'} changed"
            unseen = _may_write(reading, changed)
            if text := (text + ", as far as the calls show" * unseen) * (back or not unseen):
                yield StatusLine(section="state", rank=2 if back else 4, text=text, short=text)


def _renamed(reading: StatementReader) -> Iterator[StatusLine]:
    """Which names have others now; first where the user still calls them by the old ones."""
    names = renamed(reading.statements)
    if names:
        told = ", ".join(f"{old} → {new}" for old, (new, _, _) in [*names.items()][:MOST_TASKS])
        first, last = min(at for _, at, _ in names.values()), max(at for _, _, at in names.values())
        text = f"renamed: {told} (#{first}{f'-{last}' * (last > first)})"
        asked = [s.text for s in reading.statements if s.kind == "asked"]
        calls = any(old in words for words in asked for old in names)
        yield StatusLine(section="state", rank=2 if calls else 3, text=text, short=text * calls)


def _is_work(path: str, root: str) -> bool:
    """Whether a file is part of the work: no backup, no patch, no log, nothing temporary."""
    return not is_aside(path) and (not is_temporary(path) or is_temporary(f"{root}/"))


def _status(reading: StatementReader, file: FileState) -> str:
    return "modified" if file.status == "created" and file.path in reading.there else file.status


def _uncommitted(reading: StatementReader, commit: int) -> dict[str, int]:
    """When each file was last changed, without those that `git status` does not list any more."""
    written = {s.key: s.turn for s in reading.statements if s.kind == "changed"}
    tree = reading.tree
    if tree is None or not tree.complete or tree.turn <= commit:
        return written
    return {path: turn for path, turn in written.items() if turn > tree.turn or tree.code(path)}


def _now_clean(reading: StatementReader, commit: int) -> list[Entry[FileState]]:
    """The files that stood changed where no commit was seen, and that `git status` then did not list."""
    edits = {s.key for s in reading.statements if s.kind == "changed"} - _uncommitted(reading, commit).keys()
    there = (e for e in reading.state.files if _status(reading, e.value) == "modified")
    folder = f"{reading.tree.folder}/" if reading.tree and reading.tree.folder else ""
    return [e for e in there if commit < 0 and e.value.path in edits and e.value.path.startswith(folder)]


def _may_write(reading: StatementReader, changed: Sequence[Entry[FileState]]) -> bool:
    """Whether a script of the agent's own ran and may have changed files unseen."""
    made = {e.value.path.rpartition("/")[2] for e in changed if e.value.born}
    made = {name for name in made if not _LOOKS_ON.match(name)}
    ran = (s for s in reading.statements if s.kind in ("ran", "failed", "tested"))
    return any(not made.isdisjoint(word.rpartition("/")[2] for word in bare(s.key).split()) for s in ran)


def _listed(
    entries: Sequence[Entry[FileState]], most: int, since: int | None, root: str, written: Mapping[str, int]
) -> str:
    folders: dict[str, list[str]] = {}
    for entry in entries[:most]:
        path = entry.value.path.removeprefix(root + "/") if root else entry.value.path
        came_from = None if entry.value.born else entry.value.renamed_from
        if came_from:
            path = f"{came_from.removeprefix(root + '/') if root else came_from} → {path}"
        folder, _, name = ("", "", path) if came_from else path.rpartition("/")
        mark = "*" if since is not None and written.get(entry.value.path, -1) > since else ""
        mark += " (perhaps)" if entry.value.born and not entry.value.certain else ""
        folders.setdefault(folder, []).append(name + mark)
    told = []
    for folder, names in folders.items():
        names = by_beginning(names)
        if not folder:
            told.append(", ".join(names))
        elif len(names) == 1:
            told.append(f"{folder}/{names[0]}")
        else:
            told.append(f"{folder}/: {', '.join(names)}")
    if len(entries) > most:
        told.append(
            f"{len(entries) - most} more file{'s' * (len(entries) > most + 1)}"
        )  # who knows in which folder
    return "; ".join(told)


def _runs(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """The newest runs of tests, checks and scripts, and whether anything was changed since."""
    newest: dict[str, Statement] = {}
    made = {e.value.path.rpartition("/")[2] for e in reading.state.files if e.value.born}
    made |= {built for s in reading.statements for built in _BUILT.findall(s.key) if is_run(s)}
    runs = [s for s in reading.statements if is_run(s) or _tries(s, made)]
    for s in sorted(runs, key=_when):
        parts = bare(s.key).split(" && ")
        for part in parts if s.kind == "tested" and not _RED.search(s.text) else parts[:1]:
            program = " ".join(part.split()[:2])
            before = newest.pop(program, s)
            newest[program] = before if _when(before) == _when(s) else s  # what it printed, not what was said
    runs = list(dict.fromkeys(newest.values()))[-2:]
    gone = {e.value.path for e in reading.state.files if e.value.born and e.value.status == "deleted"}
    changes = [s for s in reading.statements if s.kind == "changed" and "captured" not in s.flags]
    changes = [s for s in changes if s.key not in gone and _is_work(s.key, root) and not _PLANS.search(s.key)]
    new = {e.value.path for e in reading.state.files if e.value.born}
    first = {s.key: _when(s) for s in reversed(changes)}
    later = ""
    own = [made & {word.rpartition("/")[2] for word in bare(s.key).split()} for s in runs]
    for s, script in zip(runs, own, strict=True):
        others = set[str]().union(*own) - script  # what only another run tries
        since = [e for e in changes if _when(e) > _when(s) and e.key.rpartition("/")[2] not in others]
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
        head = f"{name if is_last else 'earlier run'} (#{s.turn}{later}): "
        yield StatusLine(
            section="state",
            rank=1 if is_last else 6,
            text=head + _came_to(s, 440 if is_last or " → " not in s.text else MOST_OF_EARLIER),
            middle=tuple(head + _came_to(s, most, noted=False) for most in MOST_OF_MIDDLE),
            short=head + short_run(s.text.partition(BEFORE)[0], 80),
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
        last = edited[-1]
        text, after = "no test, check or script was run", f" after the last edit of {last.key} (#{last.turn})"
        ran = runs or any(
            s.kind in ("ran", "failed") and {"reads", "refused", "installed"}.isdisjoint(s.flags)
            for s in reading.statements
        )
        yield StatusLine(section="state", rank=4, text=text + after if ran else text)


def _is_amiss(run: Statement) -> bool:
    return any(map(is_trouble, JOINT.split(run.text.partition(BEFORE)[0])))


def _came_to(run: Statement, most: int, *, noted: bool = True) -> str:
    """A run in so many characters, with what the same one had come to before the change."""
    text, before, was = run.text.partition(BEFORE)
    return short_run(text, most) + (before + was) * (noted or OF_ITSELF not in was)


def _tries(s: Statement, made: Set[str]) -> bool:
    """Whether a command worked with a file that the agent made."""
    return acts(s) and not made.isdisjoint(bare(s.key).split())


def _when(s: Statement) -> tuple[int, int]:
    return s.turn, s.place[0]
