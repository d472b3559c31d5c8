"""The work of `tamis methods`: the compaction methods that can be named."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.cli.work.output import print_json, print_tables, table
from tamis.compactors import METHODS, MODEL_METHODS, list_plugins, peers


@dataclass(frozen=True, kw_only=True)
class MethodJson:
    """One entry of what `tamis methods --json` prints.

    `plugin` is where an installed package's class is. `extra` installs the library that a method comes from.
    """

    name: str
    keeps: str | None
    plugin: str | None = None
    extra: str | None = None


def run(as_json: bool) -> None:
    """What `tamis methods` does."""
    known = [MethodJson(name=name, keeps=keeps) for name, keeps in METHODS.items()]
    known += [MethodJson(name=f"{name}@MODEL", keeps=keeps) for name, keeps in MODEL_METHODS.items()]
    known += [MethodJson(name=name, keeps=None, plugin=where) for name, where in list_plugins().items()]
    known += [MethodJson(name=form, keeps=keeps, extra=extra) for form, keeps, extra in peers.list_peers()]
    if as_json:
        print_json(known, list[MethodJson])
        return
    own = [(method.name, method.keeps or f"from {method.plugin}") for method in known if not method.extra]
    others = [(method.name, method.keeps or "", f"tamis[{method.extra}]") for method in known if method.extra]
    print_tables(
        table("Methods", ["name", "what it keeps"], own),
        table("Of other libraries", ["name", "what it keeps", "needs"], others),
    )
