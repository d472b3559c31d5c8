"""SEARCH/REPLACE blocks: how a model that edits in prose says what to change.

    | src/app.py
    | ```python
    | <<<<<<< SEARCH
    | old lines
    | =======
    | new lines
    | >>>>>>> REPLACE
    | ```

The path stands on one of the lines before the block; a block without one is about the file before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEAD = re.compile(r"<{5,9} SEARCH>?\s*")
_DIVIDER = re.compile(r"={5,9}\s*")
_TAIL = re.compile(r">{5,9} REPLACE\s*")
_FENCE = re.compile(r"(?:`{3,}|~{3,}|<(?:source|code|pre|codeblock|sourcecode)>).*")
_FENCE_END = re.compile(r"(?:`{3,}|~{3,}|</(?:source|code|pre|codeblock|sourcecode)>)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class EditBlock:
    """One block: replace `search` by `replace` in `path` (None where no path was given)."""

    path: str | None
    search: str
    replace: str


def split_edits(text: str) -> Iterator[str | EditBlock]:
    """The prose and the blocks of a text, in order; a block's path and fences are not part of the prose.

    A block that was cut off is prose. Reads the text once.
    """
    lines = text.split("\n")
    ends = _block_ends(lines)
    prose: list[str] = []
    path: str | None = None
    at = 0
    while at < len(lines):
        if at not in ends:
            prose.append(lines[at])
            at += 1
            continue
        divider, tail = ends[at]
        fenced, named = _take_header(prose)
        path = named or path
        if said := "\n".join(prose).strip("\n"):
            yield said
        prose = []
        yield EditBlock(
            path=path,
            search="".join(f"{line}\n" for line in lines[at + 1 : divider]),
            replace="".join(f"{line}\n" for line in lines[divider + 1 : tail]),
        )
        at = tail + 1
        if fenced and at < len(lines) and _FENCE_END.fullmatch(lines[at].strip()):
            at += 1
    if said := "\n".join(prose).strip("\n"):
        yield said


def _block_ends(lines: Sequence[str]) -> dict[int, tuple[int, int]]:
    """For each line that opens a whole block, the lines of its divider and of its end."""
    ends: dict[int, tuple[int, int]] = {}
    head = divider = -1
    for number, line in enumerate(lines):
        mark = line[:1]
        if mark == "<" and _HEAD.fullmatch(line):
            head, divider = number, -1
        elif mark == "=" and head >= 0 and divider < 0 and _DIVIDER.fullmatch(line):
            divider = number
        elif mark == ">" and divider >= 0 and _TAIL.fullmatch(line):
            ends[head] = (divider, number)
            head = divider = -1
    return ends


def _take_header(prose: list[str]) -> tuple[bool, str | None]:
    """Take the fence and the path that open a block off the end of the prose."""
    fenced, path = False, None
    for _ in range(3):  # path and fence stand in either order, with an empty line between them at most
        if not prose:
            break
        last = prose[-1].strip()
        if not fenced and last and _FENCE.fullmatch(last):
            fenced = True
        elif path is None and (named := _as_path(last)):
            path = named
        elif last:
            break
        prose.pop()
    return fenced, path


def _as_path(line: str) -> str | None:
    """The path that a line consists of, marks of emphasis taken off, or None."""
    name = line.removesuffix(":").strip("`*").removesuffix(":").lstrip("#").strip().strip("`*")
    looks = name and not re.search(r"\s", name) and not _FENCE_END.fullmatch(name)
    return name if looks and re.search(r"\w", name) else None
