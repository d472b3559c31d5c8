"""What happened in a session: events with their sources, folded into what holds now.

`read_ledger` reads messages; `LedgerReader` does so one at a time and can be taken up again. An extractor is
a function in a module of its own, listed in `reader.EXTRACTORS`.
"""

from tamis.ledger.events import Event, EventKind, Source
from tamis.ledger.reader import EXTRACTORS, Ledger, LedgerReader, read_ledger
from tamis.ledger.state import Entry, ErrorState, FileState, State
from tamis.ledger.state_json import (
    events_from_json,
    events_to_json,
    state_from_json,
    state_schema,
    state_to_json,
)

__all__ = [
    "EXTRACTORS",
    "Entry",
    "ErrorState",
    "Event",
    "EventKind",
    "FileState",
    "Ledger",
    "LedgerReader",
    "Source",
    "State",
    "events_from_json",
    "events_to_json",
    "read_ledger",
    "state_from_json",
    "state_schema",
    "state_to_json",
]
