"""Wrapping an agent: what is ours goes in, and every byte comes back."""

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
from tamis.integrations.agents.known import AGENTS, Agent
from tamis.integrations.agents.wrap import plan_unwrap, plan_wrap, put, standing, take_out

CODEX, GEMINI, CLAUDE = AGENTS["codex"], AGENTS["gemini-cli"], AGENTS["claude-code"]
WITH_SETTINGS = [agent for agent in AGENTS.values() if agent.settings]
WITH_PLUGIN = [agent for agent in AGENTS.values() if agent.replaces]
WRITTEN = [
    None,
    b"",
    b"{}",
    b'{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}',
    b'{\r\n\t"a": "\xc3\xa9 \\u00e9",\r\n\t"hooks": {"PreCompact": [{"hooks": []}]}\r\n}\r\n',
    b'\xef\xbb\xbf{"a": 1.0}\n\n\n',
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "project" / ".agent"


def wrap(place: Path, agent: Agent) -> None:
    plan = plan_wrap(agent, place, agent.archive(place))
    assert plan is not None
    put(plan)


def settings_of(place: Path, agent: Agent, data: object = None) -> Path:
    """The agent's settings; written where there is something to write."""
    path = place / agent.settings
    if data is not None:
        place.mkdir(parents=True, exist_ok=True)
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("agent", WITH_SETTINGS, ids=lambda a: a.name)
@pytest.mark.parametrize("before", WRITTEN)
def test_unwrapping_gives_the_settings_back_byte_for_byte(
    place: Path, before: bytes | None, agent: Agent
) -> None:
    if before is not None:
        place.mkdir(parents=True)
        (place / agent.settings).write_bytes(before)
    wrap(place, agent)
    take_out(plan_unwrap(agent, place))
    left = files_in(place) if place.exists() else {}
    assert left == ({} if before is None else {agent.settings: before})


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda a: a.name)
def test_unwrapping_leaves_no_folder_that_was_not_there(place: Path, agent: Agent) -> None:
    wrap(place, agent)
    take_out(plan_unwrap(agent, place))
    assert not place.parent.exists()


@given(
    data=st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers() | st.lists(st.booleans())),
    indent=st.sampled_from([None, 2, 4, "\t"]),
)
def test_any_settings_keep_what_they_say(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object], indent: int | str | None
) -> None:
    place = tmp_path_factory.mktemp("s")
    data.pop("hooks", None)
    path = settings_of(place, CODEX, json.dumps(data, indent=indent))
    before = path.read_bytes()
    wrap(place, CODEX)
    written = json.loads(path.read_text(encoding="utf-8-sig"))
    assert {key: value for key, value in written.items() if key != "hooks"} == data
    take_out(plan_unwrap(CODEX, place))
    assert path.read_bytes() == before


def test_both_events_are_hooked_and_others_hooks_stay(place: Path) -> None:
    other = {"matcher": "startup", "hooks": [{"type": "command", "command": "theirs"}]}
    path = settings_of(place, CODEX, {"hooks": {"SessionStart": [other]}})
    wrap(place, CODEX)
    hooks = json.loads(path.read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == {"SessionStart", "PreCompact"}
    assert hooks["SessionStart"][0] == other
    assert hooks["SessionStart"][1]["matcher"] == "compact"
    assert "hook codex --archive" in hooks["PreCompact"][0]["hooks"][0]["command"]


@pytest.mark.parametrize("agent", WITH_PLUGIN, ids=lambda a: a.name)
def test_a_plugin_starts_this_tamis_with_this_archive(place: Path, agent: Agent) -> None:
    wrap(place, agent)
    scripts = [path.read_text(encoding="utf-8") for path in place.rglob("*.js")]
    assert scripts
    assert all('"-m", "tamis.cli"]' in text for text in scripts)
    assert all(json.dumps(str(agent.archive(place.resolve()))) in text for text in scripts)


def test_the_diff_shows_what_will_be_written(place: Path) -> None:
    plan = plan_wrap(CODEX, place, CODEX.archive(place))
    assert plan is not None
    assert '+    "PreCompact": [' in plan.diff
    assert not place.exists()


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda a: a.name)
def test_wrapping_twice_changes_nothing(place: Path, agent: Agent) -> None:
    wrap(place, agent)
    assert standing(agent, place) == "wrapped"
    assert plan_wrap(agent, place, agent.archive(place)) is None


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda a: a.name)
def test_a_file_that_was_changed_since_is_not_restored(place: Path, agent: Agent) -> None:
    wrap(place, agent)
    path = place / (agent.settings or list(agent.files)[-1])
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert standing(agent, place) == "changed"
    with pytest.raises(InputError, match=r"changed since tamis was put in.*--only-ours"):
        plan_unwrap(agent, place)


