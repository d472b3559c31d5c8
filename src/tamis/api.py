"""Compacting in one call, in the form that the caller has: a session, messages, or an API's own dictionaries.

result = compact(messages, budget=4_000)     # messages: as they go to OpenAI or Anthropic
client.messages.create(messages=result.messages, ...)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Required, TypedDict, TypeVar, Unpack, get_args, overload

from tamis.archive import Archive
from tamis.compactors import (
    Budget,
    Compaction,
    CompactionRequest,
    Compactor,
    GateMode,
    Outcome,
    get_method,
    guard,
    parse_budget,
    run_compactor,
    secrets_of,
)
from tamis.compactors.brief import mark_briefs
from tamis.compactors.gate import refuse
from tamis.compactors.secrets import masking, secrets_left
from tamis.errors import InputError
from tamis.messages import Counter, Message, Session, Text, count_messages, cut_messages, get_counter
from tamis.sessions import FORMATS, ApiFormat, get_format, plain

__all__ = ["Compacted", "compact", "which_api"]

MessageForm = TypeVar("MessageForm", tuple[Message, ...], list[dict[str, Any]])

DEFAULT_METHOD = "ledger"


@dataclass(frozen=True, kw_only=True, slots=True)
class Compacted(Generic[MessageForm]):
    """A compacted conversation.

    `messages` has the form that came in: dictionaries of the same API for dictionaries, else `Message`
    values. `session` is the same as a session, for `tamis.write`. `compaction` is what the method answered:
    the account of every message, the state, the usage.
    """

    messages: MessageForm
    session: Session
    compaction: Compaction

    @property
    def tokens_before(self) -> int:
        """The tokens of what was to be replaced."""
        return self.compaction.tokens_before

    @property
    def tokens_after(self) -> int:
        """The tokens of what stands in its place."""
        return self.compaction.tokens_after

    @property
    def outcome(self) -> Outcome:
        """`fits`, `unchanged` or `unmet`."""
        return self.compaction.outcome

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the method has to say about it."""
        return self.compaction.warnings

    @property
    def text(self) -> str:
        """What the agent will read in the place of what was replaced, as prose."""
        return self.compaction.text

    def __repr__(self) -> str:
        """What the method answered, in short."""
        return f"<Compacted {repr(self.compaction).removeprefix('<Compaction ')}"

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return self.compaction._repr_html_()

    def to(self, format: str) -> list[dict[str, Any]]:  # noqa: A002
        """The messages as another API takes them: `openai-chat`, `openai-responses`, `anthropic`.

        Raises:
            InputError: not the format of an API.
        """
        return get_api(format).encode(self.session.messages)


class CompactSettings(TypedDict, total=False):
    """What `compact` can be told; see there."""

    budget: Required[str | int | float | Budget]
    method: str | Compactor
    keep_last: int
    tokenizer: str | Counter
    goal: str | None
    timeout_s: float | None
    gate: GateMode
    archive: Archive | None
    mask_secrets: bool


@overload
def compact(
    conversation: Session | Sequence[Message], **settings: Unpack[CompactSettings]
) -> Compacted[tuple[Message, ...]]: ...


@overload
def compact(
    conversation: Sequence[Mapping[str, Any]],
    *,
    format: str | None = None,
    **settings: Unpack[CompactSettings],
) -> Compacted[list[dict[str, Any]]]: ...


