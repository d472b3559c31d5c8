from __future__ import annotations

import textwrap

import pytest

from tamis.ledger.files.python_scripts import read_python


def deeds(code: str, *argv: str) -> list[str]:
    effects = read_python(textwrap.dedent(code), "/repo", argv)
    return [f"{d.action} {d.path}{'' if d.certain else ' ?'}" for d in effects.deeds]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("open('a', 'w')", ["written a"]),
        ("open('a', mode='ab')", ["written a"]),
        ("open('a', 'x')", ["created a"]),
        ("open('a', 'r+')", ["modified a"]),
        ("open('a')", ["read a"]),
        ("from pathlib import Path\n(Path('x') / 'a').write_text('')", ["written x/a"]),
        ("import os\np = os.path.join('x', 'a')\nos.remove(p)", ["deleted x/a"]),
        ("import shutil\nshutil.move('a', 'b')", ["renamed b"]),
        ("import shutil\nshutil.copy('a', 'b')", ["copied b"]),
        ("d = 'x'\nopen(f'{d}/a', 'w')", ["written x/a"]),
        ("for n in ['a', 'b']:\n    open(n + '.txt', 'w')", ["written a.txt", "written b.txt"]),
        ("for p, t in {'a': 'x', 'b': 'y'}.items():\n    open(p, 'w').write(t)", ["written a", "written b"]),
        ("def put(path):\n    open(path, 'w')\nput('a')", ["written a"]),
        ("def put(path):\n    open(path, 'w')", []),
        ("if x:\n    open('a', 'w')", ["written a ?"]),
        ("if __name__ == '__main__':\n    open('a', 'w')", ["written a"]),
        ("import sys\nopen(sys.argv[1], 'w')", ["written given"]),
        ("open(name(), 'w')", []),
        ("plt.savefig('a.png')", ["written a.png"]),
        ("def (", []),
    ],
)
def test_what_a_script_does(code: str, expected: list[str]) -> None:
    assert deeds(code, "script.py", "given") == expected


def test_a_file_that_is_read_and_written_back_was_there() -> None:
    code = """
    text = open('a.py').read()
    text = text.replace('old', 'new\\nline')
    open('a.py', 'w').write(text)
    """
    [deed] = read_python(textwrap.dedent(code)).deeds
    assert (deed.action, deed.lines_added, deed.lines_removed) == ("modified", 2, 1)


def test_shell_commands_of_a_script_are_handed_on() -> None:
    code = "import os, subprocess\nos.system('rm a')\nsubprocess.run(['rm', 'b'])"
    assert read_python(code).shell == ("rm a", "'rm' 'b'")


def test_endless_loops_come_to_an_end() -> None:
    code = "def f():\n    for x in ['a'] * 2:\n        f()\nf()"
    assert read_python(code).deeds == ()


def test_an_expression_nested_without_end_tells_nothing() -> None:
    assert read_python("x = " + "-" * 5000 + "1").deeds == ()
