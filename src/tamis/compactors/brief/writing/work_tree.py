"""What stands in the work tree at the end of the span: commits, files, names that were changed."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tamis.compactors.brief.reading.deeds.call_text import bare
from tamis.compactors.brief.reading.edits.renames import renamed
from tamis.compactors.brief.reading.speech.rejections import misread
from tamis.compactors.brief.reading.statement import WORDS, Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.status_line import WITH_ROOM, StatusLine, by_beginning
from tamis.compactors.brief.writing.turn_end import is_closed
from tamis.compactors.completeness import taken_away
from tamis.ledger.files.paths import is_aside, is_copy_of, is_temporary, is_within
from tamis.ledger.state import Entry, FileState

MOST_FILES, SOME_FILES, FEW_FILES = 40, 8, 3
MOST_RENAMED, MOST_LISTED = 14, 8
SHORT_HASH = 7
MOST_IN_FULL, LONG_WAY = 2, 24
"""Of more files that share a way of so many characters, it is told once."""

_TITLES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("changed", 1, ("modified",)),
    ("made", 4, ("created",)),
    ("removed", 2, ("deleted",)),
    ("moved", 7, ("renamed",)),
)
_COMMIT_ASKED = re.compile(
    r"\A\W{0,9}commit\b|\b(?:please|then|and|also|now|are|be|get|(?:can|could) you) commit(?:t?ed)?\b"
    r"|(?<!not )(?<!n't )\bcommit (?:it|this|these|them|all|everything"
    r"|(?:the|your|my|our) (?:changes|work|files))\b",
    re.IGNORECASE,
)
"""Asks for a commit."""

_GIT = re.compile(r"\bgit (?!repo)|\bcommit [0-9a-f]{7,40}\b")
"""Speaks of versions that are kept."""

_SAYS_COMMITTED = re.compile(r"(?i)\bcommit(?:ted)?\b\W{0,9}(?:hash|as|is)?\W{0,9}\b([0-9a-f]{7,40})\b")
_IS_COMMITTED = re.compile(r"(?i)(?<!not )(?<!not yet )(?<!n't )\bcommitted (?:in|as|with|by)\b")
_GONE = frozenset({"renamed", "deleted"})
_LOOKS_ON = re.compile(
    r"\A(?:run_(?:server|tests?)\b|repro|test|debug|check|verify|demo|example|compare|analy[sz]e)"
)
_SAYS_WRITTEN = re.compile(
    r"(?i)\A(?:add|update|create|delete)d?: `|\b(?:I|we)(?:['’]ve| have)? (?:just |now )?"
    r"(?:drafted|created|wrote|written|added|updated|changed|implemented|fixed|saved)\b"
)
_COMMITTED = re.compile(r"^committed(?: and pushed)?(?: (?P<hash>[0-9a-f]{7,}))?: (?P<subject>.{0,60})")


def work_tree_lines(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """What was committed, which files stand changed, and which names have others now."""
    commits = [s for s in reading.statements if s.kind == "committed"]
    commit = commits[-1].turn if commits else -1
    yield from _committed(reading, commits)
    yield from _left_uncommitted(reading, commit, root)
    yield from _files(reading, commit, root)
    yield from _renamed(reading)


def _committed(reading: StatementReader, commits: Sequence[Statement]) -> Iterator[StatusLine]:
    on = f"on branch {reading.branch}; " if reading.branch else ""
    found = _COMMITTED.match(commits[-1].text) if commits else None
    tree, head = reading.tree, reading.head
    changed = max((s.turn for s in reading.statements if s.kind == "changed"), default=-1)
    works = any(s.kind == "changed" and "source" in s.flags for s in reading.statements)
    clean = f"; nothing uncommitted (#{tree.turn})" if tree and tree.is_clean and tree.turn > changed else ""
    now, since = reading.under_way
    amid = f"; git was in the midst of {now} (#{since}): not concluded since" if now else ""
    asked = (s.text for s in reading.statements if s.kind == "asked" and "boilerplate" not in s.flags)
    wanted = changed >= 0 and any(map(_COMMIT_ASKED.search, asked))
    if found is None:
        gone = bool(_now_clean(reading, -1))  # what was changed was committed, or put back, unseen
        pushed = ", pushed" if tree and tree.is_pushed else ""
        asked_at = max(request_turns(reading.statements), default=-1)  # others may have committed until then
        seen = (
            f"HEAD is {head[0][:10]} (git log at #{head[1]}){pushed}" if head and head[1] > asked_at else ""
        )
        reported = _reported_commit(reading)
        came = seen if seen and gone else (reported or "no commit made by a call") + f"; {seen}" * bool(seen)
        own = {s.key for s in reading.statements if s.kind == "changed"}
        if tree and tree.turn > changed and not gone and any(map(tree.code, own)):
            came = f"changes uncommitted (#{tree.turn})" + f"; {seen}" * bool(seen)
        rank, told = 2 if amid or wanted or gone else 7, f"{came}{amid}"
        has_git = works and any(_GIT.search(s.text) for s in reading.statements)
        if on or clean or seen or has_git or reported or rank == 2:
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
    where = _elsewhere(reading)
    text = f"{on * (not where)}last commit {name} ({seen}#{turn}){where}, {pushed}{at_rest}{amid}"
    text += f"; the work now stands {on.rstrip('; ')}" * bool(where and on)
    yield StatusLine(section="state", rank=2, text=text, short=f"last commit {name}{where}, {pushed}")


def _elsewhere(reading: StatementReader) -> str:
    """The folder of the last commit, where the branch is that of another."""
    commit, branch = reading.committed_in or "", reading.branch_in or ""
    apart = commit and branch and not (is_within(commit, branch) or is_within(branch, commit))
    return f" in another checkout ({commit})" if apart else ""


def _reported_commit(reading: StatementReader) -> str:
    """The newest commit that another agent says it made: no call shows it."""
    told = [s for s in reading.statements if s.kind == "reported" or "agent" in s.flags]
    found = [(hit[1], s.turn) for s in told if (hit := _SAYS_COMMITTED.search(s.text))]
    known = [s.text for s in reading.statements if found and s.turn < found[-1][1]]
    if any(found[-1][0][:SHORT_HASH] in text for text in [*known, *(reading.head or ("",))[:1]] if found):
        return ""  # it was there before
    return f"commit {found[-1][0]} (reported by another agent, #{found[-1][1]})" if found else ""


def _left_uncommitted(reading: StatementReader, commit: int, root: str) -> Iterator[StatusLine]:
    """What `git status` listed last, where it is not what the calls have changed since the commit."""
    tree = reading.tree
    if tree is None or not tree.complete or not tree.listed or not 0 <= commit < tree.turn:
        return
    work = {e.value.path for e in reading.state.files if e.value.status in ("created", "modified")}
    own = {s.key for s in reading.statements if s.kind == "changed" and s.turn < tree.turn}
    if any(not tree.code(path) and is_work(path, root) for path in own & work):  # else it says nothing new
        head = f"`git status` at #{tree.turn} lists"
        text = f"{head} only: {tree.told(MOST_LISTED)}"
        many = f"{len(tree.listed)} file{'s' * (len(tree.listed) > 1)}"
        yield StatusLine(section="state", rank=4, text=text, short=f"{head} {many}")


def _files(reading: StatementReader, commit: int, root: str) -> Iterator[StatusLine]:
    """The files that stand changed, by folder; those there before apart from what the agent made."""
    helped = any("agent" in s.flags for s in reading.statements)
    entries = [e for e in reading.state.files if e.value.status != "read" and "$" not in e.value.path]
    seen = {e.value.path for e in entries if reading.tree and reading.tree.code(e.value.path)} | reading.there
    entries = [
        replace(e, value=replace(e.value, certain=True)) if e.value.path in seen else e for e in entries
    ]
    said = ((s.text, s.turn) for s in reading.statements if s.kind == "asked")
    gone = taken_away(entries, said)
    for turn in sorted(set(gone.values())):
        own = [e for e in entries if gone.get(e.value.path) == turn]
        text = f"removed by the user (#{turn}): {_listed(own, SOME_FILES, None, root, {})}"
        yield StatusLine(section="state", rank=4, text=text)
    entries = [e for e in entries if e.value.path not in gone]
    changed = sorted(entries, key=lambda e: -e.last_turn)
    asked = "\n".join(s.text for s in reading.statements if s.kind == "asked")
    paths = [(e, e.value.path) for e in changed]
    wanted = [e for e, path in paths if (path if is_temporary(path) else path.rpartition("/")[2]) in asked]
    work = [e for e in changed if is_work(e.value.path, root) or e in wanted]
    work = work or [e for e in changed if e.value.born]
    kept = [(e, e.value.path, o.value.path) for e in changed if e not in work for o in work]
    backups = [e for e, own, path in kept if own.startswith(f"{path}.") or is_copy_of(own, path)]
    written = _uncommitted(reading, commit)
    clean = [e for e in _now_clean(reading, commit) if e in work]
    if clean and reading.tree:
        head = f"changed before, clean in `git status` at #{reading.tree.turn}{_said_committed(reading)}: "
        text = head + _listed(clean, MOST_FILES, None, root, written)
        yield StatusLine(section="state", rank=4, text=text)
    work = [e for e in work if e not in clean]
    edits = (s for s in reading.statements if s.kind == "changed" and not s.text.startswith("renamed "))
    times = Counter(path for path, *_ in {(s.key, s.turn, s.place[0]) for s in edits})
    moved = [e for e in changed if e.value.status in ("renamed", "deleted") and not e.value.born]
    for title, rank, statuses in _TITLES:
        own = [e for e in work + backups * (title == "made") if _status(reading, e.value) in statuses]
        if title in ("removed", "moved"):
            own = [e for e in moved if e.value.status in statuses and not is_temporary(e.value.path)]
            own = [e for e in own if e.value.certain]
        outside = [e for e in own if commit >= 0 and title != "moved" and _is_kept_apart(e.value.path, root)]
        if outside:
            text = f"{title} outside the repository: {_listed(outside, SOME_FILES, None, root, {})}"
            yield StatusLine(section="state", rank=7, text=text)
        own = [e for e in own if e not in outside]
        if own:
            new = [e for e in own if written.get(e.value.path, -1) > commit >= 0]
            since = commit if 0 < len(new) < len(own) else None
            head = title + (" (* = since the last commit)" if since is not None else "")
            head += " (since the last commit)" * (len(new) == len(own))
            if commit >= 0 and not new and title != "moved":
                at_rest = reading.tree and not reading.tree.listed and reading.tree.turn >= commit
                at_rest = at_rest and all(is_within(e.value.path, root) for e in own if root)
                head += " (committed)" if at_rest else " (before the last commit)"
            text, middle, short = (
                f"{head}: {_listed(own, most, since, root, written, times)}"
                for most in (MOST_FILES, SOME_FILES, FEW_FILES)
            )
            elsewhere = root and not any(e.value.path.startswith(root + "/") for e in own)
            rank = (
                7 if elsewhere else 2 if title == "moved" and any(times[e.value.path] for e in own) else rank
            )
            yield StatusLine(section="state", rank=rank, text=text, middle=(middle,), short=short)
        elif title == "changed" and changed and not (clean or moved or helped) and commit < 0:
            back = any(e.value.status == "reverted" for e in changed)
            text = f"no file that was there before {'stands' if back else 'was'} changed"
            unseen = _may_write(reading, changed)
            if text := (text + ", as far as the calls show" * unseen) * (back or not unseen):
                yield StatusLine(section="state", rank=2 if back else 5, text=text, short=text)
    if not (changed or helped or reading.under_way[0]) and commit < 0:
        yield from _only_read(reading, root)
    elif read := _files_read(reading, root):
        text, short = (
            f"read, not changed: {_listed(read, most, None, root, {})}" for most in (SOME_FILES, FEW_FILES)
        )
        yield StatusLine(section="state", rank=WITH_ROOM, text=text, short=short)


def _only_read(reading: StatementReader, root: str) -> Iterator[StatusLine]:
    """That nothing was changed, and what was read for an open request, the newest first."""
    read = _files_read(reading, root)
    says = (_SAYS_WRITTEN.search(s.text) for s in reading.statements if s.kind in WORDS)
    if not read or any(says) or any(s.kind == "changed" for s in reading.statements):
        return
    text = "no file was changed, as far as the calls show"
    if not is_closed(reading):
        text += f"; read: {_listed(read, SOME_FILES, None, root, {})}"
    yield StatusLine(section="state", rank=5, text=text, short="no change to a file was seen")


def _files_read(reading: StatementReader, root: str) -> list[Entry[FileState]]:
    """The files that were only read, the newest first: those of the work, if there are any."""
    olds = {" ".join(e.value.old.split()) for e in reading.state.corrections}
    own = ((s.turn, " ".join(s.text.split())) for s in reading.statements if s.kind == "asked")
    withdrawn = {turn for turn, text in own if text in olds}
    spans = (range(*pair) for pair in pairwise([*request_turns(reading.statements), reading.turns]))
    astray = [*misread(reading.statements), *(turns for turns in spans if turns.start in withdrawn)]
    seen = (e for e in reading.state.files if e.value.status == "read")
    seen = (e for e in seen if not any(e.last_turn in turns for turns in astray))
    gone = {e.value.renamed_from or e.value.path for e in reading.state.files if e.value.status in _GONE}
    seen = (e for e in seen if not any(is_within(e.value.path, path) for path in gone))
    read = sorted(seen, key=lambda e: -e.last_turn)
    read = [e for e in read if re.search(r"\w[^/]{0,300}\Z", e.value.path)]  # no `{}` of `find`
    folders = {e.value.path.rpartition("/")[0] for e in read}  # a tool that reads files lists these
    read = [e for e in read if e.value.path not in folders]
    return [e for e in read if is_within(e.value.path, root)] or read


def _renamed(reading: StatementReader) -> Iterator[StatusLine]:
    """Which names have others now; first where the user still calls them by the old ones."""
    names = renamed(reading.statements)
    if names:
        told = ", ".join(f"{old} → {new}" for old, (new, _, _) in [*names.items()][:MOST_RENAMED])
        first, last = min(at for _, at, _ in names.values()), max(at for _, _, at in names.values())
        text = f"renamed: {told} (#{first}{f'-{last}' * (last > first)})"
        asked = [s.text for s in reading.statements if s.kind == "asked"]
        calls = any(old in words for words in asked for old in names)
        yield StatusLine(section="state", rank=2 if calls else 3, text=text, short=text * calls)


def is_work(path: str, root: str) -> bool:
    """Whether a file is part of the work: no backup, no patch, no log, nothing temporary."""
    return not is_aside(path) and (not is_temporary(path) or is_temporary(f"{root}/"))


def _is_kept_apart(path: str, root: str) -> bool:
    """Whether a file lies among what a program keeps in the home: in no commit of the work.

    >>> _is_kept_apart("/home/ann/.agent/memory.md", "/home/ann/shop"), _is_kept_apart("/home/ann/.x/a", "")
    (True, False)
    """
    return bool(root) and path.startswith("/") and "/." in path and not is_within(path, root)


def _status(reading: StatementReader, file: FileState) -> str:
    return "modified" if file.status == "created" and file.path in reading.there else file.status


def _uncommitted(reading: StatementReader, commit: int) -> dict[str, int]:
    """When each file was last changed, without those that `git status` does not list any more."""
    written = {e.value.path: e.last_turn for e in reading.state.files if not e.value.certain}
    written |= {s.key: s.turn for s in reading.statements if s.kind == "changed"}
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


def _said_committed(reading: StatementReader) -> str:
    """That they are committed, where the agent says so of the commit that the log showed as the newest."""
    name, since = reading.head or ("", reading.turns)
    told = (s for s in reading.statements if s.kind in WORDS and s.turn > since)
    told = (s for s in told if _IS_COMMITTED.search(s.text) and name[:7] in s.text)
    return next((f" (committed in {name[:10]}, the agent says, #{s.turn})" for s in told), "")


def _may_write(reading: StatementReader, changed: Sequence[Entry[FileState]]) -> bool:
    """Whether a script of the agent's own ran and may have changed files unseen."""
    made = {e.value.path.rpartition("/")[2] for e in changed if e.value.born}
    made = {name for name in made if not _LOOKS_ON.match(name)}
    ran = (s for s in reading.statements if s.kind in ("ran", "failed", "tested"))
    return any(not made.isdisjoint(word.rpartition("/")[2] for word in bare(s.key).split()) for s in ran)


