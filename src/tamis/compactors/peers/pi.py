"""pi's compaction: https://github.com/earendil-works/pi (formerly badlogic/pi-mono)."""

from typing import Any

from tamis.compactors.method import Material
from tamis.compactors.peers.npm import run_script
from tamis.compactors.peers.peer import (
    LASTING_SHARE,
    Chat,
    MeteredModel,
    ModelPeer,
    Peer,
    PeerResult,
    weakest_that_fits,
)

PACKAGE = "@earendil-works/pi-coding-agent"
SCRIPT = "pi.mjs"


class PiWindow(Peer):
    """What pi keeps word for word: as much as fits, from a message at which it would cut."""

    name = "pi-window"
    package = extra = PACKAGE

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The earliest of its cuts that fits."""
        answer = await run_script(SCRIPT, PACKAGE, {"chat": chat})

        async def cut(start: int) -> Chat:
            return chat[start:]

        fitting = await weakest_that_fits(answer["starts"], cut, material.budget_tokens, material.counter)
        return PeerResult(chat=fitting)


class PiSummary(ModelPeer):
    """Its summary, with tamis's model behind it, and the newest messages."""

    kind = "pi-summary"
    package = extra = PACKAGE

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """Run it for its prompts, ask, and run it with the answers: it splits what it asks by turns."""
        asked = MeteredModel(self.model)
        budget = material.budget_tokens
        question: dict[str, Any] = {"chat": chat, "keep": int(budget * LASTING_SHARE), "reserve": budget}
        prompts = (await run_script(SCRIPT, PACKAGE, {**question, "answers": {}}))["prompts"]
        if not prompts:
            return PeerResult(chat=chat)
        answers = {
            prompt["text"]: await asked.ask(
                prompt["text"], instructions=prompt["instructions"], max_output_tokens=prompt["most"]
            )
            for prompt in prompts
        }
        made = await run_script(SCRIPT, PACKAGE, {**question, "answers": answers})
        return PeerResult(chat=made["chat"], summaries=1, usage=asked.usage)
