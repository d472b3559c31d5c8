"""`gguf:FILE`: a model file that runs in this process, through llama.cpp (xllamacpp)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tamis.errors import MissingExtra, ModelServerError, ModelTimeout, UnknownModel, UnusableReply
from tamis.models.protocol import Prompt, Reply
from tamis.models.translation import from_status

WINDOW_TOKENS = 8192
"""What the model can take in at once; more costs memory, and time on machines without a GPU."""


class LocalModel:
    """A GGUF file. It is loaded at the first question, and kept.

    One question is answered at a time. A time-out leaves the answer to be finished in its thread: the library
    cannot be interrupted, and the next question waits for it.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        window_tokens: int = WINDOW_TOKENS,
        timeout_s: float = 600.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Nothing is loaded yet.

        Raises:
            UnknownModel: no such file, or not a GGUF file.
        """
        self._path = Path(path).expanduser()
        self.name = f"gguf:{self._path.name}"
        self.window_tokens = window_tokens
        self._timeout_s = timeout_s
        self._clock = clock
        self._server: Any = None
        _check_file(self._path)

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """Ask once, within the time-out; loading the file counts.

        Raises:
            ModelError: one of its kinds.
            MissingExtra: xllamacpp is not installed.
        """
        start = self._clock()
        question = _question(prompt, schema)
        loop = asyncio.get_running_loop()
        try:
            answer = await asyncio.wait_for(
                loop.run_in_executor(None, self._answer, question), self._timeout_s
            )
        except TimeoutError:
            raise ModelTimeout(f"{self.name}: no answer within {self._timeout_s:g} seconds") from None
        return _reply(answer, self.name, latency_ms=(self._clock() - start) * 1000)

    def _answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._server is None:
            self._server = _load(self._path, self.window_tokens)
        try:
            answer: Mapping[str, Any] = self._server.handle_chat_completions(dict(question))
        except (RuntimeError, ValueError) as error:
            raise ModelServerError(f"{self.name}: {error}") from None
        return answer


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UnknownModel(
            f"{path} cannot be opened ({error.strerror}); give the path of a GGUF file"
        ) from None
    if magic != b"GGUF":
        raise UnknownModel(f"{path} is no GGUF file; give one that llama.cpp can run")


def _load(path: Path, window_tokens: int) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise MissingExtra("running a GGUF file needs xllamacpp: pip install 'tamis[local]'") from None
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = window_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = os.cpu_count() or 1
    params.verbosity = -1  # it would log to standard error
    params.warmup = False
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelServerError(f"{path.name} cannot be loaded: {error}") from None


def _question(prompt: Prompt, schema: type[BaseModel] | None) -> dict[str, Any]:
    question: dict[str, Any] = {
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.text},
        ],
        "temperature": 0.0,
        "seed": 0,
    }
    if prompt.max_output_tokens is not None:
        question["max_tokens"] = prompt.max_output_tokens
    if schema is not None:
        described = {"name": schema.__name__, "schema": schema.model_json_schema(), "strict": True}
        question["response_format"] = {"type": "json_schema", "json_schema": described}
    return question


def _reply(answer: Mapping[str, Any], name: str, *, latency_ms: float) -> Reply:
    if "error" in answer:
        error = answer["error"]
        raise from_status(int(error.get("code", 500)), str(error.get("message", error)), model=name)
    choice = answer["choices"][0]
    if choice.get("finish_reason") == "length":
        raise UnusableReply(f"{name}: the answer was cut short (length)")
    text = choice["message"].get("content") or ""
    if not text.strip():
        raise UnusableReply(f"{name}: the answer is empty")
    usage = answer.get("usage", {})
    return Reply(
        text=text,
        model=name,
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        latency_ms=latency_ms,
    )
