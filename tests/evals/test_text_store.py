"""The store of a run's texts: a context that many prompts hold is kept once, and every prompt comes back."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tamis.errors import InputError, UnreadableFile
from tamis.evals import Texts
from tamis.evals.experiment.model_cache import Exchange
from tamis.evals.rundir.results import digest
from tamis.evals.rundir.text_store import TextStore

CONTEXT = "### 1 user m1\nthe port is 8080\n" * 2_000
PROMPTS = [f"Answer.\n\n````\n{CONTEXT}\n````\n\nQuestion: {n}?\n```\nnot this\n```" for n in range(20)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(TextStore(tmp_path / "texts.sqlite")) as store:
        for n, prompt in enumerate(PROMPTS):
            store.put_exchange(
                Exchange(key=str(n), model="m", prompt=prompt, reply="8080", input_tokens=7, cost_usd=0.5)
            )
    return tmp_path


def test_every_prompt_comes_back_word_for_word(folder: Path) -> None:
    with closing(Texts(folder)) as texts:
        assert [texts[digest(prompt)] for prompt in PROMPTS] == PROMPTS


def test_the_context_that_they_share_is_kept_once(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "texts.sqlite")) as connection:
        found = connection.execute("SELECT COUNT(*) FROM texts WHERE key = ?", (digest(CONTEXT),)).fetchone()
        longest = connection.execute("SELECT MAX(LENGTH(data)) FROM texts WHERE key != ?", (digest(CONTEXT),))
        assert found == (1,)
        assert longest.fetchone()[0] < 200


def test_an_exchange_comes_back_and_what_all_cost_is_known(folder: Path) -> None:
    with closing(TextStore(folder / "texts.sqlite")) as store:
        kept = store.get_exchange("3")
        assert kept is not None
        assert (kept.prompt, kept.reply, kept.input_tokens) == (PROMPTS[3], "8080", 7)
        assert store.get_exchange("none") is None
        assert store.spent_usd() == 10.0


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"no database" * 100)])
def test_a_store_that_is_gone_or_broken_is_named(folder: Path, spoil: Callable[[Path], object]) -> None:
    spoil(folder / "texts.sqlite")
    with pytest.raises(UnreadableFile, match=r"broken run directory \(texts\.sqlite: "):
        Texts(folder)


def test_a_full_disk_is_not_taken_for_another_process(tmp_path: Path) -> None:
    most, allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, allowed))
    try:
        with pytest.raises(InputError, match="cannot be written"):
            TextStore(tmp_path / "texts.sqlite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, allowed))
