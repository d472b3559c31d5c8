"""`tamis methods`, `tamis formats`, `tamis completion`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tamis.compactors import METHODS, MODEL_METHODS
from tamis.compactors.peers import list_peers
from tamis.sessions import FORMATS


def test_every_method_is_listed_with_what_it_keeps(tamis) -> None:
    asking = {f"{name}@MODEL": keeps for name, keeps in MODEL_METHODS.items()}
    others = {name: keeps for name, keeps, _ in list_peers()}
    listed = {m["name"]: m["keeps"] for m in tamis("methods", "--json").json if not m["plugin"]}
    assert listed == {**METHODS, **asking, **others}
    assert all(name in tamis("methods").out for name in listed)


def test_every_format_is_listed_with_what_it_can_do(tamis) -> None:
    listed = {f["name"]: f for f in tamis("formats", "--json").json}
    assert list(listed) == [known.name for known in FORMATS]
    assert [name for name, f in listed.items() if f["api"]] == [
        "openai-chat",
        "openai-responses",
        "anthropic",
    ]
    assert all(known.title in tamis("formats").out for known in FORMATS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_is_for_the_shell(tamis, shell: str) -> None:
    ran = tamis("completion", shell)
    assert ran.status == 0
    assert f"_TAMIS_COMPLETE={shell}_complete" in ran.out


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("tamis com", "compact"),
        ("tamis compact -m trun", "truncate"),
        ("tamis compact -m lang", "langchain-trim"),
        ("tamis compact --as anth", "anthropic"),
    ],
)
def test_commands_methods_and_formats_are_completed(typed: str, completed: str) -> None:
    asked = {"_TAMIS_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [sys.executable, "-c", "from tamis.cli import main; main()"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed in done.stdout
