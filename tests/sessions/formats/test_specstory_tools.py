from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.sessions.formats.specstory.tools import RenderedCall, read_call


def rendered(text: str, *, name: str = "Bash", kind: str = "shell") -> RenderedCall:
    return read_call(name, kind, text.split("\n"))


def test_a_command_has_a_description_and_an_output() -> None:
    call = rendered(
        "<summary>Tool use: **Bash**</summary>\nRun the tests\n\n`pytest -q`\n\n```text\n1 failed\n```"
    )
    assert call.arguments == {"command": "pytest -q", "description": "Run the tests"}
    assert call.result == "1 failed"


def test_a_long_command_is_fenced() -> None:
    call = rendered("<summary>Tool use: **Bash**</summary>\n\n```bash\ncd src\nls\n```\n\n```text\na.py\n```")
    assert (call.arguments, call.result) == ({"command": "cd src\nls"}, "a.py")


def test_a_command_may_stand_in_the_summary() -> None:
    call = rendered("<summary>Tool use: **exec_command** `ls`</summary>\n```\na.py\n```")
    assert (call.arguments, call.result) == ({"command": "ls"}, "a.py")


def test_an_output_may_hold_fences_of_its_own() -> None:
    output = "# Title\n```sh\nmake\n```\nEnd."
    call = rendered(f"<summary>Tool use: **Bash**</summary>\n\n`cat a.md`\n\n```text\n{output}\n```")
    assert call.result == output


def test_a_longer_fence_is_exact() -> None:
    call = rendered(
        "<summary>Tool use: **Write**</summary>\n\n````md\n```sh\nx\n```\n````\n\n```text\nok\n```",
        kind="write",
    )
    assert (call.arguments, call.result) == ({"content": "```sh\nx\n```"}, "ok")


def test_the_path_of_an_edit_is_what_the_tool_reports() -> None:
    body = (
        "<summary>Tool use: **Edit**</summary>\n\n```text\nThe file /repo/src/a b.py has been updated.\n```"
    )
    assert rendered(body, name="Edit", kind="write").arguments == {"file_path": "/repo/src/a b.py"}


def test_a_search_has_a_path_and_a_pattern() -> None:
    body = "<summary>Tool use: **Grep**</summary>\n path `./src` pattern `a `b` c`\n\n```text\nx\n```"
    assert rendered(body, name="Grep", kind="search").arguments == {"path": "./src", "pattern": "a `b` c"}


def test_a_patch_is_put_together_again() -> None:
    body = (
        "<summary>Tool use: **apply_patch**</summary>\n**Update: `a.py`**\n\n```diff\n@@\n-x\n+y\n```\n\n"
        "**Delete: `b.py`**\n\n```\nSuccess.\n```"
    )
    call = rendered(body, name="apply_patch", kind="write")
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Delete File: b.py\n*** End Patch"
    assert (call.arguments, call.result) == ({"input": patch}, "Success.")


def test_a_task_list_has_states() -> None:
    head = "<summary>Tool use: **TodoWrite**</summary>\n**Agent task list:**\n"
    body = f"{head}- [X] 🔥 read\n- [⚡] write\n- [ ] test"
    todos = rendered(body, name="TodoWrite", kind="task").arguments["todos"]
    assert [(t["content"], t["status"]) for t in todos] == [
        ("read", "completed"),
        ("write", "in_progress"),
        ("test", "pending"),
    ]


def test_generic_input_is_a_list_of_entries() -> None:
    body = (
        "<summary>Tool use: **search**</summary>\n\n**Input:**\n\n- limit: `3`\n- text:\n\n```\na\nb\n```\n\n"
        "**Error:**\n\n```\nno index\n```"
    )
    call = rendered(body, name="search", kind="unknown")
    assert call.arguments == {"limit": "3", "text": "a\nb"}
    assert (call.result, call.is_error) == ("no index", True)


def test_labels_of_other_agents_are_understood() -> None:
    head = "<summary>Tool use: **Create**</summary>\nPath: `/repo/a.txt`\n\n"
    body = f"{head}```txt\nhello\n```\n\nOutput: File created"
    call = rendered(body, name="Create", kind="write")
    assert (call.arguments, call.result) == ({"file_path": "/repo/a.txt", "content": "hello"}, "File created")


def test_what_a_tool_reads_may_be_fenced_as_code() -> None:
    call = rendered("<summary>Tool use: **read_file** `a.py`</summary>\n\n```py\nx = 1\n```", kind="read")
    assert (call.arguments, call.result) == ({"file_path": "a.py"}, "x = 1")


def test_the_exit_code_is_read_where_it_is_told() -> None:
    assert rendered("\n```text\nError: Exit code 2\nno such file\n```").exit_code == 2
    assert rendered("\n```\nChunk ID: a\nProcess exited with code 0\nOutput:\nx\n```").exit_code == 0
    assert rendered("\n```text\nfine\n```").exit_code is None


def test_a_call_without_output_has_no_result() -> None:
    assert rendered(
        "<summary>Tool use: **Read**</summary>\nRead file: `./a.py`", kind="read"
    ) == RenderedCall(name="Bash", arguments={"file_path": "./a.py"})


def test_the_name_is_read_off_the_summary_of_old_files() -> None:
    call = read_call("", "", ["Tool use: **Read** `./a.py`", "", "Result:", "", "```", "x", "```"])
    assert (call.name, call.arguments, call.result) == ("Read", {"file_path": "./a.py"}, "x")


PIECES = st.sampled_from(
    [
        "```",
        "```text",
        "````",
        "`x`",
        " path `a` pattern `b`",
        "Output:",
        "**Add: `a`**",
        "- a:",
        "- [X] t",
        "",
        "Path: a",
    ]
)


@given(
    st.lists(PIECES | st.text(max_size=12), max_size=25),
    st.sampled_from(["shell", "read", "write", "search", ""]),
)
def test_no_text_breaks_the_reader(lines: list[str], kind: str) -> None:
    read_call("tool", kind, lines)


@given(st.text(st.characters(exclude_characters="\n\r`"), min_size=1).filter(str.strip))
def test_an_output_survives_as_it_was(output: str) -> None:
    assert (
        rendered(f"<summary>Tool use: **Bash**</summary>\n\n`ls`\n\n```text\n{output}\n```").result == output
    )
