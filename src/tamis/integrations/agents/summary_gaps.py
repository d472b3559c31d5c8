"""What somebody else's summary of a conversation leaves out: the ledger's brief, less what it says already.

A statement whose words stand in the summary is not told again. What the user asked is left away only where
the summary has it in the user's words.
"""

from collections.abc import Sequence

from tamis.compactors.brief.choice.worth import default_worth
from tamis.compactors.brief.reading.statement import DEEDS, Statement
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.writer import write_brief
from tamis.messages import Counter, Message
from tamis.text.terms import run_of, terms_of

TOLD_SHARE = 0.8
"""A statement is told where this share of its terms stands in the summary."""


def brief_beside(
    summary: str, messages: Sequence[Message], *, budget_tokens: int, counter: Counter
) -> str | None:
    """A brief of the messages for somebody who has their summary; None where there is nothing to add."""
    reading = StatementReader()
    reading.read([message for message in messages if message.origin != "summary"])
    known, run = {*terms_of(summary)}, f" {run_of(summary)} "

    def is_told(statement: Statement) -> bool:
        if f" {run_of(statement.text)} " in run:
            return True
        text = statement.text
        if statement.kind in DEEDS:
            text = text.partition(" ")[2]  # the verb is the brief's own
        terms = terms_of(text)
        return statement.kind != "asked" and sum(term in known for term in terms) >= TOLD_SHARE * len(terms)

    worth = default_worth()
    written = write_brief(reading, worth=worth, counter=counter, room=budget_tokens, is_told=is_told)
    return written.text if written is not None else None
