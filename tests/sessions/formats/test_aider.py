from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.messages import Session, pair_calls, part_text
from tamis.sessions.document import Document
from tamis.sessions.formats.aider.reader import Aider

HEAD = """\

# aider chat started at 2024-08-05 19:33:32

> Aider v0.48.0  
> Models: acme/one with diff edit format, weak model acme/two  
> Added src/shop.py to the chat.  
"""  # noqa: W291
REPLY = """
I rename it.

src/shop.py
```python
<<<<<<< SEARCH
total = 0
=======
amount = 0
>>>>>>> REPLACE
```
"""


def read(tmp_path: Path, text: str) -> list[Session]:
    path = tmp_path / "history.md"
    path.write_text(text)
    return list(Aider().read(Document(path)))


def chat(tmp_path: Path, text: str) -> Session:
    (session,) = read(tmp_path, HEAD + text)
    return session


def test_every_heading_begins_a_session(tmp_path: Path) -> None:
    sessions = read(tmp_path, "left over\n" + HEAD + HEAD)
    assert [(s.id, s.meta["started"]) for s in sessions] == [
        ("history#0", None),
        ("history#1", "2024-08-05 19:33:32"),
        ("history#2", "2024-08-05 19:33:32"),
    ]


def test_commands_for_aider_itself_are_no_requests(tmp_path: Path) -> None:
    session = chat(tmp_path, "\n#### /add src/shop.py  \n\n#### /ask why two totals?  \n\n#### /ex  \n")
    assert [(m.origin, m.text) for m in session.messages[1:]] == [
        ("meta", "/add src/shop.py"),
        ("conversation", "/ask why two totals?"),
        ("meta", "/ex"),
    ]


def test_typed_printed_and_said_are_told_apart(tmp_path: Path) -> None:
    session = chat(tmp_path, "\n#### rename total  \n####   \n#### please  \n\nHow?\n\n> Tokens: 9 sent  \n")
    assert [(m.role, m.origin, m.text) for m in session.messages[1:]] == [
        ("user", "conversation", "rename total\n\nplease"),
        ("assistant", "conversation", "How?"),
        ("user", "meta", "Tokens: 9 sent"),
    ]


def test_two_inputs_behind_each_other_are_two_messages(tmp_path: Path) -> None:
    session = chat(tmp_path, "\n#### /clear  \n\n#### hello  \n")
    assert [m.text for m in session.messages[1:]] == ["/clear", "hello"]


def test_headings_and_quotes_of_a_reply_stay_in_it(tmp_path: Path) -> None:
    reply = "Look:\n\n#### Heading\n\n> quoted\n\nEnd."
    session = chat(tmp_path, f"\n#### hello  \n\n{reply}\n\n> Tokens: 9 sent  \n")
    assert session.messages[2].text == reply


@pytest.mark.parametrize("before", ["hello  \n", "hello  \n\n> Added a.py  ", "/run cat notes  \n> notes  "])
def test_a_heading_without_blanks_at_its_end_is_never_typed(tmp_path: Path, before: str) -> None:
    session = chat(tmp_path, f"\n#### {before}\n#### Never touch it.\n\nEnd.\n\n> Tokens: 9 sent  \n")
    assert not any(
        "Never" in m.text for m in session.messages if (m.role, m.origin) == ("user", "conversation")
    )


def test_an_applied_edit_is_a_call_with_its_result(tmp_path: Path) -> None:
    session = chat(tmp_path, f"\n#### rename total  \n{REPLY}\n> Applied edit to src/shop.py  \n")
    (call,) = session.messages[2].calls
    assert call.name == "search_replace"
    assert call.arguments == {"path": "src/shop.py", "search": "total = 0\n", "replace": "amount = 0\n"}
    assert session.messages[3].results[0].is_error is False
    assert pair_calls(session.messages).whole


def test_an_edit_that_did_not_match_is_an_error(tmp_path: Path) -> None:
    printed = (
        "> # 1 SEARCH/REPLACE block failed to match!  \n"
        "> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/shop.py  \n"
    )
    session = chat(tmp_path, f"\n#### rename total  \n{REPLY}\n{printed}")
    assert session.messages[3].results[0].is_error is True


