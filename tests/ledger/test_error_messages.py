"""Errors: exact messages with type and place, and nothing that is only quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.events import ErrorMessage
from tamis.ledger.outputs.error_messages import (
    api_error,
    error_signature,
    errors_in_output,
    tool_errors,
    was_not_run,
    without_colours,
)
from tamis.messages import ToolResult

PYTHON = """\
Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    run()
  File "/app/cart.py", line 12, in run
    total += price
             ^^^^^
TypeError: unsupported operand type(s) for +=: 'int' and 'str'
"""
ODD_NAME = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
shop.registry.NotReady: shelves are not loaded yet
"""
CHAINED = """\
Traceback (most recent call last):
  File "a.py", line 1, in f
    x[0]
IndexError: list index out of range

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 5, in g
    raise CartError("empty")
CartError: empty
"""
PYTEST = """\
    def test_total():
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_cart.py:8: AssertionError
"""
PYTEST_IMPORT = """\
_________ ERROR collecting tests/test_db.py _________
tests/test_db.py:2: in <module>
    import psycopg
E   ModuleNotFoundError: No module named 'psycopg'
"""
NODE = """\
/app/cart.js:4
    throw new TypeError('no price');

TypeError: no price
    at total (/app/cart.js:4:11)
    at main (/app/index.js:9:3)
"""
RUST = """\
error[E0308]: mismatched types
  --> src/cart.rs:3:5
"""
PANIC = """\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
testing.tRunner.func1()
\t/usr/local/go/src/testing/testing.go:1632 +0x1
main.total(...)
\t/app/cart.go:9 +0x1d
"""


@pytest.mark.parametrize(
    ("output", "message", "kind", "place"),
    [
        (
            PYTHON,
            "TypeError: unsupported operand type(s) for +=: 'int' and 'str'",
            "TypeError",
            "/app/cart.py:12",
        ),
        (
            ODD_NAME,
            "shop.registry.NotReady: shelves are not loaded yet",
            "shop.registry.NotReady",
            "<string>:1",
        ),
        (PYTEST, "assert 3 == 4", None, "tests/test_cart.py:8"),
        (
            PYTEST_IMPORT,
            "ModuleNotFoundError: No module named 'psycopg'",
            "ModuleNotFoundError",
            "tests/test_db.py:2",
        ),
        (NODE, "TypeError: no price", "TypeError", "/app/cart.js:4"),
        (
            "src/a.ts(12,5): error TS2345: Argument of type 'string'.",
            "error TS2345: Argument of type 'string'.",
            "TS2345",
            "src/a.ts:12",
        ),
        (
            "src/a.ts:12:5 - error TS2304: Cannot find name 'x'.",
            "error TS2304: Cannot find name 'x'.",
            "TS2304",
            "src/a.ts:12",
        ),
        ("a.c:3:7: error: 'x' undeclared", "error: 'x' undeclared", "error", "a.c:3"),
        ("./cart.go:9:2: undefined: price", "undefined: price", "go", "./cart.go:9"),
        ("[lint] pkg/a.go:3:1: func f is unused (unused)", "func f is unused (unused)", "go", "pkg/a.go:3"),
        (RUST, "error[E0308]: mismatched types", "error[E0308]", "src/cart.rs:3"),
        (
            "thread 'main' panicked at src/main.rs:2:5:\nboom",
            "panicked at src/main.rs:2:5:",
            "panicked",
            "src/main.rs:2",
        ),
        (PANIC, "panic: runtime error: index out of range [3] with length 3", "panic", "/app/cart.go:9"),
        (
            "app.py:3:80: E501 line too long (90 > 79 characters)",
            "E501 line too long (90 > 79 characters)",
            "E501",
            "app.py:3",
        ),
        (
            "bash: line 1: hexdump: command not found",
            "bash: line 1: hexdump: command not found",
            "shell",
            None,
        ),
        ("(eval):1: command not found: jq", "(eval):1: command not found: jq", "shell", None),
        (
            "ls: cannot access 'x': No such file or directory",
            "ls: cannot access 'x': No such file or directory",
            "shell",
            None,
        ),
        (
            "python3: can't open file 'a.py': [Errno 2] No such file or directory",
            "python3: can't open file 'a.py': [Errno 2] No such file or directory",
            "shell",
            None,
        ),
        ("./run.sh: Permission denied", "./run.sh: Permission denied", "shell", None),
        ("/usr/bin/python: No module named pytest", "/usr/bin/python: No module named pytest", "shell", None),
        ("fatal: not a git repository", "fatal: not a git repository", "fatal", None),
        (
            "CONFLICT (content): Merge conflict in a.py",
            "CONFLICT (content): Merge conflict in a.py",
            "CONFLICT",
            None,
        ),
        ("npm ERR! code ERESOLVE", "npm ERR! code ERESOLVE", "ERESOLVE", None),
        ("HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found", "404", None),
        ("Request failed with status code 503", "Request failed with status code 503", "503", None),
        ("curl: (7) Failed to connect", "curl: (7) Failed to connect", "curl", None),
        ("make: *** [all] Error 2", "make: *** [all] Error 2", "make", None),
        ("ERROR: Could not find a version of x", "Could not find a version of x", "ERROR", None),
        ("Segmentation fault (core dumped)", "Segmentation fault (core dumped)", "killed", None),
    ],
)
def test_each_form_gives_message_type_and_place(
    output: str, message: str, kind: str | None, place: str | None
) -> None:
    [found] = errors_in_output(output, "make")
    assert found.error == ErrorMessage(message=message, type=kind, place=place, command="make")
    assert output[found.start : found.end] == message


