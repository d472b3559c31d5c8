"""How a session ends: what is settled, not begun, answered, handed in."""

from __future__ import annotations

import pytest

from compactors.brief.talk import DONE, TASK, brief, edit, reading_of, section, use, write
from compactors.conversations import COUNTER, compact, run, say
from tamis.compactors.brief.choice.worth import default_worth
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.writing.turn_end import handing_in
from tamis.compactors.brief.writing.writer import write_brief
from tamis.messages import Message, Text, ToolCall, ToolResult

CHANGE = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
BACK = say("assistant", "I overlooked it. Now let me continue with the parser.", id="back")
ANSWER = 'User has answered your questions: "Which port?"="8443". You can now continue.'


def part(title: str, *span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), title))


@pytest.mark.parametrize(
    ("tool", "arguments", "how"),
    [
        ("finish", {}, "finish"),
        (
            "bash",
            {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt"},
            "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt",
        ),
    ],
)
def test_a_call_that_ends_the_work_needs_no_result(tool: str, arguments: dict[str, str], how: str) -> None:
    call = Message(id="x", role="assistant", parts=(ToolCall(id="x", name=tool, arguments=arguments),))
    assert part("Next", *CHANGE, call) == f"- the agent ended its work with `{how}` (#3)"


def test_a_question_is_settled_once_the_older_work_has_gone_on() -> None:
    why = say("user", "why did you not tell me of the lock")
    on = (*write("w", "/work/shop/src/parse.py", "x = 1\n"), say("assistant", "The parser stands.", id="s"))
    told = part("Next", *CHANGE, why, BACK, *on, *run("b", "ls src", "rows.py", 0))
    assert (
        "- under way (#0): Please make src/rows.py skip empty rows; what was asked since is settled (#3)"
        in told
    )


def test_a_question_that_was_answered_is_no_newest_call() -> None:
    told = part(
        "Next", *CHANGE, *use("q", "AskUserQuestion", ANSWER, questions=[{"question": "Which port?"}])
    )
    assert told.splitlines() == [
        "- to be taken up now, the user's answer to `Which port?` (#3): 8443",
        "- the newest request (#0) is not answered yet",
    ]


def test_an_answer_to_be_acted_on_stands_without_what_was_asked_long_before() -> None:
    why = say("user", "why did you not tell me of the lock")
    asks = use("q", "AskUserQuestion", ANSWER, questions=[{"question": "Which port?"}])
    told = part("Next", *CHANGE, why, BACK, *asks)
    assert told == "- to be taken up now, the user's answer to `Which port?` (#5): 8443"


def test_what_was_changed_for_the_newest_request_is_told_beside_it() -> None:
    asked = (*CHANGE, say("assistant", "Done.", id="d"), say("user", "Now mend the till.", id="n"))
    till = edit("b", "/work/shop/src/till.py", "b = 1", "b = 2")
    assert "is not answered yet; changed for it: till.py" in part("Next", *asked, *till)
    assert "changed for it" not in part("Next", *till)


def test_a_plan_behind_which_nothing_was_changed_is_to_be_carried_out() -> None:
    plan = write("w", "/work/shop/docs/plans/rows-plan.md", "# Plan\n\n1. Skip the rows.\n")
    told = part("Next", *CHANGE, *plan)
    assert "- the plan is docs/plans/rows-plan.md (#3), none of it begun: no file was changed since" in told
    assert "the plan is" not in part("Next", *plan, *CHANGE)
    assert "the plan is" not in part("Next", *plan, DONE)
    asked = say("user", "Write a short plan for it under docs/plans.", id="asked")
    told = part("Next", asked, *plan)
    assert "the plan asked for is written: /work/shop/docs/plans/rows-plan.md (#2), no file was" in told


def test_the_skill_that_was_taken_up_for_a_request_is_named_until_it_is_answered() -> None:
    path = "/home/me/.agent/skills/lock-plan/SKILL.md"
    read = use("r", "Read", "# Plan a lock", file_path=path)
    assert f"- the agent works by the skill lock-plan, taken up for it ({path})" in part("Next", *read)
    assert "lock-plan" not in part("Next", *read, *CHANGE, DONE)


def test_a_request_that_nothing_was_done_for_is_told_so() -> None:
    assert "(#3) is not begun: nothing was done for it yet" in part(
        "Next", *CHANGE, say("user", "Count them.")
    )


def test_how_the_work_is_handed_in_is_told_until_it_was() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += (
        "\nINSTRUCTIONS:\nWork alone.\nWhen you are done, submit your changes by running the submit command."
    )
    span = [say("user", harness, id="h"), *CHANGE]
    told = section(brief(span, 1_500), "Next")
    assert "- to hand it in: When you are done, submit your changes by running the submit command." in told
    ended = section(brief([*span, *run("s", "submit", "diff --git a/x b/x")], 1_500), "Next")
    assert not any("to hand it in" in line for line in ended)


def test_in_few_words_too_the_work_is_handed_in_only_when_it_is_done() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += (
        "\nINSTRUCTIONS:\nWork alone.\nWhen you are satisfied with all the changes that you made to the "
    )
    harness += "shop and have looked at each of them once more, submit them by running the submit command."
    told = section(brief([say("user", harness, id="h"), *CHANGE], 210), "Next")
    assert told[-1] == "- to hand it in when done: submit them by running the submit command."


def test_what_is_to_be_run_again_before_the_work_is_handed_in_is_told_with_it() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += "\nINSTRUCTIONS:\nWork alone.\nWhen you think it is mended, re-run your script on it.\n"
    harness += "When you are done, submit your changes by running the submit command."
    told = section(brief([say("user", harness, id="h"), *CHANGE], 1_500), "Next")
    assert (
        "When you think it is mended, re-run your script on it. Then: When you are done, submit" in told[-1]
    )


def test_what_is_handed_in_is_told_with_how_it_is_made() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += (
        "\nINSTRUCTIONS:\nRun `git diff > my.patch` for it.\nUse this command to submit: `cat my.patch`"
    )
    told = section(brief([say("user", harness, id="h"), *CHANGE], 1_500), "Next")
    assert told[-1] == (
        "- to hand it in: Run `git diff > my.patch` for it. Then: Use this command to submit: `cat my.patch`"
    )


def test_how_what_is_handed_in_is_made_is_not_told_where_it_is_made() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += (
        "\nINSTRUCTIONS:\nRun `git diff > my.patch` for it.\nUse this command to submit: `cat my.patch`"
    )
    made = run("m", "git diff -- src/rows.py > my.patch", "", 0)
    told = section(brief([say("user", harness, id="h"), *CHANGE, *made], 1_500), "Next")
    assert told[-1] == "- to hand it in: command to submit: `cat my.patch`"
    stale = edit("l", "src/rows.py", "return rows", "return kept")
    told = section(brief([say("user", harness, id="h"), *CHANGE, *made, *stale], 1_500), "Next")
    assert told[-1].startswith("- to hand it in: Run `git diff > my.patch`")


def test_what_is_looked_at_before_it_is_handed_in_is_told_between() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += "\nINSTRUCTIONS:\nRun `git diff > my.patch` for it.\nInspect my.patch once more.\n"
    harness += "Use this command to submit: `cat my.patch`"
    told = section(brief([say("user", harness, id="h"), *CHANGE], 1_500), "Next")
    assert "for it. Then: Inspect my.patch once more. Then: Use this command to submit" in told[-1]


def test_a_newest_call_that_was_stopped_is_told_as_stopped() -> None:
    call, _ = use("t", "task", "", description="Commit all", prompt="Please commit. " * 40)
    stopped = ToolResult(call_id="t", text="Tool execution aborted", is_error=True)
    text = brief([TASK, call, Message(id="r", role="tool", parts=(stopped,))], 200)
    assert "handed to another agent: Commit all → aborted, no result" in text
    assert "\n> (stopped" not in text
    assert "with its result there" not in text


def test_files_beyond_those_that_are_listed_are_in_no_folder() -> None:
    files = ("src/a.py", "src/b.py", "docs/c.md", "web/d.js")
    changes = [m for n, f in enumerate(files) for m in edit(f"e{n}", f"/work/shop/{f}", "one", "two")]
    text = brief([say("user", "Mend the rows. " * 40, id="long"), *changes], 150)
    assert "- changed: web/d.js; docs/c.md; src/b.py; 1 more file" in section(text, "State")


def test_a_script_that_only_a_later_run_tries_is_no_edit_since_an_earlier_one() -> None:
    first = (*write("w", "/work/shop/one.py", "x = 1\n"), *run("r", "python one.py", "all is well", 0))
    second = (*write("v", "/work/shop/two.py", "x = 1\n"), *run("s", "python two.py", "well again", 0))
    assert "earlier run (#3, the agent's script): ran `python one.py`" in part(
        "State", *CHANGE, *first[2:], *first[:2], *second
    ).replace(", files made since", "")
    assert "earlier run (#5, the agent's script): ran `python one.py`" in part(
        "State", *CHANGE, *first, *second
    )


def test_a_task_older_than_the_newest_request_says_as_of_when() -> None:
    todos = [{"content": "Count the rows", "status": "in_progress", "priority": "high"}]
    listed = use("t", "todowrite", "[]", todos=todos)
    assert part("State", *listed) == "- [~] Count the rows"
    assert part("State", *listed, say("user", "Now the tills.")) == "- [~] Count the rows (as of #1)"


def test_a_budget_that_holds_nothing_is_told_with_the_least_that_does() -> None:
    talk = [TASK, *run("a", "cat src/rows.py", "rows = 1\n" * 90, 0), say("assistant", "It is done.", id="d")]
    made = compact("ledger", talk, 20)
    assert made.outcome == "unmet"
    assert made.warnings == ("nothing of the conversation fits 20 tokens: give it 48 or more",)


def test_that_no_older_file_was_changed_is_said_only_where_nothing_of_its_own_ran() -> None:
    said = "- no file that was there before was changed"
    made = write("w", "/work/shop/fix_rows.py", "open('src/rows.py', 'w').write('rows = []')\n")
    assert said in section(brief([TASK, *made]), "State")
    assert said not in section(brief([TASK, *made, *run("r", "python fix_rows.py", "done", 0)]), "State")
    tried = write("t", "/work/shop/repro.py", "print(rows)\n")
    assert said in section(brief([TASK, *tried, *run("r", "python repro.py", "done", 0)]), "State")


def test_that_what_was_changed_was_put_back_is_said() -> None:
    back = run("r", "git checkout /work/shop/src/rows.py", "", 0)
    told = section(brief([*CHANGE, *back, *write("w", "/work/shop/note.md", "one\n")]), "State")
    assert "- no file that was there before stands changed" in told


def test_a_user_who_ended_the_program_is_not_waited_for() -> None:
    left = Message(
        id="x", role="user", parts=(Text(text="<command-name>/exit</command-name>"),), origin="meta"
    )
    talk = [*CHANGE, say("assistant", "Rows are skipped.", id="s"), left]
    assert part("Next", *talk) == "- the agent has answered the newest request (#0); the user left (#4)"
    assert "left" not in part("Next", *talk, say("user", "Count them.", id="more"))


def test_of_a_file_just_read_stands_what_the_newest_request_names() -> None:
    rows = "".join(f"    step_{n}(table, places[{n}])\n" for n in range(60))
    page = f"def load(table):\n{rows}    empty_cells = drop(table)\n    return empty_cells\n"
    ask = say("user", "Compare empty_cells with a literal.", id="ask")
    told = brief([TASK, *CHANGE, ask, *use("r", "Read", page, file_path="/work/shop/src/load.py")], 200)
    assert "empty_cells = drop(table)" in section(told, "Next")[0]


def test_a_result_whose_text_stands_in_the_story_is_not_told_twice() -> None:
    page = "".join(f"step_{n}(table, places[{n}])\n" for n in range(40))
    looked = [TASK, *CHANGE, *use("r", "Read", page, file_path="/work/shop/src/load.py")]
    passages = list(passages_of(looked, range(len(looked)), 900))
    full = write_brief(reading_of(looked), worth=default_worth(), counter=COUNTER, room=1_500, extra=passages)
    assert full is not None
    assert "#4 `Read load.py` printed:" in full.text
    assert "newest result" not in full.text
    assert "- newest result (of #3): Read" in brief(looked, 600)


def test_a_talk_that_was_handed_over_waits_for_nobody() -> None:
    asked = say("user", "Let me talk to somebody else.", id="asked")
    moved = use("t", "transfer_to_human_agents", "Transfer successful", summary="Wants a refund.")
    told = say("assistant", "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.", id="told")
    text = brief([TASK, *CHANGE, asked, *moved, told, say("user", "###TRANSFER###", id="end")], 1_500)
    assert section(text, "Next") == [
        "- the user was handed over to a person with `transfer_to_human_agents` (#4)"
    ]
    assert "###TRANSFER" not in text
    assert "PLEASE HOLD ON" not in text


def test_a_token_that_ends_a_talk_says_that_the_user_left() -> None:
    end = say("user", "That should be all for today. Thanks for your help! ###STOP###", id="end")
    told = part("Next", *CHANGE, say("assistant", "The rows are skipped.", id="done"), end)
    assert told == "- the agent has answered the newest request (#0); the user left (#4)"


def test_a_newest_call_that_only_warned_is_no_result() -> None:
    warned = run("p", "pip install -qr all.txt | tail -5", "WARNING: Running pip as the 'root' user", 0)
    assert "- last call (#3): bash pip install -qr all.txt | tail -5; no error was seen" in part(
        "Next", *CHANGE, *warned
    )


def test_what_was_installed_stands_under_state_and_not_in_the_story() -> None:
    first = run("p", "pip install tills -q", "", 0)
    second = run("q", "pip install cells==2", "Successfully installed cells-2", 0)
    text = brief([TASK, *CHANGE, *first, *second, DONE], 1_500)
    assert "- installed: tills, cells" in text
    assert text.count("cells") == 1


def test_a_package_that_was_missing_and_was_installed_is_told_so() -> None:
    failed = run("r", "python check.py", "ModuleNotFoundError: No module named 'tills'", 1)
    installed = run("p", "pip install tills -q", "WARNING: Running pip as the 'root' user", 0)
    since = "No module named 'tills' (tills was installed since, #5)"
    assert since in part("State", *CHANGE, *failed, *installed)
    refused = run("p", "pip install tills -q", "ERROR: No matching distribution found for tills", 1)
    assert "was installed since" not in part("State", *CHANGE, *failed, *refused)


def test_what_the_user_said_in_stopping_a_call_is_told_with_what_is_next() -> None:
    refusal = "The user doesn't want to proceed with this tool use. The user said:\ntakes too long."
    stopped = use("s", "Bash", refusal, command="make soak")
    following = part("Next", *CHANGE, *stopped, say("assistant", "All done: the rows are skipped.", id="d"))
    assert "the user's newest word, in stopping #3 (Bash make soak): takes too long." in following
    whole = brief([*CHANGE, *stopped, say("assistant", "All done: the rows are skipped.", id="d")])
    assert whole.count("takes too long") == 1


def test_how_the_work_is_handed_in_has_a_short_form() -> None:
    how = "When all is well and the tests pass, then you can submit your work by running the submit command."
    task = f"Please mend the importer.\n\n{'It reads each table twice. ' * 30}\n\nINSTRUCTIONS:\n{how}\n"
    short = handing_in(reading_of([say("user", task, id="t"), *CHANGE]), briefly=True)
    assert short == "submit your work by running the submit command."


def test_of_a_message_that_takes_the_one_before_back_only_the_rest_is_told() -> None:
    wrong = [say("user", "Put the badger in the book.", id="w"), *run("c", "cat book.txt", "page 1\nfox", 0)]
    back = say("user", "Sorry, wrong chat. Ignore last message. The report could be shorter.", id="b")
    text = brief([*CHANGE, say("assistant", "The rows are skipped.", id="d"), *wrong, back])
    assert "> The report could be shorter." in text
    assert not any(word in text for word in ("badger", "wrong chat", "book.txt"))


def test_a_silent_call_that_hides_its_errors_says_that_it_printed_nothing() -> None:
    hidden = part("Next", *CHANGE, *run("s", "cat till.cfg 2>/dev/null; ls tills || true", "", 0))
    assert hidden.count("; it printed nothing") == 1
    assert "no error was seen" not in hidden
    assert "no error was seen" in part("Next", *CHANGE, *run("s", "touch till.cfg", "", 0))
