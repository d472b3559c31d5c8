"""The bash parser: no text takes it down, and every character comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.shell.bash_tree import from_source, node_text, parse_bash, to_source
from tamis.ledger.shell.parser import parse_script


@given(st.text(max_size=40))
def test_a_script_is_read_back_as_it_was(text: str) -> None:
    assert from_source(to_source(text)) == text
    assert node_text(parse_bash(to_source(f"echo a\n{text}"))).startswith("echo a")


@pytest.mark.parametrize("character", ["\U0010ffff", "\U00031860", "\U000f1234", "\U0001f389"])
def test_a_character_far_from_ascii_behind_a_brace_is_survived(character: str) -> None:
    for script in (f"{{{character}", f"{{{character}}}", f"echo ${{{character}}}", f"a{{{character},b}}"):
        parse_script(script)


def test_words_keep_their_characters() -> None:
    script = parse_script("cat > 文档/名.md <<'EOF'\nnaïve 🎉\nEOF\nmv \"é {x} 🎉.txt\" 'b ü'", "/项目")
    assert [[word.text for word in command.argv] for command in script.commands] == [
        ["cat"],
        ["mv", "é {x} 🎉.txt", "b ü"],
    ]
    assert script.commands[0].redirects[0].target.text == "文档/名.md"
    assert script.commands[0].stdin == "naïve 🎉\n"


def test_half_a_character_is_replaced() -> None:
    assert from_source(to_source("a\ud83db")) == "a?b"
