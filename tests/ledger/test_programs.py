"""Which commands only read, and when two are runs of the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.outputs.commands import covers
from tamis.ledger.shell.programs import MAX_SUBJECT_CHARS, only_reads, run_subject


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q tests",
        "cd /repo && pytest -q tests",
        "cd /repo; pytest -q tests 2>&1 | tail -20",
        "CI=1 timeout 120 pytest -q tests | grep -v warn",
        "source .venv/bin/activate && pytest   -q tests; echo $?",
        "mkdir -p out && pytest -q tests > out/log 2>&1",
    ],
)
def test_preparation_and_trimming_do_not_make_another_run(command: str) -> None:
    assert run_subject(command, "/repo") == "pytest -q tests"


def test_another_folder_makes_another_run() -> None:
    assert run_subject("cd web && npm test", "/repo") == "cd /repo/web && npm test"


def test_a_script_written_and_run_is_a_run_of_the_script() -> None:
    written = "cat > repro.py <<'EOF'\nprint('pytest')\nEOF\npython repro.py"
    assert run_subject(written, None) == run_subject("python repro.py", None)


def test_arguments_stay_apart() -> None:
    assert run_subject("go test -run 'TestA|TestB' ./...", None) == "go test -run 'TestA|TestB' ./..."


def test_quotes_within_quotes_stay_as_a_shell_reads_them() -> None:
    assert run_subject("""python -c "print('ok')\"""", None) == """python -c "print('ok')\""""
    assert run_subject("""node -e "say('a', \\"b\\")\"""", None) == """node -e "say('a', \\"b\\")\""""


def test_long_commands_are_cut_and_stay_distinct() -> None:
    one, other = (run_subject(f"python -c '{'x' * 500}{n}'", None) for n in (1, 2))
    assert one != other
    assert len(one) <= MAX_SUBJECT_CHARS + 10


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat src/a.py", True),
        ("cd src && grep -rn 'error:' . | head -5", True),
        ("git diff HEAD~1", True),
        ("find . -name '*.py' | xargs grep Error", True),
        ("cat build.log", False),
        ("pytest | tail", False),
        ("git push", False),
        ("echo done", False),
        ("", False),
    ],
)
def test_reading_is_told_from_running(command: str, expected: bool) -> None:
    assert only_reads(command, None) is expected


@pytest.mark.parametrize(
    ("command", "other", "expected"),
    [
        ("pytest", "pytest tests/test_a.py::test_x", True),
        ("pytest tests", "pytest tests/test_a.py -x", True),
        ("pytest tests/test_a.py", "pytest tests/test_a.py::test_x", True),
        ("pytest tests/test_b.py", "pytest tests/test_a.py", False),
        ("pytest tests/test_a.py", "pytest", False),
        ("pytest tests -k cart", "pytest tests", False),
        ("pytest tests", "pytest tests -k cart", True),
        ("go test ./...", "go test ./pkg/cart", True),
        ("go test ./pkg/...", "go test ./cmd", False),
        ("cd /a && pytest", "cd /b && pytest", False),
    ],
)
def test_a_test_run_covers_what_lies_in_its_targets(command: str, other: str, expected: bool) -> None:
    assert covers(command, other) is expected


@given(st.text(max_size=80))
def test_any_text_has_a_subject_and_covers_itself(command: str) -> None:
    subject = run_subject(command, "/repo")
    assert covers(subject, subject)


def test_a_variable_set_for_a_run_makes_it_another_one() -> None:
    assert run_subject("CI=1 GOOS=windows go build ./...", None) == "GOOS=windows go build ./..."


def test_what_only_gives_a_command_its_words_is_not_the_run() -> None:
    searched = 'D=$(npm root) && grep -n retry "$D/queue/index.js"'
    assert only_reads(searched, None)
    assert "npm root &&" not in run_subject("cd $(npm root) && make all", None)


def test_a_run_on_what_another_command_lists_is_not_one_on_everything() -> None:
    assert run_subject("git ls-files -z | xargs -0 bunx biome check", None) == "xargs bunx biome check"


def test_asking_where_a_program_lies_is_no_run_of_it() -> None:
    assert "command -v shop" in run_subject("command -v shop || true", None)
