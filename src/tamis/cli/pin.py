"""`tamis pin`: have a rule or a message stand word for word behind every brief."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import print_json
from tamis.errors import InputError


@dataclass(frozen=True, kw_only=True)
class PinJson:
    """One pin: its id, and what stands behind every brief."""

    id: str
    text: str


@click.command("pin", short_help="Keep a rule or a message word for word through every compaction.")
@click.argument("archive", metavar="ARCHIVE", type=click.Path(path_type=Path))
@click.argument("text", metavar="[TEXT]", required=False)
@click.option(
    "--message", metavar="ID", help="Pin a message of the archive: an id that `tamis recall` shows."
)
@click.option("--remove", metavar="ID", help="Unpin what has this id.")
@json_option
def command(archive: Path, text: str | None, message: str | None, remove: str | None, as_json: bool) -> None:
    """Pin TEXT for all sessions that keep what they take out in ARCHIVE, or list what is pinned.

    From the next compaction on it stands word for word behind the brief, in every agent that is wrapped with
    this archive. An agent's archive lies in its folder: `.claude/tamis.archive`.
    """
    from tamis.archive import Archive
    from tamis.context.pins import add_pin, load_pins, pin_of, remove_pin

    if sum(given is not None for given in (text, message, remove)) > 1:
        raise InputError("give a text, --message or --remove: one of them")
    is_new = text is not None
    if not is_new and not archive.is_file():
        raise InputError(f"{archive}: there is no such archive; `tamis pin {archive} TEXT` makes one")
    with Archive.open(archive) as opened:
        if remove is not None:
            click.echo(f"unpinned: {remove_pin(opened, remove).text}", err=True)
        elif text is not None or message is not None:
            pin = pin_of(opened.get(message) if message is not None else text or "")
            said = "pinned" if add_pin(opened, pin) else "pinned already"
            click.echo(f"{said}: {pin.id}", err=True)
        pins = [PinJson(id=pin.id, text=pin.text) for pin in load_pins(opened)]
    if as_json:
        print_json(pins, list[PinJson])
    elif text is None and message is None:
        for shown in pins:
            click.echo(f"{shown.id} {' '.join(shown.text.split())}")
        if not pins:
            click.echo(f"nothing is pinned in {archive}", err=True)
