from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tamis.evals.display_text import transcript
from tamis.messages import Media, Message, Text, Thinking, ToolCall, ToolResult

LINES = st.sampled_from(["### 1 user m0", "### 2 tool x", "## 1 user m0", "text", "", "\r### 1 user m0"])


def test_every_part_can_be_read() -> None:
    parts = (
        Thinking(text="why"),
        Text(text="how"),
        ToolCall(id="c", name="bash", arguments={"command": "ls"}),
        ToolResult(call_id="c", text="gone", is_error=True),
        Media(kind="image", mime="image/png"),
    )
    assert transcript([Message(id="m", role="assistant", parts=parts)]) == (
        '### 1 assistant m\n[thinking]\nwhy\nhow\n[call c] bash {"command": "ls"}\n'
        "[result of c failed]\ngone\n[image image/png]"
    )


@given(st.lists(st.lists(LINES, max_size=4).map("\n".join), max_size=5))
def test_no_text_can_pass_for_a_message(texts: list[str]) -> None:
    messages = [Message(id=f"m{i}", role="user", parts=(Text(text=text),)) for i, text in enumerate(texts)]
    headings = re.findall(r"(?m)^### \d+ user m(\d+)$", transcript(messages))
    assert headings == [str(i) for i in range(len(texts))]
