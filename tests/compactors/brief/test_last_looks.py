"""What was read, listed or settled last, and how the user's words are joined."""

from __future__ import annotations

from compactors.brief.talk import DONE, TASK, brief, edit, section, texts, use
from compactors.conversations import run, say

LISTING = "total 8\n" + "\n".join(
    f"drwxr-xr-x@ {n} dev  wheel  576 Dec 17 20:5{n} {name}"
    for n, name in enumerate((".", "..", "rows", "heads", "shop-tools", "price lists"))
)


def test_a_listing_is_told_by_its_names() -> None:
    padded = LISTING + "".join(f"\n-rw-r--r-- 1 dev  wheel  12 Dec 17 2024 part_{n}.csv" for n in range(20))
    ahead = section(brief([TASK, *run("l", "ls -la /work/shop/data/", padded, 0)], 900), "Next")
    assert any("→ rows, heads, shop-tools, price lists, part_0.csv" in line for line in ahead)
    assert any("and 8 more" in line for line in ahead)
    assert not any("drwx" in line for line in ahead)


def test_a_document_that_was_read_has_no_hits() -> None:
    page = "# Shop\n\nThe rows of the shop.\n\n- [rows](https://rows.dev/a): Core rows\n"
    assert not any(
        "hit" in text for text in texts([TASK, *use("r", "read", page * 4, path="/work/shop/README.md")])
    )


def test_what_is_settled_gives_way_to_the_work_that_it_broke_into() -> None:
    begun = edit("a", "/work/shop/src/rows.py", "x = 1", "x = 2")
    why = say("user", "why was the issue not assigned to me", id="why")
    done = edit("b", "/work/shop/NOTES.md", "# Notes", "# Notes\n\n- Assign issues first.")
    back = say("assistant", "Now let me continue with the rows of the importer.", id="back")
    looks = run("g", "grep -n rows src/importer.py", "12: rows = read_rows(path)", 0)
    more = say("assistant", "The importer reads `rows` in `load`.", id="more")
    told = brief(
        [TASK, *begun, why, *done, back, *looks, more, *run("h", "cat src/load.py", "x = 1", 0)], 500
    )
    assert any("what was asked since is settled" in line for line in section(told, "Next"))


def test_quoted_sentences_of_the_user_are_joined_without_their_mark() -> None:
    words = "> The option is not used. Remove it from the hook.\n\nPlease answer this."
    story = brief([say("user", words, id="ask"), DONE, say("user", "Then push it.", id="push")], 400)
    assert "used. > Remove" not in story
