"""What a diff shows of an edit whose call did not say what it changes: one that a script made."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from tamis.compactors.brief.reading.deeds.call_text import LINE_CHARS, shortened
from tamis.compactors.brief.reading.edits.hunks import SOURCE_CHARS, patched
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.files.diffs import read_patch
from tamis.ledger.files.paths import same_file
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import version_steps

MOST_NAMES = 4

_SECTION = re.compile(r"(?m)^(?=diff --git )")
_PUT_BEFORE = re.compile(r"(?m)^\+(?!\+\+ )[^\n]*\n(?: *\n)? ([ \t]{0,200}\S[^\n]*)$")
_TAKES_OUT = re.compile(r"(?m)^-(?!-- )")
_AS_RUN = re.compile(r"`[^`]{1,300}`\Z")
"""A hunk that only says which command made the change."""


def with_shown_changes(statements: list[Statement], command: str, output: str) -> list[Statement]:
    """The statements, with what a diff of the work shows of each file's newest edit, if that was untold."""
    if "\n@@ " not in output or not _shows_work(statements, command):
        return statements
    made = [*statements]
    for section in _SECTION.split(output):
        for patch in read_patch(section)[:1]:
            own = [n for n, s in enumerate(made) if s.kind == "changed" and same_file(s.key, patch.path)]
            own = [*takewhile(lambda n: made[n].text.startswith("edited "), reversed(own))]
            told = patched(section, patch.path, SOURCE_CHARS)
            if own and told and not any(map(_tells, (made[n] for n in own))):
                at, head = own[0], made[own[0]].text.partition(": ")[0]
                names = ", ".join(patch.change.touched[:MOST_NAMES])
                where = f" ({names})" if names and not head.endswith(")") else ""
                behind = _PUT_BEFORE.findall(section)
                if len(behind) == 1 and not _TAKES_OUT.search(section):
                    put_in, place = told.removeprefix("added ").strip("`"), behind[0].strip()
                    told = f"added `{put_in}` before `{shortened(place, LINE_CHARS)}`"
                made[at] = replace(made[at], text=f"{head}{where}: {told}")
    return made


def _tells(edit: Statement) -> bool:
    """Whether an edit says what it changes."""
    hunk = edit.text.partition(": ")[2]
    return bool(hunk) and not _AS_RUN.match(hunk)


def _shows_work(statements: Sequence[Statement], command: str) -> bool:
    """Whether a command line shows how the work differs from the last commit, or what is kept of that."""
    asked = [step[2:] for step in version_steps(command) if step[1:2] == ["diff"]]
    if asked:
        words = asked[-1][: asked[-1].index("--")] if "--" in asked[-1] else asked[-1]
        return all(w == "HEAD" or w[:1] == "-" or ("." in w and ".." not in w) for w in words)
    kept = {s.key for s in statements if "captured" in s.flags}
    words = [word.text for c in parse_script(command).commands for word in c.argv[1:]]
    return any(same_file(path, word) for path in kept for word in words)
