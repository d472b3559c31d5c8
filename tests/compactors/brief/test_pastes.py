"""Code and output that stand in a message of the user's without a fence around them."""

from compactors.conversations import say
from tamis.compactors.brief.reading.utterances import user_statements

FILLER = "The importer of the warehouse reads one file for each day of the month and says so. "
ISSUE = f"""Consider the following PR description:

Till.open() should not ask the bank when the name is missing
{FILLER * 9}
This is what it does:
\tdef open(self, name=None):
\t\tif name is None:
\t\t\tname = self.default()
\t\t# Here the name may still be missing,
\t\t# which the bank charges for.
\t\treturn self.bank.ask(name)
I suggest this instead:
\t\tif name is None:
\t\t\treturn
open() shall stay quick for all the others of them.
"""


def said(text: str) -> dict[str, tuple[str, ...]]:
    return {s.text: s.flags for s in user_statements(say("user", text), 0)}


def test_a_title_that_names_a_function_is_words_and_the_first_that_is_said() -> None:
    told = said(ISSUE)
    assert "first" in told["Till.open() should not ask the bank when the name is missing"]
    assert "prose" in told["open() shall stay quick for all the others of them."]


def test_who_reported_an_issue_and_on_what_machine_is_no_part_of_the_request() -> None:
    machine = "I'm working on a till of my own.\n\n### Environment info\n- Till version: 3.6\n\nINSTRUCTIONS:"
    told = said(ISSUE.partition("INSTRUCTIONS:")[0] + machine)
    assert "courtesy" in told["I'm working on a till of my own."]
    assert "paste" in told["- Till version: 3.6"]
    assert "final" not in told["- Till version: 3.6"]


def test_code_without_a_fence_stands_with_its_opener_and_keeps_how_its_lines_are_set_in() -> None:
    told = said(ISSUE)
    opened = (
        "This is what it does:\ndef open(self, name=None):\n\tif name is None:\n\t\tname = self.default()"
    )
    assert opened in told
    assert "wants" in told["I suggest this instead:\nif name is None:\n\treturn"]


def test_remarks_within_code_are_words_and_lean_on_what_opens_the_code() -> None:
    remarks = "\t# Here the name may still be missing,\n\t# which the bank charges for."
    [remark] = [s for s in user_statements(say("user", ISSUE), 0) if s.text == remarks]
    assert "prose" in remark.flags
    assert remark.leads[0].text.startswith("This is what it does:")


def test_what_a_slash_command_brings_in_is_not_what_the_user_says() -> None:
    fields = "".join(f"{name}:\tnone\n" for name in ("state", "author", "labels", "milestone"))
    shown = f"<persisted-output>\nOutput too large (600KB).\n{FILLER}\n</persisted-output>"
    text = (
        f"## Context\n\n- The pull request: title:\tCount rows\n{fields}--\n\n- Diff: {shown}\n\nReview it.\n"
    )
    told = said(f"{text}{FILLER * 9}")
    assert "- The pull request: title: Count rows" in told
    assert not [text for text in told if "600KB" in text or "author" in text]


def test_a_sentence_between_two_examples_is_words_and_opens_the_second() -> None:
    text = (
        "Given a till with a drawer of its own in each of the shops:\n"
        "class Till(Model):\n\tdrawer = Drawer()\n"
        "If the drawer is opened before the till knows its own name, the till does not see it:\n"
        "with shop.open():\n\ttill.name = None\n"
        "for example this way:\n"
        "till.close()\n"
    )
    told = [*said(text + FILLER * 9)]
    opened = "If the drawer is opened before the till knows its own name, the till does not see it:\n"
    assert f"{opened}with shop.open():\n\ttill.name = None" in told
    assert "for example this way:\ntill.close()" in told


def test_of_an_example_that_is_mostly_told_nothing_is_left_out() -> None:
    calls = "\n".join(
        f"    {call}()" for call in ("till.drawer.open", "x", "till.drawer.count", "drawer.close")
    )
    code = f"for till in shop.tills:\n{calls}"
    spoken = "Of each till of the shop the drawer: open, count, close."
    text = f"{FILLER * 9}\n{spoken}\n```\n{code}\n```\nMend it."
    assert code in {s.text for s in user_statements(say("user", text), 0) if "excerpt" in s.flags}


def test_the_page_of_a_run_is_no_request() -> None:
    text = (
        "I see this:\nStarted by hand\nshop\nStatus Success\nTotal duration 2m 5s\nThe till was not found.\n"
    )
    assert [*said(text)] == ["I see this: …\nThe till was not found."]
