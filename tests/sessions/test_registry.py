from __future__ import annotations

import os
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from sessions.claude_lines import reply, save, text, user
from tamis.errors import InputError, OutputExists, UnknownFormat, UnreadableFile
from tamis.sessions import (
    FORMATS,
    Document,
    all_formats,
    detect,
    find_sessions,
    get_format,
    read,
    read_all,
    registry,
    write,
)

MINE = """
from tamis.messages import Message, Session, Text


class Notes:
    name = "notes"
    title = "Notes"
    streams = True
    many = False

    def sniff(self, document):
        return 0.9 if document.head.startswith("notes!") else 0.0

    def read(self, document):
        said = tuple(
            Message(id=str(line.number), role="user", parts=(Text(text=line.text),))
            for line in document.lines()
        )
        yield Session(id="n", format=self.name, messages=said)


class Failing(Notes):
    def sniff(self, document):
        raise RuntimeError("oops")

    def read(self, document):
        raise RuntimeError("oops")


class NotOne:
    pass
"""


def log(folder: Path, name: str = "log.jsonl") -> Path:
    return save(folder / name, [user("go"), reply(text("ok"))])


def test_the_content_decides_not_the_name(tmp_path):
    assert detect(Document(log(tmp_path, "notes.md"))).name == "claude-code"


def test_names_are_one_of_a_kind():
    names = [known.name for known in FORMATS]
    assert len(names) == len(set(names))


def test_an_unknown_file_says_what_was_seen_and_what_to_do(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"price": 1, "city": "Bonn"}\n{"price": 2, "city": "Köln"}\n', encoding="utf-8")
    with pytest.raises(UnknownFormat, match=r"keys price, city.*tamis formats"):
        detect(Document(path))


def test_an_unknown_format_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"unknown format 'nope'.*claude-code"):
        get_format("nope")


def test_a_file_of_which_nothing_is_understood_is_refused(tmp_path):
    path = save(tmp_path / "log.jsonl", [{"type": "hologram"}, {"type": "hologram"}])
    with pytest.raises(UnreadableFile, match="none of its 2 records could be understood"):
        read(path, "claude-code")


def test_a_format_can_be_named(tmp_path):
    assert read(log(tmp_path), "claude-code").format == "claude-code"


def test_one_session_is_read_all_too(tmp_path):
    path = log(tmp_path)
    assert list(read_all(path)) == [read(path)]


