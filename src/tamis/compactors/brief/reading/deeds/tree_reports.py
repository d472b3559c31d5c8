"""What `git status` and `git log` say: which files stand changed, what is pushed, which commit is last."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tamis.ledger.files.paths import resolve, same_file
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import version_steps

UNDER_WAY = re.compile(
    r"(?m)^(?:All conflicts fixed but you are still (?P<still>\w+)|You have unmerged paths"
    r"|You are currently (?P<now>\w+)|(?:interactive )?(?P<what>rebase) in progress|Automatic merge failed)"
)
"""What `git` says of a merge, or of something like it, that is not concluded."""

_ENDS = re.compile(
    r"--(?:abort|quit|skip)\b|\breset --(?:hard|merge)\b|working (?:tree|directory) (?:is )?clean"
)
_SHORT = re.compile(r"(?m)^(?! {2})([ MADRCTU]{2}|\?\?) (?:[^\n]* -> )?\"?([^\s\"][^\n\"]*)\"?$")
_LONG = re.compile(r"(?m)^\t(?:(modified|new file|deleted|renamed|typechange): +)?(\S[^\n]*)$")
_OPEN = frozenset({"merging", "rebasing", "cherry-picking", "reverting", "bisecting"})
_OLD_SIDE = re.compile(r"(?m)^--- a/(\S[^\n\t]*)$")
_CLEAN = re.compile(r"working (?:tree|directory) (?:is )?clean", re.IGNORECASE)
_AHEAD = re.compile(r"(?m)^Your branch is (up to date with|ahead of) '")
_BRANCH = re.compile(
    r"(?m)^On branch (\S+)|^\[(\S+)(?: \(root-commit\))? [0-9a-f]{7,}\]"
    r"|Switched to (?:a new )?branch '([^']+)'|^## (\S{1,200}?)\.\.\.\S"
    r"|^Successfully rebased .{0,20} refs/heads/(\S+)\.$"
)
_UNTRACKED = re.compile(r"(?m)^## (?:No commits yet on )?(\S{1,200})$")
"""A branch that follows none of the server's, by the short status."""

_IN_SHORT = frozenset({"-b", "--branch", "-sb", "-bs"})
_NEWEST = re.compile(r"(?m)^(?:\* )?(?:commit )?([0-9a-f]{7,40})\b")
_CODES = {"modified": "M", "new file": "A", "deleted": "D", "renamed": "R", "typechange": "M", "": "?"}
_TOLD = (("M", "changed"), ("A", "added"), ("D", "deleted"), ("R", "renamed"), ("?", "new"))
_BESIDE = frozenset({"git", "cd", "echo"})


@dataclass(frozen=True, slots=True)
class TreeReport:
    """What was listed at `turn`: the letters of each path; `complete` where nothing else differs.

    `is_pushed` says whether the branch holds what is on the server; None where it was not told. `folder` is
    where it was asked; empty where that is not known.
    """

    turn: int
    listed: Mapping[str, str]
    complete: bool
    is_pushed: bool | None = None
    folder: str = ""

    def code(self, path: str) -> str:
        """The letters of a path: `M`, `A`, `?` ...; empty for one that is not listed, nor a folder of it."""
        for name, code in self.listed.items():
            folder = name.rstrip("/")
            if same_file(name, path) or (name.endswith("/") and f"/{folder}/" in f"/{path}"):
                return code
        return ""

    def told(self, most: int) -> str:
        """What was listed, by what became of it; of each kind no more than `most` names.

        >>> TreeReport(3, {"a.py": "M", "notes/": "?", "b.py": "?"}, complete=True).told(1)
        'changed a.py; new notes/ and 1 more'
        """
        kinds = {what: [path for path, own in self.listed.items() if own == code] for code, what in _TOLD}
        return "; ".join(
            f"{what} {', '.join(paths[:most])}" + f" and {len(paths) - most} more" * (len(paths) > most)
            for what, paths in kinds.items()
            if paths
        )

    @property
    def is_clean(self) -> bool:
        """Whether nothing differs from the last commit."""
        return self.complete and not self.listed


