"""LLMLingua-2: https://github.com/microsoft/LLMLingua (Pan et al., 2024, arXiv:2403.12968)."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tamis.compactors.brief import brief_message
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.peers.peer import framed, installed
from tamis.errors import UnknownModel
from tamis.messages import MESSAGE_OVERHEAD_TOKENS, part_text

PACKAGE, EXTRA = "llmlingua", "llmlingua"
TRIES = 4


class LLMLingua(Method):
    """Keeps the words that a token classifier calls worth keeping, at the rate that fits.

    Named with the folder of its model (one fine-tuned for LLMLingua-2): `llmlingua@FOLDER`.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """`folder` holds the classifier; it is loaded when it is first used."""
        super().__init__(clock=clock)
        self.folder = folder
        self.name = f"llmlingua@{folder.name}"
        self.version = installed(PACKAGE, EXTRA)
        self._loaded: Any = None

    @classmethod
    def named(cls, folder: str) -> Self:
        """The method with the model in this folder.

        Raises:
            UnknownModel: there is no such folder.
        """
        if not Path(folder).is_dir():
            raise UnknownModel(f"{folder}: no folder with a model for LLMLingua-2; write llmlingua@FOLDER")
        return cls(Path(folder))

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Compress the whole text, with a lower rate until it fits."""
        text = "\n\n".join(part_text(part) for message in material.messages for part in message.parts)
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS - material.counter.count(framed(""))
        rate = max(room, 1) / max(1, material.counter.count(text))
        for _ in range(TRIES):
            made = await asyncio.to_thread(self._compress, text, rate)
            tokens = material.counter.count(framed(made))
            if made.strip() and tokens + MESSAGE_OVERHEAD_TOKENS <= material.budget_tokens:
                return material.condense(brief_message(framed(made)), reason="some of its words are kept")
            rate *= 0.95 * max(room, 1) / max(tokens, 1)
        return CannotFit(f"no rate made it fit {material.budget_tokens} tokens in {TRIES} tries")

    def _compress(self, text: str, rate: float) -> str:
        if self._loaded is None:
            from llmlingua import PromptCompressor

            self._loaded = PromptCompressor(str(self.folder), use_llmlingua2=True, device_map="cpu")
        made = self._loaded.compress_prompt([text], rate=rate, force_tokens=["\n"])
        return str(made["compressed_prompt"])
