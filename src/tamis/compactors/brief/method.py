"""`ledger`: a hand-off that somebody can go on with, made of whole statements, with no model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from tamis.compactors.accounts import Told
from tamis.compactors.brief.episodes import Episode, episodes_of
from tamis.compactors.brief.frame import brief_message
from tamis.compactors.brief.layout import lines_of, render, story
from tamis.compactors.brief.reading import Reading
from tamis.compactors.brief.selection import Candidate, choose
from tamis.compactors.brief.standing import next_lines, state_lines
from tamis.compactors.brief.statement import Statement
from tamis.compactors.brief.worth import density
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.messages.tokens import MESSAGE_OVERHEAD_TOKENS


class Ledger(Method):
    """The hand-off, packed into the budget."""

    name = "ledger"
    version = "3"

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(clock=clock)

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Say what fits."""
        reading = Reading()
        reading.read(material.originals)
        statements = prepared(reading)
        root = _root(reading)
        episodes = episodes_of(statements, reading.turns)
        rules = _rules(reading, material)
        standing = [_without(line, root) for line in state_lines(reading, statements)]
        coming = [_without(line, root) for line in next_lines(reading, statements)]
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
        if root:
            standing.insert(0, f"- paths are in {root}/ where nothing else is said")

        def sections(chosen: Sequence[Statement]) -> list[tuple[str, Sequence[str]]]:
            return [("Rules", rules), ("Story", story(chosen, episodes)), ("State", standing), ("Next", coming)]

        frame = material.counter.count(render(sections([])))
        stock = [replace_text(s, root) for s in statements]
        candidates = _candidates(stock, episodes, reading.turns, material)
        left = room - frame
        picked, _ = choose(candidates, left)
        chosen = [candidates[at].statement for at in picked]
        text = render(sections(chosen))
        while chosen and material.counter.count(text) > room:
            chosen.pop()
            text = render(sections(chosen))
        said = {s.turn for s in chosen}
        told = tuple(
            Told("condensed", "in the brief") if at in said else Told("archived", "not worth its room")
            for at in range(len(material.messages))
        )
        return Replacement(messages=(brief_message(text),), told=told, state=reading.state)


def prepared(reading: Reading) -> list[Statement]:
    """The statements with what only the whole shows: which close a turn, which repeat."""
    asked = sorted({s.turn for s in reading.statements if s.kind == "asked" and "answer" not in s.features})
    spoken = sorted({s.turn for s in reading.statements if s.kind in ("said", "found")})
    closing: set[int] = set()
    for start, end in zip([-1, *asked], [*asked, reading.turns], strict=True):
        within = [t for t in spoken if start < t < end]
        if within:
            closing.add(within[-1])
    made: dict[int, Statement] = {}
    out: list[Statement] = []
    first = asked[0] if asked else -1
    newest = asked[-1] if asked else -1
    for s in reading.statements:
        leads = tuple(made.get(id(lead), lead) for lead in s.leads)
        changes: dict[str, object] = {"leads": leads}
        if s.kind in ("said", "found") and s.turn in closing and "announces" not in s.features:
            changes["kind"] = "concluded"
        if s.turn == reading.turns - 1 or (s.turn >= max(closing, default=0) and s.kind in ("said", "found")):
            changes["features"] = (*s.features, "last")
        if s.kind == "asked" and s.turn in (first, newest) and "boilerplate" not in s.features:
            changes["required"] = 1 if s.turn == newest else 2
        new = replace(s, **changes)  # type: ignore[arg-type]
        made[id(s)] = new
        out.append(new)
    return out


def _candidates(
    statements: Sequence[Statement], episodes: Sequence[Episode], turns: int, material: Material
) -> list[Candidate]:
    texts = ["\n".join(lines_of(s)) + "\n" for s in statements]
    tokens = material.counter.count_many(texts)
    found = []
    asked_after = sorted({s.turn for s in statements if s.kind == "asked" and "answer" not in s.features})
    for s, count in zip(statements, tokens, strict=True):
        episode = next(i for i, e in enumerate(episodes) if s.turn < e.end)
        behind = sum(1 for t in asked_after if t > s.turn)
        age = 1 - s.turn / max(turns - 1, 1)
        found.append(
            Candidate(statement=s, tokens=max(count, 1), density=density(s, age=age, episodes_behind=behind), episode=episode)
        )
    return found


RULES_SHARE = 0.09


def _rules(reading: Reading, material: Material) -> list[str]:
    """What binds, the newest first kept where room is short; a harness's instructions last."""
    formal = reading.formal
    rules = [e for e in reading.state.constraints if e.value.by == "user"]
    ranked = sorted(
        rules,
        key=lambda e: (
            e.source.start >= formal.get((e.source.message_id, e.source.part), 1 << 60),
            e.value.polarity != "must_not",
            -e.last_turn,
        ),
    )
    room = RULES_SHARE * material.budget_tokens
    kept = []
    for entry in ranked:
        line = "\n".join(f"> {row.strip()}" for row in entry.value.text.splitlines() if row.strip())
        cost = material.counter.count(line) + 1
        if cost <= room:
            room -= cost
            kept.append((entry.first_turn, entry.source.start, line))
    return [line for *_, line in sorted(kept)]


def _root(reading: Reading) -> str:
    if reading.cwd:
        return reading.cwd.rstrip("/")
    paths = [e.value.path for e in reading.state.files if e.value.path.startswith("/")]
    folder = os.path.commonpath(paths) if len(paths) > 1 else ""
    return folder if folder.count("/") > 0 and len(folder) > 3 else ""


def _without(text: str, root: str) -> str:
    return text.replace(root + "/", "") if root else text


def replace_text(s: Statement, root: str) -> Statement:
    """The statement with paths told from the root."""
    if root and s.kind != "asked" and root in s.text:
        object.__setattr__(s, "text", _without(s.text, root))
    return s
