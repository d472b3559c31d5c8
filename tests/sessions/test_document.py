from __future__ import annotations

import gzip
import json
import lzma
import os
from pathlib import Path

import pytest

from tamis.errors import InputError, UnreadableFile
from tamis.sessions import Document
from tamis.sessions.decompression import default_limit

LINES = '{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "yes"}\n'


def document(folder: Path, content: str | bytes, name: str = "a.jsonl", **options) -> Document:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Document(path, **options)


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        ("hé".encode("utf-16"), "UTF-16; convert it to UTF-8"),
        ("hallo Müller".encode("latin-1"), "not UTF-8"),
        (gzip.compress(LINES.encode() * 99, mtime=0)[:-20], "broken or cut short"),
        (lzma.compress(LINES.encode() * 99)[:-20], "broken or cut short"),
        (b"\x1f\x8bnonsense", "broken or cut short"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path, content, remedy):
    with pytest.raises(UnreadableFile, match=remedy):
        list(document(tmp_path, content).head)


def test_a_missing_file_and_a_folder_say_what_to_do(tmp_path):
    with pytest.raises(UnreadableFile, match="no such file"):
        _ = Document(tmp_path / "none").head
    with pytest.raises(UnreadableFile, match="is a folder"):
        _ = Document(tmp_path).head


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_compressed_files_read_like_plain_ones(tmp_path, pack):
    opened = document(tmp_path, pack(LINES.encode()), "no-ending")
    assert opened.kind == "jsonl"
    assert [record.value["content"] for record in opened.records()] == ["hi", "yes"]


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (LINES, "a.txt", "jsonl"),
        ('{"a": 1}', "a.json", "json"),
        ('{"a": 1}\n', "a.jsonl", "jsonl"),
        ('{"a": 1}\n', "a.jsonl.gz", "jsonl"),
        (json.dumps([{"a": 1}], indent=1), "a.json", "json"),
        (json.dumps({"messages": [{"a": 1}, {"b": 2}]}, indent=0), "a.json", "json"),
        ("# Title\n\n{not json}\n", "a.md", "text"),
        ("user: hi", "a.txt", "text"),
        ('lf": 1}\n' + LINES, "a.jsonl", "jsonl"),
        (LINES + '{"role": "us', "a.jsonl", "jsonl"),
        ("// a comment\n" + json.dumps({"a": "x" * 100_000}) + "\n" + LINES, "a.jsonl", "jsonl"),
        (json.dumps({"a": "x" * 100_000}) + "\n" + LINES, "a.jsonl", "jsonl"),
        (json.dumps({"a": "x" * 100_000}), "a.json", "json"),
    ],
)
def test_the_kind_is_told_from_the_content(tmp_path, content, name, kind):
    assert document(tmp_path, content, name).kind == kind


def test_a_list_with_an_object_a_line_loses_none_of_them(tmp_path):
    messages = [{"role": "system", "content": "Help."}] + [
        {"role": "user", "content": str(i)} for i in range(4)
    ]
    text = "[" + ",\n".join(json.dumps(message) for message in messages) + "]\n"
    held = document(tmp_path, text, name="a.json")
    assert held.kind == "json"
    assert held.data == messages


def test_a_head_that_ends_within_a_character_is_no_broken_text(tmp_path):
    assert document(tmp_path, "{}\n" * 10 + "é" * 100_000, "a.txt").head.endswith("é")


def test_a_line_that_is_too_long_is_passed_over_and_counted(tmp_path):
    opened = document(tmp_path, LINES + '{"a": "' + "x" * 500 + '"}\n' + LINES, max_line_bytes=100)
    records = list(opened.records())
    assert [record.value is None for record in records] == [False, False, True, False, False]
    assert (records[2].line, records[2].reason) == (3, "a line longer than 100 bytes")


def test_a_line_in_another_encoding_is_counted(tmp_path):
    records = list(document(tmp_path, LINES.encode() + b'{"a": "\xfc"}\n').records())
    assert (records[-1].value, records[-1].reason) == (None, "not UTF-8 at byte 7")


