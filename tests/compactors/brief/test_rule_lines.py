"""Rules: what of the user's words binds, and what has room."""

from __future__ import annotations

from compactors.brief.talk import brief, edit, reading_of
from compactors.conversations import COUNTER, run, say
from tamis.compactors.brief.writing.rule_lines import rules_of

FILLER = "The importer of the warehouse reads every table twice and keeps the second copy. "
HARNESS = (
    "Please mend the importer. Never touch prices.csv.\n\n"
    + FILLER * 9
    + "\n\nINSTRUCTIONS:\nDo not modify the tests.\nNever answer in more than one sentence.\n"
)


def rules(*said: str, room: int = 1_000) -> tuple[str, ...]:
    return rules_of(reading_of([say("user", text) for text in said]), COUNTER, room)


def test_a_rule_stands_to_the_letter() -> None:
    assert rules("Never touch prices.csv, another program writes it.") == (
        "> Never touch prices.csv, another program writes it.",
    )


def test_rules_stand_in_the_order_in_which_they_were_said() -> None:
    found = rules("Never touch prices.csv.", "Never rename src/rows.py.")
    assert found == ("> Never touch prices.csv.", "> Never rename src/rows.py.")


def test_a_harness_is_heard_only_where_it_forbids_deeds() -> None:
    lines = rules(HARNESS)
    assert "> Never touch prices.csv." in lines
    assert "> Do not modify the tests." in lines
    assert not any("one sentence" in line for line in lines)


def test_a_line_that_ends_in_a_colon_is_no_rule() -> None:
    assert rules("You must never do the following:") == ()


def test_a_pasted_error_is_no_rule() -> None:
    assert rules("ValueError: rows must never be empty") == ()


def test_the_newest_stand_where_room_is_short() -> None:
    said = [f"Never touch the folder vendor{n}, somebody else owns it." for n in range(9)]
    found = rules(*said, room=100)
    assert 0 < len(found) < 9
    assert found == tuple(f"> {text}" for text in said[-len(found) :])


def test_what_the_agent_says_binds_nobody() -> None:
    reading = reading_of([say("user", "Mend it."), say("assistant", "You must never touch prices.csv.")])
    assert rules_of(reading, COUNTER, 1_000) == ()


def test_a_rule_for_a_time_goes_when_the_user_allows_what_it_was_about() -> None:
    said = ("Leave Kestrel alone for now, I tell you when.", "The format is out. You can do Kestrel now.")
    assert not any("Leave Kestrel" in line for line in rules(*said))


def test_a_rule_for_a_time_stands_while_something_else_is_allowed() -> None:
    said = ("Leave Kestrel alone for now, I tell you when.", "You can do Polder now.")
    assert rules(*said) == ("> Leave Kestrel alone for now, I tell you when.",)


def test_a_rule_stands_once_where_room_is_short() -> None:
    task = say("user", "Please mend the importer. Never touch prices.csv, another program writes it.")
    text = brief([task, say("assistant", "The importer reads rows twice because of the cache.")], room=150)
    assert text.count("Never touch prices.csv") == 1
    assert "> Please mend the importer." in text


def test_a_request_is_told_whole_where_there_is_room() -> None:
    words = "Please mend the importer. Never touch prices.csv."
    assert f"> {words}" in brief([say("user", words), say("assistant", "It reads twice.")], room=2_000)


def test_a_short_request_is_told_though_a_rule_holds_its_words() -> None:
    talk = [say("user", "Commit it. Do not push."), say("assistant", "Committed."), say("user", "push")]
    assert "> push\n" in brief([*talk, say("assistant", "The branch is on the server now.")], room=400)


def test_a_rule_of_one_long_request_names_it_once_others_follow() -> None:
    steps = "".join(f"- Read the table of till {n}.\n" for n in range(9))
    task = f"{FILLER * 8}\n\n{steps}\nRules:\n- Do not push.\n- Never touch prices.csv.\n"
    for room in (300, 1_000):
        assert rules(task, "Count the rows.", room=room) == (
            "> Never touch prices.csv.",
            "- said with the request #0:",
            "> Do not push.",
        )
    assert rules("Count the rows.", task) == ("> Do not push.", "> Never touch prices.csv.")


def test_of_a_list_of_steps_that_another_follows_only_what_it_forbids_binds() -> None:
    steps = "".join(f"- Read the table of till {n}.\n" for n in range(9))
    older = f"{FILLER * 8}\n\n{steps}\nRules:\n- Do not push.\n- Prefer short names.\n"
    assert "> Prefer short names." in rules(older, "Count the rows.")
    assert rules(older, steps) == ("- said with the request #0:", "> Do not push.")


def test_a_rule_that_opens_code_stands_with_it() -> None:
    long = (
        FILLER * 9 + "\n\nYou must always run this exact command:\n```\nmake all\n```\n\nMend the importer."
    )
    assert rules(long) == (
        "> You must always run this exact command:",
        "> ```",
        "> make all",
        "> ```",
    )


def test_what_goes_back_to_something_named_before_is_no_rule() -> None:
    assert rules("Each one should always have a title of its own.") == ()


def test_of_a_projects_rules_for_agents_those_on_what_others_see_or_lose_stand_behind_the_users() -> None:
    file = "# AGENTS.md instructions for /work/shop\n\n- Stage explicit paths only.\n- Prefer short names.\n"
    span = [say("user", file, id="f", origin="meta"), say("user", "Never touch prices.csv.", id="u")]
    assert rules_of(reading_of(span), COUNTER, 1_000) == (
        "> Never touch prices.csv.",
        "- of the project's rules for agents, #0:",
        "> Stage explicit paths only.",
    )


def test_what_a_harness_bounds_of_the_work_is_a_rule() -> None:
    task = say(
        "user", "ISSUE:\nRows are lost\nINSTRUCTIONS:\nYou cannot use any interactive tools here.\nMend it."
    )
    assert "> You cannot use any interactive tools here." in brief([task, *run("a", "ls", "src", 0)], 2_000)


def test_of_a_harness_what_may_not_be_changed_goes_before_how_to_work() -> None:
    harness = "Mend src/rows.py.\n" + "It loses the last row of each table, day after day. " * 16
    harness += "\n# Task Instructions\n\n- DO NOT MODIFY: Tests, configuration files (setup.cfg and so on)\n"
    harness += "\n- Avoid interactive tools like vi or nano\n"
    text = brief([say("user", harness, id="h"), *edit("a", "src/rows.py", "a = 1", "a = 2")], 315)
    assert "> DO NOT MODIFY: Tests, configuration files" in text
    assert "> Avoid interactive" not in text.partition("## Story")[0]


def test_what_the_user_proposed_for_one_work_is_no_rule_of_all() -> None:
    proposed = "Let's NOT ring the bell if the only boat at the lock is the miller's."
    found = rules("Never touch prices.csv.", proposed, "How is the bell rung?")
    assert found == ("> Never touch prices.csv.", "- said with the request #1:", f"> {proposed}")


def test_a_rule_that_goes_on_in_the_next_line_stands_in_one() -> None:
    said = "Never ring the bell of the lock before nine while the miller's barge is in it,"
    [found] = rules(f"{said}\n9.30 on Sundays.")
    assert found == f"> {said} 9.30 on Sundays."
