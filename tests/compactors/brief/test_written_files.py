"""Deeds: files that are written whole, lists that are numbered anew, edits that the agent tells itself."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, texts, use, write
from compactors.conversations import run
from tamis.compactors.brief.reading.edits.code_lines import telling_lines
from tamis.compactors.brief.reading.edits.hunks import compared
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.told_twice import told_twice


def test_a_file_written_whole_is_told_by_what_it_is_for_or_by_its_parts() -> None:
    def wrote(path: str, text: str) -> str:
        [last] = texts([TASK, *write("w", path, text)], "changed")[-1:]
        return last.removeprefix("wrote /w/")

    skill = "---\nname: rows\ndescription: Count the rows of a shop.\n---\n# Rows\n## When\n- daily\n## How\n"
    assert wrote("/w/SKILL.md", skill) == "SKILL.md: Count the rows of a shop."
    assert wrote("/w/CHANGELOG.md", "# Changelog\n## [1.0.0]\n### Added\n- rows\n### Changed\n- cells\n") == (
        "CHANGELOG.md"
    )
    plan = "# Plan\nOnce.\n## Read\nRead the rows.\n## Count\nCount the rows.\n"
    assert wrote("/w/plan.md", plan) == "plan.md (Plan, Read, Count)"
    tests = "describe('rows', () => {\n  it('counts them', () => {\n    expect(rows()).toBe(9)\n  })\n})\n"
    assert wrote("/w/rows.test.ts", tests) == "rows.test.ts (rows)"
    types = "export interface Row {\n  at: number\n}\nexport interface Cell<T> {\n  of: T\n}\n"
    assert wrote("/w/types.ts", types).startswith("types.ts (Row, Cell)")


def test_a_file_that_was_listed_and_is_added_to_was_there_before() -> None:
    listed = run("l", "ls notes", "1.0.txt\n1.1.txt", 0)
    more = run("e", "echo '* Rows are kept.' >> notes/1.1.txt", "", 0)
    assert texts([TASK, *listed, *more], "changed") == ["edited notes/1.1.txt: added `* Rows are kept.`"]
    assert "- changed: notes/1.1.txt" in brief([TASK, *listed, *more])
    assert texts([TASK, *more], "changed") == ["wrote notes/1.1.txt: * Rows are kept."]


def test_a_file_that_a_patch_adds_is_told_as_one_that_is_written() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: plan.md\n+# Plan\n+## Read\n+Rows.\n+## Count\n+Rows.\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told == ["wrote plan.md (Plan, Read, Count)"]


def test_an_item_that_only_has_another_number_is_no_change() -> None:
    before, after = "1. Read.\n2. Count the rows.", "1. Read.\n2. Lock the shop.\n3. Count the rows."
    assert compared(before, after, "a.md", 200) == "added `2. Lock the shop.`"
    assert compared("1. Read.\n1. Count.", "1. Read.\n2. Count.", "a.md", 200) == "renumbered"


def test_an_edit_of_a_patch_is_told_beside_the_lines_that_stay() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.md\n@@\n-## Old commands\n-\n-- `count rows`\n-- `count cells`\n"
        "+## Old command\n+\n+- `count rows`\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told[-1:] == ["edited a.md: `## Old commands` → `## Old command` ; removed `- `count cells``"]


def test_an_edit_without_content_goes_where_the_agent_speaks_of_its_file() -> None:
    edited = Statement(
        kind="changed", text="edited README.md (Use)", turn=1, place=(0, 0), key="/w/README.md"
    )
    said = Statement(kind="concluded", text="- Told of it in `README.md`.", turn=3, place=(0, 0))
    asked = Statement(kind="asked", text="Go on.", turn=2, place=(0, 0))
    assert id(edited) in told_twice([edited, said], [])
    assert id(edited) not in told_twice([edited, asked, said], [])


def test_what_is_left_to_do_in_code_is_told_and_that_its_beginning_is_not() -> None:
    lines = [f"row_{n} = keep(shop, {n})" for n in range(9)]
    told = telling_lines([*lines, "# TODO: count the cells", "if rows:", "    count(rows)"], "a.py", 60)
    assert told.startswith("… ")
    assert "# TODO: count the cells" in told


def test_a_script_that_edits_the_work_as_it_is_written_is_told_by_what_it_put_in() -> None:
    body = "text = open('rows.py').read()\nfor line in text.splitlines():\n    print(line)\n"
    body += "text = text.replace('return rows', 'return priced(rows)')\nopen('rows.py', 'w').write(text)\n"
    made = run("s", f"cat > mend.py << 'E'\n{body}E\npython mend.py", "", 0)
    shown = use("r", "Read", "def all():\n    return rows\n", file_path="rows.py")
    assert texts([TASK, *shown, *made], "changed")[-2:] == [
        "wrote mend.py",
        "edited rows.py: `return rows` → `return priced(rows)`",
    ]