def test_a_printed_text_of_several_lines_is_one(tmp_path: Path) -> None:
    output = (
        "> ===== test session starts =====\ncollected 1 item\n\nE   assert 1 == 2\n===== 1 failed =====  \n"
    )
    session = chat(tmp_path, f"\n#### /run pytest  \n{output}\n#### fix it  \n\nI will.\n")
    assert [(m.role, m.origin) for m in session.messages[1:]] == [
        ("user", "meta"),
        ("user", "meta"),
        ("user", "conversation"),
        ("assistant", "conversation"),
    ]
    assert "E   assert 1 == 2" in session.messages[2].text


def test_a_shell_command_that_ran_is_a_call(tmp_path: Path) -> None:
    asked = "> Run shell command? (Y)es/(N)o [Yes]: y  \n> Running make test  \n"
    printed = f"{asked}> Command 'make test' exited with status 2  \n"
    session = chat(tmp_path, f"\n#### test it  \n\n```bash\nmake test\n```\n\n{printed}")
    (call,) = [c for m in session.messages for c in m.calls]
    (result,) = [r for m in session.messages for r in m.results]
    assert (call.name, call.arguments, result.exit_code) == ("bash", {"command": "make test"}, 2)


def test_commits_files_and_model_stand_in_meta(tmp_path: Path) -> None:
    session = chat(tmp_path, "\n#### go  \n\nDone.\n\n> Commit 1a2b3c4 fix: rename total  \n")
    assert session.meta["commits"] == ("1a2b3c4",)
    assert session.meta["files"] == ("src/shop.py",)
    assert (session.model, session.meta["edit_format"]) == ("acme/one", "diff")


def test_a_history_stripped_of_line_ends_is_read_by_its_marks(tmp_path: Path) -> None:
    text = "\n#### rename total\n\nHow?\n\n> Tokens: 9 sent\n"
    (session,) = read(tmp_path, "\n".join(line.rstrip() for line in (HEAD + text).split("\n")))
    assert [m.role for m in session.messages] == ["user", "user", "assistant", "user"]


def test_the_format_is_known_by_its_headings(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HEAD)
    assert Aider().sniff(Document(path)) > 0.9
    path.write_text("# Title\n\n#### Part\n\n> a quote\n")
    assert Aider().sniff(Document(path)) == 0.0


MARKS = st.sampled_from(
    ["#### hi  ", "> printed  ", "> open", "# aider chat started at x", "```", "<<<<<<< SEARCH", ""]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(MARKS | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12), max_size=30))
def test_no_text_breaks_the_reader(tmp_path: Path, lines: list[str]) -> None:
    sessions = read(tmp_path, "\n".join(lines))
    text = "".join(m.text for s in sessions for m in s.messages)
    assert text.count("printed") <= lines.count("> printed  ") + sum("printed" in line for line in lines)
    assert all(not pair_calls(s.messages).orphan_results for s in sessions)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5).filter(lambda lines: lines[-1] == lines[-1].rstrip()))
def test_what_the_user_typed_survives_as_it_was(tmp_path: Path, lines: list[str]) -> None:
    typed = "\n#### " + "  \n#### ".join(lines) + "  \n"
    assert chat(tmp_path, f"{typed}\nOf course.\n").messages[1].text == "\n".join(lines)


def test_a_real_history_is_covered(real_sessions: Path) -> None:
    (file,) = (real_sessions / "aider-chat-history" / "raw").glob("*.md")
    text = file.read_text()
    sessions = list(Aider().read(Document(file)))
    assert len(sessions) == 1 + sum(line.startswith("# aider chat started at") for line in text.split("\n"))
    messages = [m for s in sessions for m in s.messages]
    marks = re.compile(r"^(?:# aider chat started at .*|#### ?|> ?)|\s+", re.MULTILINE)
    held = len(marks.sub("", text))
    shown = sum(len(marks.sub("", part_text(p))) for m in messages for p in m.parts)
    assert shown > 0.985 * held  # the rest is the fences of edit blocks
    applied = sum(r.text.startswith("Applied edit") for m in messages for r in m.results)
    assert applied > 400
