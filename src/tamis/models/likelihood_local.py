"""Likelihoods of a GGUF file in this process, through llama.cpp (cyllama).

What two texts have in common at their beginning is evaluated once, and logits are worked out only where the
continuation is predicted.
"""

import asyncio
import itertools
import math
import os
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tamis.errors import MissingExtra, ModelServerError, PromptTooLong
from tamis.models.likelihood import Cost
from tamis.models.local import WINDOW_TOKENS, check_file

BATCH_TOKENS = 512


class Evaluator(Protocol):
    """What works out logits, one position behind the other."""

    def tokenize(self, text: str) -> list[int]:
        """The model's tokens."""

    def forget_from(self, position: int) -> None:
        """Take back what was evaluated at this position and behind it."""

    def evaluate(self, tokens: Sequence[int], position: int, wanted: Sequence[bool]) -> list[Any]:
        """Evaluate tokens from a position on; the logits behind those that are wanted, in order."""


class LocalLikelihoods:
    """A GGUF file, loaded at the first question and kept; one question at a time."""

    def __init__(
        self,
        path: str | Path,
        *,
        window_tokens: int = WINDOW_TOKENS,
        load: Callable[[Path, int], Evaluator] | None = None,
    ) -> None:
        """Nothing is loaded yet.

        Raises:
            UnknownModel: no such file, or not a GGUF file.
            MissingExtra: cyllama is not installed.
        """
        self._path = Path(path).expanduser()
        self.name = f"gguf:{self._path.name}"
        self.window_tokens = window_tokens
        self._load = load or _load
        self._evaluator: Evaluator | None = None
        self._evaluated: list[int] = []
        self._lock = threading.Lock()
        check_file(self._path)
        if load is None and find_spec("cyllama") is None:
            raise MissingExtra("reading likelihoods of a GGUF file needs cyllama: pip install 'tamis[local]'")

    async def bits(self, prefix: str, continuation: str) -> Cost:
        """Evaluate what is new of the prefix, then the continuation.

        Raises:
            PromptTooLong: both do not fit the window.
            ModelServerError: llama.cpp failed.
        """
        return await asyncio.to_thread(self._bits, prefix, continuation)

    def _bits(self, prefix: str, continuation: str) -> Cost:
        with self._lock:
            if self._evaluator is None:
                self._evaluator = self._load(self._path, self.window_tokens)
            before = self._evaluator.tokenize(prefix or "\n")  # the first token of all has no likelihood
            said = self._evaluator.tokenize(continuation)
            if len(before) + len(said) > self.window_tokens:
                raise PromptTooLong(
                    f"{self.name}: {len(before) + len(said):,} tokens do not fit its window of "
                    f"{self.window_tokens:,}"
                )
            try:
                bits = self._cost(self._evaluator, before, said)
            except (RuntimeError, ValueError) as error:
                self._evaluated = []
                raise ModelServerError(f"{self.name}: {error}") from None
            return Cost(bits=bits, tokens=len(said), prefix_tokens=len(before))

    def _cost(self, evaluator: Evaluator, before: Sequence[int], said: Sequence[int]) -> float:
        tokens = [*before, *said]
        first = len(before) - 1  # behind it the first token of the continuation is predicted
        same = itertools.takewhile(
            lambda pair: pair[0] == pair[1], zip(self._evaluated, tokens, strict=False)
        )
        start = min(sum(1 for _ in same), first)
        self._evaluated = self._evaluated[:start]
        evaluator.forget_from(start)
        bits = 0.0
        for at in range(start, len(tokens) - 1, BATCH_TOKENS):
            part = tokens[at : min(at + BATCH_TOKENS, len(tokens) - 1)]
            wanted = [at + offset >= first for offset in range(len(part))]
            logits = evaluator.evaluate(part, at, wanted)
            self._evaluated += part
            following = [tokens[at + offset + 1] for offset, is_wanted in enumerate(wanted) if is_wanted]
            bits += sum(surprise(row, token) for row, token in zip(logits, following, strict=True))
        return bits


def surprise(logits: Any, token: int) -> float:
    """The bits that a token costs by the logits at its place.

    >>> surprise([0.0, 0.0, 0.0, 0.0], 2)
    2.0
    """
    row = np.asarray(logits, dtype=np.float64)
    most = float(row.max())
    return (most + math.log(float(np.exp(row - most).sum())) - float(row[token])) / math.log(2)


class _LlamaCpp:
    """A context of llama.cpp."""

    def __init__(self, path: Path, window_tokens: int) -> None:
        from cyllama.llama import llama_cpp

        class Model(llama_cpp.LlamaModel):  # type: ignore[misc]
            @property
            def n_vocab(self) -> int:  # which the context asks of its model, and 0.2.18 has nowhere
                return int(self.get_vocab().n_vocab)

        llama_cpp.disable_logging()
        llama_cpp.ggml_backend_load_all()
        params = llama_cpp.LlamaContextParams()
        params.n_ctx = window_tokens
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.n_threads = params.n_threads_batch = os.cpu_count() or 1
        self._cpp = llama_cpp
        self._model = Model(str(path))
        self._vocab = self._model.get_vocab()
        self._context = llama_cpp.LlamaContext(self._model, params)

    def tokenize(self, text: str) -> list[int]:
        return list(self._vocab.tokenize(text, False, False))  # no marks of its own; text is text

    def forget_from(self, position: int) -> None:
        self._context.memory_seq_rm(0, position, -1)

    def evaluate(self, tokens: Sequence[int], position: int, wanted: Sequence[bool]) -> list[Any]:
        batch = self._cpp.LlamaBatch(n_tokens=len(tokens), embd=0, n_seq_max=1)
        for offset, (token, is_wanted) in enumerate(zip(tokens, wanted, strict=True)):
            batch.add(token, position + offset, [0], is_wanted)
        self._context.decode(batch)
        return [self._context.get_logits_ith(i) for i, is_wanted in enumerate(wanted) if is_wanted]


def _load(path: Path, window_tokens: int) -> Evaluator:
    try:
        return _LlamaCpp(path, window_tokens)
    except (RuntimeError, ValueError) as error:
        raise ModelServerError(f"{path.name} cannot be loaded: {error}") from None
