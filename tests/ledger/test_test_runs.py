from __future__ import annotations

import pytest

from tamis.ledger.events import TestRun
from tamis.ledger.outputs.test_runs import find_test_runs

PYTEST = """\
tests/test_cart.py ..F.E                                                 [100%]
=================================== FAILURES ===================================
E       assert 3 == 4
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total[a b] - assert 3 == 4
FAILED tests/test_cart.py::TestCart::test_empty - KeyError: 'sum'
ERROR tests/test_db.py - ModuleNotFoundError: No module named 'psycopg'
=============== 2 failed, 3 passed, 1 skipped, 1 error in 0.12s ================
"""
UNITTEST = """\
FAIL: test_total (tests.test_cart.CartTest)
----------------------------------------------------------------------
AssertionError: 3 != 4

----------------------------------------------------------------------
Ran 8 tests in 0.004s

FAILED (failures=1, errors=1, skipped=2, expected failures=1)
"""
DJANGO = """\
Creating test database for alias 'default'...
ERROR: test_save (shop.tests.OrderTests)
Ran 3 tests in 1.200s

FAILED (errors=1)
Destroying test database for alias 'default'...
"""
JEST = """\
  ● Cart › adds up the prices

    expect(received).toBe(expected)

Test Suites: 1 failed, 2 passed, 3 total
Tests:       1 failed, 1 skipped, 5 passed, 7 total
Snapshots:   0 total
"""
VITEST = """\
 FAIL  src/cart.test.ts > Cart > adds up
 Test Files  1 failed | 2 passed (3)
      Tests  1 failed | 11 passed (12)
"""
MOCHA = """
  4 passing (12ms)
  1 pending
  1 failing

  1) Cart
       adds up:
"""
GO = """\
--- FAIL: TestTotal (0.00s)
    cart_test.go:12: got 3, want 4
FAIL
FAIL\texample.com/shop/cart\t0.004s
ok  \texample.com/shop/order\t0.002s
FAIL
"""
GO_VERBOSE = """\
=== RUN   TestTotal
--- PASS: TestTotal (0.00s)
=== RUN   TestEmpty
--- SKIP: TestEmpty (0.00s)
ok  \texample.com/shop/cart\t0.004s
"""
GO_JSON = """\
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}
"""
CARGO = """\
test cart::adds_up ... FAILED
test result: FAILED. 4 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""
NEXTEST = """\
        FAIL [   0.004s] shop cart::adds_up
     Summary [   0.010s] 10 tests run: 9 passed, 1 failed, 2 skipped
