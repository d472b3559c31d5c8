"""A live context as JSON, so that it can be taken up again by another process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.compactors import Compaction, Compactor
from tamis.errors import InputError
from tamis.messages import Message
from tamis.messages.codec import message_from_json, message_to_json

FORMAT = "tamis-context/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """What a context held after a compaction: `appended` items had been given to it until then.

    `recalled` are the positions in `body` of what was recalled since that compaction.
    """

    appended: int
    form: str | None
    system: tuple[Message, ...]
    body: tuple[Message, ...]
    recalled: frozenset[int] = frozenset()
    previous: Compaction | None
    pins: tuple[str, ...] = ()

    def check_method(self, method: Compactor) -> None:
        """Check that this method made the snapshot.

        Raises:
            InputError: another method made it, or another version.
        """
        made = self.previous
        if made is not None and (made.method, made.version) != (method.name, method.version):
            raise InputError(
                f"the saved context was compacted by {made.method} {made.version}, not by {method.name} "
                f"{method.version}; use that, or begin a new context with the session's own messages"
            )


def before_name(session_id: str) -> str:
    """The name under which an archive keeps what a context held before its last compaction."""
    return f"{session_id}#before"


def snapshot_to_json(snapshot: Snapshot) -> dict[str, Any]:
    """The snapshot as plain JSON values. Of the compaction, what the next one needs."""
    made = snapshot.previous
    return {
        "format": FORMAT,
        "appended": snapshot.appended,
        "form": snapshot.form,
        "system": _listed(snapshot.system),
        "body": _listed(snapshot.body),
        "recalled": sorted(snapshot.recalled),
        "pins": list(snapshot.pins),
        "previous": made
        and {
            "messages": _listed(made.messages),
            "tokens_before": made.tokens_before,
            "tokens_after": made.tokens_after,
            "method": made.method,
            "version": made.version,
            "carry": dict(made.carry),
            "carry_covers": made.carry_covers,
        },
    }


def snapshot_from_json(data: Mapping[str, Any]) -> Snapshot:
    """The snapshot that `snapshot_to_json` wrote.

    Raises:
        InputError: not such a snapshot, or one of another version.
    """
    if data.get("format") != FORMAT:
        raise InputError(
            f"the saved context has the format {data.get('format')!r}, this version reads {FORMAT!r}; "
            "begin a new context with the session's own messages"
        )
    try:
        made = data["previous"]
        return Snapshot(
            appended=int(data["appended"]),
            form=data["form"],
            system=_messages(data["system"]),
            body=_messages(data["body"]),
            recalled=frozenset(data.get("recalled", ())),
            pins=tuple(data.get("pins", ())),
            previous=made
            and Compaction(**{**made, "messages": _messages(made["messages"])}, account=(), outcome="fits"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"the saved context cannot be read ({error!r}); begin a new one with the session's own messages"
        ) from None


def _listed(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [message_to_json(message) for message in messages]


def _messages(data: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(message_from_json(item) for item in data)
