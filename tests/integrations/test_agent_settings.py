"""Coding agents' settings: the hooks go in, and the file comes back byte for byte."""

from __future__ import annotations

import errno
import itertools
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.integrations.agent_settings import install, plan_install, plan_uninstall, uninstall
from tamis.integrations.agents import AGENTS, Agent

CLAUDE = AGENTS["claude-code"]
WRITTEN = [
    None,
    b"",
    b"{}",
    b'{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}',
    b'{\r\n\t"a": "\xc3\xa9 \\u00e9",\r\n\t"hooks": {"PreCompact": [{"hooks": []}]}\r\n}\r\n',
    b'\xef\xbb\xbf{"a": 1.0}\n\n\n',
]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "settings.json"


def put_in(settings: Path, agent: Agent = CLAUDE) -> dict[str, object]:
    change = plan_install(agent, settings, settings.with_name("work.archive"))
    assert change is not None
    install(change)
    data: dict[str, object] = json.loads(settings.read_text(encoding="utf-8-sig"))
    return data


@pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS)
@pytest.mark.parametrize("before", WRITTEN)
def test_uninstalling_gives_the_file_back_byte_for_byte(
    settings: Path, before: bytes | None, agent: Agent
) -> None:
    if before is not None:
        settings.parent.mkdir()
        settings.write_bytes(before)
    put_in(settings, agent)
    uninstall(plan_uninstall(agent, settings))
    assert (settings.read_bytes() if settings.exists() else None) == before
    assert list(settings.parent.iterdir()) == ([] if before is None else [settings])


@given(
    data=st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers() | st.lists(st.booleans())),
    indent=st.sampled_from([None, 2, 4, "\t"]),
)
def test_any_settings_keep_what_they_say(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object], indent: int | str | None
) -> None:
    settings = tmp_path_factory.mktemp("s") / "settings.json"
    data.pop("hooks", None)
    settings.write_text(json.dumps(data, indent=indent), encoding="utf-8")
    before = settings.read_bytes()
    written = put_in(settings)
    assert {key: value for key, value in written.items() if key != "hooks"} == data
    uninstall(plan_uninstall(CLAUDE, settings))
    assert settings.read_bytes() == before


def test_both_events_are_hooked_and_others_hooks_stay(settings: Path) -> None:
    settings.parent.mkdir()
    other = {"matcher": "startup", "hooks": [{"type": "command", "command": "theirs"}]}
    settings.write_text(json.dumps({"hooks": {"SessionStart": [other]}}), encoding="utf-8")
    hooks = put_in(settings)["hooks"]
    assert set(hooks) == {"SessionStart", "PreCompact"}
    assert hooks["SessionStart"][0] == other
    assert hooks["SessionStart"][1]["matcher"] == "compact"
    assert "hook claude-code --archive" in hooks["PreCompact"][0]["hooks"][0]["command"]


def test_the_diff_shows_what_will_be_written(settings: Path) -> None:
    change = plan_install(CLAUDE, settings, "work.archive")
    assert change is not None
    assert '+    "PreCompact": [' in change.diff
    assert not settings.exists()


def test_installing_twice_changes_nothing(settings: Path) -> None:
    put_in(settings)
    assert plan_install(CLAUDE, settings, "work.archive") is None


def test_a_file_that_was_changed_since_is_not_restored(settings: Path) -> None:
    data = put_in(settings)
    settings.write_text(json.dumps({**data, "model": "opus"}), encoding="utf-8")
    with pytest.raises(InputError, match=r"changed since tamis was installed.*--only-ours"):
        plan_uninstall(CLAUDE, settings)


def test_only_ours_leaves_the_rest_as_it_is_now(settings: Path) -> None:
    data = put_in(settings)
    theirs = {"hooks": [{"type": "command", "command": "theirs"}]}
    hooks = dict(data["hooks"])  # type: ignore[call-overload]
    hooks["PreCompact"] = [*hooks["PreCompact"], theirs]
    settings.write_text(json.dumps({"hooks": hooks, "model": "opus"}), encoding="utf-8")
    uninstall(plan_uninstall(CLAUDE, settings, only_ours=True))
    assert json.loads(settings.read_text(encoding="utf-8")) == {
        "hooks": {"PreCompact": [theirs]},
        "model": "opus",
    }
    assert list(settings.parent.iterdir()) == [settings]


