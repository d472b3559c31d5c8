from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.files.paths import is_within, looks_like_file, resolve, same_file

PARTS = st.lists(st.sampled_from(["a", "b", ".", "..", "c.py", ""]), min_size=1, max_size=6)


def test_a_relative_path_is_joined_to_the_working_directory() -> None:
    assert resolve("src/../a.py", "/repo") == "/repo/a.py"


def test_home_variables_and_drives_stand_on_their_own() -> None:
    assert [resolve(p, "/repo") for p in ("~/a", "$OUT/a", "C:\\x\\a.py")] == ["~/a", "$OUT/a", "C:/x/a.py"]


def test_a_file_url_is_a_path() -> None:
    assert resolve("file:///repo/my%20file.py", "/other") == "/repo/my file.py"


def test_without_a_working_directory_a_path_stays_relative() -> None:
    assert resolve("./a//b.py") == "a/b.py"


@given(PARTS)
def test_resolving_twice_changes_nothing(parts: list[str]) -> None:
    once = resolve("/" + "/".join(parts))
    assert resolve(once, "/elsewhere") == once
    assert "//" not in once


@given(PARTS, PARTS)
def test_same_file_does_not_care_about_the_order(a: list[str], b: list[str]) -> None:
    assert same_file("/".join(a), "/".join(b)) == same_file("/".join(b), "/".join(a))


def test_same_file_needs_whole_components() -> None:
    assert same_file("a.py", "/repo/a.py")
    assert not same_file("a.py", "/repo/data.py")
    assert not same_file("/a.py", "/repo/a.py")


def test_a_folder_holds_itself_and_what_is_below() -> None:
    assert is_within("/repo", "/repo")
    assert is_within("/repo/a/b.py", "/repo/")
    assert not is_within("/repository/a.py", "/repo")


def test_a_version_is_not_a_file() -> None:
    assert not looks_like_file("release-1.2")
    assert looks_like_file("src/app.test.ts")
