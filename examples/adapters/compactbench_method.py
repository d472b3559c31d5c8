"""CompactBench: tamis as a method of the published program, with a scripted provider; needs no network.

python examples/adapters/compactbench_method.py

For a real run: compactbench run --method examples/adapters/compactbench_method.py:TamisCompactor ...
"""

from __future__ import annotations

import asyncio

from compactbench.contracts import CompactionArtifact, Transcript, Turn, TurnRole
from compactbench.providers.mock import MockProvider

from tamis.integrations.compactbench import compactor_class

TamisCompactor = compactor_class(method="ledger", budget=200)


def transcript(turns: int) -> Transcript:
    """A conversation of so many turns after the first two."""
    said = [
        Turn(
            id=0,
            role=TurnRole.USER,
            content="Never deploy on Fridays. We decided on PostgreSQL for the ledger.",
        ),
        Turn(id=1, role=TurnRole.ASSISTANT, content="Understood: PostgreSQL, and no deploy on Fridays."),
    ]
    for n in range(2, turns + 2):
        role = TurnRole.USER if n % 2 == 0 else TurnRole.ASSISTANT
        said.append(
            Turn(id=n, role=role, content=f"Part {n} of the log was read and holds nothing new. " * 4)
        )
    return Transcript(turns=said)


async def run() -> list[CompactionArtifact]:
    """The artifacts of three drift cycles, each over a longer transcript."""
    compactor = TamisCompactor(MockProvider(), "none")
    made: list[CompactionArtifact] = []
    for turns in (20, 22, 24):
        previous = made[-1] if made else None
        made.append(await compactor.compact(transcript(turns), previous_artifact=previous))
    return made


if __name__ == "__main__":
    for artifact in asyncio.run(run()):
        state = artifact.structured_state
        assert any("Fridays" in text for text in state.forbidden_behaviors), state
        print(len(artifact.summary_text), "characters;", "; ".join(state.forbidden_behaviors))
