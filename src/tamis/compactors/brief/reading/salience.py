"""What of a long output mattered: the lines that the agent, having read it, went on to speak of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import one_line
from tamis.text.terms import all_terms_of

LINES_LOOKED_AT = 600
LINE_CHARS = 150
EVIDENCE_CHARS = 330
LEAST_SHARED = 2

_FRAMES = re.compile(
    r'(?m)^Traceback \(most recent.*+\n?|^  File "[^"\n]*+", line \d[^\n]*+\n(?:    [^\n]*+\n)*+'
)
_CLOSES_RECORD = re.compile(r"\s{0,40}\},\s*\Z")
_NUMBERED = re.compile(r"^\s*\d+\s*(?:[→|:\t]|-(?=\s))\s?")


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingOutput:
    """An output that waits for what the agent will say of it; `error` is what it ended with."""

    words: str
    output: str
    turn: int
    part: int
    key: str
    reads: bool = True
    kind: StatementKind = "ran"
    error: str = ""


def _told(shown: PendingOutput) -> str:
    """The output; of the agent's own scripts without the way that an error took."""
    return shown.output if shown.kind == "ran" else _FRAMES.sub("", shown.output)


def evidence(shown: PendingOutput, spoken: frozenset[str], *, most: int = EVIDENCE_CHARS) -> Statement | None:
    r"""The lines of an output that share terms with what was spoken of afterwards, in their order.

    >>> output = "x = 1\ndef read_rows(path):\n"
    >>> shown = PendingOutput(words="ran `cat a.py`", output=output, turn=3, part=0, key="")
    >>> evidence(shown, frozenset({"read", "rows", "path", "row"})).text
    'ran `cat a.py` → def read_rows(path):'
    """
    lines = [_NUMBERED.sub("", raw).rstrip() for raw in _told(shown).splitlines()[:LINES_LOOKED_AT]]
    kept = lines_spoken_of(lines, spoken, most - len(shown.error))
    if not kept:
        return None
    told = " ⏎ ".join(_set_apart(lines, kept))
    if shown.error and shown.error not in told:
        told += f" ⏎ {shown.error}"
    return Statement(
        kind=shown.kind,
        text=one_line(f"{shown.words} → {told}"),
        turn=shown.turn,
        place=(shown.part, -1),
        key=shown.key,
        flags=("reads",) if shown.reads else (),
    )


def _set_apart(lines: Sequence[str], kept: Sequence[int]) -> Iterator[str]:
    """The kept lines; between two records of a list of them stands a mark."""
    before = kept[0]
    for at in kept:
        if any(_CLOSES_RECORD.match(line) for line in lines[before + 1 : at]):
            yield "…"
        yield lines[at].strip()[:LINE_CHARS]
        before = at


def lines_spoken_of(lines: Sequence[str], spoken: frozenset[str], room: int) -> list[int]:
    """The positions of the lines that share most terms with what is spoken of, as fit so many characters."""
    scored = []
    for at, line in enumerate(lines):
        if len(line.strip()) > 4:
            shared = spoken.intersection(all_terms_of(line[:400]))
            if len(shared) >= LEAST_SHARED:
                weight = sum(min(len(term), 12) for term in shared if len(term) > 2)
                scored.append((-weight / (len(line) + 30) ** 0.5, at))
    kept: list[int] = []
    seen: set[str] = set()
    for _, at in sorted(scored):
        line = lines[at].strip()[:LINE_CHARS]
        if line in seen or len(line) + 3 > room:
            continue
        seen.add(line)
        room -= len(line) + 3
        kept.append(at)
    return sorted(kept)