def test_a_record_that_is_lost_is_said(settings: Path) -> None:
    put_in(settings)
    settings.with_name("settings.json.tamis").unlink()
    with pytest.raises(InputError, match="no record"):
        plan_uninstall(CLAUDE, settings)


def test_what_was_never_installed_is_said(settings: Path) -> None:
    with pytest.raises(InputError, match="no hook of tamis"):
        plan_uninstall(CLAUDE, settings)


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"PreCompact": {}}}', "// note\n{}"])
def test_settings_that_are_not_claude_code_s_are_left_alone(settings: Path, text: str) -> None:
    settings.parent.mkdir()
    settings.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"settings\.json"):
        plan_install(CLAUDE, settings, "work.archive")
    assert settings.read_text(encoding="utf-8") == text


def test_a_change_made_between_showing_and_writing_is_not_written_over(settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text("{}", encoding="utf-8")
    change = plan_install(CLAUDE, settings, "work.archive")
    assert change is not None
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    with pytest.raises(InputError, match="in the meantime"):
        install(change)
    assert settings.read_text(encoding="utf-8") == '{"model": "opus"}'


def test_an_agent_that_names_servers_in_its_settings_gets_the_recall_tool(settings: Path) -> None:
    gemini = AGENTS["gemini-cli"]
    settings.parent.mkdir()
    theirs = {"docs": {"httpUrl": "https://docs.example/mcp"}}
    settings.write_text(json.dumps({"mcpServers": theirs}), encoding="utf-8")
    written = put_in(settings, gemini)
    servers = dict(written["mcpServers"])  # type: ignore[call-overload]
    archive = str(settings.with_name("work.archive"))
    assert servers.pop("tamis")["args"] == ["-m", "tamis.cli", "mcp", "--archive", archive]
    assert servers == theirs
    settings.write_text(json.dumps({**written, "theme": "dark"}), encoding="utf-8")
    uninstall(plan_uninstall(gemini, settings, only_ours=True))
    assert json.loads(settings.read_text(encoding="utf-8")) == {"mcpServers": theirs, "theme": "dark"}


def test_a_server_of_the_same_name_stays_theirs(settings: Path) -> None:
    gemini = AGENTS["gemini-cli"]
    settings.parent.mkdir()
    theirs = {"mcpServers": {"tamis": {"command": "/opt/other"}}}
    settings.write_text(json.dumps(theirs), encoding="utf-8")
    written = put_in(settings, gemini)
    assert written["mcpServers"] == theirs["mcpServers"]
    settings.write_text(json.dumps({**written, "theme": "dark"}), encoding="utf-8")
    uninstall(plan_uninstall(gemini, settings, only_ours=True))
    assert json.loads(settings.read_text(encoding="utf-8")) == {**theirs, "theme": "dark"}


def test_servers_that_are_none_are_left_alone(settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text('{"mcpServers": []}', encoding="utf-8")
    with pytest.raises(InputError, match="mcpServers"):
        plan_install(AGENTS["gemini-cli"], settings, "work.archive")
    assert settings.read_text(encoding="utf-8") == '{"mcpServers": []}'


def test_a_disk_that_is_full_leaves_everything_as_it_was(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    change = plan_install(CLAUDE, settings, "work.archive")
    assert change is not None
    real, written = os.fsync, itertools.count(1)

    def full_behind_the_record(file: int) -> None:
        real(file)
        if next(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tamis.sessions.atomic.os.fsync", full_behind_the_record)
    with pytest.raises(InputError, match="make room"):
        install(change)
    assert list(settings.parent.iterdir()) == [settings]
    assert settings.read_text(encoding="utf-8") == '{"model": "opus"}'


def test_a_disk_that_is_full_keeps_what_it_takes_to_uninstall_later(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    put_in(settings)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tamis.sessions.atomic.os.fsync", full)
        with pytest.raises(InputError, match="make room"):
            uninstall(plan_uninstall(CLAUDE, settings))
    uninstall(plan_uninstall(CLAUDE, settings))
    assert settings.read_text(encoding="utf-8") == '{"model": "opus"}'
