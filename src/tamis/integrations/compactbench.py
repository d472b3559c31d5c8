"""CompactBench: tamis's methods as a `Compactor` of the published program.

    # method.py, for `compactbench run --method method.py:TamisCompactor`
    TamisCompactor = compactor_class(method="ledger", budget="25%")

The program hands over the whole transcript at every cycle, so nothing is carried from the previous artifact:
the same transcript gives the same artifact.
"""

from __future__ import annotations

from asyncio import to_thread
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamis.bench.compat.artifact import artifact_within
from tamis.compactors import Compaction, CompactionRequest, get_method, parse_budget, run_compactor
from tamis.compactors.gate import guard
from tamis.integrations.adapter import needed
from tamis.ledger import read_ledger
from tamis.messages import Message, Text, count_messages, get_counter

if TYPE_CHECKING:
    from compactbench.compactors import Compactor
    from compactbench.contracts import CompactionArtifact, Transcript

EXTRA = "compactbench"


def compactor_class(
    *, method: str = "ledger", budget: str | int | float = "25%", tokenizer: str = "o200k_base"
) -> type[Compactor]:
    """A `Compactor` for the published program.

    The `budget` is what the artifact, summary and state, may take, as the program sets none; method and
    tokenizer are named as for `tamis.compact`.

    Raises:
        MissingExtra: compactbench is not installed.
        InputError: no such method or tokenizer, or not a budget.
    """
    with needed(EXTRA):
        from compactbench.compactors import Compactor
        from compactbench.contracts import CompactionArtifact

    chosen, allowed, counter = get_method(method), parse_budget(budget), get_counter(tokenizer)

    class TamisCompactor(Compactor):
        """The transcript's brief as the summary, the ledger's state as the structured state."""

        name = f"tamis-{chosen.name}"
        version = chosen.version

        async def compact(
            self,
            transcript: Transcript,
            config: dict[str, Any] | None = None,  # noqa: ARG002 - as the program calls it
            previous_artifact: CompactionArtifact | None = None,  # noqa: ARG002
        ) -> CompactionArtifact:
            """The artifact of the whole transcript."""
            messages = tuple(
                Message(id=str(turn.id), role=turn.role.value, parts=(Text(text=turn.content),))
                for turn in transcript.turns
            )
            counts = tuple(count_messages(messages, counter))
            tokens = allowed.resolve(sum(counts))
            request = CompactionRequest(span=messages, counts=counts, budget_tokens=tokens, counter=counter)
            artifact = await to_thread(_artifact, request)
            return CompactionArtifact.model_validate(artifact)

    def _artifact(request: CompactionRequest) -> dict[str, Any]:
        def compact(room: int) -> Compaction:
            made = run_compactor(guard(chosen), replace(request, budget_tokens=room))
            return replace(made, state=made.state or read_ledger(request.span).state)

        made, artifact = artifact_within(request.budget_tokens, compact, counter)
        metadata = {"method": made.method, "version": made.version, "outcome": made.outcome}
        return artifact.model_dump() | {"methodMetadata": metadata}

    return TamisCompactor