@pytest.mark.parametrize(
    ("line", "values", "reasons"),
    [
        ('{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}], ["", ""]),
        ('{"a": 1} {"b": ', [{"a": 1}, None], ["", "broken JSON: Extra data"]),
        ('{"a": ', [None], ["broken JSON: Expecting value"]),
        ("[1]", [None], ["a JSON list where an object was expected"]),
        ("[" * 100_000, [None], None),
        (r'{"a": "C:\users\n"}', [{"a": "C:\\users\n"}], None),
    ],
)
def test_what_stands_on_a_line(tmp_path, line, values, reasons):
    records = list(document(tmp_path, line + "\n").records())
    assert [record.value for record in records] == values
    assert reasons is None or [record.reason for record in records] == reasons


def test_a_repaired_line_is_counted(tmp_path):
    (record,) = document(tmp_path, r'{"a": "\user"}' + "\n").records()
    assert record.reason.startswith("broken JSON, repaired")


def test_blank_lines_are_passed_over_and_numbers_stay(tmp_path):
    assert [record.line for record in document(tmp_path, '\n{"a": 1}\n\n{"b": 2}\n').records()] == [2, 4]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    opened = document(tmp_path, b"\xef\xbb\xbf" + LINES.encode())
    assert opened.kind == "jsonl"
    assert len([record for record in opened.records() if record.value]) == 2


def test_broken_json_says_where(tmp_path):
    with pytest.raises(UnreadableFile, match="line 3, column 1"):
        _ = document(tmp_path, '{\n"a": \n', "a.json").data


def test_a_small_archive_may_not_expand_without_end(tmp_path, monkeypatch):
    packed = lzma.compress(LINES.encode() * 1000)
    with pytest.raises(UnreadableFile, match=r"expands to more than 1,000 bytes.*TAMIS_MAX_EXPANDED_BYTES"):
        list(document(tmp_path, packed, max_expanded_bytes=1000).records())
    monkeypatch.setenv("TAMIS_MAX_EXPANDED_BYTES", "1000")
    with pytest.raises(UnreadableFile, match=r"expands to more than 1,000 bytes"):
        document(tmp_path, packed).text()
    assert len(list(document(tmp_path, packed, max_expanded_bytes=10**6).records())) == 2000


def test_a_few_megabytes_may_not_expand_to_gigabytes():
    assert default_limit(2_600_000, whole=False) < 2**29


def test_a_plain_file_has_no_such_limit(tmp_path):
    assert len(list(document(tmp_path, LINES * 1000, max_expanded_bytes=1000).records())) == 2000


@pytest.mark.parametrize("given", ["2G", "0", "-1"])
def test_a_limit_that_is_no_number_of_bytes_is_said(tmp_path, monkeypatch, given):
    monkeypatch.setenv("TAMIS_MAX_EXPANDED_BYTES", given)
    with pytest.raises(InputError, match="is no number of bytes"):
        _ = document(tmp_path, gzip.compress(LINES.encode())).head


def test_what_is_no_file_to_read_twice_is_said_in_a_line(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UnreadableFile, match="it cannot be read"):
        _ = Document(tmp_path / "loop").head
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="a pipe or a socket"):
        _ = Document(tmp_path / "pipe").head
    with pytest.raises(UnreadableFile, match=r"a\\x00b: a path with a NUL"):
        _ = Document("a\0b").head


def test_zstd_says_what_to_do(tmp_path):
    with pytest.raises(UnreadableFile, match="zstd -d"):
        _ = document(tmp_path, b"\x28\xb5\x2f\xfd rest").head


@pytest.mark.parametrize("depth", [199, 300, 480])
def test_a_value_nested_deeply_is_recognised(tmp_path, depth):
    nested = '{"a":' * depth + "1" + "}" * depth
    assert document(tmp_path, f'{{"messages": [{nested}]}}', "a.json").head_value["messages"]


def test_a_value_nested_too_deeply_is_said(tmp_path):
    with pytest.raises(UnreadableFile, match="nested too deeply"):
        _ = document(tmp_path, '{"a":' * 5000 + "1" + "}" * 5000, "a.json").head_value
