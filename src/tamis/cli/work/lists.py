"""The work of `tamis methods` and `tamis formats`, and the names that the shell completes."""

from dataclasses import dataclass

from tamis.cli.work.compact import TEXT
from tamis.cli.work.output import made_of, print_json, print_tables, table
from tamis.compactors import METHODS, MODEL_METHODS, list_plugins, peers
from tamis.sessions import ApiFormat, WritableFormat, all_formats


@dataclass(frozen=True, kw_only=True)
class MethodJson:
    """One entry of what `tamis methods --json` prints.

    `plugin` is where an installed package's class is. `extra` installs the library that a method comes from;
    one that begins with @ is an npm package.
    """

    name: str
    keeps: str | None
    plugin: str | None = None
    extra: str | None = None


def methods(as_json: bool) -> None:
    known = [MethodJson(name=name, keeps=keeps) for name, keeps in METHODS.items()]
    known += [MethodJson(name=f"{name}@MODEL", keeps=keeps) for name, keeps in MODEL_METHODS.items()]
    known += [MethodJson(name=name, keeps=None, plugin=where) for name, where in list_plugins().items()]
    known += [MethodJson(name=form, keeps=keeps, extra=extra) for form, keeps, extra in peers.list_peers()]
    if as_json:
        print_json(known, list[MethodJson])
        return
    own = [(m.name, m.keeps or f"from {m.plugin}") for m in known if not m.extra]
    others = [(m.name, m.keeps or "", peers.needed(m.extra)) for m in known if m.extra]
    columns = ["name", "what it keeps"]
    print_tables(table("Methods", columns, own), table("Of other libraries", [*columns, "needs"], others))


@dataclass(frozen=True, kw_only=True)
class FormatJson:
    """One entry of what `tamis formats --json` prints.

    `api`: an API takes it. `streams`: read line by line. `many`: a file can hold several sessions.
    """

    name: str
    title: str
    reads: bool
    writes: bool
    api: bool
    streams: bool
    many: bool


def formats(as_json: bool) -> None:
    known = describe_formats()
    if as_json:
        print_json(known, list[FormatJson])
        return
    yes = {True: "yes", False: ""}
    rows = [(f.name, f.title, yes[f.writes], yes[f.api], yes[f.streams], yes[f.many]) for f in known]
    columns = ["name", "what it is", "written", "taken by an API", "read by line", "several a file"]
    print_tables(table("Formats", columns, rows))


def describe_formats() -> list[FormatJson]:
    """What each format can do."""
    return [
        made_of(FormatJson, f, reads=True, writes=isinstance(f, WritableFormat), api=isinstance(f, ApiFormat))
        for f in all_formats()
    ]


def method_names(incomplete: str) -> list[str]:
    """The names of methods that begin so."""
    asking = (f"{name}@" for name in (*MODEL_METHODS, *peers.MODEL_PEERS, *peers.FOLDER_PEERS))
    known = (*METHODS, *peers.PEERS, *asking, *list_plugins())
    return [name for name in known if name.startswith(incomplete)]


def format_names(incomplete: str) -> list[str]:
    """The names of formats that begin so."""
    return [name for name in (*(known.name for known in all_formats()), TEXT) if name.startswith(incomplete)]
