"""Relevance by meaning: a static embedding model from a folder. Owns the extra `embeddings`.

Nothing is fetched: the folder holds a model that `model2vec` saved (a few megabytes, no GPU).
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tamis.errors import MissingExtra, UnreadableFile

Embedder = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Turns texts into vectors, one each, in order, of one length."""


def load_embedder(folder: Path) -> Embedder:
    """The model in a folder.

    Raises:
        MissingExtra: model2vec is not installed.
        UnreadableFile: the folder holds no such model.
    """
    try:
        from model2vec import StaticModel
    except ImportError:
        raise MissingExtra("skills by embedding need model2vec; pip install 'tamis[embeddings]'") from None
    if not folder.is_dir():
        raise UnreadableFile(f"{folder}: no such folder; name one with a model that model2vec saved")
    try:
        model: Any = StaticModel.from_pretrained(folder, force_download=False)
    except Exception as error:  # whatever the library raises for a folder that it cannot read
        raise UnreadableFile(f"{folder}: not a model2vec model ({error}); name another folder") from None

    def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        vectors: list[list[float]] = model.encode(list(texts)).tolist()
        return vectors

    return embed


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """How much two vectors point the same way, from 0 (not at all, or against) to 1.

    >>> cosine([1, 0], [2, 0]), cosine([1, 0], [0, 1]), cosine([0, 0], [1, 0])
    (1.0, 0.0, 0.0)
    """
    length = math.hypot(*one) * math.hypot(*other)
    if not length:
        return 0.0
    return max(0.0, sum(a * b for a, b in zip(one, other, strict=True)) / length)
