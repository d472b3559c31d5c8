"""What edits touch: by files and names, what was said before one is known to be of the same."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.reading.call_text import JOINT
from tamis.compactors.brief.reading.code_lines import REMARK
from tamis.compactors.brief.reading.reversals import AGREES
from tamis.compactors.brief.reading.statement import WORDS, Statement

MOST_FILES = 5
"""Of so many files a heading says that they were edited later."""

LEAST_GONE = 8
"""Characters of a line that, taken out, is known again."""

LEAST_DRAFTED = 24
"""Characters of a line of the agent's words that, put into a file, is known again."""

_TAKEN_OUT = re.compile(r"removed `([^`]+)`|`([^`]+)` → `([^`]*)`")
_NAME = re.compile(r"[^\W\d]\w{2,80}")
_IS_NAME = re.compile(r"[a-z][A-Z]|\w_\w")
_FILE = re.compile(r"[\w.@+/-]+")
_FILE_NAME = re.compile(r"\.?[\w@+-][\w.@+-]{0,80}\.\w{1,12}")


@dataclass(frozen=True, slots=True)
class EditedPlace:
    """The file of an edit, its path, the identifiers and long lines that it changes, and its turn.

    `gone` are the lines, or names, that it takes out; `proposed` the turns in which the agent proposed what
    the user then agreed to.
    What was said up to turn `since` still holds: the file was made then, or an edit of then is taken back.
    """

    file: str
    path: str
    names: frozenset[str]
    turn: int
    proposed: tuple[int, ...] = ()
    since: int = -1
    gone: tuple[str, ...] = ()


def edited_places(statements: Iterable[Statement], there: Collection[str] = ()) -> list[EditedPlace]:
    """What each edit changes but for remarks, in order; not those that came to nothing.

    `there` are the files that stood before the session though they look as if they were made in it.

    >>> text = "edited a.py (read): added `# of row_ids ⏎ max_rows = 9`"
    >>> edit = Statement(kind="changed", text=text, turn=7, place=(0, -1), key="a.py")
    >>> sorted(edited_places([edit])[0].names)
    ['max_rows']
    """
    places: list[EditedPlace] = []
    since: dict[str, int] = {}
    pending: dict[str, list[EditedPlace]] = {}  # edits that are not committed, by their path
    gone: set[int] = set()
    said, proposed = -1, tuple[int, ...]()
    for s in statements:
        if s.kind in ("said", "found"):
            said = s.turn
        elif s.kind == "asked" and s.turn > said:
            proposed = (*proposed[-2:], said) if AGREES.match(s.text) else ()
            said = s.turn
        elif s.kind == "committed":
            pending.clear()
        elif (s.kind == "changed" or "seen" in s.flags) and _FILE_NAME.fullmatch(
            file := s.key.rpartition("/")[2]
        ):
            told = s.text.replace(s.key, "").replace("`", " ⏎ ")
            code = " ".join(line for line in JOINT.split(told) if not REMARK.match(line.strip()))
            names = _identifiers(code).union(_lines(JOINT.split(told.partition(": ")[2])))
            agreed = proposed if "source" in s.flags else ()
            begun = since.setdefault(s.key, s.turn if s.text[:6] == "wrote " and s.key not in there else -1)
            out = tuple(
                line
                for removed, old, new in _TAKEN_OUT.findall(s.text)
                for line in JOINT.split(removed or old)
                if len(line) >= LEAST_GONE and line not in new
            )
            place = EditedPlace(file, f"/{s.key}", names, s.turn, agreed, begun, out)
            if s.text.startswith("reverted ") and (back := pending.pop(s.key, [])):
                gone |= {id(p) for p in back}
                place = replace(place, names=place.names.union(*(p.names for p in back)), since=back[0].turn)
            else:
                pending.setdefault(s.key, []).append(place)
            places.append(place)
    return [p for p in places if id(p) not in gone]


def edited_since(told: Iterable[Statement], end: int, places: Sequence[EditedPlace]) -> str:
    """Which of the files that the agent speaks of, or proposes to change, were edited from a turn on.

    >>> places = [EditedPlace("rows.py", "/src/rows.py", frozenset({"read_rows"}), 7)]
    >>> def after(text, end):
    ...     return edited_since([Statement(kind="said", text=text, turn=2, place=(0, 0))], end, places)
    >>> after("`read_rows` is slow", 4), after("`rows.py:9` is slow", 4)
    (' (edited later, from #7: rows.py)', ' (edited later, from #7: rows.py)')
    >>> after("`csv/rows.py` is slow", 4), after("`rows.py` is slow", 8)
    ('', '')
    """
    by_name = {p.file: p.path for p in [*reversed(places), *(p for p in places if p.turn < end)]}
    later = [p for p in places if p.since < end <= p.turn]
    paths: dict[str, set[str]] = {}
    for p in later:
        paths.setdefault(p.file, set()).add(p.path)
    spoken: dict[object, int] = {}  # names, paths and turns, with where the agent last spoke of them
    put_in: dict[str, str] = {}
    for s in told:
        if s.kind == "changed":
            put_in[f"/{s.key}"] = put_in.get(f"/{s.key}", "") + s.text
        elif s.kind in WORDS:
            spoken |= dict.fromkeys((s.turn, *_identifiers(s.text), *_lines(s.text.splitlines())), s.turn)
            for word in _FILE.findall(s.text):
                path = f"/{_path(word)}"
                path = by_name.get(path[1:], path)  # a bare name means the file at hand
                own = paths.get(path.rpartition("/")[2], ())
                spoken |= {one: s.turn for one in own if one.endswith(path) or path.endswith(one)}
    meant = {
        p.path
        for p in later
        if any(spoken.get(key, -2) >= p.since for key in (p.path, *p.proposed, *p.names))
        or any(line in put_in.get(p.path, "") for line in p.gone)
    }
    if not (later := [p for p in later if p.path in meant]):
        return ""
    files = [*dict.fromkeys(p.file for p in later)]
    more = [f"{len(files) - MOST_FILES} more"] * (len(files) > MOST_FILES)
    return f" (edited later, from #{later[0].turn}: {', '.join([*files[:MOST_FILES], *more])})"


def spoken_of_before(statements: Iterable[Statement], places: Iterable[EditedPlace]) -> set[int]:
    """What the agent said, by identity, of a file that was edited later, or proposed to change in it."""
    newest = {key: p.turn for p in places for key in (p.file, *p.proposed, *p.names)}
    said = (s for s in statements if s.kind in WORDS)
    return {
        id(s)
        for s in said
        if any(newest.get(key, -1) > s.turn for key in (s.turn, *_files(s.text), *_identifiers(s.text)))
    }


def _path(word: str) -> str:
    return word.rstrip("./").rpartition("./")[2].lstrip("/")


def _files(text: str) -> Iterator[str]:
    return (_path(word).rpartition("/")[2] for word in _FILE.findall(text))


def _identifiers(text: str) -> frozenset[str]:
    return frozenset(name for name in _NAME.findall(text) if _IS_NAME.search(name))


def _lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines that are long enough to be known again, as they may stand in a draft or in a file."""
    return (bare for line in lines if len(bare := line.strip("#*|- \t")) >= LEAST_DRAFTED)
