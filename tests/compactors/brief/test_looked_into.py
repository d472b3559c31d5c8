"""What the agent supposed before it looked, and what a run came to that was made again."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts, told
from compactors.conversations import run, say
from tamis.messages import Message, Text, ToolCall

ROWS = "/work/shop/src/rows.py"


def said(*messages: Message) -> str:
    """What is told of the agent's words."""
    return "\n".join(texts([TASK, *messages], "said", "found", "concluded", "thought"))


def looks(words: str, call_id: str = "look") -> list[Message]:
    """A message that supposes something and goes to look, with what it saw."""
    call, result = run(call_id, "grep -n rows src/shop.py", "12: rows = read_rows(path)", 0)
    return [Message(id=f"w-{call_id}", role="assistant", parts=(Text(text=words), *call.parts)), result]


SUPPOSED = "The import replaced the wrong rows. The problem is that `rows` is a module too. Let me check it."


def test_a_supposed_cause_goes_where_a_look_finds_nothing_amiss() -> None:
    fine = say("assistant", "The references are correct. The rows come from `read_rows`.")
    wrong = say("assistant", "The references are not correct. The rows come from `read_rows`.")
    assert "wrong rows" not in said(*looks(SUPPOSED), fine)
    assert "module too" not in said(*looks(SUPPOSED), fine)
    assert "module too" in said(*looks(SUPPOSED), wrong)


def test_a_supposed_cause_goes_where_the_next_account_names_all_that_it_names() -> None:
    account = "The problem is clear: `rows` hides the function `read_rows` of the same call."
    other = "The problem is clear: `shop` hides the function `read_rows` of the same call."
    assert "module too" not in said(*looks(SUPPOSED), say("assistant", account))
    assert "module too" in said(*looks(SUPPOSED), say("assistant", other))


def test_a_cause_that_led_to_an_edit_stands() -> None:
    account = say("assistant", "The problem is clear: `rows` hides the function `read_rows`.")
    assert "module too" in said(*looks(SUPPOSED), *edit("e", ROWS, "rows = 1", "found = 1"), account)


def test_a_look_that_finds_all_as_it_should_be_is_not_told() -> None:
    call, result = run("g", "grep -n time src/shop.py", "12: import time", 0)
    assert "still used" not in said(
        call, result, say("assistant", "Good, `time` is still used."), *looks("Then.")
    )


def test_a_failed_run_that_was_made_again_says_that_nothing_of_it_is_known() -> None:
    call, result = run("one", "go build -o shop", "./main.go:10:2: imported and not used", 1)
    again = Message(
        id="two",
        role="assistant",
        parts=(ToolCall(id="b", name="Bash", arguments={"command": "go build -o shop"}),),
    )
    later = [say("assistant", "Now the rows of the shop."), *edit("e", ROWS, "a = 1", "a = 2")]
    [failed] = texts([TASK, call, result, *later], "failed")
    assert "run again" not in failed
    [failed] = texts([TASK, call, result, again, *later], "failed")
    assert failed.endswith("(run again, #3, with no result on record)")


def test_items_at_the_height_of_an_item_do_not_belong_to_what_opens_in_it() -> None:
    task = "Write a plan. It must:\n- weigh the first way. Say of it:\n  - is it quick?\n- name the best way."
    statements = told([say("user", task, id="plan")])
    [best] = [s for s in statements if "best way" in s.text]
    assert "Say of it:" not in [lead.text for lead in best.leads]