def test_folders_are_walked_in_order_and_other_files_are_shown(tmp_path):
    (tmp_path / "b").mkdir()
    log(tmp_path / "b")
    log(tmp_path, "a.jsonl")
    (tmp_path / "README.md").write_text("# About\n\nThese are sessions.\n", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    found = list(find_sessions([tmp_path]))
    assert [(str(f.path.relative_to(tmp_path)), f.format) for f in found] == [
        ("README.md", None),
        ("a.jsonl", "claude-code"),
        ("picture.png", None),
        ("b/log.jsonl", "claude-code"),
    ]
    assert all(f.skipped for f in found if f.format is None)


def test_a_path_that_is_missing_raises(tmp_path):
    with pytest.raises(UnreadableFile, match="no such file or folder"):
        list(find_sessions([tmp_path / "none"]))


def test_a_session_is_written_and_read_again(tmp_path):
    session = read(log(tmp_path))
    again = read(write(session, tmp_path / "copy.jsonl", "claude-code"))
    assert again == replace(session, source=again.source)


def test_the_source_is_never_written_to(tmp_path):
    path = log(tmp_path)
    before = path.read_bytes()
    with pytest.raises(OutputExists, match="was read from"):
        write(read(path), path, "claude-code", force=True)
    assert path.read_bytes() == before


def test_a_link_to_the_source_is_the_source(tmp_path):
    path = log(tmp_path)
    (tmp_path / "link.jsonl").symlink_to(path)
    with pytest.raises(OutputExists, match="was read from"):
        write(read(path), tmp_path / "link.jsonl", "claude-code", force=True)


def test_an_output_that_exists_is_kept_unless_forced(tmp_path):
    session = read(log(tmp_path))
    out = tmp_path / "out.jsonl"
    out.write_text("precious", encoding="utf-8")
    with pytest.raises(OutputExists):
        write(session, out, "claude-code")
    assert out.read_text(encoding="utf-8") == "precious"
    write(session, out, "claude-code", force=True)
    assert len(read(out)) == 2


def test_a_format_that_is_only_read_says_which_can_be_written(tmp_path):
    with pytest.raises(InputError, match=r"can be read but not written.*claude-code"):
        write(read(log(tmp_path)), tmp_path / "out", "codex")


def test_every_real_file_is_read_or_shown(real_sessions):
    """Nothing fails whole: what no format claims is a data file beside the sessions."""
    failed = []
    for found in find_sessions([real_sessions / "claude-code-jsonl-samples"]):
        if found.format is None:
            assert found.path.name in ("README.md", "moredip_session-share__.beads__issues.jsonl")
            continue
        try:
            list(read_all(found.path))
        except InputError as error:
            failed.append(str(error))
    assert failed == []


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("notes!\nbuy milk\n", encoding="utf-8")
    return path


def install(monkeypatch, mine, name):
    entry = EntryPoint(name="plugged", value=f"{mine}:{name}", group="tamis.formats")
    monkeypatch.setattr(registry, "_entries", lambda: (entry,))


def test_a_format_in_a_file_reads_what_nobody_else_knows(mine, notes):
    session = read(notes, f"{mine}:Notes")
    assert [message.text for message in session.messages] == ["notes!", "buy milk"]


def test_an_installed_format_is_found_by_content_and_by_name(monkeypatch, mine, notes):
    install(monkeypatch, mine, "Notes")
    assert read(notes).format == "notes"
    assert get_format("plugged").title == "Notes"
    assert all_formats()[-1].name == "notes"


def test_an_installed_format_that_fails_does_not_keep_others_from_reading(monkeypatch, mine, tmp_path):
    install(monkeypatch, mine, "Failing")
    with pytest.warns(UserWarning, match="failed to look at"):
        assert read(log(tmp_path)).format == "claude-code"


def test_an_installed_format_that_cannot_be_loaded_is_left_out(monkeypatch, mine, tmp_path):
    install(monkeypatch, mine, "Missing")
    with pytest.warns(UserWarning, match="plugged is left out.*has nothing called"):
        assert read(log(tmp_path)).format == "claude-code"


def test_what_a_format_raises_while_reading_is_one_line(mine, notes):
    with pytest.raises(UnreadableFile, match=r"the format notes failed: RuntimeError\('oops'\)"):
        read(notes, f"{mine}:Failing")


@pytest.mark.parametrize(
    ("name", "says"),
    [("NotOne", "is no format: it needs name"), ("Note", "did you mean Notes")],
)
def test_what_is_no_format_says_what_it_lacks(mine, name, says):
    with pytest.raises(UnknownFormat, match=says):
        get_format(f"{mine}:{name}")


def test_a_folder_with_a_loop_a_pipe_and_no_rights_is_walked_to_its_end(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    log(tmp_path, "z.jsonl")
    found = list(find_sessions([tmp_path]))
    assert [(f.path.name, f.format) for f in found] == [
        ("loop", None),
        ("pipe", None),
        ("z.jsonl", "claude-code"),
    ]


def test_a_folder_that_cannot_be_listed_is_shown(tmp_path, monkeypatch):
    def walk(path, onerror):
        yield str(path), [], []
        onerror(PermissionError(13, "Permission denied", str(tmp_path / "closed")))

    monkeypatch.setattr(registry.os, "walk", walk)
    (found,) = find_sessions([tmp_path])
    assert (found.path, found.format) == (tmp_path / "closed", None)
    assert "Permission denied" in found.skipped
