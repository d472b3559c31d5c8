from __future__ import annotations

import json

from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.messages.codec import from_record, to_record
from tamis.sessions import read

CODE = "Let me add.\n\n```python\nprint(1 + 1)\n```\n\nThat is all."


def entry(name, content, role="user"):
    return {"name": name, "role": role, "content": content}


def session_of(folder, history, **fields):
    path = folder / "run.json"
    path.write_text(json.dumps({"question": "q?", "history": history, **fields}), encoding="utf-8")
    return read(path)


def group(folder, *more, **fields):
    first = entry("Sum_Expert", "You are given a task: add.", role="assistant")
    return session_of(folder, [first, *more], **fields)


def test_every_agent_keeps_its_name(tmp_path):
    session = group(tmp_path, entry("Sum_Expert", "I add.", "assistant"), entry("Check_Expert", "I check."))
    assert session.format == "group-chat"
    assert [(m.role, m.author) for m in session.messages] == [
        ("user", None),
        ("assistant", "Sum_Expert"),
        ("assistant", "Check_Expert"),
    ]
    assert session.meta["question"] == "q?"


def test_agents_that_say_the_same_are_told_apart(tmp_path):
    session = group(tmp_path, entry("A", "Yes."), entry("B", "Yes."))
    assert "~" not in session.messages[2].id


def test_code_that_a_terminal_ran_is_a_call_with_its_result(tmp_path):
    ran = entry("Computer_terminal", "exitcode: 0 (execution succeeded)\nCode output: 2\n")
    session = group(tmp_path, entry("Sum_Expert", CODE, "assistant"), ran)
    before, call, after = session.messages[1].parts
    assert (before, after) == (Text(text="Let me add."), Text(text="That is all."))
    assert (call.name, call.arguments) == ("python", {"code": "print(1 + 1)"})
    (result,) = session.messages[2].results
    assert (result.text, result.exit_code) == ("2\n", 0)
    assert session.messages[2].author == "Computer_terminal"
    assert pair_calls(session.messages).whole


def test_code_that_nobody_ran_stays_text(tmp_path):
    idle = entry("Computer_terminal", "There is no code for me to execute.")
    session = group(tmp_path, entry("Sum_Expert", CODE, "assistant"), idle)
    assert session.messages[1].text == CODE
    assert session.messages[2].origin == "meta"


def test_a_shells_block_is_a_command(tmp_path):
    ran = entry("Computer_terminal", "exitcode: 1 (execution failed)\nCode output: no")
    session = group(tmp_path, entry("Sum_Expert", "```sh\nls\n```", "assistant"), ran)
    assert session.messages[1].parts == (ToolCall(id="run-1", name="bash", arguments={"command": "ls"}),)
    assert session.messages[2].results[0].exit_code == 1


def test_the_prompts_of_the_agents_come_first_under_their_names(tmp_path):
    session = group(tmp_path, system_prompt={"Sum_Expert": "You add."})
    assert [(m.role, m.author, m.text) for m in session.messages[:1]] == [
        ("system", "Sum_Expert", "You add.")
    ]


def test_an_orchestrated_run_says_who_speaks_to_whom(tmp_path):
    session = session_of(
        tmp_path,
        [
            {"role": "human", "content": "Find it."},
            {"role": "Orchestrator (thought)", "content": "Initial plan: look."},
            {"role": "Orchestrator (thought)", "content": 'Updated Ledger:\n{"done": false}'},
            {"role": "Orchestrator (-> WebSurfer)", "content": "Please look."},
            {"role": "WebSurfer", "content": "I looked."},
            {"role": "Orchestrator (termination condition)", "content": "FINAL ANSWER: x"},
        ],
    )
    assert [(m.role, m.author) for m in session.messages] == [
        ("user", None),
        ("assistant", "Orchestrator"),
        ("assistant", "Orchestrator"),
        ("assistant", "Orchestrator -> WebSurfer"),
        ("assistant", "WebSurfer"),
        ("assistant", "Orchestrator"),
    ]
    assert isinstance(session.messages[2].parts[0], Thinking)
    assert session.messages[1].text == "Initial plan: look."


def test_the_author_survives_the_archive(tmp_path):
    message = group(tmp_path, entry("A", "Yes.")).messages[1]
    assert from_record(to_record(message)).author == "A"


def test_an_entry_without_a_speaker_is_counted_and_an_empty_one_passed_over(tmp_path):
    session = group(tmp_path, {"content": "who?"}, entry("A", " "), entry("B", "Yes."))
    assert [u.line for u in session.unread] == [2]
    assert [m.author for m in session.messages] == [None, "B"]
