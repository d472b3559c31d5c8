"""Code and output that stand in a message of the user's without a fence around them."""

from compactors.conversations import say
from tamis.compactors.brief.reading.speech.utterances import user_statements

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
    assert not {"Environment info", "- Till version: 3.6"} & {*told}


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


def test_a_premise_of_code_is_told_with_it_alone_and_what_opens_an_example_of_the_trouble_tells_it() -> None:
    opener = "If the till is opened with an empty drawer that does not yet say its owner, and the owner is "
    opener += "subsequently written down, the receipt of the evening keeps the old one:"
    code = "class Drawer:\n    name = None\nclass Till:\n    drawer = None\n"
    given = "Given a till with a drawer that may have no name of its own at all yet:"
    text = f"The drawer keeps its name.\n{given}\n{code}{opener}\n"
    shown = "```\nx = Till()\nx.drawer = Drawer()\nx.drawer.name = 1\nx.save()\nassert x.name  # fails\n```\n"
    told = said(text + shown + "It opens well. " * 50)
    assert "opens" in told[given]
    assert "trouble" in told[opener]


def test_what_was_typed_into_a_shell_is_not_told_without_all_of_its_result() -> None:
    shown = ">>> till.rows('plain', head=1)\n| a | one row of the plain |\n| b | and one more row of it |\n"
    shown += ">>> till.rows('ruled', head=1)\n"
    text = f"This would be good:\n```\n{shown}TypeError: no head\n```\n" + "The head of rows is good. " * 30
    [excerpt] = [words for words, flags in said(text).items() if "excerpt" in flags]
    assert excerpt == "… >>> till.rows('ruled', head=1)\nTypeError: no head"


def test_a_table_among_the_steps_of_a_plan_stands_under_its_own_heading() -> None:
    table = "## Files\n\n| File | Change |\n|---|---|\n| `rows.py` | Skip empty rows |\n"
    steps = "## Step 1: Read\n\nTake `read()`:\n```\nread()\n```\nEmpty rows may fail there.\n\n"
    spoken = [
        *user_statements(say("user", "# Plan\n\n" + "Skip the rows. " * 50 + "\n\n" + steps + table), 0)
    ]
    leads = {s.text: [lead.text for lead in s.leads] for s in spoken}
    assert leads["Empty rows may fail there."] == ["Step 1: Read"]
    assert [own for words, own in leads.items() if words.startswith("| File")] == [["Files"]]


def test_of_code_in_a_request_an_else_is_told_with_its_if_or_not_at_all() -> None:
    code = "{\n" + "".join(f"    step{n}()\n" for n in range(40))
    code += "    if is_log(path) {\n        text = folded(path)\n    } else {\n"
    code += "        till = plain_till(path)\n    }\n}\n"
    text = f"Add this helper:\n```\n{code}```\n" + "The plain till of a path is kept by plain_till. " * 20
    [excerpt] = [words for words, flags in said(text).items() if "excerpt" in flags]
    assert "plain_till" in excerpt
    assert "if is_log(path) {" in excerpt


def test_the_title_of_an_issue_that_its_first_sentence_says_again_is_not_told() -> None:
    title = "`till.open` may ask the bank twice"
    again = f"In some shops, {title}, which costs money."
    machine = "Versions\n\nPlan-10-SP0\ntill 5.2.1\nbank 1.24.2\nshop 2.0\n"
    head = "Consider the following PR description:\n\n"
    task = "Can you help me implement the necessary changes?\nMake the least change to the till."
    told = said(f"{head}{title}\n### Description\n\n{again}\n{FILLER * 9}\n### {machine}\n\n{task}")
    assert title not in told
    assert "first" in told[again]
    assert not [text for text in told if "5.2.1" in text or text in ("Versions", "Plan-10-SP0", "shop 2.0")]
    assert "paste" not in told["Make the least change to the till."]


