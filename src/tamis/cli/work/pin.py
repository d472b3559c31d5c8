"""The work of `tamis pin`: pin, unpin, list what is pinned."""

from dataclasses import dataclass
from pathlib import Path

import click

from tamis.archive import Archive
from tamis.cli.work.output import print_json
from tamis.context.pins import add_pin, load_pins, pin_of, remove_pin
from tamis.errors import InputError


@dataclass(frozen=True, kw_only=True)
class PinJson:
    """One pin: its id, and what stands behind every brief."""

    id: str
    text: str


def run(archive: Path, *, text: str | None, message: str | None, remove: str | None, as_json: bool) -> None:
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
