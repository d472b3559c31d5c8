"""The trail against the final diffs of recorded sessions, on a few files of a set."""

from __future__ import annotations

import posixpath
import re
from itertools import islice
from pathlib import Path

import pytest

from tamis.ledger.files.extractor import extract_files
from tamis.ledger.reader import LedgerReader
from tamis.sessions import read


def test_every_file_that_a_diff_edits_and_a_call_names_is_in_the_trail(real_sessions: Path) -> None:
    folder = real_sessions / "sweagent-claude35-swebench-verified" / "raw"
    paths = list(islice(sorted(folder.glob("django*.traj.gz")), 8))
    if not paths:
        pytest.skip(f"no SWE-agent sessions in {folder}")
    for path in paths:
        session = read(path)
        reader = LedgerReader(cwd=session.cwd, extractors=(extract_files,))
        for message in session.messages:
            reader.read(message)
        changed = {entry.value.path for entry in reader.state.files if entry.value.writes}
        edited = re.findall(r"(?m)^--- a/(.+)$", session.meta["final_diff"] or "")
        assert {posixpath.join(session.cwd or "", name) for name in edited} <= changed, path.name
