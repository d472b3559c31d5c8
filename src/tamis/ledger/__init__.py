"""What happened in a session: events with their sources, folded into what holds now.

`read_ledger` reads messages; `LedgerReader` does so one at a time and can be taken up again. An extractor is
a function in a module of its own, listed in `reader.EXTRACTORS`.
"""

from tamis.ledger.events import (
    CommandRun,
    Constraint,
    ErrorMessage,
    Event,
    EventKind,
    FileChange,
    Request,
    Source,
    TestRun,
)
from tamis.ledger.files.file_tools import command_line, first_path
from tamis.ledger.outputs.waste import Waste, find_waste
from tamis.ledger.reader import EXTRACTORS, Ledger, LedgerReader, read_ledger
from tamis.ledger.shell.programs import only_reads
from tamis.ledger.speech.prose import looks_pasted
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
    "CommandRun",
    "Constraint",
    "Entry",
    "ErrorMessage",
    "ErrorState",
    "Event",
    "EventKind",
    "FileChange",
    "FileState",
    "Ledger",
    "LedgerReader",
    "Request",
    "Source",
    "State",
    "TestRun",
    "Waste",
    "command_line",
    "events_from_json",
    "events_to_json",
    "find_waste",
    "first_path",
    "looks_pasted",
    "only_reads",
    "read_ledger",
    "state_from_json",
    "state_schema",
    "state_to_json",
]
