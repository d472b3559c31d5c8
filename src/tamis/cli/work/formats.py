"""The work of `tamis formats`: the session formats, and what can be done with each."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.cli.work.output import print_json, print_tables, table
from tamis.sessions import ApiFormat, WritableFormat, all_formats


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


def run(as_json: bool) -> None:
    """What `tamis formats` does."""
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
        FormatJson(
            name=f.name,
            title=f.title,
            reads=True,
            writes=isinstance(f, WritableFormat),
            api=isinstance(f, ApiFormat),
            streams=f.streams,
            many=f.many,
        )
        for f in all_formats()
    ]
