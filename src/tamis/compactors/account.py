"""The account: what became of each source message, and why."""

from collections.abc import Sequence
from typing import NamedTuple

from tamis.compactors.pairs import PairedMessages
from tamis.compactors.protocol import AccountEntry, Fate
from tamis.messages import Message


class MessageFate(NamedTuple):
    """A fate and its reason, before it is known which message of the span it is about."""

    fate: Fate
    reason: str


def stands(span: Sequence[Message], why: str) -> tuple[AccountEntry, ...]:
    """The account of a span that stands as it was."""
    return tuple(AccountEntry(message_id=m.id, fate="kept", reason=why) for m in span)


def settle_account(
    source: Sequence[Message], sound: PairedMessages, told: Sequence[MessageFate]
) -> tuple[AccountEntry, ...]:
    """One entry per source message, in order: what the method told, corrected for what was torn before."""
    by_source = dict(zip(sound.sources, told, strict=True))
    account = []
    for i, message in enumerate(source):
        left_out = sound.torn.get(i)
        fate, reason = by_source.get(i, MessageFate("archived", f"{left_out}: no API takes it"))
        if i in by_source and left_out and fate == "kept":
            fate, reason = "condensed", f"{reason}; left out: {left_out}"
        account.append(AccountEntry(message_id=message.id, fate=fate, reason=reason))
    return tuple(account)
