"""`RecordedModel`: replays exchanges from a file, and records those that are not in it yet.

One exchange a line, found again by a hash of everything that was asked: a changed prompt is another question
and is never answered with an old reply. Failures are not recorded.
"""

import hashlib
import json
import os
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from tamis.errors import ModelUnreachable, UnreadableFile
from tamis.models.protocol import Model, Prompt, Reply
from tamis.text_files import read_text


class RecordedExchange(BaseModel, extra="forbid"):
    """One line of the file."""

    format: Literal["tamis-exchange/1"] = "tamis-exchange/1"
    request: str
    model: str
    instructions: str
    text: str
    reply: str
    input_tokens: int | None
    output_tokens: int | None


class RecordedModel:
    """Answers from the file at `path`; with a `model` it asks that one for what is missing and records it."""

    def __init__(self, path: str | Path, model: Model | None = None) -> None:
        """Read the exchanges.

        Raises:
            UnreadableFile: there is no such file and no model to record, or a line is no exchange.
        """
        self._path = Path(path)
        self._model = model
        self._exchanges = {e.request: e for e in _read(self._path, may_be_missing=model is not None)}

    @property
    def name(self) -> str:
        """The recorded model, or the one that is being recorded."""
        if self._model is not None:
            return self._model.name
        return next((e.model for e in self._exchanges.values()), "recorded")

    @property
    def window_tokens(self) -> int | None:
        """The window of the model that is being recorded; None without a model."""
        return self._model.window_tokens if self._model is not None else None

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The recorded reply, or a new one.

        Raises:
            ModelUnreachable: not recorded, and there is no model to ask.
        """
        key = request_hash(prompt, schema)
        if key not in self._exchanges:
            if self._model is None:
                raise ModelUnreachable(
                    f"{self._path} holds no reply to {key[:19]}…; "
                    "record it with RecordedModel(path, get_model(...))"
                )
            self._record(key, prompt, await self._model.ask(prompt, schema=schema))
        kept = self._exchanges[key]
        sent, said = kept.input_tokens, kept.output_tokens
        return Reply(text=kept.reply, model=kept.model, input_tokens=sent, output_tokens=said)

    def _record(self, key: str, prompt: Prompt, reply: Reply) -> None:
        exchange = RecordedExchange(
            request=key,
            model=reply.model,
            instructions=prompt.instructions,
            text=prompt.text,
            reply=reply.text,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
        )
        # Only its owner can read it: prompts hold what sessions held.
        opener = partial(os.open, mode=0o600)
        with open(self._path, "a", encoding="utf-8", opener=opener) as file:
            file.write(exchange.model_dump_json() + "\n")
        self._exchanges[key] = exchange


def request_hash(prompt: Prompt, schema: type[BaseModel] | None) -> str:
    """SHA-256 over all that a model is asked, tagged with the algorithm.

    >>> request_hash(Prompt(instructions="a", text="b"), None)[:15]
    'sha256:056c2dd5'
    """
    asked = {**asdict(prompt), "schema": schema.model_json_schema() if schema else None}
    canonical = json.dumps(asked, sort_keys=True, ensure_ascii=True)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def _read(path: Path, *, may_be_missing: bool) -> list[RecordedExchange]:
    if may_be_missing and not path.exists():
        return []
    lines = read_text(path, "give a model to record into it").split("\n")
    exchanges = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            exchanges.append(RecordedExchange.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]["msg"]
            raise UnreadableFile(f"{path}, line {number}: no recorded exchange: {first}") from None
    return exchanges