def tree_report(command: str, output: str, turn: int, cwd: str | None = None) -> TreeReport | None:
    r"""What a command line's `git status` says; None where it is not asked, or not for all of the tree.

    >>> report = tree_report("git status --short", " M src/rows.py\n?? notes/\n", 7)
    >>> report.code("/repo/src/rows.py"), report.code("/repo/notes/a.md"), report.code("/repo/b.py")
    ('M', '?', '')
    """
    steps = [step[2:] for step in version_steps(command) if step[:2] == ["git", "status"]]
    if not steps or any(not word.startswith("-") for word in steps[-1]):
        return None
    listed = {path: code.strip()[0] for code, path in _SHORT.findall(output)}
    listed |= {path: _CODES[what] for what, path in _LONG.findall(output)}
    script = parse_script(command, cwd)
    commands = script.commands
    complete = all(c.name in _BESIDE for c in commands)
    short = any(word.startswith(("-s", "--short", "--porcelain")) for word in steps[-1])
    silent = short and all(line.startswith("## ") for line in output.strip().splitlines())
    if not listed and not _CLEAN.search(output) and not (silent and complete):
        return None
    ahead = _AHEAD.search(output)
    is_pushed = ahead[1].startswith("up") if ahead else None
    complete = complete and "--ignored" not in steps[-1]
    return TreeReport(turn, listed, complete, is_pushed, script.cwd or "")


def left_open(command: str, output: str, before: str) -> str:
    """What `git` is in the midst of behind a command line, such as `merging`; `before` is what it was in.

    >>> left_open("git merge main", "Automatic merge failed; fix conflicts", "")
    'merging'
    >>> left_open("git merge --abort", "", "merging"), left_open("git diff", "", "merging")
    ('', 'merging')
    """
    if found := UNDER_WAY.search(output):
        named = found["still"] or found["now"] or ("rebasing" if found["what"] else "merging")
        return named if named in _OPEN else before
    steps = [step[1:2] for step in version_steps(command)]
    over = _ENDS.search(f"{command}\n{output}") or "--continue" in command or ["status"] in steps
    return "" if over else before


def older_files(command: str, output: str) -> list[str]:
    r"""The files that `git diff` or `git status` shows changed, not new.

    >>> older_files("git diff", "--- a/src/rows.py\n+++ b/src/rows.py\n--- /dev/null\n+++ b/new.py\n")
    ['src/rows.py']
    """
    steps = {step[1] for step in version_steps(command) if len(step) > 1}
    shown = _OLD_SIDE.findall(output) if "diff" in steps else []
    if "status" in steps:
        shown += [path for code, path in _SHORT.findall(output) if code.strip()[0] == "M"]
        shown += [path for what, path in _LONG.findall(output) if what == "modified"]
    return shown


def is_told_clean(report: str) -> bool:
    """Whether another agent tells that it left nothing uncommitted.

    >>> is_told_clean("2 commits. Working tree is clean."), is_told_clean("end with a clean tree")
    (True, False)
    """
    return _CLEAN.search(report) is not None


def newest_commit(command: str, output: str) -> str | None:
    r"""The hash of the newest commit, where a command line asks for the log of the branch at hand.

    >>> newest_commit("git log --oneline -2", "0a1b2c3 Skip rows\n1b2c3d4 Start")
    '0a1b2c3'
    """
    steps = version_steps(command)
    if len(steps) != 1 or steps[0][:2] != ["git", "log"] or "-C" in command:
        return None
    asked = steps[0][2:]
    if any(
        word.startswith(("-S", "-G", "-L", "--a", "--g", "--r", "--s")) or word[:1] != "-" for word in asked
    ):
        return None
    found = _NEWEST.search(output)
    return found[1] if found else None


def branch_of(command: str, output: str) -> str:
    r"""The branch that a command with `git` says it is on, or went to; empty where it says none.

    >>> branch_of("git status", "On branch rows\nnothing to commit"), branch_of("git log", "0a1b2c3 Start")
    ('rows', '')
    """
    steps = version_steps(command)
    if steps[:1] == [["git", "branch", "--show-current"]]:
        return next(iter(output.split()), "")
    found = _BRANCH.findall(output)
    if any(step[1:2] == ["status"] and not _IN_SHORT.isdisjoint(step) for step in steps):
        found = found or [(name,) for name in _UNTRACKED.findall(output)]
    return next((name for name in found[-1] if name), "") if found else ""


def git_folder(command: str, cwd: str | None) -> str | None:
    """Where the last `git` of a command line works, as far as it is known.

    >>> git_folder("cd web && git -C ../till log", "/shop"), git_folder("cd web && git log", "/shop")
    ('/shop/till', '/shop/web')
    """
    script = parse_script(command, cwd)
    last = next((c for c in reversed(script.commands) if c.name == "git"), None)
    words = [word.text for word in last.argv] if last else []
    if last is None or "-C" not in words[:-1]:
        return last.cwd if last else script.cwd
    return resolve(words[words.index("-C") + 1], last.cwd)