def _listed(
    entries: Sequence[Entry[FileState]],
    most: int,
    since: int | None,
    root: str,
    written: Mapping[str, int],
    edited: Collection[str] = (),
) -> str:
    """The files by folder; `edited` are those of which a moved one says so."""
    folders: dict[str, list[str]] = {}
    shared = _shared_folder([e.value.path.removeprefix(f"{root}/") for e in entries[:most]])
    for entry in entries[:most]:
        path = entry.value.path.removeprefix(root + "/") if root else entry.value.path
        path = path.removeprefix(shared)
        came_from = None if entry.value.born else entry.value.renamed_from
        folder, _, name = path.rpartition("/")
        if came_from:
            before = came_from.removeprefix(root + "/").removeprefix(shared)
            within = before.rpartition("/")[0] == folder
            folder, name = (
                (folder, f"{before.rpartition('/')[2]} → {name}") if within else ("", f"{before} → {path}")
            )
        mark = "*" if since is not None and written.get(entry.value.path, -1) > since else ""
        mark += " (and edited)" * bool(came_from and entry.value.path in edited)
        mark += " (perhaps)" * (not entry.value.certain)
        folders.setdefault(folder, []).append(name + mark)
    told = []
    for folder, names in folders.items():
        names = by_beginning(names)
        if not folder:
            told.append(", ".join(names))
        elif len(names) == 1:
            told.append(f"{folder}/{': ' * (' → ' in names[0])}{names[0]}")
        else:
            told.append(f"{folder}/: {', '.join(names)}")
    if len(entries) > most:
        told.append(
            f"{len(entries) - most} more file{'s' * (len(entries) > most + 1)}"
        )  # who knows in which folder
    return (f"in {shared}: " if shared else "") + "; ".join(told)


def _shared_folder(paths: Sequence[str]) -> str:
    """The long way to all of several files, told once; empty where it is short or they share none."""
    if len({*paths}) <= MOST_IN_FULL or len({path[:1] == "/" for path in paths}) > 1:
        return ""
    folder = os.path.commonpath(paths)
    folder = folder if all(path.startswith(f"{folder}/") for path in paths) else ""
    apart = {path.removeprefix(f"{folder}/").rpartition("/")[0] for path in paths}
    return f"{folder}/" if len(folder) >= LONG_WAY and len(apart) > 1 else ""