def compact(
    conversation: Session | Sequence[Message] | Sequence[Mapping[str, Any]],
    *,
    budget: str | int | float | Budget,
    method: str | Compactor = DEFAULT_METHOD,
    keep_last: int = 0,
    tokenizer: str | Counter = "o200k_base",
    goal: str | None = None,
    timeout_s: float | None = None,
    gate: GateMode = "repair",
    archive: Archive | None = None,
    mask_secrets: bool = False,
    format: str | None = None,  # noqa: A002
) -> Compacted[tuple[Message, ...]] | Compacted[list[dict[str, Any]]]:
    """Replace the older part of a conversation by what fits the budget.

    Args:
        conversation: a session, a list of messages, or a list of dictionaries as an API takes them.
        budget: tokens (4_000, "4000") or a share of what is replaced (0.05, "5%").
        method: a name from `tamis methods`, `package.module:Class`, `path/to/file.py:Class`,
            `exec:COMMAND`, or a compactor.
        keep_last: how many of the newest messages stay as they are, at least.
        tokenizer: `o200k_base`, `cl100k_base`, `estimate`, or a counter.
        goal: what the agent is about to do, where that is known.
        timeout_s: give up on a method that takes longer.
        gate: `repair` adds what must not be missing, as far as there is room, and refuses what breaks an
            invariant; `strict` also refuses what stays incomplete; `off` takes the method's word for it.
        archive: where the replaced messages are kept, before anything is replaced.
        mask_secrets: put placeholders in the place of keys, tokens and passwords, in all that is made; those
            in messages that stay as they are stay, and a warning says so.
        format: which API the dictionaries are for, where their content should not decide.

    Raises:
        BadBudget: not a budget, or less than a token of so small a span.
        InputError: nothing to compact, or dictionaries that are no API's messages.
        UnknownMethod: no such method.
        MethodFailed: the method broke, or took too long.
        BadArchive: the archive cannot be written; nothing was replaced.

    >>> talk = [{"role": "user", "content": "Look. " * 900}, {"role": "assistant", "content": "Done."}]
    >>> result = compact(talk, budget=200, method="truncate")
    >>> result.tokens_after <= 200, type(result.messages)
    (True, <class 'list'>)
    """
    session, api, items = _taken_in(conversation, format)
    session = replace(session, messages=mark_briefs(session.messages))
    allowed, compactor = parse_budget(budget), gated(method, gate=gate, mask_secrets=mask_secrets)
    counter = get_counter(tokenizer)
    cut = cut_messages(session.messages, keep_last=keep_last)
    if not cut.span:
        kept = f"{len(cut.system)} system and {len(cut.tail)} kept"
        raise InputError(f"nothing to compact: all {len(session.messages)} messages stay ({kept})")
    counts = tuple(count_messages(cut.span, counter))
    tokens = allowed.resolve(sum(counts))
    request = CompactionRequest(
        span=cut.span, budget_tokens=tokens, counter=counter, counts=counts, goal=goal, tail=cut.tail
    )
    made = run_compactor(compactor, request, timeout_s=timeout_s)
    made = open_with_user(compactor, request, made, cut.tail, timeout_s=timeout_s)
    if made.outcome == "fits":
        masked = secrets_of(cut.span) if mask_secrets else {}
        left = secrets_left((*cut.system, *cut.tail), masked.values()) if mask_secrets else ()
        made = replace(made, warnings=(*made.warnings, *left))
        if archive is not None:
            archive.put(session.id, cut.span, secrets=masked)
        session = replace(session, messages=(*cut.system, *made.messages, *cut.tail), boundaries=())
        items = api.encode(session.messages) if api is not None else items
    if api is None:
        return Compacted(messages=session.messages, session=session, compaction=made)
    return Compacted(messages=items, session=session, compaction=made)


def _taken_in(
    conversation: Session | Sequence[Message] | Sequence[Mapping[str, Any]],
    format: str | None,  # noqa: A002
) -> tuple[Session, ApiFormat | None, list[dict[str, Any]]]:
    """The conversation as a session; of an API's dictionaries, that API and they as well."""
    if isinstance(conversation, str | Path):
        raise InputError(f"{str(conversation)[:60]!r} is no conversation; read it first: tamis.read(path)")
    if not isinstance(conversation, Session | Sequence):
        raise InputError(
            f"{conversation!r:.60} is no conversation; give a session, messages, or a list of dictionaries"
        )
    if isinstance(conversation, Session):
        return conversation, None, []
    if conversation and all(isinstance(m, Message) for m in conversation):
        return Session(id="messages", format="messages", messages=tuple(conversation)), None, []  # type: ignore[arg-type]
    items = [plain(item) for item in conversation]
    api = get_api(format or which_api(items))
    return api.decode(items), api, items


