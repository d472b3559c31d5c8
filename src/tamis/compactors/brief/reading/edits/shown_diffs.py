"""What a diff shows of an edit whose call did not say what it changes: one that a script made."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from tamis.compactors.brief.reading.deeds.call_text import JOINT, LINE_CHARS, shortened
from tamis.compactors.brief.reading.edits.code_lines import is_slight
from tamis.compactors.brief.reading.edits.file_deeds import PRINTED
from tamis.compactors.brief.reading.edits.hunks import SOURCE_CHARS, changes_of, compared, patched
from tamis.compactors.brief.reading.edits.seen_files import LEAST_TEXT
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
_NOTE = re.compile(r" \(so in \d{1,6} lines\)")
_TAKES = re.compile(r" → |: removed `")


def with_shown_changes(statements: list[Statement], command: str, output: str) -> list[Statement]:
    """The statements, with what a diff of the work shows of each file's edits.

    An edit of which it shows nothing is marked; where none stands there, the newest tells what it shows.
    """
    if "\n@@ " not in output or not _shows_work(statements, command):
        return statements
    made = [*statements]
    since = max((n for n, s in enumerate(made) if s.kind == "committed"), default=-1)
    for section in _SECTION.split(output):
        for patch in read_patch(section)[:1]:
            own = [n for n, s in enumerate(made) if s.kind == "changed" and same_file(s.key, patch.path)]
            own = [*takewhile(lambda n: n > since and made[n].text.startswith("edited "), reversed(own))]
            places = changes_of(section.splitlines())
            homes = {n: _home(made[n], places) for n in own if "outline" not in made[n].flags}
            stand = [home for home in homes.values() if home is not None]
            told = _as_shown(section, patch.path)
            if own and told and not stand:
                at, head = own[0], made[own[0]].text.partition(": ")[0]
                names = ", ".join(patch.change.touched[:MOST_NAMES])
                where = f" ({names})" if names and not head.endswith(")") else ""
                if len(own) > 1:
                    named = f"{head}{where}"
                    every = f"all of #{made[own[-1]].turn}-{made[at].turn})"
                    head, where = f"{named[:-1]}; " if named.endswith(")") else f"{named} (", every
                flags = tuple(flag for flag in made[at].flags if flag != "slight" or is_slight(told))
                made[at] = replace(made[at], text=f"{head}{where}: {told}", flags=flags)
            for n, home in homes.items():
                head, takes_out = made[n].text.partition(": ")[0], _TAKES.search(made[n].text)
                if home is None and n != own[0] and _put_in(made[n]):
                    hunk, note, printed = made[n].text.partition(f" {PRINTED}")
                    hunk += f" (the file edited again, #{made[own[0]].turn})"
                    made[n] = replace(made[n], text=hunk + note + printed, flags=(*made[n].flags, "stale"))
                elif (
                    home is not None and stand.count(home) == 1 and not takes_out and places[home][0].strip()
                ):
                    net = compared(*places[home], patch.path, SOURCE_CHARS)
                    made[n] = replace(made[n], text=f"{head}: {told if len(homes) == 1 else net}")
    return made


def _as_shown(section: str, path: str) -> str:
    """What a diff shows of a file: all that it puts in, and out."""
    told, behind = patched(section, path, SOURCE_CHARS), _PUT_BEFORE.findall(section)
    if len(behind) != 1 or _TAKES_OUT.search(section):
        return told
    put_in, place = told.removeprefix("added ").strip("`"), behind[0].strip()
    return f"added `{put_in}` before `{shortened(place, LINE_CHARS)}`"


def _home(edit: Statement, places: Sequence[tuple[str, str]]) -> int | None:
    """In which of the places of a diff something that an edit put in stands, if most of it stands in one."""
    lines = [[*filter(None, map(str.strip, after.splitlines()))] for _, after in places]
    stand = [
        [at for at, own in enumerate(lines) if any(_same(told, line) for line in own)]
        for told in _put_in(edit)
    ]
    there = [*filter(None, stand)]
    return there[0][0] if 2 * len(there) > len(stand) else None


def _put_in(edit: Statement) -> list[str]:
    """The lines that an edit is told to put in; they may be cut."""
    hunk = _NOTE.sub("", edit.text.partition(f" {PRINTED}")[0].partition(": ")[2])
    parts = [] if _AS_RUN.match(hunk) else [p for p in hunk.split(" ; ") if not p.startswith("removed ")]
    new = (re.sub(r"\A(?:added|put in) ", "", part.rpartition(" → ")[2]) for part in parts)
    lines = (line.strip("` …") for part in new for line in JOINT.split(part))
    return [line for line in lines if len(line) >= LEAST_TEXT]


def _same(told: str, line: str) -> bool:
    return told in line or (len(line) >= LEAST_TEXT and line in told)


def _shows_work(statements: Sequence[Statement], command: str) -> bool:
    """Whether a command line shows how the work differs from the last commit, or what is kept of that."""
    asked = [step[2:] for step in version_steps(command) if step[1:2] == ["diff"]]
    if asked:
        words = asked[-1][: asked[-1].index("--")] if "--" in asked[-1] else asked[-1]
        return all(w == "HEAD" or w[:1] == "-" or ("." in w and ".." not in w) for w in words)
    if re.fullmatch(r"\s*[\w-]{1,40}\s*", command):
        return True  # a tool that hands in the work, and shows it
    kept = {s.key for s in statements if "captured" in s.flags}
    words = [word.text for c in parse_script(command).commands for word in c.argv[1:]]
    return any(same_file(path, word) for path in kept for word in words)
