"""Deeds: what a script that the agent wrote has found, without what it prints in any case."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, edit, reading_of, texts, write
from compactors.conversations import run
from tamis.compactors.brief.reading.deeds.own_scripts import cases, computed, runs_one
from tamis.compactors.brief.reading.edits.seen_files import SeenFiles

SIEVE = """
print("Weighing the sacks")
print(f"sacks: {weigh()}")
try:
    grind()
    print("the mill runs")
    print("so flour is fine:")
    print("  - no grit is in it")
except GritError as error:
    print(f"grit: {error}")
print("-" * 40)
print("Flour should be free of grit now.")
print('''Remarks:
a stone wears off
''')
"""
CAME = """Weighing the sacks
sacks: 4
the mill runs
so flour is fine:
  - no grit is in it
----------------------------------------
Flour should be free of grit now.
Remarks:
a stone wears off
"""


def test_what_a_script_prints_in_any_case_is_no_result_of_its_run() -> None:
    told = texts([TASK, *write("a", "/w/sieve.py", SIEVE), *run("b", "python sieve.py", CAME, 0)], "tested")
    assert told == ["ran `python sieve.py` → Weighing the sacks ⏎ sacks: 4 ⏎ the mill runs"]


def test_nor_is_it_where_the_script_stands_in_the_command() -> None:
    inline = f"python - <<'END'\n{SIEVE}\nEND"
    assert texts([TASK, *run("b", inline, CAME, 0)], "tested")[0].endswith("⏎ the mill runs")


def test_a_script_that_prints_nothing_else_went_well() -> None:
    script = "mend()\nprint('Mended!')"
    span = [TASK, *write("a", "/w/mend.py", script), *run("b", "python mend.py", "Mended!", 0)]
    assert texts(span, "tested") == ["ran `python mend.py` → ok"]


@pytest.mark.parametrize(
    ("script", "came", "told"),
    [
        ("assert sacks == 4\nprint('all passed')", "all passed", "all passed"),
        ("print('all should pass')", "all should pass", ""),
        ("grind &&\necho 'ground'", "ground", "ground"),
        ("if dusty:\n    print('dust!')", "dust!", "dust!"),
        ("print('Expected: 4')", "sacks: 3\nExpected: 4", "sacks: 3\nExpected: 4"),
    ],
)
def test_what_hangs_on_a_condition_or_is_compared_stays(script: str, came: str, told: str) -> None:
    assert computed(came, script) == told


def test_of_several_cases_each_is_told() -> None:
    came = "".join(f"sack no {n}\nweight: {n * 3 - 7} kg of rye {'from the north ' * 9}\n" for n in range(4))
    span = [TASK, *write("a", "/w/w.py", "weigh()"), *run("b", "python w.py", came, 0)]
    told = "ran `python w.py` → sack no 0 | 1 | 2 | 3 ⏎ weight: -7 | -4 | -1 | 2 …"
    assert texts(span, "tested") == [told]


def test_cases_are_not_told_alone_where_something_else_came_last_or_was_amiss() -> None:
    rows = "in: 1\nin: 2\nin: 3\n"
    assert cases(rows, 99) == "in: 1 | 2 | 3"
    assert cases(f"{rows}the sum is wrong", 99) == ""
    assert cases(f"an error\n{rows}", 99) == ""


def test_what_a_script_showed_stays_where_it_tries_something_else_next() -> None:
    tries = ("import mill; print(mill.sieve(4))", "import mill; print(mill.sieve(5))")
    first, again, other = "left: 4", "left: 0", "left: 5"
    span = [
        TASK,
        *write("a", "/w/try.py", tries[0]),
        *run("b", "python try.py", first, 0),
        *edit("c", "/w/sieve.py", "pass", "drop()"),
        *run("d", "python try.py", again, 0),
        *edit("e", "/w/try.py", *tries),
        *run("f", "python try.py", other, 0),
    ]
    assert texts(span, "tested") == [
        "ran `python try.py` → left: 0 (at #3, before the last change: left: 4)",
        f"ran `python try.py` → left: 5 (at #9, its file was changed: `{tries[0]}` → `{tries[1]}`)",
    ]


def test_what_edits_of_lines_put_into_a_script_is_known_too() -> None:
    files = SeenFiles()
    files.shown["/w/try.py"] = {1: "pass"}
    files.put_in("/w/try.py", 1, 1, ["print('Done!')"])
    assert computed("sacks: 4\nDone!", files.script_of("python try.py")) == "sacks: 4"


def test_what_a_run_came_to_behind_a_change_of_the_work_weighs_more() -> None:
    runs = [run(name, "python try.py", came, 0) for name, came in (("b", "left: 4"), ("d", "left: 0"))]
    span = [TASK, *runs[0], *edit("c", "/w/sieve.py", "pass", "drop()"), *runs[1]]
    assert [s.flags for s in reading_of(span).statements if s.kind == "tested"] == [(), ("gain",)]


def test_a_script_of_the_agents_own_is_one_that_is_run() -> None:
    made = {"shop", "probe.py", "run_all"}
    ran = ("./shop", "go build -o shop && ./shop", "python -u /tmp/probe.py rows.json", "bash run_all")
    ran = (*ran, "docker exec web python probe.py", "uv run probe.py", "MODE=2 timeout 9 ./shop")
    assert [line for line in ran if not runs_one(line, made)] == []
    named = ("go build -o shop", "cat probe.py", "python count.py probe.py", "python -m py_compile probe.py")
    assert [line for line in (*named, "npx eslint run_all", "bash -n run_all") if runs_one(line, made)] == []


MOCK = """
class FakeMill:
    def grind(self): return 'flour'

