"""Where the bare names stand: beside the file that they were seen in, else by their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from tamis.compactors.ledger.items import Item
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


def group_names(choice: Choice, mentions: Mentions) -> tuple[list[Item], dict[str, list[str]]]:
    """The items with names put beside their files, and the other names under headings.

    Names stand in the order of their first mention, so that a later brief has them in the same place.
    """
    order = {name: i for i, name in enumerate(mentions.names)}
    names = sorted(choice.names, key=order.__getitem__)
    lines = {_path_of(item): item for item in choice.items if item.section == "files"}
    paths = [n for n in names if mentions.names[n].kind == "path"]
    homes = {_tail(p): p for p in chain(paths, lines)}
    beside: dict[str, list[str]] = {}
    loose: dict[str, list[str]] = {heading: [] for heading in HEADINGS.values()}
    for name in names:
        mention = mentions.names[name]
        home = homes.get(_tail(mention.home)) if mention.home and mention.kind != "path" else None
        if home is not None and mention.home is not None and _same(home, mention.home):
            beside.setdefault(home, []).append(name)
        elif mention.kind != "path":
            loose[HEADINGS[mention.kind]].append(name)
    loose["paths"] = [p for p in paths if p not in beside]
    items = [
        _with_names(item, beside[path])
        if item.section == "files" and (path := _path_of(item)) in beside
        else item
        for item in choice.items
    ]
    listed = {path: beside[path] for path in paths if path in beside and path not in lines}
    return items, {**listed, **loose}


def _with_names(item: Item, names: Sequence[str]) -> Item:
    """A file with the names that were seen in it; it has a line of its own then."""
    said = f"{item.text}: {item.group}" if item.group else item.text
    return replace(item, text=f"{said}: {', '.join(names)}", group="")


def _path_of(item: Item) -> str:
    return item.text.partition(": ")[0]


def _tail(path: str) -> str:
    return path.rpartition("/")[2]


def _same(a: str, b: str) -> bool:
    a, b = a.lstrip("./"), b.lstrip("./")
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)
