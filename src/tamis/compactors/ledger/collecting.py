"""Leaving the search for reference cycles alone while very many objects are made that hold none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collections() -> Iterator[None]:
    """Make objects without Python looking for cycles among them; it goes on doing so behind this.

    What is read of a session is tens of thousands of small objects that all stay, and every search would
    visit them again. Memory is freed as ever: only cycles wait. Blocks in several threads may overlap; the
    first that ends lets the search go on.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
