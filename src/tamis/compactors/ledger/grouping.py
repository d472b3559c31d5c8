"""Where the bare names stand: beside the file that they were seen in, else by their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import listing
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


def group_names(
    choice: Choice, mentions: Mentions, *, dense: bool
) -> tuple[list[Item], dict[str, list[str]]]:
    """The items with names put beside their files, and the other names under headings.

    Where it must be `dense`, a file gets names beside it only if there are several, and whatever is no path
    stands under one heading. Names stand in the order of their first mention, so that a later brief has them
    in the same place.
    """
    order = {name: i for i, name in enumerate(mentions.names)}
    names = sorted(choice.names, key=order.__getitem__)
    lines = {_path_of(item): item for item in choice.items if item.section == "files"}
    paths = [n for n in names if mentions.names[n].kind == "path"]
    homes = {_tail(p): p for p in chain(paths, lines)}
    beside = _beside(names, mentions, homes, least=3 if dense else 1)
    placed = {name for group in beside.values() for name in group}
    loose: dict[str, list[str]] = {heading: [] for heading in HEADINGS.values()}
    for name in names:
        kind = mentions.names[name].kind
        if name not in placed and kind != "path":
            loose[HEADINGS["identifier" if dense else kind]].append(name)
    loose["paths"] = [p for p in paths if p not in beside]
    items = [
        _with_names(item, beside[path])
        if item.section == "files" and (path := _path_of(item)) in beside
        else item
        for item in choice.items
    ]
    listed = {path: beside[path] for path in paths if path in beside and path not in lines}
    return items, {**listed, **loose}


def _beside(
    names: Sequence[str], mentions: Mentions, homes: Mapping[str, str], *, least: int
) -> dict[str, list[str]]:
    """For each of the files in `homes` (by base name) the names last seen in it, if there are enough."""
    beside: dict[str, list[str]] = {}
    for name in names:
        mention = mentions.names[name]
        if mention.home is None or mention.kind == "path":
            continue
        home = homes.get(_tail(mention.home))
        if home is not None and _same(home, mention.home):
            beside.setdefault(home, []).append(name)
    return {home: found for home, found in beside.items() if len(found) >= least}


def _with_names(item: Item, names: Sequence[str]) -> Item:
    """A file with the names that were seen in it; it has a line of its own then."""
    said = f"{item.text}: {item.group}" if item.group else item.text
    return replace(item, text=f"{said}: {listing(names)}", group="")


def _path_of(item: Item) -> str:
    return item.text.partition(": ")[0]


def _tail(path: str) -> str:
    return path.rpartition("/")[2]


def _same(a: str, b: str) -> bool:
    a, b = a.lstrip("./"), b.lstrip("./")
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)
