"""opencode's dynamic context pruning: https://github.com/Opencode-DCP/opencode-dynamic-context-pruning."""

from tamis.compactors.method import Material
from tamis.compactors.peers.npm import run_script
from tamis.compactors.peers.peer import Chat, Peer, PeerResult
from tamis.messages import ToolResult


class OpencodeDCP(Peer):
    """What the plugin prunes by itself: output of repeated calls, input of calls that failed long ago.

    The summaries that it asks the agent's model for are left out.
    """

    name = "opencode-dcp"
    package = extra = "@tarquinen/opencode-dcp"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """As the plugin leaves it."""
        parts = (part for message in material.messages for part in message.parts)
        failed = [part.call_id for part in parts if isinstance(part, ToolResult) and part.is_error]
        answer = await run_script("opencode.mjs", self.package, {"chat": chat, "failed": failed})
        return PeerResult(chat=answer["chat"])