def test_only_ours_leaves_the_rest_as_it_is_now(place: Path) -> None:
    wrap(place, CODEX)
    path = place / CODEX.settings
    theirs = {"hooks": [{"type": "command", "command": "theirs"}]}
    hooks = json.loads(path.read_text(encoding="utf-8"))["hooks"]
    hooks["PreCompact"] = [*hooks["PreCompact"], theirs]
    settings_of(place, CODEX, {"hooks": hooks, "model": "gpt"})
    take_out(plan_unwrap(CODEX, place, only_ours=True))
    assert json.loads(path.read_text(encoding="utf-8")) == {"hooks": {"PreCompact": [theirs]}, "model": "gpt"}
    assert list(files_in(place)) == [CODEX.settings]


def test_a_wrap_that_was_interrupted_is_finished_or_taken_back(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for finish in (True, False):
        plan = plan_wrap(CLAUDE, place, CLAUDE.archive(place))
        assert plan is not None
        interrupt(monkeypatch, behind=3)
        with pytest.raises(KeyboardInterrupt):
            put(plan)
        monkeypatch.undo()
        assert standing(CLAUDE, place) == "half"
        if finish:
            wrap(place, CLAUDE)
            assert standing(CLAUDE, place) == "wrapped"
        take_out(plan_unwrap(CLAUDE, place))
        assert not place.parent.exists()


def interrupt(monkeypatch: pytest.MonkeyPatch, *, behind: int) -> None:
    """As if the process was killed behind so many files: nothing of it runs any more."""
    from tamis.integrations.agents import wrap as agent_wrap

    real, written = agent_wrap.write_atomic, itertools.count(1)

    def killed(*given: object, **named: object) -> object:
        number = next(written)
        if number > behind:
            raise KeyboardInterrupt
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(agent_wrap, "write_atomic", killed)
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)


def test_a_wrap_of_another_version_is_brought_up_to_date(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr("tamis.integrations.agents.known.sys.executable", "/opt/older/python")
        wrap(place, CLAUDE)
    assert standing(CLAUDE, place) == "old"
    wrap(place, CLAUDE)
    assert standing(CLAUDE, place) == "wrapped"
    take_out(plan_unwrap(CLAUDE, place))
    assert not place.parent.exists()


def test_a_file_of_somebody_else_s_in_the_plugin_s_place_is_left_alone(place: Path) -> None:
    theirs = place / "plugin" / "tamis.js"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("export const Theirs = 1", encoding="utf-8")
    with pytest.raises(InputError, match=r"not tamis's; move it away"):
        plan_wrap(AGENTS["opencode"], place, place / "a")
    assert files_in(place) == {"plugin/tamis.js": b"export const Theirs = 1"}


@pytest.mark.parametrize("agent", [CODEX, CLAUDE], ids=lambda a: a.name)
def test_a_record_that_is_lost_is_said(place: Path, agent: Agent) -> None:
    wrap(place, agent)
    next(place.rglob("*.tamis")).unlink()
    assert standing(agent, place) == "unrecorded"
    with pytest.raises(InputError, match="no record"):
        plan_unwrap(agent, place)


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda a: a.name)
def test_what_was_never_wrapped_is_said(place: Path, agent: Agent) -> None:
    with pytest.raises(InputError, match="has nothing of tamis"):
        plan_unwrap(agent, place)


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"PreCompact": {}}}', "// note\n{}"])
def test_settings_that_are_not_the_agent_s_are_left_alone(place: Path, text: str) -> None:
    path = settings_of(place, CODEX, text)
    with pytest.raises(InputError, match=r"hooks\.json"):
        plan_wrap(CODEX, place, place / "a")
    assert path.read_text(encoding="utf-8") == text