def test_of_code_no_scraps_from_all_over_it_are_told() -> None:
    lines = ["till = Till()", "drawer = till.drawer()", "# drawer of a till that fails", "till.open(drawer)"]
    lines += ["drawer.count(till)", "till.close(drawer)"]
    code = "\n".join(f"{line}\na{n} = {n} + 1\ny{n} = 2\nz{n} = 3" for n, line in enumerate(lines))
    spoken = "The drawer of the till should open, count and close."
    told = said(f"The till opens no drawer:\n```python\n{code}\n```\n{FILLER * 9}\n{spoken}")
    assert not [text for text, flags in told.items() if "excerpt" in flags]


def test_of_a_test_that_failed_the_error_and_its_place_are_told_and_not_how_far_it_came() -> None:
    steps = [f"Using till number {n}\n    Files in it ({n}):\n      - till_{n}.rb" for n in range(30)]
    error = [
        "    till_test.go:43: the till stays shut: exit status 1",
        "    Output: stat ./till: no such file",
    ]
    log = "\n".join(["--- FAIL: TestTill (3.7s)", *(f"    {step}" for step in steps), *error, "FAIL"])
    told = said(log)
    excerpts = [text for text, flags in told.items() if "excerpt" in flags]
    assert excerpts[0] == "--- FAIL: TestTill (3.7s) …"
    assert excerpts[-1].startswith("…     till_test.go:43: the till stays shut: exit status 1\n")
    assert "stat ./till: no such file" in excerpts[-1]
    assert not [text for text, flags in told.items() if "Using till" in text and "paste" not in flags]


def test_what_was_typed_into_a_shell_without_a_fence_stands_with_what_it_gave() -> None:
    shell = ">>> day = till.today()\n>>> day\n'2017-07-06'\n>>> till.holds(day)\nTrue"
    told = said(
        f"{FILLER * 9}\nIt was asked like this\n{shell}\nThis works because the till counts the days.\n"
    )
    assert any(shell in text for text in told)
    assert "This works because the till counts the days." in told


def test_an_example_that_can_be_told_whole_is_not_told_in_part() -> None:
    tills = "".join(f"    'till {n}': {{\n        'PAPER': 'thin roll',\n    }},\n" for n in range(5))
    code = f"TILLS = {{\n{tills}    'zone': 'Paris',  # zone2\n}}"
    spoken = "The thin roll is the paper of till 4."
    told = said(f"These are the settings:\n```\n{code}\n```\n{FILLER * 9}\n{spoken}")
    assert [text for text in told if "PAPER" in text] == [code]


def test_a_wish_that_goes_with_an_example_leans_on_it() -> None:
    code = "```\n>>> spare == till\nFalse\n>>> till == spare\nFalse\n>>> old == spare\nTrue\n```"
    text = (
        f"{FILLER * 9}\nThe tills were compared:\n{code}\nWould we want `old == spare` to be False as well?"
    )
    wish = next(s for s in user_statements(say("user", text), 0) if s.text.endswith("as well?"))
    assert [lead.text.splitlines()[0] for lead in wish.leads] == [">>> spare == till"]


def test_what_a_test_printed_stands_under_the_line_that_says_how_it_ended() -> None:
    def printed(name: str, end: str) -> str:
        steps = "".join(f"    till_test.go:{n}: Step {n}: Counting the coins...\n" for n in range(20, 32))
        return f"{name} (0.00s)\n{steps}    till_test.go:40:\n    till_test.go:44: {end}\n\n"

    skipped = printed("=== SKIP: shop TestOpen", "no drawer found, the test is skipped")
    log = skipped + printed("=== FAIL: shop TestClose", "coin not found in the drawer")
    told = [s for s in user_statements(say("user", log), 0) if "excerpt" in s.flags]
    heads = {s.leads[0].text.split()[3]: (s.text, s.flags) for s in told}
    assert "trouble" not in heads.get("TestOpen", ("", ()))[1]
    assert "trouble" in heads["TestClose"][1]
    assert "coin not found" in heads["TestClose"][0]
    assert not any(line.strip("… ") == "till_test.go:40:" for s in told for line in s.text.splitlines())


def test_dots_that_stand_for_code_are_told_with_what_opens_them() -> None:
    code = "    if till.open:\n        till.close()\n    else:\n        ...\n"
    told = "\n".join(said(f"{FILLER * 9}\n\nI suggest this:\n{code}That is all."))
    assert "else:\n    ..." in told or "else: ..." in told
