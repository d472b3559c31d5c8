from __future__ import annotations

import errno
import json
import os

import pytest

from tamis.errors import InputError, OutputExists
from tamis.sessions.atomic import write_atomic


def broken():
    yield "half"
    raise RuntimeError("the disk is gone")


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError):
        write_atomic(tmp_path / "a.txt", broken())
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_file(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError):
        write_atomic(target, broken(), force=True)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_said_and_the_old_file_stays(tmp_path, monkeypatch, number):
    def full(_):
        raise OSError(number, os.strerror(number))

    target = tmp_path / "a.txt"
    target.write_text("old", encoding="utf-8")
    monkeypatch.setattr("tamis.sessions.atomic.os.fsync", full)
    with pytest.raises(InputError, match=r"a\.txt: cannot be written, there is no room .*make room"):
        write_atomic(target, ["new"], force=True)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"]


def test_an_existing_file_is_replaced_only_if_forced(tmp_path):
    target = write_atomic(tmp_path / "a.txt", ["one"])
    with pytest.raises(OutputExists, match=r"overwrite it \(--force"):
        write_atomic(target, ["two"])
    assert write_atomic(target, ["two"], force=True).read_text(encoding="utf-8") == "two"


def test_a_file_that_came_while_writing_is_kept(tmp_path):
    target = tmp_path / "a.txt"

    def chunks():
        yield "mine"
        target.write_text("theirs", encoding="utf-8")

    with pytest.raises(OutputExists):
        write_atomic(target, chunks())
    assert target.read_text(encoding="utf-8") == "theirs"


def test_a_folder_is_not_replaced(tmp_path):
    with pytest.raises(OutputExists, match="is a folder"):
        write_atomic(tmp_path, ["x"], force=True)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        write_atomic(tmp_path / "none" / "a.txt", ["x"])


def test_permissions_of_the_old_file_stay(tmp_path):
    target = write_atomic(tmp_path / "a.txt", ["one"])
    target.chmod(0o600)
    write_atomic(target, ["two"], force=True)
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_lone_surrogate_in_json_comes_back(tmp_path):
    target = write_atomic(tmp_path / "a.json", [json.dumps({"a": "cut \ud83d"}, ensure_ascii=False)])
    assert json.loads(target.read_text(encoding="utf-8")) == {"a": "cut \ud83d"}
