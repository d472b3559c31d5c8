"""What edits touch: by files and names, what was said before one is known to be of the same."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tamis.compactors.brief.reading.deeds.call_text import JOINT
from tamis.compactors.brief.reading.edits.code_lines import REMARK
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.settling.reversals import AGREES
from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.ledger.files.paths import is_aside, is_temporary

MOST_FILES = 5
"""Of so many files a heading says that they were edited later."""

_ALL_OF = re.compile(r"\ball of #(\d{1,7})-(\d{1,7})\)")
PLANS = re.compile(r"/\.(?:claude|codex|copilot|gemini)/(?:plans|todos|memory)/")
"""Where agents' programs keep what is no part of the work."""

_FINDS = frozenset({"found", "concluded"})
_NAME = re.compile(r"[^\W\d]\w{2,80}")
_IS_NAME = re.compile(r"[a-z][A-Z]|\w_\w")
_FILE = re.compile(r"[\w.@+/-]+")
_FILE_NAME = re.compile(r"\.?[\w@+-][\w.@+-]{0,80}\.\w{1,12}")


@dataclass(frozen=True, slots=True)
class EditedPlace:
    """The file of an edit, its path, the identifiers that it changes, its turn, and the part of the message.

    The part is -1 where something else than an edit was done to it. `proposed` are the turns in which the
    agent proposed what the user then agreed to. `gone`, that the file was deleted.
    """

    file: str
    path: str
    names: frozenset[str]
    turn: int
    part: int = 0
    proposed: tuple[int, ...] = ()
    gone: bool = False


def edited_places(statements: Iterable[Statement]) -> list[EditedPlace]:
    """What each edit changes but for remarks, in order; not those that came to nothing.

    >>> text = "edited a.py (read): added `# of row_ids ⏎ max_rows = 9`"
    >>> edit = Statement(kind="changed", text=text, turn=7, place=(0, -1), key="a.py")
    >>> sorted(edited_places([edit])[0].names)
    ['max_rows']
    """
    places: list[EditedPlace] = []
    pending: dict[str, list[EditedPlace]] = {}  # edits that are not committed, by their path
    gone: set[int] = set()
    said, proposed, begins = -1, tuple[int, ...](), ""
    for s in statements:
        if s.kind in ("said", "found"):
            said = s.turn
        elif s.kind == "asked" and s.turn > said:
            proposed = (*proposed[-2:], said) if AGREES.match(s.text) else ()
            said, begins = s.turn, ""
        elif s.kind == "committed":
            pending.clear()
        elif (
            (s.kind == "changed" or "seen" in s.flags)
            and _FILE_NAME.fullmatch(file := s.key.rpartition("/")[2])
            and not (is_aside(s.key) or PLANS.search(s.key))
        ):
            told = s.text.replace(s.key, "").replace("`", " ⏎ ")
            code = " ".join(line for line in JOINT.split(told) if not REMARK.match(line.strip()))
            names = _identifiers(code)
            begins = begins or s.key * ("source" in s.flags)
            agreed = proposed if s.key == begins else ()  # the file that is edited first stands for it
            is_gone = s.text.startswith("deleted ")
            part = s.place[0] if s.text.startswith("edited ") else -1
            place = EditedPlace(file, f"/{s.key}", names, s.turn, part, agreed, is_gone)
            if s.text.startswith("reverted ") and (back := pending.pop(s.key, [])):
                gone |= {id(p) for p in back}
                place = replace(place, names=place.names.union(*(p.names for p in back)))
            else:
                pending.setdefault(s.key, []).append(place)
            places.append(place)
    return [p for p in places if id(p) not in gone]


def edited_since(
    told: Sequence[Statement], end: int, places: Sequence[EditedPlace], *, asked: int | None = None
) -> str:
    """Which of the files whose edits are told, or of which a report tells, were edited again from a turn on.

    A report on what was changed tells of all files that were edited since the turn of the request, `asked`.

    >>> places = [EditedPlace("rows.py", "/src/rows.py", frozenset(), 7)]
    >>> edit = Statement(kind="changed", text="wrote src/rows.py", turn=2, place=(0, 0), key="src/rows.py")
    >>> edited_since([edit], 4, places), edited_since([edit], 8, places)
    (' (edited later, from #7: rows.py)', '')
    """
    own = {f"/{s.key}" for s in told if s.kind == "changed" and not is_temporary(s.key)}
    if asked is not None and any(s.kind == "concluded" and "change" in s.flags for s in told):
        own |= {p.path for p in places if asked <= p.turn < end}
    named = {name for s in told if s.kind in _FINDS for name in _files(s.text)}
    later = [p for p in places if p.turn >= end and (p.path in own or p.file in named)]
    newest = {p.path: p for p in later}
    files: dict[str, str] = {}
    for p in later:
        gone = newest[p.path].gone
        when = f"deleted at #{newest[p.path].turn}: " if gone else f"from #{p.turn}: "
        files.setdefault(_told_name(p, places), when)
    more = f", {len(files) - MOST_FILES} more" * (len(files) > MOST_FILES)
    since = groupby([*files][:MOST_FILES], key=files.__getitem__)
    told_files = "; ".join(f"{when}{', '.join(own)}" for when, own in since)
    return f" (edited later, {told_files}{more})" if files else ""


def with_counts(
    told: Sequence[Statement], episodes: Iterable[Episode], places: Sequence[EditedPlace]
) -> list[Statement]:
    """The statements; in each episode the last that tells of a file's edits says how many more were made."""
    notes: dict[int, str] = {}
    edits = [s for s in told if s.kind == "changed" and s.text.startswith("edited ")]
    known = {(f"/{s.key}", s.turn, s.place[0]) for s in edits}
    spans = [(f"/{s.key}", range(int(a), int(b))) for s in edits for a, b in _ALL_OF.findall(s.text)]
    left = [p for p in places if p.part >= 0 and (p.path, p.turn, p.part) not in known]
    left = [p for p in left if not any(p.path == path and p.turn in turns for path, turns in spans)]
    for episode in episodes:
        here = range(episode.start, episode.end)
        more = Counter(path for path, *_ in {(p.path, p.turn, p.part) for p in left if p.turn in here})
        last = {f"/{s.key}": s for s in edits if s.turn in here}
        notes |= {id(s): f" (+{n} more edit{'s' * (n > 1)})" for path, s in last.items() if (n := more[path])}
    return [replace(s, text=s.text + notes[id(s)]) if id(s) in notes else s for s in told]


def _told_name(place: EditedPlace, places: Iterable[EditedPlace]) -> str:
    """The name of a file, with its folder where a file of the same name in another was edited as well."""
    is_only = all(p.path == place.path for p in places if p.file == place.file)
    return place.file if is_only else "/".join(place.path.rsplit("/", 2)[-2:]).lstrip("/")


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
