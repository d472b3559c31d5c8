from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.messages import Session
from tamis.sessions.document import Document
from tamis.sessions.formats.plain import Plain


def sniff(tmp_path: Path, text: str) -> float:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    return Plain().sniff(Document(path))


def read(tmp_path: Path, text: str) -> Session:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    (session,) = Plain().read(Document(path))
    return session


@pytest.mark.parametrize(
    "text",
    [
        "User: one\nAssistant: two\nUser: three\n",
        "Human: one\n\nAI: two\n\nHuman: three\n",
        "USER: one\nASSISTANT: two\nUSER: three\n",
        "**User:** one\n\n**Assistant:** two\n\n**User:** three\n",
        "**User**: one\n**Assistant**: two\n**User**: three\n",
        "用户：one\n助手：two\n用户：three\n",
        "[10:30] user: one\n[10:31] bot (v2): two\n[10:32] user: three\n",
    ],
)
def test_transcripts_of_many_habits_are_read(tmp_path: Path, text: str) -> None:
    assert 0.1 < sniff(tmp_path, text) < 0.5
    session = read(tmp_path, text)
    assert [(m.role, m.text) for m in session.messages] == [
        ("user", "one"),
        ("assistant", "two"),
        ("user", "three"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Tool\n\nUser: the person who runs it.\nSystem: the machine.\n",
        "2024-01-01 INFO user: ann logged in\n2024-01-01 INFO system: up\n",
        "user: ann\nhost: shop\nsystem: linux\n",
        "# Prompts\n\n```\nUser: hi\nAssistant: hello\nUser: bye\n```\n",
        "prose\n" * 40 + "User: hi\nAssistant: hello\nUser: bye\n",
        "User: only\nUser: one\nUser: side\n",
    ],
)
def test_what_is_no_transcript_is_left_alone(tmp_path: Path, text: str) -> None:
    assert sniff(tmp_path, text) == 0.0


def test_a_turn_goes_on_to_the_next_role(tmp_path: Path) -> None:
    session = read(tmp_path, "User: one\n\n  two\nNote: three\nAssistant: four\n")
    assert session.messages[0].text == "one\n\n  two\nNote: three"


def test_a_role_inside_of_a_fence_is_text(tmp_path: Path) -> None:
    session = read(tmp_path, "User: look\n```\nAssistant: no\n```\nAssistant: yes\n")
    assert [m.role for m in session.messages] == ["user", "assistant"]


def test_a_fence_that_is_never_closed_hides_nothing(tmp_path: Path) -> None:
    assert len(read(tmp_path, "User: look\n```\nAssistant: yes\n")) == 2


def test_system_and_tool_lines_are_told_apart(tmp_path: Path) -> None:
    session = read(tmp_path, "System: be kind\nUser: go\nTool: 3 files\nAssistant: done\n")
    assert [(m.role, m.origin) for m in session.messages] == [
        ("system", "conversation"),
        ("user", "conversation"),
        ("user", "meta"),
        ("assistant", "conversation"),
    ]


def test_text_before_the_first_role_is_kept(tmp_path: Path) -> None:
    session = read(tmp_path, "Call of May 3\n\nUser: go\nAssistant: yes\n")
    assert (session.messages[0].text, session.messages[0].origin) == ("Call of May 3", "meta")


LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(
    lambda line: ":" not in line and "：" not in line and "`" not in line and line.strip() != ""
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(LINES, min_size=1, max_size=5).map("\n".join), LINES)
def test_what_was_said_survives_as_it_was(tmp_path: Path, asked: str, answered: str) -> None:
    session = read(tmp_path, f"User: {asked}\nAssistant: {answered}\n")
    assert [m.text for m in session.messages] == [asked, answered]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_no_text_breaks_the_reader(tmp_path: Path, text: str) -> None:
    read(tmp_path, text)


def test_real_files_of_other_kinds_are_not_claimed(real_sessions: Path) -> None:
    files = [path for path in real_sessions.rglob("*") if path.is_file() and path.suffix != ".gz"]
    assert files
    for path in files[:60]:
        assert Plain().sniff(Document(path)) == 0.0
