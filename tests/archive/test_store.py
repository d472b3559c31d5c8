from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from compactors.conversations import run, say
from tamis.archive import Archive
from tamis.errors import BadArchive, InputError


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(tmp_path / "work.tamis")


def test_what_is_put_comes_back_by_id(archive: Archive) -> None:
    messages = [say("user", "Use port 8080.", id="1"), *run("c", "make", "done", 0)]
    ids = archive.put("s", messages)
    assert [archive.get(i) for i in ids] == messages
    assert archive.get(ids[0][:10]) == messages[0]
    assert list(archive.messages("s")) == messages


def test_the_same_message_is_stored_once(archive: Archive) -> None:
    message = say("user", "Use port 8080.", id="1")
    assert archive.put("s", [message]) == archive.put("s", [message]) == archive.put("t", [message])
    stats = archive.stats()
    assert (stats.messages, stats.sessions) == (1, 2)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("8080", ["1"]),
        ("src/io.py", ["2"]),
        ("parse_budget", ["2"]),
        ("端口", ["3"]),
        ("修改", ["3"]),
        ("改", ["3"]),
        ("config.yaml", ["3"]),
        ('port "AND" OR NEAR(', ["1"]),
        ("cafe", ["4"]),
        ("하세요", ["4"]),
        ("absent", []),
    ],
)
def test_words_are_found_in_any_script(archive: Archive, words: str, found: list[str]) -> None:
    archive.put(
        "s",
        [
            say("user", "The port is 8080 and no other.", id="1"),
            say("assistant", "I changed parse_budget in src/io.py.", id="2"),
            say("user", "不要修改 config.yaml，必须保持端口。", id="3"),
            say("user", "naïve café 안녕하세요", id="4"),
        ],
    )
    assert [hit.message_id for hit in archive.search(words)] == found


def test_a_word_that_none_holds_finds_what_begins_so(archive: Archive) -> None:
    archive.put("prefix", [say("tool", "Service: coupons", id="c")])
    assert [hit.message_id for hit in archive.search("coupon", session="prefix")] == ["c"]
    assert archive.search("oupons", session="prefix") == []


def test_a_hit_shows_where_the_words_stand(archive: Archive) -> None:
    archive.put("s", [say("user", "filler " * 200 + "the key is under the mat " + "filler " * 200, id="1")])
    (hit,) = archive.search("mat")
    assert "under the mat" in hit.snippet
    assert len(hit.snippet) < 300
    assert archive.get(hit.id).id == "1"


def test_more_about_it_comes_first(archive: Archive) -> None:
    archive.put("s", [say("user", "x " * 500 + "retry", id="1"), say("user", "retry, retry, retry", id="2")])
    assert [hit.message_id for hit in archive.search("retry")] == ["2", "1"]


def test_a_search_can_be_kept_to_a_session(archive: Archive) -> None:
    archive.put("s", [say("user", "the same words", id="1")])
    archive.put("t", [say("user", "the same words", id="1"), say("user", "the same words again", id="2")])
    assert {hit.session_id for hit in archive.search("same", session="t")} == {"t"}
    assert len(archive.search("same")) == 2
    assert archive.search("same", session="u") == []


def test_nothing_to_look_for_is_said(archive: Archive) -> None:
    for words in ("", "  ", "!?"):
        with pytest.raises(InputError, match="no word"):
            archive.search(words)
    with pytest.raises(InputError, match="limit"):
        archive.search("x", limit=0)


def test_an_id_that_is_not_there_is_said(archive: Archive) -> None:
    with pytest.raises(InputError, match="holds no message"):
        archive.get("abcdef")
    with pytest.raises(InputError, match="not an id"):
        archive.get("%' OR 1=1")


def test_an_id_that_is_not_clear_is_said(archive: Archive) -> None:
    ids = archive.put("s", [say("user", f"message {n}", id=str(n)) for n in range(17)])
    shared = next(i[0] for i in ids if sum(j[0] == i[0] for j in ids) > 1)
    with pytest.raises(InputError, match="give more digits"):
        archive.get(shared)


def test_purging_forgets_what_is_older_and_only_that(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [100.0]
    monkeypatch.setattr("tamis.archive.store.time.time", lambda: moment[0])
    (old, shared) = archive.put("s", [say("user", "old words", id="1"), say("user", "shared words", id="2")])
    moment[0] = 200.0
    archive.put("t", [say("user", "shared words", id="2")])
    assert archive.purge(before=150.0) == 1
    assert [hit.message_id for hit in archive.search("words")] == ["2"]
    assert archive.get(shared).id == "2"
    with pytest.raises(InputError):
        archive.get(old)


def test_reading_needs_no_right_to_write(archive: Archive) -> None:
    archive.put("s", [say("user", "Use port 8080.", id="1")])
    reading = Archive.open(archive.path, read_only=True)
    assert [hit.message_id for hit in reading.search("8080")] == ["1"]
    with pytest.raises(BadArchive, match=r"is read-only; make it writable"):
        reading.put("s", [say("user", "more", id="2")])


def test_a_full_disk_is_said_and_nothing_is_half_stored(archive: Archive) -> None:
    archive.put("s", [say("user", "first", id="1")])
    pages = archive._connection.execute("PRAGMA page_count").fetchone()[0]
    archive._connection.execute(f"PRAGMA max_page_count={pages + 2}")
    with pytest.raises(BadArchive, match="the disk is full"):
        archive.put("s", [say("user", "word " * 9_000, id=str(n)) for n in range(9)])
    assert [m.id for m in archive.messages("s")] == ["1"]


def test_a_locked_archive_is_said(archive: Archive) -> None:
    impatient = Archive.open(archive.path, busy_timeout_s=0.0)
    archive._connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(BadArchive, match="is locked by another program"):
        impatient.put("s", [say("user", "x", id="1")])
    archive._connection.execute("ROLLBACK")
    impatient.put("s", [say("user", "x", id="1")])


def test_something_else_is_refused_and_not_touched(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database " * 100)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = text.read_bytes(), other.read_bytes()
    for path in (text, other):
        for read_only in (False, True):
            with pytest.raises(BadArchive, match="not an archive of tamis"):
                Archive.open(path, read_only=read_only)
    assert (text.read_bytes(), other.read_bytes()) == before


def test_another_version_is_refused(archive: Archive) -> None:
    archive._connection.execute("PRAGMA user_version=99")
    with pytest.raises(BadArchive, match="version 99"):
        Archive.open(archive.path)


def test_what_cannot_be_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match="no such archive"):
        Archive.open(tmp_path / "missing", read_only=True)
    with pytest.raises(BadArchive, match="is a folder"):
        Archive.open(tmp_path)
    with pytest.raises(BadArchive, match="cannot be opened"):
        Archive.open(tmp_path / "no" / "such" / "folder" / "a")


def test_a_damaged_archive_is_said(archive: Archive) -> None:
    archive.put("s", [say("user", f"message {n} " * 300, id=str(n)) for n in range(50)])
    archive.close()
    data = bytearray(archive.path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    archive.path.write_bytes(bytes(data))
    with pytest.raises(BadArchive, match="damaged"):
        Archive.open(archive.path, read_only=True).stats()


def test_an_archive_is_its_owners(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.tamis") as archive:
        archive.put("s", [say("user", "Use port 8080.", id="1")])
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_a_name_that_is_no_path_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match="is no path"):
        Archive.open(f"{tmp_path}/a\0b")
