"""What the ledger's state holds of what was planted, and what it took for a rule that is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from filler.conversations import Conversation, Planted
from filler.kept import Tally, old_stands, stands
from tamis.ledger import State, read_ledger

SAID = ("name", "value", "role", "choice")


def judge_state(talks: Sequence[Conversation], *, show: bool) -> Iterator[str]:
    """The figures, line by line; with `show`, the sentences that were missed or taken for something else."""
    counts: dict[str, Tally] = {}
    missed: Counter[str] = Counter()
    for talk in talks:
        state = read_ledger(talk.messages).state
        current = list(_current(state))
        rules = [entry.value.text for entry in state.constraints if entry.value.by == "user"]
        ruled = [s for item in talk.planted if item.kind != "neutral" for s in item.sentences]
        false = [rule for rule in rules if not any(stands(s, rule) or stands(rule, s) for s in ruled)]
        counts.setdefault("sentences taken for a rule a conversation", Tally()).kept += len(false)
        counts["sentences taken for a rule a conversation"].of += 1
        missed.update(f"no rule: {text}" for text in false)
        for item in talk.planted:
            for name, good in _judged(item, current, rules):
                counts.setdefault(name, Tally()).count(good)
                if not good:
                    missed[f"{name}: {item.phrasing} {' => '.join(item.sentences)}"] += 1
    for name, count in sorted(counts.items()):
        if name.startswith("sentences"):
            yield f"  {count.kept / count.of:6.2f}  {name}"
        else:
            yield f"  {count!s:>6}  {name} (of {count.of})"
    if show:
        yield from (f"    {line}" for line in sorted(missed))


def _judged(item: Planted, current: Iterable[str], rules: Iterable[str]) -> Iterator[tuple[str, bool]]:
    if item.kind == "rule":
        yield "rule found", any(stands(item.sentences[0], rule) for rule in rules)
    elif item.kind == "fact":
        yield "fact found", any(stands(item.sentences[0], text) for text in current)
    elif item.kind == "lift":
        yield "rule taken back", not any(old_stands(item, text) for text in current)
    elif item.kind == "neighbours":
        for sentence, value in zip(item.sentences, item.values, strict=True):
            yield "neighbour kept", any(stands(sentence, text, value=value) for text in current)
    elif item.kind == "update":
        new, gone = item.sentences[1], not any(old_stands(item, text) for text in current)
        yield "update: old gone", gone
        held = any(stands(new, text, value=item.values[1]) for text in current)
        yield "update: new stands", held
        yield "update", gone and held


def _current(state: State) -> Iterator[str]:
    """Everything that the state says to hold, entry by entry; requests, whole messages, left out."""
    yield from (entry.value.new for entry in state.corrections)
    for table in (state.constraints, state.decisions, state.facts, state.entities):
        for entry in table:
            value = entry.value
            yield getattr(value, "text", "") or " ".join(str(getattr(value, name, "") or "") for name in SAID)
