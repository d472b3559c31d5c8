"""Headroom's compression of what tools gave back: https://github.com/chopratejas/headroom."""

import asyncio

from tamis.compactors.method import Material
from tamis.compactors.peers.peer import Chat, Peer, PeerResult

MODEL = "gpt-4o"
"""Whose tokenizer Headroom is told to count with: the budget is held by tamis's own count."""


class Headroom(Peer):
    """`headroom.compress` over the whole span.

    Its neural compressor is left off: it downloads a model when it is first used. None of the newest messages
    is spared, for all of the span is to be replaced.
    """

    name = "headroom"
    package = "headroom-ai"
    extra = "headroom"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """As Headroom leaves it."""
        from headroom.compress import compress

        made = await asyncio.to_thread(
            compress,
            chat,
            model=MODEL,
            model_limit=max(material.budget_tokens, 1),
            kompress_model="disabled",
            protect_recent=0,
        )
        return PeerResult(chat=made.messages)
