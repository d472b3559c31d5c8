"""Taking a correction into the state: what it replaces goes, what it says stands.

Entries are found by where they were said, so that a correction reaches whatever was read off the older
sentence, of whichever kind: the rule, the fact, who has which role.
"""

from dataclasses import replace
from typing import Any

from tamis.ledger.events import Constraint, Correction, Event, EventKind, Fact, Source
from tamis.ledger.speech.claims import named
from tamis.ledger.state import Entry

KINDS: tuple[EventKind, ...] = ("constraint", "decision", "fact", "entity")
"""What a correction replaces. Requests are quoted whole: there the pair tells which words no longer hold."""

Entries = dict[EventKind, dict[str, Entry[Any]]]


class EntriesByMessage:
    """The entries by the message that says them, so that those of one sentence are found at once."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._by_message: dict[tuple[str, int], dict[tuple[EventKind, str], None]] = {}
        for kind in KINDS:
            for key, entry in entries[kind].items():
                self.note(kind, key, entry.source)

    def note(self, kind: EventKind, key: str, source: Source) -> None:
        """An entry was written."""
        if kind in KINDS:
            self._by_message.setdefault((source.message_id, source.part), {})[kind, key] = None

    def retire(self, source: Source, *, but: tuple[EventKind, str]) -> None:
        """Take out what else was read off a sentence that no longer holds."""
        for kind, key in self._at(source):
            if (kind, key) != but:
                del self._entries[kind][key]

    def correct(self, event: Event, correction: Correction) -> None:
        """Take out what the older sentence said, and let the newer say it in its place."""
        gone = self._at(correction.old_source)
        for kind, key in gone:
            before = self._entries[kind].pop(key)
            self._by_message[before.source.message_id, before.source.part].pop((kind, key), None)
            gone[kind, key] = before
        if not correction.new:
            return
        there = self._at(event.source)
        for (kind, key), entry in there.items():
            replaced = [
                old.value
                for (old_kind, _), old in gone.items()
                if old_kind == kind and old.value != entry.value
            ]
            superseded = tuple(dict.fromkeys((*entry.superseded, *replaced)))
            self._entries[kind][key] = replace(entry, superseded=superseded)
        if there:
            return
        value: Constraint | Fact
        rule = next((old for (kind, _), old in gone.items() if kind == "constraint"), None)
        if rule is not None:
            kind, value = "constraint", replace(rule.value, text=correction.new, by="user")
        else:
            name, said = named(correction.new)
            kind, value = "fact", Fact(name=name, value=said, text=correction.new)
        key = f"{kind}: {event.subject}"
        self._entries[kind][key] = Entry(
            subject=key,
            value=value,
            source=event.source,
            first_turn=event.turn,
            last_turn=event.turn,
            superseded=tuple(old.value for (old_kind, _), old in gone.items() if old_kind == kind),
            event=event.id,
        )
        self.note(kind, key, event.source)

    def _at(self, source: Source) -> dict[tuple[EventKind, str], Entry[Any]]:
        """The entries that were read off a place."""
        found = {}
        for kind, key in list(self._by_message.get((source.message_id, source.part), ())):
            entry = self._entries[kind].get(key)
            here = entry and (entry.source.message_id, entry.source.part) == (source.message_id, source.part)
            if entry is None or not here:
                del self._by_message[source.message_id, source.part][kind, key]
            elif entry.source.start < source.end and source.start < entry.source.end:
                found[kind, key] = entry
        return found
