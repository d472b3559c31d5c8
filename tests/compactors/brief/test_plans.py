"""Plans that the agent writes, puts up for approval, and begins."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, texts, use, write
from compactors.conversations import say
from tamis.messages import Message, Thinking

PLAN_PATH = "/home/dev/.claude/plans/quiet-otter.md"
PLAN = (
    "# Plan: Skip empty rows\n\n1. Replace `read_rows` by `priced_rows`, which drops rows without a price.\n"
)
PLAN += "2. Run `make test`; all of the tests must pass."
TURNED_DOWN = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing."
)
STOPPED = say("user", "[Request interrupted by user for tool use]", id="stop")
MUSING = Message(
    id="m",
    role="assistant",
    parts=(Thinking(text="`read_rows` could keep a flag; I can add a fallback later."),),
)


def section(text: str, name: str) -> str:
    """The lines of one section of a brief."""
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0]


def test_a_plan_is_told_while_nothing_of_it_is_begun() -> None:
    span = [TASK, MUSING, *write("p", PLAN_PATH, PLAN)]
    assert any("`priced_rows`, which drops" in text for text in texts(span))
    assert not any("a fallback later" in text for text in texts(span))
    begun = [*span, *edit("e", "/work/shop/src/rows.py", "read_rows", "priced_rows")]
    assert not any("which drops rows" in text for text in texts(begun, "said", "found", "concluded"))


def test_of_two_plans_the_newer_stands() -> None:
    other = write("q", PLAN_PATH, PLAN.replace("priced_rows", "paid_rows"))
    told = " ".join(texts([TASK, *write("p", PLAN_PATH, PLAN), *other], "said", "found", "concluded"))
    assert "paid_rows" in told
    assert "priced_rows" not in told


def test_a_plan_that_was_put_up_alone_is_told() -> None:
    put_up = use("x", "ExitPlanMode", "User has approved your plan.", plan=PLAN)
    assert any("`priced_rows`, which drops" in text for text in texts([TASK, *put_up]))


def test_a_plan_that_was_turned_down_waits_for_the_user() -> None:
    span = [TASK, *write("p", PLAN_PATH, PLAN), *use("x", "ExitPlanMode", TURNED_DOWN), STOPPED]
    told = brief(span, 600)
    assert "- the plan says:\n= " in section(told, "Story")
    assert "- the user turned down the agent's plan" in told
    assert "turned down the plan that the agent put up (#3) and is to say how to go on" in section(
        told, "Next"
    )
    assert "not approved, none of it begun" in section(told, "Next")
    assert "was stopped by the user" not in told


def test_what_the_user_says_in_turning_it_down_stands() -> None:
    no = use("x", "ExitPlanMode", f"{TURNED_DOWN} the user said:\nUse a flag instead.")
    told = brief([TASK, *write("p", PLAN_PATH, PLAN), *no], 600)
    assert "the user's newest word, in stopping #3 (plan): Use a flag instead." in told


def test_a_plan_that_is_wrapped_is_told_in_whole_sentences() -> None:
    wrapped = (
        "# Plan\n\nMake the branch the *fallback*, gated on a conflict in `rows`, not\nthe default path.\n"
    )
    told = texts([TASK, *write("p", PLAN_PATH, wrapped)], "said", "found", "concluded")
    assert any("not the default path." in text for text in told)
    assert not any(text.startswith("the default path") for text in told)


def test_a_document_of_the_work_is_no_plan_to_be_approved() -> None:
    document = write("p", "/work/shop/docs/plans/2026-rows-plan.md", PLAN)
    assert not any(
        "which drops rows" in text for text in texts([TASK, *document], "said", "found", "concluded")
    )
