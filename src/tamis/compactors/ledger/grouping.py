"""What was chosen, as rows: bare names stand with the file that they belong to, else by their kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from tamis.compactors.ledger.items import READ, Item, Section
from tamis.compactors.ledger.layout import PLACE, Row, row_of
from tamis.compactors.ledger.selection import Choice
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import NameKind

HEADINGS: dict[NameKind, str] = {
    "path": "paths",
    "identifier": "names",
    "error": "errors",
    "number": "numbers",
    "flag": "flags",
    "url": "links",
    "quoted": "values",
}


def rows_of(
    choice: Choice,
    files: Sequence[Item],
    mentions: Mentions,
    likelihood: Mapping[str, float],
    *,
    dense: bool,
) -> list[Row]:
    """The rows of what was chosen, in the order of their sections.

    What was touched in one of `files` (those chosen, and those that an earlier row has said) stands with the
    trail, other names under `where`. Where it must be `dense`, both stand in one row, a file has one only if
    there are several, and what is no path stands under one heading. The likeliest names stand first: what
    falls out later, falls out at the end.
    """
    order = {name: i for i, name in enumerate(mentions.names)}
    names = sorted(choice.names, key=lambda n: (-likelihood.get(n, 0.0), order.get(n, len(order))))
    touched = {detail: item for item in reversed(files) for detail in item.details}
    rows = [
        row_of(item, detail=id(item) not in choice.placed)
        for item in sorted(choice.items, key=lambda i: i.order)
        if not item.group
    ]
    rows += _trail(choice, files)
    if dense:
        names.sort(key=lambda n: n not in touched)
    else:
        rows += _changes([n for n in names if n in touched], touched)
        names = [n for n in names if n not in touched]
    rows += _where(names, files, mentions, likelihood, dense=dense)
    return sorted(rows, key=lambda row: PLACE[row.section])


def _trail(choice: Choice, files: Sequence[Item]) -> Iterator[Row]:
    """The files by what was done to them, a row for each kind of deed."""
    said = {id(item) for item in choice.items}
    groups: dict[str, list[str]] = {}
    for item in files:
        if id(item) in said:
            groups.setdefault(item.group, []).append(item.text)
    for group, paths in groups.items():
        section: Section = "known" if group.endswith(READ) else "files"
        yield Row(section=section, text=group, names=tuple(paths), grouped=True)


def _changes(names: Sequence[str], touched: Mapping[str, Item]) -> Iterator[Row]:
    """What was touched, by file; the newest file that touched a name has it."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(change_heading(touched[name]), []).append(name)
    for heading, listed in found.items():
        yield Row(section="files", text=heading, names=tuple(listed))


def change_heading(item: Item) -> str:
    """What stands before the names that were touched in a file."""
    return f"{'written' if item.group == 'created' else 'changed'} in {tail_of(item.text)}"


def _where(
    names: Sequence[str],
    files: Sequence[Item],
    mentions: Mentions,
    likelihood: Mapping[str, float],
    *,
    dense: bool,
) -> list[Row]:
    """Names by the file that they belong to, if that is said too, else by kind; the likeliest rows first."""
    kinds: dict[str, NameKind] = {
        n: mentions.names[n].kind if n in mentions.names else "identifier" for n in names
    }
    paths = [n for n in names if kinds[n] == "path"]
    homes = {tail_of(p): p for p in chain(paths, (item.text for item in files))}
    beside = _beside(
        [n for n in names if kinds[n] != "path"], files, mentions, homes, least=3 if dense else 1
    )
    placed = {name for group in beside.values() for name in group}
    rows: dict[str, list[str]] = {}
    for name in names:
        if name not in placed and name not in beside:
            heading = HEADINGS["identifier" if dense and kinds[name] != "path" else kinds[name]]
            rows.setdefault(heading, []).append(name)
    listed = set(paths)
    rows |= {home if home in listed else tail_of(home): found for home, found in beside.items()}
    found = [Row(section="where", text=text, names=tuple(row)) for text, row in rows.items()]
    return sorted(found, key=lambda row: -sum(likelihood.get(n, 0.0) for n in row.names) / len(row.names))


def _beside(
    names: Sequence[str], files: Sequence[Item], mentions: Mentions, homes: Mapping[str, str], *, least: int
) -> dict[str, list[str]]:
    """For each of the files in `homes` (by base name) the names that belong to it, if there are enough.

    A name belongs to the file that it was touched in, else to the one that it was last seen in.
    """
    touched = {detail: item.text for item in reversed(files) for detail in item.details}
    beside: dict[str, list[str]] = {}
    for name in names:
        mention = mentions.names.get(name)
        seen_in = touched.get(name) or (mention.home if mention else None)
        home = homes.get(tail_of(seen_in)) if seen_in else None
        if home is not None and seen_in is not None and _same(home, seen_in):
            beside.setdefault(home, []).append(name)
    return {home: found for home, found in beside.items() if len(found) >= least}


def tail_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def _same(a: str, b: str) -> bool:
    a, b = a.lstrip("./"), b.lstrip("./")
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)
