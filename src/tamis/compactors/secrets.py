"""Keys, tokens and passwords out of what is handed on: a placeholder in the place of each.

What counts as a secret is said in `secret_rules`. A placeholder names the kind and eight digits of
the secret's digest, `[secret:aws-access-key:1a5d44a2]`, so that the same secret is the same placeholder
everywhere; what it stands for is in the archive, and nowhere else.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tamis.compactors.gate import refuse
from tamis.compactors.invocation import ask
from tamis.compactors.protocol import AccountEntry, Compaction, CompactionRequest, Compactor
from tamis.compactors.secret_rules import LEAST_CHARS, secrets_in
from tamis.ledger import state_from_json, state_to_json
from tamis.messages import Message, Part, Text, Thinking, ToolCall, ToolResult, count_messages, part_text
from tamis.text import texts_of

_PLACEHOLDER = re.compile(r"\[secret:[a-z0-9-]+:[0-9a-f]{8,64}\]")
DIGITS = 8
TRIES = 4


def find_secrets(texts: Iterable[str]) -> dict[str, str]:
    """Every secret in the texts, by the placeholder that stands for it."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for kind, secret in (pair for text in texts for pair in secrets_in(text)):
        if secret not in seen and len(secret) >= LEAST_CHARS and not _PLACEHOLDER.search(secret):
            _note(found, kind, secret)
            seen.add(secret)
    return found


def _note(found: dict[str, str], kind: str, secret: str) -> None:
    """The secret by its placeholder, a longer one where another secret has the same."""
    digits = DIGITS
    while found.get(mark := placeholder(kind, secret, digits), secret) != secret:
        digits += 8
    found[mark] = secret


def placeholder(kind: str, secret: str, digits: int = DIGITS) -> str:
    """What stands for a secret.

    >>> placeholder("AWS Access Key", "AKIAIOSFODNN7EXAMPLE")
    '[secret:aws-access-key:1a5d44a2]'
    """
    name = re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-")
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[secret:{name}:{digest[:digits]}]"


def secrets_of(messages: Iterable[Message]) -> dict[str, str]:
    """Every secret in the messages, by the placeholder that stands for it."""
    return find_secrets(_texts(messages))


def secrets_left(kept: Iterable[Message], known: Iterable[str] = ()) -> tuple[str, ...]:
    """A warning where messages that stay as they are hold secrets: `known` ones, or such as are found."""
    texts = _texts(kept)
    left = {*find_secrets(texts).values(), *(s for s in known if any(s in text for text in texts))}
    what = "1 secret stands" if len(left) == 1 else f"{len(left)} secrets stand"
    return (f"{what} in the messages that are kept as they are",) if left else ()


def masking(compactor: Compactor, known: Mapping[str, str] | None = None) -> Compactor:
    """The compactor, with placeholders for secrets in everything that it makes.

    It remembers the secrets that it has seen: what a method carries over is masked in later answers,
    too. `known` are those that it saw in an earlier process.
    """
    return _Masking(compactor, known or {})


class _Masking:
    def __init__(self, compactor: Compactor, known: Mapping[str, str]) -> None:
        self.name = compactor.name
        self.version = compactor.version
        self._compactor = compactor
        self._known = dict(known)

    async def compact(self, request: CompactionRequest) -> Compaction:
        """The answer without its secrets; placeholders may be longer, so it may be asked for less."""
        self._known |= secrets_of(request.span)
        room = request.budget_tokens
        for _ in range(TRIES):
            made = await ask(self._compactor, replace(request, budget_tokens=room))
            masked = self._masked(made, request)
            if made.outcome != "fits":
                why = ("nothing was replaced, so no secret was masked",) if self._known else ()
                return replace(masked, messages=made.messages, warnings=(*masked.warnings, *why))
            over = masked.tokens_after - request.budget_tokens
            if over <= 0:
                break
            # Less of what takes more room masked may still be too much.
            room -= over + request.budget_tokens // 20
            if room < 1:
                break
        if over > 0 or masked.tokens_after >= masked.tokens_before:
            return refuse(request, made, ["with its secrets masked it does not fit the budget"])
        return masked

    def _masked(self, made: Compaction, request: CompactionRequest) -> Compaction:
        known = self._known | secrets_of(made.messages)
        messages = tuple(_mask_message(message, known) for message in made.messages)
        changed = {m.id for m, was in zip(messages, made.messages, strict=True) if m is not was}
        account = tuple(
            AccountEntry(message_id=f.message_id, fate="condensed", reason=f"{f.reason}; secrets masked")
            if f.fate == "kept" and f.message_id in changed
            else f
            for f in made.account
        )
        state = made.state and state_from_json(_mask_value(state_to_json(made.state), known))
        fits = made.outcome == "fits"
        return replace(
            made,
            messages=messages,
            account=account if fits else made.account,
            state=state,
            warnings=tuple(_mask_text(warning, known) for warning in made.warnings),
            carry=_mask_value(made.carry, known),
            tokens_after=sum(count_messages(messages, request.counter)) if fits else made.tokens_after,
        )


def _mask_message(message: Message, known: Mapping[str, str]) -> Message:
    parts = [_mask_part(part, known) for part in message.parts]
    same = all(part is was for part, was in zip(parts, message.parts, strict=True))
    return message if same else message.with_parts(parts)


def _mask_part(part: Part, known: Mapping[str, str]) -> Part:
    if isinstance(part, ToolCall):
        arguments = _mask_value(part.arguments, known)
        raw = None if part.raw_arguments is None else _mask_text(part.raw_arguments, known)
        same = (arguments, raw) == (part.arguments, part.raw_arguments)
        return part if same else replace(part, arguments=arguments, raw_arguments=raw, native=None)
    if not isinstance(part, Text | Thinking | ToolResult):
        return part
    text = _mask_text(part.text, known)
    if text == part.text:
        return part
    if isinstance(part, ToolResult):
        return replace(part, text=text, details=None, native=None)
    return replace(part, text=text, native=None)


def _mask_value(value: Any, known: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _mask_text(value, known)
    if isinstance(value, Mapping):
        return {_mask_text(str(key), known): _mask_value(item, known) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mask_value(item, known) for item in value]
    return value


def _mask_text(text: str, known: Mapping[str, str]) -> str:
    for mark, secret in sorted(known.items(), key=lambda item: -len(item[1])):
        text = text.replace(secret, mark)
    return text


def _texts(messages: Iterable[Message]) -> list[str]:
    """As they are counted, with the names of arguments, and as they are meant, with line breaks."""
    parts = [part for message in messages for part in message.parts]
    return [text for part in parts for text in {part_text(part), *texts_of(part)}]
