"""What is a talk in which somebody is served, and what is work on files."""

from tamis.compactors.brief.reading.statement import Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader

_OF_SERVICES = frozenset({"record", "effect"})


def is_of_work(statement: Statement) -> bool:
    """Whether a statement tells of work on files, as against talk and looking things up."""
    if statement.kind in ("ran", "failed"):
        return bool(statement.key) and "record" not in statement.flags
    return statement.kind in ("changed", "committed", "tested")


def serves(reading: StatementReader) -> bool:
    """Whether the agent serves somebody: asked more than once, it calls services and touches no file."""
    state, statements = reading.state, reading.statements
    if state.files or state.commands or any(map(is_of_work, statements)):
        return False
    is_asked_again = len(request_turns(statements)) > 1
    return is_asked_again and any(not _OF_SERVICES.isdisjoint(s.flags) for s in statements)
