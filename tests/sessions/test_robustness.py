"""No log, however odd, may raise anything but an error of ours."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import json_values
from tamis.errors import InputError
from tamis.messages import part_text
from tamis.sessions import FORMATS, Document, read_all

KEYS = """
type role content text message parts payload data uuid parentUuid id sessionId timestamp
isSidechain agentId toolUseResult tool_calls toolCalls thoughts function arguments input output
result call_id tool_use_id name event part summary action attachment prompt operation subtype
compactMetadata step_index source attributes isError details metadata cwd model kind author
time
""".split()  # noqa: SIM905
KINDS = """
user assistant system tool message tool_use tool_result toolCall function_call
function_call_output reasoning custom_tool_call session_meta response_item event_msg
turn_context compacted compaction progress gemini model queue-operation attachment summary text
thinking image enqueue remove compact_boundary local_command agent_progress queued_command
bashExecution toolResult user.message assistant.message context.append_message
context.append_loop_event content.part tool.call tool.result tool.execution_complete
PLANNER_RESPONSE
""".split()  # noqa: SIM905


def odd_values():
    leaves = st.one_of(st.sampled_from(KINDS), json_values())
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
        max_leaves=12,
    )


def odd_records():
    kinds = st.fixed_dictionaries({"type": st.sampled_from(KINDS)})
    fields = st.dictionaries(st.sampled_from(KEYS), odd_values(), max_size=7)
    return st.builds(lambda a, b: {**b, **a}, kinds, fields)


@settings(max_examples=60, deadline=None)
@given(st.lists(odd_records(), min_size=2, max_size=6))
def test_odd_records_never_crash_a_reader(records):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        for known in (None, *FORMATS):
            with suppress(InputError):
                for session in read_all(path, known.name if known else None):
                    check(session)


def check(session):
    """What is said to be text is text, whatever the log held in its place."""
    assert isinstance(session.model, str | None)
    for message in session.messages:
        assert isinstance(message.id, str)
        assert isinstance(message.timestamp, str | None)
        assert all(isinstance(call.arguments, dict) and isinstance(call.name, str) for call in message.calls)
        assert all(isinstance(part_text(part), str) for part in message.parts)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_odd_bytes_never_crash_anything(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(data)
        with suppress(InputError):
            list(read_all(path))
        with suppress(InputError):
            list(Document(path).records())