"""
RSPEC = "5 examples, 1 failure, 1 pending\n\nrspec ./spec/cart_spec.rb:12 # Cart adds up\n"
PHPUNIT = "1) CartTest::testTotal\n\nFAILURES!\nTests: 5, Assertions: 9, Failures: 1, Skipped: 1.\n"
SUREFIRE = (
    "[ERROR]   CartTest.addsUp:12 expected 4\n[ERROR] Tests run: 6, Failures: 1, Errors: 1, Skipped: 1\n"
)
NODE = "✖ adds up (1.2ms)\nℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ skipped 0\n"
BUN = "(fail) Cart > adds up [0.20ms]\n\n 4 pass\n 1 fail\n 6 expect() calls\nRan 5 tests across 1 file.\n"
GOTESTSUM = "=== FAIL: example.com/cart TestTotal (0.00s)\n\nDONE 5 tests, 1 skipped, 1 failure in 0.8s\n"
GRADLE = "CartTest > adds up() FAILED\n\n5 tests completed, 1 failed, 1 skipped\n"
DOTNET = (
    "  Failed Cart.AddsUp [3 ms]\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n"
)
JUNIT = """\
<testsuites><testsuite name="cart" tests="5" failures="1" errors="0" skipped="1">
<testcase classname="Cart" name="addsUp"><failure message="3"/></testcase>
<testcase classname="Cart" name="isEmpty"/>
</testsuite></testsuites>
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            PYTEST,
            TestRun(
                runner="pytest",
                passed=3,
                failed=2,
                errors=1,
                skipped=1,
                failing=(
                    "tests/test_cart.py::test_total[a b]",
                    "tests/test_cart.py::TestCart::test_empty",
                    "tests/test_db.py",
                ),
            ),
        ),
        (
            UNITTEST,
            TestRun(
                runner="unittest",
                passed=3,
                failed=1,
                errors=1,
                skipped=3,
                failing=("test_total (tests.test_cart.CartTest)",),
            ),
        ),
        (
            DJANGO,
            TestRun(runner="unittest", passed=2, errors=1, failing=("test_save (shop.tests.OrderTests)",)),
        ),
        (JEST, TestRun(runner="jest", passed=5, failed=1, skipped=1, failing=("Cart › adds up the prices",))),
        (
            VITEST,
            TestRun(runner="vitest", passed=11, failed=1, failing=("src/cart.test.ts > Cart > adds up",)),
        ),
        (MOCHA, TestRun(runner="mocha", passed=4, failed=1, skipped=1, failing=("Cart adds up",))),
        (GO, TestRun(runner="go test", failed=1, failing=("TestTotal",))),
        (GO_VERBOSE, TestRun(runner="go test", passed=1, skipped=1)),
        (GO_JSON, TestRun(runner="go test", passed=1, failed=1, failing=("TestB",))),
        (CARGO, TestRun(runner="cargo test", passed=6, failed=1, skipped=1, failing=("cart::adds_up",))),
        (
            NEXTEST,
            TestRun(runner="cargo nextest", passed=9, failed=1, skipped=2, failing=("shop cart::adds_up",)),
        ),
        (RSPEC, TestRun(runner="rspec", passed=3, failed=1, skipped=1, failing=("./spec/cart_spec.rb:12",))),
        (PHPUNIT, TestRun(runner="phpunit", passed=3, failed=1, skipped=1, failing=("CartTest::testTotal",))),
        (
            SUREFIRE,
            TestRun(runner="surefire", passed=3, failed=1, errors=1, skipped=1, failing=("CartTest.addsUp",)),
        ),
        (NODE, TestRun(runner="node", passed=4, failed=1, skipped=0, failing=("adds up",))),
        (BUN, TestRun(runner="bun", passed=4, failed=1, failing=("Cart > adds up",))),
        (
            GOTESTSUM,
            TestRun(
                runner="gotestsum", passed=3, failed=1, skipped=1, failing=("example.com/cart TestTotal",)
            ),
        ),
        (GRADLE, TestRun(runner="gradle", passed=3, failed=1, skipped=1, failing=("CartTest > adds up()",))),
        (DOTNET, TestRun(runner="dotnet test", passed=4, failed=1, skipped=0, failing=("Cart.AddsUp",))),
        (JUNIT, TestRun(runner="junit", passed=3, failed=1, errors=0, skipped=1, failing=("Cart.addsUp",))),
    ],
    ids=lambda value: value.runner if isinstance(value, TestRun) else "",
)
def test_totals_and_failing_tests_of_each_runner(output: str, expected: TestRun) -> None:
    assert [found.run for found in find_test_runs(output, None)] == [expected]


def test_quiet_pytest_without_rulers_is_read() -> None:
    [found] = find_test_runs("..F\n1 failed, 2 passed in 0.03s\n", None)
    assert (found.run.failed, found.run.passed, found.run.skipped) == (1, 2, None)


def test_xdist_and_verbose_lines_name_the_failing_tests() -> None:
    output = "tests/test_a.py::test_x FAILED   [ 50%]\n==== 1 failed, 1 passed in 1.00s ====\n"
    [found] = find_test_runs(output, None)
    assert found.run.failing == ("tests/test_a.py::test_x",)


def test_colours_do_not_hide_a_run_and_the_range_covers_its_coloured_line() -> None:
    output = ".\n\x1b[31m=== \x1b[1m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m in 0.03s ===\x1b[0m\nbye"
    [found] = find_test_runs(output, None)
    assert (found.run.failed, found.run.passed) == (1, 2)
    assert output[found.start : found.end] == output.splitlines()[1]


def test_the_last_of_several_pytest_runs_counts() -> None:
    output = "=== 3 failed in 0.1s ===\n...\n=== 3 passed in 0.1s ===\n"
    [found] = find_test_runs(output, None)
    assert (found.run.failed, found.run.passed) == (None, 3)


@pytest.mark.parametrize(
    "output",
    [
        "All 3 items passed review in 2s",
        "1 warning in 0.01s",
        "no tests ran in 0.01s",
        "I ran 5 tests in my head",
        "Tests: they are in tests/",
        "PASS the salt",
        "1" * 9999 + " passed in 0.1s",
    ],
)
def test_words_about_tests_are_not_a_test_run(output: str) -> None:
    assert find_test_runs(output, None) == []


def test_packages_that_do_not_build_are_errors() -> None:
    [found] = find_test_runs("# p\np/a.go:3:1: undefined: x\nFAIL\tp [build failed]\nFAIL\n", None)
    assert (found.run.errors, found.run.failing) == (1, ("p",))


def test_go_packages_without_counts_are_green_but_deselected_tests_are_not() -> None:
    [counted] = find_test_runs("=== 3 deselected in 0.01s ===", None)
    [uncounted] = find_test_runs("ok  \tp\t0.01s\n", None)
    assert (counted.run.is_green, uncounted.run.is_green) == (False, True)
