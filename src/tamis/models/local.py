"""`gguf:FILE`: a model file that runs in this process, through llama.cpp (xllamacpp)."""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from tamis.errors import MissingExtra, ModelServerError, ModelTimeout, UnknownModel, UnusableReply
from tamis.models.grammar import spelled_out
from tamis.models.protocol import Prompt, Reply
from tamis.models.translation import from_status

WINDOW_TOKENS = 8192
"""What the model can take in at once; more costs memory, and time on machines without a GPU."""

TIMEOUT_S = 600.0

CompletionChunk = Mapping[str, Any]
"""One chunk of a streamed answer, as the OpenAI chat API has them."""


class Server(Protocol):
    """What answers: `xllamacpp.Server`, as far as it is used here."""

    def handle_chat_completions(
        self, prompt: dict[str, Any], callback: Callable[[CompletionChunk], bool]
    ) -> None:
        """Hand the chunks of the answer to `callback`, until it says True."""


class LocalModel:
    """A GGUF file. It is loaded at the first question, and kept.

    One question is answered at a time, in the order in which they came: the beginning that a prompt has in
    common with the one before is not read again, so what is asked of one text should come in a row. The time
    that a question waits for its turn is not held against it. A time-out stops the answer at its next token;
    while the library still reads the prompt it cannot be stopped, and the next question waits for that.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        window_tokens: int = WINDOW_TOKENS,
        timeout_s: float = TIMEOUT_S,
        load: Callable[[Path, int], Server] | None = None,
    ) -> None:
        """Nothing is loaded yet. `load` makes what answers; llama.cpp unless told.

        Raises:
            UnknownModel: no such file, or not a GGUF file.
            MissingExtra: xllamacpp is not installed.
        """
        self._path = Path(path).expanduser()
        self.name = f"gguf:{self._path.name}"
        self.window_tokens = window_tokens
        self._timeout_s = timeout_s
        self._load = load or _load
        self._server: Server | None = None
        self._queue = threading.Lock()
        self._last: threading.Thread | None = None
        check_file(self._path)
        if load is None and find_spec("xllamacpp") is None:
            raise MissingExtra("running a GGUF file needs xllamacpp: pip install 'tamis[local]'")

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """Ask once, within the time-out, which begins with its turn; loading the file counts.

        Raises:
            ModelError: one of its kinds.
        """
        stopped = threading.Event()
        try:
            turn, answer = self._in_thread(_question(prompt, schema), stopped)
            await turn
            start = time.perf_counter()
            chunks = await asyncio.wait_for(answer, self._timeout_s)
        except TimeoutError:
            raise ModelTimeout(f"{self.name}: no answer within {self._timeout_s:g} seconds") from None
        finally:
            stopped.set()
        return _reply(chunks, self.name, latency_ms=(time.perf_counter() - start) * 1000)

    def _in_thread(
        self, question: dict[str, Any], stopped: threading.Event
    ) -> tuple[asyncio.Future[None], asyncio.Future[list[CompletionChunk]]]:
        """Its turn and the chunks of its answer, from a thread that nobody waits for at the end."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        answer: asyncio.Future[list[CompletionChunk]] = loop.create_future()

        def settle(future: asyncio.Future[Any], value: Any, error: Exception | None = None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)

        def run(before: threading.Thread | None) -> None:
            if before is not None:
                before.join()
            chunks: list[CompletionChunk] = []
            failure: Exception | None = None
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
                loop.call_soon_threadsafe(settle, turn, None)
                try:
                    chunks = self._answer(question, stopped)
                except Exception as error:  # raised again where it is waited for
                    failure = error
                loop.call_soon_threadsafe(settle, answer, chunks, failure)

        with self._queue:
            self._last = threading.Thread(target=run, args=(self._last,), name=self.name, daemon=True)
            self._last.start()
        return turn, answer

    def _answer(self, question: dict[str, Any], stopped: threading.Event) -> list[CompletionChunk]:
        chunks: list[CompletionChunk] = []

        def take(chunk: CompletionChunk) -> bool:
            chunks.append(chunk)
            return stopped.is_set()

        if stopped.is_set():
            return chunks
        if self._server is None:
            self._server = self._load(self._path, self.window_tokens)
        try:
            self._server.handle_chat_completions(question, take)
        except (RuntimeError, ValueError) as error:
            raise ModelServerError(f"{self.name}: {error}") from None
        return chunks


def check_file(path: Path) -> None:
    """See that llama.cpp could read it.

    Raises:
        UnknownModel: no such file, or not a GGUF file.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        why = f"{path} cannot be opened ({error.strerror}); give the path of a GGUF file"
        raise UnknownModel(why) from None
    if magic != b"GGUF":
        raise UnknownModel(f"{path} is no GGUF file; give one that llama.cpp can run")


def _load(path: Path, window_tokens: int) -> Server:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = window_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = os.cpu_count() or 1
    params.verbosity = -1  # it would log to standard error
    params.warmup = False
    try:
        server: Server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelServerError(f"{path.name} cannot be loaded: {error}") from None
    return server


def _question(prompt: Prompt, schema: type[BaseModel] | None) -> dict[str, Any]:
    question: dict[str, Any] = {
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.text},
        ],
        "temperature": 0.0,
        "seed": 0,
        "stream": True,  # so that it can be stopped
        "stream_options": {"include_usage": True},
    }
    if prompt.max_output_tokens is not None:
        question["max_tokens"] = prompt.max_output_tokens
    if schema is not None:
        spelled = spelled_out(schema.model_json_schema())
        described = {"name": schema.__name__, "schema": spelled, "strict": True}
        question["response_format"] = {"type": "json_schema", "json_schema": described}
    return question


def _reply(chunks: Sequence[CompletionChunk], name: str, *, latency_ms: float) -> Reply:
    texts: list[str] = []
    finish: str | None = None
    usage: Mapping[str, Any] = {}
    for chunk in chunks:
        if "error" in chunk:
            error = chunk["error"]
            raise from_status(int(error.get("code", 500)), str(error.get("message", error)), model=name)
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices", ()):
            texts.append(choice.get("delta", {}).get("content") or "")
            finish = choice.get("finish_reason") or finish
    if finish == "length":
        raise UnusableReply(f"{name}: the answer was cut short (length)")
    text = "".join(texts)
    if not text.strip():
        raise UnusableReply(f"{name}: the answer is empty")
    sent, said = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Reply(text=text, model=name, input_tokens=sent, output_tokens=said, latency_ms=latency_ms)