def test_a_change_made_between_showing_and_writing_is_not_written_over(place: Path) -> None:
    path = settings_of(place, CODEX, "{}")
    plan = plan_wrap(CODEX, place, place / "a")
    assert plan is not None
    path.write_text('{"model": "gpt"}', encoding="utf-8")
    with pytest.raises(InputError, match="in the meantime"):
        put(plan)
    assert path.read_text(encoding="utf-8") == '{"model": "gpt"}'


def test_an_agent_that_names_servers_in_its_settings_gets_the_recall_tool(place: Path) -> None:
    theirs = {"docs": {"httpUrl": "https://docs.example/mcp"}}
    path = settings_of(place, GEMINI, {"mcpServers": theirs})
    wrap(place, GEMINI)
    written = json.loads(path.read_text(encoding="utf-8"))
    servers = dict(written["mcpServers"])
    archive = str(GEMINI.archive(place).resolve())
    assert servers.pop("tamis")["args"] == ["-m", "tamis.cli", "mcp", "--archive", archive]
    assert servers == theirs
    settings_of(place, GEMINI, {**written, "theme": "dark"})
    take_out(plan_unwrap(GEMINI, place, only_ours=True))
    assert json.loads(path.read_text(encoding="utf-8")) == {"mcpServers": theirs, "theme": "dark"}


def test_a_server_of_the_same_name_stays_theirs(place: Path) -> None:
    theirs = {"mcpServers": {"tamis": {"command": "/opt/other"}}}
    path = settings_of(place, GEMINI, theirs)
    wrap(place, GEMINI)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["mcpServers"] == theirs["mcpServers"]
    settings_of(place, GEMINI, {**written, "theme": "dark"})
    take_out(plan_unwrap(GEMINI, place, only_ours=True))
    assert json.loads(path.read_text(encoding="utf-8")) == {**theirs, "theme": "dark"}


def test_servers_that_are_none_are_left_alone(place: Path) -> None:
    path = settings_of(place, GEMINI, '{"mcpServers": []}')
    with pytest.raises(InputError, match="mcpServers"):
        plan_wrap(GEMINI, place, place / "a")
    assert path.read_text(encoding="utf-8") == '{"mcpServers": []}'


@pytest.mark.parametrize("behind", [1, 2, 3])
def test_a_disk_that_is_full_leaves_everything_as_it_was(
    place: Path, monkeypatch: pytest.MonkeyPatch, behind: int
) -> None:
    plan = plan_wrap(CLAUDE, place, CLAUDE.archive(place))
    assert plan is not None
    real, written = os.fsync, itertools.count(1)

    def full(file: int) -> None:
        real(file)
        if next(written) > behind:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tamis.sessions.atomic.os.fsync", full)
    with pytest.raises(InputError, match="make room"):
        put(plan)
    assert not place.parent.exists()


def test_a_disk_that_is_full_keeps_what_it_takes_to_unwrap_later(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = settings_of(place, CODEX, '{"model": "gpt"}')
    wrap(place, CODEX)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tamis.sessions.atomic.os.fsync", full)
        with pytest.raises(InputError, match="make room"):
            take_out(plan_unwrap(CODEX, place))
    take_out(plan_unwrap(CODEX, place))
    assert path.read_text(encoding="utf-8") == '{"model": "gpt"}'


def test_a_home_that_may_not_be_written_is_said_in_a_line(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_wrap(CLAUDE, place, CLAUDE.archive(place))
    assert plan is not None

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(InputError, match=r"cannot be made \(Permission denied\)"):
        put(plan)
    assert not place.parent.exists()


@pytest.mark.parametrize("agent", WITH_SETTINGS, ids=lambda a: a.name)
def test_a_read_only_disk_is_said_in_a_line(
    place: Path, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_of(place, agent, "{}")
    plan = plan_wrap(agent, place, agent.archive(place))
    assert plan is not None

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tamis.sessions.atomic.tempfile.mkstemp", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(InputError, match="Read-only file system"):
        put(plan)