def gated(
    method: str | Compactor, *, gate: GateMode, mask_secrets: bool, secrets: Mapping[str, str] | None = None
) -> Compactor:
    """A method by its name or as it is, behind the gate, and with secrets masked where that is asked for.

    `secrets` are those that are known already.

    Raises:
        UnknownMethod: no such method.
        InputError: no such mode of the gate.
    """
    compactor = method if isinstance(method, Compactor) else get_method(str(method))
    if gate not in get_args(GateMode):
        raise InputError(f"the gate has no mode {gate!r}; choose one of {', '.join(get_args(GateMode))}")
    if gate != "off":
        compactor = guard(compactor, strict=gate == "strict")
    return masking(compactor, secrets) if mask_secrets else compactor


def which_api(items: Sequence[Mapping[str, Any]]) -> str:
    """The format of a list of API items, by the first that only one API has; plain chat belongs to all.

    >>> result = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
    >>> which_api([{"role": "user", "content": [result]}])
    'anthropic'

    Raises:
        InputError: an item is no message's dictionary, or the list is empty.
    """
    if not items:
        raise InputError("there are no messages to compact")
    for n, item in enumerate(items, 1):
        if not isinstance(item, Mapping):
            raise InputError(
                f"item {n} is a {type(item).__name__}; give messages, or dictionaries as an API takes them"
            )
        if "role" not in item and "type" not in item:
            raise InputError(f"item {n} has no role; give messages, or dictionaries as an API takes them")
        content = item.get("content")
        blocks = [b for b in content if isinstance(b, Mapping)] if isinstance(content, list) else []
        if any(map(_is_anthropic, blocks)):
            return "anthropic"
        # Of the three APIs only this one types its items; their kinds grow in number.
        if "type" in item or any(str(b.get("type")).startswith(("input_", "output_")) for b in blocks):
            return "openai-responses"
        if "tool_calls" in item or item.get("role") in ("tool", "function"):
            return "openai-chat"
    return "openai-chat"


def _is_anthropic(block: Mapping[str, Any]) -> bool:
    """Whether only Anthropic's API has such a block in a message, its own servers' tools included."""
    kind = str(block.get("type"))
    return kind in ("thinking", "redacted_thinking") or "source" in block or kind.endswith(_TOOL_BLOCKS)


_TOOL_BLOCKS = ("tool_use", "tool_result")


def get_api(name: str) -> ApiFormat:
    """The format of an API.

    Raises:
        InputError: no such format, or not one that an API takes.
    """
    found = get_format(name)
    if isinstance(found, ApiFormat):
        return found
    names = ", ".join(f.name for f in FORMATS if isinstance(f, ApiFormat))
    raise InputError(f"{found.title} is not what an API takes; choose one of {names}")


_OPENING = Message(
    id="tamis-opening",
    role="user",
    parts=(Text(text="[Earlier messages were left out here.]"),),
    origin="summary",
)
"""Stands in front where a method's answer would begin with the assistant: most APIs want a user first."""


def open_with_user(
    method: Compactor,
    request: CompactionRequest,
    made: Compaction,
    tail: Sequence[Message],
    *,
    timeout_s: float | None,
) -> Compaction:
    """The compaction, with a user's line in front where it would begin with the assistant.

    Where that line has no room, the method is asked again for less; where it still has none, the
    budget is unmet.
    """
    if made.outcome != "fits" or _begins_with_user(made, tail):
        return made
    tokens = sum(count_messages([_OPENING], request.counter))
    room = request.budget_tokens - tokens
    if made.tokens_after > room > 0:
        made = run_compactor(method, replace(request, budget_tokens=room), timeout_s=timeout_s)
    if made.outcome != "fits" or _begins_with_user(made, tail):
        return made
    if made.tokens_after > room:
        return refuse(request, made, ["no room for the line that says that earlier messages were left out"])
    return replace(
        made,
        messages=(_OPENING, *made.messages),
        tokens_after=made.tokens_after + tokens,
        carry_covers=made.carry_covers + 1 if made.carry else 0,
    )


def _begins_with_user(made: Compaction, tail: Sequence[Message]) -> bool:
    return next(iter((*made.messages, *tail)), _OPENING).role == "user"