def test_each_exception_of_a_chain_is_an_error() -> None:
    found = [f.error for f in errors_in_output(CHAINED, None)]
    assert [(e.type, e.place) for e in found] == [("IndexError", "a.py:1"), ("CartError", "a.py:5")]


@pytest.mark.parametrize(
    "output",
    [
        "src/a.py:3:    raise ValueError('x')",
        "docs/faq.md:9:fatal: not a git repository",
        "42: TypeError: seen in the file",
        "notes.md: No such file or directory",
        "Traceback (most recent call last):\n  File 'a', line 1\nKeyError: 1",
    ],
)
def test_what_stands_in_files_that_are_printed_is_no_error(output: str) -> None:
    assert errors_in_output(output, "grep -rn Error .", quotes=True) == []


def test_a_reading_program_still_complains_for_itself() -> None:
    output = "fine\ncat: missing.txt: No such file or directory\n"
    [found] = errors_in_output(output, "cat", quotes=True)
    assert found.error.message == "cat: missing.txt: No such file or directory"


@pytest.mark.parametrize(
    "output",
    [
        "0 errors, 0 warnings",
        "Error handling is done in errors.py",
        "no error was found",
        "test_error_message ... ok",
        "ERROR: test_save (shop.tests.OrderTests)",
        "go: downloading golang.org/x/text v0.3.0",
    ],
)
def test_words_about_errors_are_no_error(output: str) -> None:
    assert errors_in_output(output, None) == []


def test_the_log_of_a_go_test_is_an_error_only_where_the_test_fails() -> None:
    verbose = (
        "=== RUN   TestA\n    a_test.go:3: just saying\n--- PASS: TestA (0.00s)\n"
        "=== RUN   TestB\n    a_test.go:7: started\n    a_test.go:9: got 1, want 2\n--- FAIL: TestB (0.00s)\n"
    )
    quiet = "--- FAIL: TestB (0.00s)\n    a_test.go:9: got 1, want 2\nFAIL\n"
    assert [f.error.message for f in errors_in_output(verbose, None)] == ["got 1, want 2"]
    assert [f.error.place for f in errors_in_output(quiet, None)] == ["a_test.go:9"]
    assert (
        errors_in_output(
            "=== RUN   TestA\n    a_test.go:3: hi\n--- PASS: TestA (0.00s)\nok  \tp\t0.1s\n", None
        )
        == []
    )


def test_a_flood_of_errors_is_cut_to_the_first_and_last() -> None:
    output = "\n".join(f"a.c:{n}:1: error: bad {n}" for n in range(1000))
    messages = [f.error.message for f in errors_in_output(output, None)]
    assert len(messages) == 20
    assert messages[0] == "error: bad 0"


def test_colours_and_notes_of_the_harness_are_left_out_of_the_message() -> None:
    output = "\x1b[31mValueError: bad\x1b[0m[Python Interpreter: /usr/bin/python]"
    [found] = errors_in_output(output, None)
    assert found.error.message == "ValueError: bad"


def test_a_tool_error_is_its_first_line_without_the_tags() -> None:
    result = ToolResult(
        call_id="c", text="<tool_use_error>File does not exist.</tool_use_error>", is_error=True
    )
    [found] = tool_errors(result, None)
    assert (found.error.message, found.error.type) == ("File does not exist.", "tool")
    assert result.text[found.start : found.end] == "File does not exist."


def test_a_label_on_a_line_of_its_own_is_not_the_message() -> None:
    [found] = tool_errors(ToolResult(call_id="c", text="ERROR:\nInvalid `path` parameter: /x.\nmore"), None)
    assert found.error.message == "Invalid `path` parameter: /x."


def test_a_refused_edit_gives_the_reason() -> None:
    text = "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: x\n"
    [found] = tool_errors(ToolResult(call_id="c", text=text), None)
    assert found.error.message == "E999 IndentationError: x"


def test_a_file_that_a_tool_shows_is_no_error() -> None:
    assert tool_errors(ToolResult(call_id="c", text="1: raise ValueError('x')\n2: Error: y"), None) == []


def test_a_call_that_the_user_turned_down_was_not_run() -> None:
    assert was_not_run(
        ToolResult(call_id="c", text="The user doesn't want to proceed with this.", is_error=True)
    )
    assert not was_not_run(ToolResult(call_id="c", text="Exit code 1", is_error=True))


def test_an_error_of_the_api_is_read_where_a_reply_should_stand() -> None:
    found = api_error("API Error: 529 overloaded\nmore")
    assert found is not None
    assert found.error.message == "API Error: 529 overloaded"
    assert api_error("The API error is fixed.") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("timeout after 30s", "timeout after 45s"),
        ("<Cart at 0x7f12ab>", "<Cart at 0x55cd01>"),
        ("cannot read /tmp/a1/cart.py", "cannot read /home/x/cart.py"),
    ],
)
def test_numbers_addresses_and_folders_do_not_make_another_error(one: str, other: str) -> None:
    assert error_signature(ErrorMessage(message=one)) == error_signature(ErrorMessage(message=other))


def test_the_same_message_in_another_file_is_another_error() -> None:
    one = ErrorMessage(message="undefined: x", place="a.go:3")
    other = ErrorMessage(message="undefined: x", place="b.go:3")
    assert error_signature(one) != error_signature(other)


@given(st.text("aE :\n\t().Error-1[]\x1b\\/'FAILmgo", max_size=200), st.booleans())
def test_every_range_holds_its_message(text: str, quotes: bool) -> None:
    for found in errors_in_output(text, None, quotes=quotes):
        assert found.error.message in without_colours(text[found.start : found.end])
