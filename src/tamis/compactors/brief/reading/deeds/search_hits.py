"""What a search found: hits by title, address and first words, those nearest to what was sought."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise, zip_longest

from tamis.ledger.shell.parser import parse_script
from tamis.text.terms import terms_of

MOST_HITS = 5
SHOWN_CHARS = 240
ADDRESS_CHARS = 110
FEW_LINES, MOST_FILES = 8, 4
"""Of what a search in files found: so many lines are told as they are, of more so many files."""


_HIT = re.compile(
    r"(?m)^[ \t]{0,8}(?:\d{1,3}[.)]|[-*])?[ \t]{0,3}\[([^\]\n]{1,300})\]\((https?://[^\s)]{1,500})\)"
)
_LINE_OF_FILE = re.compile(
    r"(?m)^((?:[\w.@+-]{1,80}/){0,20}[\w.@+-]{1,80}\.\w{1,8}|(?:/?[\w.@+-]{1,80}/){1,20}\w{1,80}):\S?"
)
_CUT = re.compile(r"\AWarning: truncated output(?:[^\n]*\nTotal output lines: (\d+))?|\btruncated\b[^\n]*\Z")
"""A hit by its file; says that a tool cut the output."""

_HEADING = re.compile(r"(?m)^(?:#{1,6} .*|=======.*|A \w+ search for .*)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchHit:
    """One hit; `shown` are its first words."""

    title: str
    address: str
    shown: str

    def __str__(self) -> str:
        """The hit in a line."""
        return (
            f"{self.title} ({self.address}): {self.shown}" if self.shown else f"{self.title} ({self.address})"
        )


def search_hits(output: str, sought: str) -> list[SearchHit]:
    r"""The hits of a search that share most words with what was sought, in their order.

    >>> [hit] = search_hits("1. [Tea](https://t.example/tea?id=7)\n\nTea is a drink.", "what is tea")
    >>> str(hit)
    'Tea (https://t.example/tea): Tea is a drink.'
    """
    words = frozenset(terms_of(sought))
    hits = list({hit.address: hit for hit in [*_hits(output)][::-1]}.values())[::-1]
    nearest = sorted(hits, key=lambda hit: -len(words.intersection(terms_of(str(hit)))))[:MOST_HITS]
    return [hit for hit in hits if hit in nearest]


def places_of_hits(output: str) -> str:
    r"""How many lines a search in files found, and where; empty for few, or where all are of one file.

    >>> places_of_hits("".join(f"src/rows_{n % 2}.py:{n}: sacks\n" for n in range(20)))
    '20 lines in 2 files: src/rows_0.py, src/rows_1.py'
    """
    held = Counter(_LINE_OF_FILE.findall(output))
    many = sum(held.values())
    if many <= FEW_LINES or len(held) < 2:
        return ""
    files = [name for name, _ in held.most_common(MOST_FILES)]
    told = ", ".join(name.removeprefix("./") for name in files)
    if cut := _CUT.search(output):
        return f"{cut[1] or 'many'} lines, cut by the tool, some in {told}"
    return f"{many} lines in {len(held)} files: {told}" + ", …" * (len(held) > len(files))


def unfound(command: str, output: str) -> str:
    """What `find` looked for and did not find, beside what it found; empty where that is not sure.

    >>> unfound("find /w -name 'mill' -o -path '*/mill/rye-7'", "/w/mill")
    "; none by '*/mill/rye-7'"
    """
    commands = parse_script(command).commands
    words = [word.text for word in commands[0].argv] if len(commands) == 1 else []
    if words[:1] != ["find"] or not {"-not", "!", "-prune", "-exec"}.isdisjoint(words):
        return ""
    paths = output.splitlines()
    sought = [(by, glob) for by, glob in pairwise(words) if by in ("-name", "-path")]
    names = {"-name": [path.rpartition("/")[2] for path in paths], "-path": paths}
    vain = [glob for by, glob in sought if not any(fnmatchcase(name, glob) for name in names[by])]
    return f"; none by '{', '.join(vain)}'" if 0 < len(vain) < len(sought) else ""


def _hits(output: str) -> Iterator[SearchHit]:
    found = list(_HIT.finditer(output))
    for match, behind in zip_longest(found, found[1:]):
        end = behind.start() if behind else len(output)
        shown = " ".join(_HEADING.sub("", output[match.end() : end]).split())
        address = match[2].partition("?")[0] if len(match[2]) > ADDRESS_CHARS or "?" in match[2] else match[2]
        yield SearchHit(title=match[1].strip(), address=address[:ADDRESS_CHARS], shown=_cut(shown))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS].rsplit(" ", 1)[0] + "…"