print("BEFORE:")
print(f"grain: {FakeMill().grind()}")
"""


def test_a_script_that_makes_up_what_it_tries_shows_nothing_of_the_work() -> None:
    span = [TASK, *write("a", "/w/try.py", MOCK), *run("b", "python try.py", "BEFORE:\ngrain: flour", 0)]
    told = "ran `python try.py` → BEFORE: ⏎ grain: flour (runs nothing of the work)"
    assert texts(span, "tested") == [told]
    real = MOCK.replace("class", "from mill import Mill\nclass", 1)
    span = [TASK, *write("a", "/w/try.py", real), *run("b", "python try.py", "BEFORE:\ngrain: flour", 0)]
    assert texts(span, "tested") == ["ran `python try.py` → BEFORE: ⏎ grain: flour"]


DEMO = """
note = '''
def grind():  # the mill's
'''
print("BEFORE:")
print(note)
print("PROBLEM: \\"grain\\" fails!")
print("AFTER: fine flour")
"""


def test_of_a_script_that_only_recites_nothing_that_it_prints_is_a_result() -> None:
    came = 'BEFORE:\n\ndef grind():  # the mill\'s\n\nPROBLEM: "grain" fails!\nAFTER: fine flour\n' * 9
    span = [TASK, *edit("c", "/w/mill.py", "pass", "grind()"), *write("a", "/w/demo.py", DEMO)]
    told = "ran `python demo.py` → only text written in the script (runs nothing of the work)"
    assert texts([*span, *run("b", "python demo.py", came, 0)], "tested") == [told]
    assert texts([TASK, *write("a", "/w/demo.py", DEMO), *run("b", "python demo.py", came, 0)]) != [told]


UNITTEST = """grain: {}
test_grain (__main__.MillTest) ... ok

----------------------------------------------------------------------
Ran 1 test in 0.002s

OK
"""


def test_that_a_script_which_asserts_nothing_passed_is_no_result_but_what_it_printed_is() -> None:
    script = "import mill, unittest\nclass MillTest(unittest.TestCase):\n    def test_grain(self):\n{}"
    ran = run("b", "python try.py", UNITTEST.format("left over"), 0)
    span = [TASK, *write("a", "/w/try.py", script.format("        print('grain:', mill.grind())")), *ran]
    assert texts(span, "tested") == ["ran `python try.py` → grain: left over"]
    judged = script.format("        self.assertTrue(mill.grind())")
    assert texts([TASK, *write("a", "/w/try.py", judged), *ran], "tested") == [
        "ran `python try.py`: 1 passed"
    ]


def test_a_script_that_ends_in_a_verdict_is_told_by_it() -> None:
    code = "".join(f"def part_{n}(grain): return 'ground {n}'\n" for n in range(20))
    came = f"{code}\n✓ the mill grinds\n"
    span = [TASK, *write("a", "/w/try.py", "import mill\nmill.show()"), *run("b", "python try.py", came, 0)]
    assert texts(span, "tested") == ["ran `python try.py` → … ✓ the mill grinds"]


def test_a_script_that_stopped_at_an_import_tried_nothing() -> None:
    trace = """Traceback (most recent call last):
  File "/w/try.py", line {}, in <module>
    {}
  File "/w/mill.py", line 3, in <module>
    start()
RuntimeError: the mill is not set up
"""
    span = [TASK, *write("a", "/w/try.py", "from mill import grind\nprint(grind())")]
    told = "ran `python try.py` → RuntimeError: the mill is not set up"
    stopped = run("b", "python try.py", trace.format(1, "from mill import grind"), 1)
    assert texts([*span, *stopped], "failed") == [f"{told} (stopped at its imports: it tried nothing)"]
    ran = run("b", "python try.py", trace.format(2, "print(grind())"), 1)
    assert texts([*span, *ran], "failed") == [told]
    both = run(
        "b", "python mend.py && python try.py", "Mended.\n" + trace.format(1, "from mill import grind"), 1
    )
    assert "tried nothing" not in texts([*span, *both], "failed")[0]


def test_a_script_written_before_that_runs_behind_one_written_now_runs_the_work() -> None:
    span = [TASK, *write("a", "/w/try.py", "from mill import grind\nprint('ok', grind())")]
    span += edit("e", "/w/mill.py", "x = 1", "x = 2")
    line = "cat > mend.py <<'E'\nopen('mill.py', 'w').write('x = 3')\nE\npython mend.py && python try.py"
    [came] = texts([*span, *run("b", line, "ok 9 sacks", 0)], "tested")
    assert came == "ran `python mend.py && python try.py` → ok 9 sacks"


def test_a_script_that_ran_at_last_tells_how_often_it_failed_before_it_was_changed() -> None:
    span = [TASK, *write("a", "/w/try.py", "import mill\nmill.grind(0)")]
    for n in range(3):
        span += run(f"f{n}", "python try.py", f"MillError: no sack {n}", 1)
        span += edit(f"e{n}", "/w/try.py", f"grind({n})", f"grind({n + 1})")
    ran = run("r", "python try.py", "flour: 3", 0)
    note = "(at #11 and 2 times before it failed, last with: MillError: no sack 2)"
    assert texts([*span, *ran], "tested")[-1] == f"ran `python try.py` → flour: 3 {note}"
    assert texts([*span[:-4], *ran], "tested")[-1] == "ran `python try.py` → flour: 3"
