"""A file that the user's request says to carry out: what it demands is told."""

from __future__ import annotations

from compactors.brief.talk import DONE, brief, edit, texts, use, write
from compactors.conversations import lines, run, say
from tamis.messages import Message

FILE = "/repo/docs/OTTERS.md"
DEMANDS = (
    "# Count the otters\n\n## Background\n\nThe pond was dug in the year of the flood, by hand.\n\n"
    "## Requirements\n\n1. Count the otters of each pond at dawn\n2. A pond without otters is listed\n\n"
    "## Acceptance criteria\n\n- [ ] The table of ponds is sorted\n- [ ] The keepers' guide is updated\n"
    f"\n## History\n\n{lines('Nobody remembers much of otter', 14)}"
)
NUMBERED = "".join(f"{at:6}→{line}\n" for at, line in enumerate(DEMANDS.splitlines(), 1))


def asked(request: str, *behind: Message, shown: str = NUMBERED) -> list[Message]:
    return [say("user", request), *use("r", "Read", shown, file_path=FILE), *behind]


def test_what_a_file_demands_that_is_to_be_carried_out_is_told_as_read_from_it() -> None:
    for request in (
        "Implement docs/OTTERS.md, please.",
        "Can you look at `docs/OTTERS.md` and start implementing it?",
        "Do what docs/OTTERS.md says.",
        "Read docs/OTTERS.md. Then follow the steps.",
    ):
        text = brief([*asked(request), say("assistant", "I begin with the ponds.")], 400)
        assert "\n| from OTTERS.md (read at #1):\n" in text, request
        assert "\n| - [ ] The keepers' guide is updated" in text
        assert "> - The keepers'" not in text


def test_it_is_told_as_well_where_a_shell_shows_it() -> None:
    span = [say("user", "Please implement OTTERS.md."), *run("c", f"cat {FILE}", DEMANDS, 0)]
    assert "The table of ponds is sorted" in "\n".join(texts(span, "demanded"))


def test_a_file_that_is_read_for_something_else_demands_nothing() -> None:
    for request in (
        "Review docs/OTTERS.md.",
        "Fix the typos in docs/OTTERS.md, please.",
        "Implement the counting of otters and describe it in docs/OTTERS.md.",
        "Do what other/OTTERS.md says.",
        "Fix the following in docs/OTTERS.md: the typos.",
    ):
        assert texts(asked(request), "demanded") == [], request
    assert texts(asked("Implement the otters as README.md says."), "demanded") == []


def test_a_search_or_a_loop_over_files_shows_no_task_and_what_is_only_read_is_none() -> None:
    task = "/repo/docs/TASK.md"
    for command in (f"rg '^#' {task}", f'for f in {task} docs/*.md; do cat "$f"; done'):
        assert texts([say("user", "Do docs/TASK.md."), *run("c", command, DEMANDS, 0)], "demanded") == []
    read = use("r", "Read", NUMBERED, file_path=task)
    assert texts([say("user", "Do docs/TASK.md."), *read], "demanded")
    assert texts([say("user", "Read docs/TASK.md and count the otters."), *read], "demanded") == []


def test_a_file_that_the_agent_wrote_or_edits_is_no_task() -> None:
    request = "Implement docs/OTTERS.md, please."
    assert texts(asked(request, *edit("e", FILE, "dawn", "noon")), "demanded") == []
    wrote = [say("user", request), *write("w", FILE, DEMANDS), *use("r", "Read", NUMBERED, file_path=FILE)]
    assert texts(wrote, "demanded") == []


def test_a_task_file_that_is_read_again_is_told_once() -> None:
    again = use("s", "Read", NUMBERED, file_path=FILE)
    told = texts(asked("Implement docs/OTTERS.md, please.", *again, DONE), "demanded")
    assert len(told) == len(set(told)) > 8
