"""The state as CompactBench's artifact (schema 1.0.0).

The artifact is a dictionary with fixed keys: a summary text, six lists of structured state, the positions of
the turns that it was drawn from, warnings and metadata. The schema bounds texts and lists; what does not fit
is cut or left out, oldest first, and named in `warnings`.

    immutable_facts       facts, and how the files stand
    locked_decisions      decisions with their reasons, and rules that say what must be
    forbidden_behaviors   rules that say what must not be
    deferred_items        tasks that were put off
    unresolved_items      open tasks, errors that still stand, failing tests, the next step
    entity_map            who or what is in which role
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tamis.ledger.events import Decision, TestRun
from tamis.ledger.state import Entry, FileState, State

SCHEMA_VERSION = "1.0.0"
MAX_SUMMARY_CHARS = 8000
MAX_ITEM_CHARS = 500
MAX_ROLE_CHARS = 200
MAX_ITEMS = 200
MAX_WARNINGS = 50


def to_artifact(
    state: State,
    *,
    summary: str = "",
    warnings: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The benchmark's artifact; `summary` becomes `summaryText`, `metadata` becomes `methodMetadata`.

    Turn ids are the positions of the messages in the session, from 0.

    >>> to_artifact(State())["structured_state"]["entity_map"]
    {}
    """
    artifact = _Artifact()
    structured: dict[str, Any] = {
        "immutable_facts": artifact.items(
            "immutable_facts",
            [(fact.value.text or f"{fact.value.name}: {fact.value.value}", fact) for fact in state.facts]
            + [(_file_line(file.value), file) for file in state.files if file.value.status != "read"],
        ),
        "locked_decisions": artifact.items(
            "locked_decisions",
            [(_decision_line(decision.value), decision) for decision in state.decisions]
            + [(rule.value.text, rule) for rule in state.constraints if rule.value.polarity == "must"],
        ),
        "deferred_items": artifact.items(
            "deferred_items",
            [(task.value.text, task) for task in state.tasks if task.value.status == "deferred"],
        ),
        "forbidden_behaviors": artifact.items(
            "forbidden_behaviors",
            [(rule.value.text, rule) for rule in state.constraints if rule.value.polarity == "must_not"],
        ),
        "entity_map": artifact.roles(
            (entity.value.name, entity.value.role, entity) for entity in state.entities
        ),
        "unresolved_items": artifact.items("unresolved_items", _unresolved(state)),
    }
    return {
        "schemaVersion": SCHEMA_VERSION,
        "summaryText": artifact.cut("summaryText", summary, MAX_SUMMARY_CHARS),
        "structured_state": structured,
        "selectedSourceTurnIds": sorted(artifact.turns),
        "warnings": [*warnings, *artifact.warnings][:MAX_WARNINGS],
        "methodMetadata": dict(metadata or {}),
    }


class _Artifact:
    """Collects items within the schema's bounds, the turns that they come from, and what had to go."""

    def __init__(self) -> None:
        self.turns: set[int] = set()
        self.warnings: list[str] = []

    def items(self, key: str, candidates: list[tuple[str, Entry[Any]]]) -> list[str]:
        if (over := len(candidates) - MAX_ITEMS) > 0:
            self.warnings.append(f"{key}: the {over} oldest of {len(candidates)} items left out")
            candidates = sorted(candidates, key=lambda item: item[1].last_turn)[over:]
        texts: dict[str, None] = {}
        for text, entry in candidates:
            texts[self.cut(key, text, MAX_ITEM_CHARS)] = None
            self.turns.add(entry.last_turn)
        return list(texts)

    def roles(self, candidates: Iterable[tuple[str, str, Entry[Any]]]) -> dict[str, str]:
        found = list(candidates)
        if (over := len(found) - MAX_ITEMS) > 0:
            self.warnings.append(f"entity_map: the {over} oldest of {len(found)} entities left out")
            found = found[over:]
        self.turns.update(entry.last_turn for _, _, entry in found)
        return {name: self.cut("entity_map", role, MAX_ROLE_CHARS) for name, role, _ in found}

    def cut(self, key: str, text: str, limit: int) -> str:
        """The text, or as many of its words as fit."""
        if len(text) <= limit:
            return text
        self.warnings.append(f"{key}: a text of {len(text)} characters cut to {limit}")
        head = text[: limit - 2]
        return (head.rsplit(maxsplit=1)[0] if " " in head else head) + " …"


def _file_line(file: FileState) -> str:
    origin = f" from {file.renamed_from}" if file.renamed_from else ""
    touched = f" ({', '.join(file.touched)})" if file.touched else ""
    return f"{file.path}: {file.status}{origin}{touched}"


def _decision_line(decision: Decision) -> str:
    reason = f" because {decision.reason}" if decision.reason else ""
    rejected = f" (not {', '.join(decision.rejected)})" if decision.rejected else ""
    return f"{decision.choice}{reason}{rejected}"


def _unresolved(state: State) -> list[tuple[str, Entry[Any]]]:
    items: list[tuple[str, Entry[Any]]] = [
        (task.value.text, task) for task in state.tasks if task.value.status in ("open", "in_progress")
    ]
    for error in state.errors:
        if not error.value.resolved:
            place = f" at {error.value.error.place}" if error.value.error.place else ""
            items.append((f"error: {error.value.error.message}{place}", error))
    items += [(_test_line(run.value), run) for run in state.tests if run.value.is_red]
    if state.next_step:
        items.append((f"next: {state.next_step.value.text}", state.next_step))
    return items


def _test_line(run: TestRun) -> str:
    counts = ", ".join(f"{n} {word}" for n, word in ((run.failed, "failed"), (run.errors, "errors")) if n)
    names = f": {', '.join(run.failing)}" if run.failing else ""
    return f"{run.command or run.runner}: {counts or 'failing'}{names}"
