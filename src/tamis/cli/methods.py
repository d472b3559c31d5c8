"""`tamis methods`: the compaction methods that can be named."""

from __future__ import annotations

from dataclasses import dataclass

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import print_json, print_tables, table


@dataclass(frozen=True, kw_only=True)
class MethodJson:
    """One entry of what `tamis methods --json` prints.

    `plugin` is where an installed package's class is. `extra` installs the library that a method comes from.
    """

    name: str
    keeps: str | None
    plugin: str | None = None
    extra: str | None = None


@click.command("methods", short_help="List the compaction methods.")
@json_option
def command(as_json: bool) -> None:
    """List the compaction methods: of tamis, of other libraries, and those that installed packages add.

    Where MODEL stands, name a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE.
    Anything else can be named as package.module:Class, path/to/file.py:Class, or exec:COMMAND.
    """
    from tamis.compactors import METHODS, MODEL_METHODS, list_plugins, peers

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
