from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.bench.seal import check_suite, make_secret, read_secret, reveal, seal_of, write_new
from tamis.bench.suite import load_suite
from tamis.errors import InputError, NotComparable, OutputExists

SUITE = load_suite("practice")


def sealed(folder: Path, seed_group: str) -> tuple[Path, Path]:
    secret = make_secret(SUITE, seed_group)
    paths = (folder / f"{seed_group}.seal", folder / f"{seed_group}.secret")
    write_new(paths[0], seal_of(secret), private=False)
    write_new(paths[1], secret, private=True)
    return paths


def test_what_was_sealed_is_revealed(tmp_path: Path) -> None:
    assert reveal(*sealed(tmp_path, "autumn")).seed_group == "autumn"


def test_another_secret_does_not_open_a_seal(tmp_path: Path) -> None:
    (seal, _), (_, other) = sealed(tmp_path, "autumn"), sealed(tmp_path, "winter")
    with pytest.raises(NotComparable, match="sealed was sha256:"):
        reveal(seal, other)


def test_a_seal_tells_nothing_of_the_seed_group(tmp_path: Path) -> None:
    seal, _ = sealed(tmp_path, "autumn")
    assert "autumn" not in seal.read_text()


def test_a_secret_is_for_its_owner_alone(tmp_path: Path) -> None:
    _, secret = sealed(tmp_path, "autumn")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_two_secrets_are_never_the_same() -> None:
    assert make_secret(SUITE).seed_group != make_secret(SUITE).seed_group


def test_a_secret_is_for_the_suite_that_it_was_made_for() -> None:
    with pytest.raises(NotComparable, match="as it was"):
        check_suite(make_secret(SUITE), replace(SUITE, templates=SUITE.templates[:1]))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    sealed(tmp_path, "autumn")
    with pytest.raises(OutputExists):
        sealed(tmp_path, "autumn")


def test_what_is_no_secret_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("{}")
    with pytest.raises(InputError, match="suite"):
        read_secret(path)
