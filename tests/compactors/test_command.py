"""A compactor that is another program: real programs are run, on this interpreter."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given

from compactors.conversations import compact, fates, ids, lines, request, run, say
from strategies import messages
from tamis.compactors import Compactor, get_method, run_compactor
from tamis.compactors.methods.command import CommandMethod
from tamis.errors import MethodFailed, UnknownMethod
from tamis.messages import Message
from tamis.messages.wire import from_wire, to_wire

SPAN = [
    say("user", "Fix it.", id="first"),
    *run("c", "cat a.py", lines("a", 60), 0),
    say("user", "hm", id="z"),
]


def program(tmp_path: Path, body: str, timeout_s: float = 60) -> CommandMethod:
    script = tmp_path / "my compactor.py"
    script.write_text(f"import json, sys\n{body}\n", encoding="utf-8")
    return CommandMethod(shlex.join([sys.executable, str(script)]), timeout_s=timeout_s)


def test_the_text_of_a_command_becomes_a_fenced_brief(tmp_path: Path) -> None:
    method = program(
        tmp_path, 'q = json.load(sys.stdin); print(json.dumps({"text": "kept: ``` " + q["tokenizer"]}))'
    )
    made = compact(method, SPAN, 60)
    assert made.outcome == "fits"
    (message,) = made.messages
    assert message.origin == "summary"
    assert message.text.endswith("````\nkept: ``` o200k_base\n````")
    assert fates(made) == ["condensed"] * 4


def test_messages_of_a_command_are_matched_with_the_source(tmp_path: Path) -> None:
    body = """
q = json.load(sys.stdin)
assert q["previous"] is None and q["goal"] is None
span = q["span"]
span[2]["parts"][0]["text"] = "short"
print(json.dumps({"messages": span[1:]}))"""
    made = compact(program(tmp_path, body), SPAN, q_budget := 60)
    assert made.tokens_after <= q_budget
    assert ids(made) == ["c-call", "c-result", "z"]
    assert fates(made) == ["archived", "kept", "condensed", "kept"]
    assert made.messages[1].results[0].text == "short"


def test_an_answer_over_the_budget_is_not_used(tmp_path: Path) -> None:
    method = program(tmp_path, 'print(json.dumps({"text": "word " * 500}))')
    assert compact(method, SPAN, 60).outcome == "unmet"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('sys.exit("the model is down")', "exit status 1: the model is down"),
        ("sys.exit(3)", "exit status 3: it said nothing"),
        ('print("Here you are!")', "Invalid JSON"),
        ('print("{}")', "neither or both"),
        ('print(json.dumps({"text": "a", "messages": []}))', "neither or both"),
        ('print(json.dumps({"text": "a", "score": 1}))', "score: Extra inputs"),
        ('print(json.dumps({"messages": [{"role": "robot", "parts": []}]}))', "messages.0.role"),
        (
            'print(json.dumps({"messages": [{"role": "user", "content": "x"}]}))',
            "messages.0.parts: Field required",
        ),
    ],
)
def test_a_command_that_fails_says_how(tmp_path: Path, body: str, says: str) -> None:
    with pytest.raises(MethodFailed) as failure:
        compact(program(tmp_path, body), SPAN, 60)
    assert says in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"sleep 1000 & echo $! > {shlex.quote(str(pid))}; wait"
    with pytest.raises(MethodFailed, match="no answer within"):
        compact(CommandMethod(shlex.join(["sh", "-c", script]), timeout_s=0.5), SPAN, 60)
    state = Path(f"/proc/{pid.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] in "ZX"


@pytest.mark.parametrize(
    ("end", "timeout_s", "says"), [("sleep 1000", 2.0, "no answer within"), ("true", 60.0, "Invalid JSON")]
)
def test_what_a_command_leaves_behind_is_not_waited_for(
    tmp_path: Path, end: str, timeout_s: float, says: str
) -> None:
    pid = shlex.quote(str(tmp_path / "pid"))
    script = (
        f"setsid sh -c 'echo $$ > {pid}; exec sleep 1000' & while [ ! -s {pid} ]; do sleep 0.01; done; {end}"
    )
    with pytest.raises(MethodFailed, match=says):
        compact(CommandMethod(shlex.join(["sh", "-c", script]), timeout_s=timeout_s), SPAN, 60)
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)  # it is there still


def test_a_command_that_cannot_be_started_says_so() -> None:
    with pytest.raises(MethodFailed, match="cannot be started"):
        compact("exec:no-such-program-anywhere --flag", SPAN, 60)


def test_no_shell_runs_the_command(tmp_path: Path) -> None:
    with pytest.raises(MethodFailed):
        compact(f"exec:false; touch {tmp_path / 'made'}", SPAN, 60)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("command", ["", "   ", "'unclosed"])
def test_a_command_that_is_none_is_refused(command: str) -> None:
    with pytest.raises(UnknownMethod):
        get_method(f"exec:{command}")


def test_a_command_is_a_compactor_named_by_its_command_line() -> None:
    method = get_method("exec:cat -")
    assert isinstance(method, Compactor)
    assert method.name == "exec:cat -"


def test_the_previous_answer_is_handed_over(tmp_path: Path) -> None:
    body = 'q = json.load(sys.stdin); print(json.dumps({"text": str(len(q["previous"]))}))'
    first = compact("truncate", SPAN, 30)
    made = run_compactor(program(tmp_path, body), request([say("user", "word " * 90)], 60, first))
    assert made.messages[0].text.split("\n")[-2] == str(len(first.messages))


@given(messages(missing=True))
def test_messages_come_back_from_json_as_they_were(span: tuple[Message, ...]) -> None:
    text = json.dumps([m.model_dump() for m in to_wire(span)])
    assert from_wire(type(to_wire(span)[0])(**m) for m in json.loads(text)) == span


def test_half_a_character_is_replaced_and_the_message_still_counts_as_kept(tmp_path: Path) -> None:
    broken = say("user", "cut \ud83d here", id="broken")
    body = 'q = json.load(sys.stdin); print(json.dumps({"messages": q["span"][:1]}))'
    made = compact(program(tmp_path, body), [broken, say("user", "word " * 90)], 60)
    assert made.messages == (broken,)
    assert fates(made) == ["kept", "archived"]
