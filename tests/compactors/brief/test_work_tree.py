"""State: what was committed, pushed and changed, and what git lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.brief.talk import DONE, TASK, brief, edit, reading_of, section, texts, use, write
from compactors.conversations import run, say
from tamis.compactors.completeness import find_missing
from tamis.messages import Message

COMMIT = run("c", "git commit -m 'Skip rows'", "[main 0a1b2c3] Skip rows", 0)
PUSH = run("p", "git push origin main", "To example.org:x.git\n   1..2  main -> main", 0)
ELSEWHERE = edit("x", "/work/shop/docs/use.md", "one", "two")


def state(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "State"))


def test_the_way_that_many_files_share_is_told_once() -> None:
    way = "/work/shop__trees/weigh-all-rows-in-grams"
    edits = [edit(n, f"{way}/{n}/rows.py", "a = 1", "a = 2") for n in ("till", "web", "docs")]
    (line,) = (x for x in state(*(m for pair in edits for m in pair), DONE).splitlines() if "changed: " in x)
    assert line.count("weigh-all-rows-in-grams") <= 1
    assert all(f"{name}/rows.py" in line for name in ("till", "web", "docs"))


def test_a_commit_that_another_agent_reports_is_one() -> None:
    report = "Committed everything.\n\n- Commit: `0a1b2c3`\n- The working tree is clean."
    helped = use("t", "Task", report, description="Commit", prompt="Commit it.", subagent_type="gitter")
    here = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    text = state(*here, *helped, DONE)
    assert "commit 0a1b2c3 (reported by another agent" in text
    assert "no commit made by a call" not in text


def test_changed_files_stand_by_folder_with_a_star_since_the_last_commit() -> None:
    before = (
        *ELSEWHERE,
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/src/io.py", "b = 1", "b = 2"),
    )
    after = edit("e", "/work/shop/src/io.py", "c = 1", "c = 2")
    assert "changed (* = since the last commit): src/: io.py*, rows.py; docs/use.md" in state(
        *before, *COMMIT, *after, DONE
    )


def test_without_a_commit_there_are_no_stars() -> None:
    assert "*" not in state(*edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), DONE)


def test_files_that_the_agent_made_stand_apart() -> None:
    made = state(
        *ELSEWHERE,
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *write("w", "/work/shop/src/new.py", "x = 1\n"),
        DONE,
    )
    assert "- changed: src/rows.py; docs/use.md" in made
    assert "- made: src/new.py" in made


def test_new_files_behind_the_last_run_are_told_apart_from_edits() -> None:
    told = state(
        *run("t", "pytest -q", "3 passed in 0.1s", 0),
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *write("n", "/work/shop/src/cells.py", "c = 1\n"),
        *edit("b", "/work/shop/src/cells.py", "c = 1", "c = 2"),
        DONE,
    )
    assert "last run (#1, edited and files made since)" in told


def test_what_git_lists_is_told_where_a_changed_file_is_not_among_it() -> None:
    change = (
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/docs/use.md", "b = 1", "b = 2"),
    )
    listed = run("s", "git status --short", " M docs/use.md\n?? pages/", 0)
    both = run("s", "git status --short", " M docs/use.md\n M src/rows.py", 0)
    told = state(*COMMIT, *change, *listed, DONE)
    assert "- `git status` at #7 lists only: changed docs/use.md; new pages/" in told
    assert "clean in `git status` at #5: src/rows.py" in state(*change, *listed, DONE)
    assert "git status" not in state(*COMMIT, *change, *both, DONE)


def test_a_file_that_git_listed_as_new_is_made_though_it_is_listed_as_modified_later() -> None:
    span = (
        *write("n", "/work/shop/src/cells.py", "c = 1\n"),
        *run("s", "git status --short", "?? src/cells.py", 0),
        *edit("b", "/work/shop/src/cells.py", "c = 1", "c = 2"),
        *run("u", "git status --short", " M src/cells.py", 0),
    )
    assert "- made: /work/shop/src/cells.py" in state(*span, DONE)


def test_many_files_of_one_beginning_are_told_by_it() -> None:
    made = [message for n in range(6) for message in write(f"w{n}", f"/work/shop/try_{n}.py", "x = 1\n")]
    assert "try_*.py (6)" in state(*made)


def test_a_renamed_file_tells_where_it_came_from() -> None:
    moved = run("m", "git mv src/rows.py src/lines.py", "", 0)
    assert "- moved: src/: rows.py → lines.py" in state(*moved, DONE)
    changed = state(*moved, *edit("e", "src/lines.py", "a = 1", "a = 2"), DONE)
    assert "- moved: src/: rows.py → lines.py (and edited)" in changed
    assert "no file that was there before" not in changed


def test_what_was_read_is_told_where_nothing_was_changed_yet() -> None:
    looks = [
        m for n in range(3) for m in use(f"r{n}", "Read", "rows = 1", file_path=f"/work/shop/src/{n}.py")
    ]
    other = use("o", "Read", "# Shop", file_path="/work/shop/docs/use.md")
    told = state(*looks, *other)
    assert (
        "- no file was changed, as far as the calls show; read: /work/shop/docs/use.md; "
        "/work/shop/src/: 2.py, 1.py, 0.py" in told
    )
    assert "no file was changed" not in state(*looks, say("assistant", "I've drafted `docs/new.md`.", id="d"))
    assert "no file was changed" not in state(*looks, *edit("e", "/work/shop/src/0.py", "1", "2"))


def test_what_was_only_read_is_told_beside_what_was_changed() -> None:
    look = use("o", "Read", "# Shop", file_path="/work/shop/docs/use.md")
    told = state(*look, *edit("e", "/work/shop/src/0.py", "a = 1", "a = 2"))
    assert "- read, not changed: /work/shop/docs/use.md" in told


def git(call_id: str, command: str, output: str) -> tuple[Message, Message]:
    return run(call_id, f"git {command}", output, 0)


CHANGE = edit("chg", "/work/shop/src/rows.py", "a = 1", "a = 2")
TESTS = run("tests", "pytest -q", "3 passed in 0.1s", 0)


def test_tests_that_ran_in_one_command_with_their_commit_are_the_last_run() -> None:
    chain = run("k", "pytest -q && git commit -am 'x'", "9 passed in 0.1s\n[main 0a1b2c3] x", 0)
    assert "last run (#5): ran `pytest -q`: 9 passed" in state(*TESTS, *CHANGE, *chain, DONE)


def test_backups_patches_logs_and_what_is_put_back_are_no_edits() -> None:
    aside = (
        *run("a", "git diff > /work/shop/all.patch", "", 0),
        *run("b", "cp /work/shop/src/rows.py /work/shop/src/rows.py.backup", "", 0),
        *run("c", "pytest -q > /work/shop/out.txt", "", 0),
        *run("d", "echo later > $(mktemp -d)/x; printf done >&2; ls > /dev/null", "", 0),
    )
    told = state(*CHANGE, *TESTS, *aside, DONE)
    assert "edit" not in told
    assert "src/rows.py.backup" in told  # it lies about
    assert "all.patch" not in told


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -- /work/shop/src/rows.py",
        "git restore /work/shop/src/rows.py",
        "cp /work/shop/src/rows.py.orig /work/shop/src/rows.py",
    ],
)
def test_a_file_put_back_is_a_restore(command: str) -> None:
    told = state(*CHANGE, *TESTS, *run("r", command, "", 0), DONE)
    assert "last run (#3, restored since): ran `pytest -q`: 3 passed" in told
    assert ("changed: " in told) is command.startswith("cp")  # who knows what the copy held


def test_a_scratch_file_made_and_removed_again_is_no_edit() -> None:
    scratch = (*write("w", "/work/shop/try.py", "x = 1\n"), *run("r", "rm /work/shop/try.py", "", 0))
    assert "edit" not in state(*CHANGE, *TESTS, *scratch, DONE)


def test_a_file_that_another_was_moved_over_was_there_before() -> None:
    moved = run("m", "sed s/1/2/ src/rows.py > /tmp/new && mv /tmp/new src/rows.py", "", 0)
    told = state(*run("c", "cat src/rows.py", "a = 1", 0), *moved, DONE)
    assert "changed: src/rows.py" in told
    assert "made" not in told


def test_a_clean_tree_has_nothing_uncommitted() -> None:
    later = edit("l", "/work/shop/src/io.py", "b = 1", "b = 2")
    clean = git("s", "status", "On branch main\nnothing to commit, working tree clean")
    told = state(*CHANGE, *COMMIT, *later, *clean, DONE)
    assert "last commit 0a1b2c3 (#3), no push seen; nothing uncommitted (#7)" in told
    assert "*" not in told


def test_a_status_says_which_file_was_there_before() -> None:
    copied = run("k", "cp /work/other/rows.py /work/shop/src/rows.py", "", 0)
    told = state(*copied, *git("s", "status --short", " M src/rows.py\n"), DONE)
    assert "changed: /work/shop/src/rows.py" in told


def test_a_log_shows_a_commit_that_was_not_made_here() -> None:
    log = git("l", "log --oneline -2", "5b2c3d4 Count rows\n0a1b2c3 Skip rows")
    status = git(
        "s",
        "status",
        "Your branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean",
    )
    assert "last commit 5b2c3d4 (git log at #3), pushed" in state(*COMMIT, *log, *status, DONE)


def test_a_quiet_commit_is_named_by_its_message() -> None:
    assert 'last commit "Skip rows" (#1), no push seen' in state(
        *git("c", "commit -qm 'Skip rows'", ""), DONE
    )


@pytest.mark.parametrize(
    ("command", "output"),
    [("branch --show-current", "rows"), ("status -sb", "## rows...origin/rows\n M src/rows.py\n")],
)
def test_the_branch_is_the_one_that_was_seen_last(command: str, output: str) -> None:
    assert "on branch rows; last commit 0a1b2c3" in state(*COMMIT, *git("b", command, output), DONE)


def test_what_another_agent_commits_leaves_nothing_uncommitted() -> None:
    helped = use("t", "task", "- 0a1b2c3: Skip rows\nWorking tree is clean; commit done.", prompt="Commit.")
    told = state(*edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), *helped, DONE)
    assert "last commit 0a1b2c3 (#3), no push seen; nothing uncommitted (#4)" in told
    assert "after the last edit" not in told


def test_files_changed_elsewhere_give_way_to_those_made_for_the_work() -> None:
    plan = write("w", "/home/ann/shop/plan.md", "# Plan\n")
    span = [TASK, *plan, *edit("a", "/home/ann/notes/own.md", "a", "b")]
    told = section(brief([replace(m, cwd="/home/ann/shop") for m in span], 104), "State")
    assert any(line.startswith("- made") for line in told)
    assert not any(line.startswith("- changed") for line in told)


def test_what_a_program_keeps_in_the_home_is_in_no_commit() -> None:
    notes = edit("n", "/home/ann/.agent/notes.md", "a", "b")
    commit = run("c", "git commit -m 'Skip rows'", "[main 0a1b2c3] Skip rows\n 1 file changed", 0)
    span = [TASK, *notes, *edit("a", "/home/ann/shop/src/rows.py", "a", "b"), *commit]
    told = section(brief([replace(m, cwd="/home/ann/shop") for m in span], 1_500), "State")
    assert "- changed outside the repository: /home/ann/.agent/notes.md" in told
    assert any(
        line.startswith("- changed") and "src/rows.py" in line and "notes" not in line for line in told
    )


def test_a_log_from_before_the_newest_request_does_not_tell_where_the_branch_is() -> None:
    log = run("l", "git log --oneline -1", "0a1b2c3 Skip rows", 0)
    later = [*log, say("user", "Now the notes.", id="b"), *edit("e", "/w/src/rows.py", "a", "b")]
    assert "- no commit made by a call" in section(brief([TASK, *later]), "State")


def test_what_git_lists_behind_the_last_change_is_told_to_be_uncommitted() -> None:
    span = [TASK, *edit("e", "/w/src/rows.py", "a", "b")]
    status = run("s", "git status -s", " M src/rows.py", 0)
    assert "- changes uncommitted (#3)" in section(brief([*span, *status]), "State")
    assert "commit" not in brief(span)
    assert "- no commit made by a call" in section(
        brief([*span, say("assistant", "See `git diff`.")]), "State"
    )


def test_what_the_user_says_to_have_removed_does_not_stand_as_made() -> None:
    made = write("w", "/work/shop/docs/plan.md", "# Plan\n")
    told = state(*ELSEWHERE, *made, DONE, say("user", "I removed the docs files, now count them."), DONE)
    assert "removed by the user (#" in told
    tills = [
        m for name in ("till_one", "till_onerow") for m in write(name, f"/work/shop/{name}.py", "a = 1\n")
    ]
    own = state(*ELSEWHERE, *tills, DONE, say("user", 'I removed the "one" file.'), DONE)
    assert "till_one.py" in own.partition("removed by the user (#")[2].partition("\n")[0]
    assert "- made: docs" not in told


def test_what_a_call_clears_away_under_tmp_where_none_made_it_is_not_told() -> None:
    assert not texts([TASK, *run("c", "cd /tmp && rm -rf trial && mkdir trial", "", 0)], "changed")


def test_where_all_was_changed_since_the_commit_one_word_says_so() -> None:
    after = edit("e", "/work/shop/src/io.py", "c = 1", "c = 2")
    assert "changed (since the last commit): /work/shop/src/io.py" in state(*COMMIT, *after, DONE)


def test_what_a_package_manager_may_have_changed_is_listed_until_git_lists_it_as_perhaps() -> None:
    added = [*ELSEWHERE, *run("g", "go get x.org/re2", "ok", 0)]
    assert "go.mod (perhaps), go.sum (perhaps)" in state(*added, DONE)
    seen = *added, *run("s", "git status -s", " M go.mod\n", 0)
    assert "go.mod, go.sum (perhaps)" in state(*seen, DONE)
    later = (
        *run("c", "git commit -am wip", "[main 0a1b2c3] wip\n", 0),
        *run("t", "git status -s", "?? x\n", 0),
    )
    assert "go.mod, go.sum (perhaps)" in state(*seen, *later, DONE)


def test_what_the_user_removed_is_not_demanded_in_little_room() -> None:
    made = [
        *write("w", "/work/shop/plan.py", "a = 1\n"),
        DONE,
        say("user", "I removed plan.py.", id="r"),
        DONE,
    ]
    missing = find_missing(reading_of([TASK, *made]).state, ())
    assert not [d for d in missing if d.section == "files"]
    there = find_missing(reading_of([TASK, *made[:-2]]).state, ())
    assert [d.words for d in there if d.section == "files"] == ["/work/shop/plan.py"]


def test_changes_that_a_commit_holds_are_told_as_committed() -> None:
    change = edit("e", "/work/shop/src/rows.py", "a = 1", "a = 2")
    made = git("c", "commit -am 'Skip rows' && git status", "[main 0a1b2c3] Skip rows\n")
    assert "- changed (before the last commit): /work/shop/src/rows.py" in state(*change, *made, DONE)
    clean = git("d", "commit -am x && git status", "[main 0a1b2c3] x\nnothing to commit, working tree clean")
    assert "- changed (committed): /work/shop/src/rows.py" in state(*change, *clean, DONE)


def test_what_a_tracker_was_made_to_hold_is_state() -> None:
    issue = run("i", 'bd create "Weigh in grams"', "✓ Created issue: sh-12 — Weigh in grams", 0)
    pull = run("p", "gh pr create --title 'Skip rows' --body x", "https://example.org/o/r/pull/7", 0)
    assert "- created: sh-12 (Weigh in grams); PR #7 (Skip rows)" in state(*issue, *pull)
    assert "the request is not answered yet; made elsewhere: sh-12, PR #7" in brief(
        [TASK, *issue, *pull], 110
    )
    failed = run("p", "gh pr create --title 'Skip rows' --body x", "error: not logged in", 1)
    assert "created:" not in state(*failed)


def test_a_work_tree_that_was_handed_on_is_state_until_it_is_removed() -> None:
    add = run(
        "a", "workmux add grams -b -P job.md", "Created worktree 'grams'\nWorktree: /work/trees/grams", 0
    )
    told = "work tree grams was made and handed to another agent (#1)"
    assert f"- {told}; not looked at since" in state(*add)
    assert f"- {told}; looked at since (#3)" in state(
        *add, *run("l", "workmux status grams", "grams working", 0)
    )
    assert told not in state(*add, *run("r", "workmux remove grams", "Removed worktree 'grams'", 0))
    plain = git("g", "worktree add -b grams ../trees/grams", "Preparing worktree (new branch 'grams')")
    assert "- work tree grams was made (#1)" in state(*plain)
    own = edit("e", "/work/trees/grams/src/rows.py", "a = 1", "a = 2")
    assert "work tree grams" not in state(*plain, *own)


def test_a_file_that_stands_in_a_list_of_its_folder_is_not_missing() -> None:
    made = [m for n in ("a", "b") for m in write(n, f"/work/shop/{n}/__init__.py", "x = 1\n")]
    state_of = reading_of([TASK, *made]).state
    assert any("__init__.py" in m.words for m in find_missing(state_of, ()))
    told = say("user", "- made: /work/shop/a/: __init__.py, rows.py; /work/shop/b/: __init__.py")
    assert not any("__init__.py" in m.words for m in find_missing(state_of, (told,)))


def test_a_folder_that_was_listed_is_no_file_that_was_read() -> None:
    span = [TASK, *use("d", "Read", "a.py\nb.py", file_path="/work/shop/src/")]
    for name in ("src/a.py", "src/b.py", "doc/use.md", "setup.cfg"):
        span += use(name, "Read", "a = 1", file_path=f"/work/shop/{name}")
    span += run("f", "find . -name '*.md' -exec cat {} \\;", "# Shop", 0)
    told = "\n".join(section(brief([replace(m, cwd="/work/shop") for m in span], 1_500), "State"))
    assert "read: setup.cfg; doc/use.md; src/: b.py, a.py" in told


def test_files_that_are_clean_are_committed_where_the_agent_says_so_of_the_newest_commit() -> None:
    span = [
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/src/till.py", "b = 1", "b = 2"),
        *run("s", "git status -s", " M src/till.py", 0),
        *run("l", "git log --oneline -2", "0a1b2c3 Skip rows\n1b2c3d4 Start", 0),
    ]
    said = say("assistant", "The branch already had the rows committed in commit 0a1b2c3.", id="said")
    assert "`git status` at #5 (committed in 0a1b2c3, the agent says, #9): rows.py" in state(*span, said)
    assert "`git status` at #5: rows.py" in state(*span, DONE)
