"""Compaction as other libraries do it, behind tamis's contract.

Each module holds one library's strategies and is the only place that imports it. The library decides what is
kept; the rules around it are `peer.Peer`'s. None of them is needed by tamis: each is an extra of its own.
"""

from collections.abc import Iterator

PEERS: dict[str, str] = {
    "claimkeep": "ClaimKeep's harvest of the agent's claims, in place of the span",
    "headroom": "Headroom's transforms of tool output and JSON, without its neural compressor",
    "inspect-edit": "inspect_ai's CompactionEdit: old tool results cleared",
    "inspect-trim": "inspect_ai's CompactionTrim: the newest share of the messages",
    "langchain-trim": "LangChain's trim_messages: the newest messages",
    "opencode-dcp": "opencode's dynamic context pruning: repeated calls' output, failed calls' input cleared",
    "pi-window": "pi's cut point: the newest messages, from one at which it would cut",
    "pydantic-ai-clear": "the Pydantic AI harness's ClearToolResults: old tool results cleared",
    "pydantic-ai-window": "the Pydantic AI harness's SlidingWindowCompaction: first request, newest messages",
}
"""Strategies that ask no model, and what each keeps, in a line."""

MODEL_PEERS: dict[str, str] = {
    "inspect-summary": "inspect_ai's CompactionSummary: the task and a summary",
    "langchain-summary": "LangChain's SummarizationMiddleware: a summary and the newest messages",
    "pi-summary": "pi's compaction: a summary and the newest messages",
    "pydantic-ai-summary": "the Pydantic AI harness's SummarizingCompaction: a summary",
}
"""Strategies that ask a model, named with it: `PEER@MODEL`."""

FOLDER_PEERS: dict[str, str] = {
    "llmlingua": "LLMLingua-2: the words that a token classifier keeps",
}
"""Strategies with a model of their own, named with the folder that it lies in: `PEER@FOLDER`."""

EXTRAS: dict[str, str] = {
    "claimkeep": "claimkeep",
    "headroom": "headroom",
    "inspect-edit": "inspect",
    "inspect-summary": "inspect",
    "inspect-trim": "inspect",
    "langchain-summary": "langchain",
    "langchain-trim": "langchain",
    "llmlingua": "llmlingua",
    "opencode-dcp": "@tarquinen/opencode-dcp",
    "pi-summary": "@earendil-works/pi-coding-agent",
    "pi-window": "@earendil-works/pi-coding-agent",
    "pydantic-ai-clear": "pydantic-ai",
    "pydantic-ai-summary": "pydantic-ai",
    "pydantic-ai-window": "pydantic-ai",
}
"""What installs the library of each: `pip install 'tamis[EXTRA]'`; `npm install` what begins with @."""

_HERE = "tamis.compactors.peers"

CLASSES: dict[str, str] = {
    "claimkeep": f"{_HERE}.claimkeep:ClaimKeep",
    "headroom": f"{_HERE}.headroom:Headroom",
    "inspect-edit": f"{_HERE}.inspect_ai:InspectEdit",
    "inspect-trim": f"{_HERE}.inspect_ai:InspectTrim",
    "langchain-trim": f"{_HERE}.langchain:LangChainTrim",
    "opencode-dcp": f"{_HERE}.opencode:OpencodeDCP",
    "pi-window": f"{_HERE}.pi:PiWindow",
    "pydantic-ai-clear": f"{_HERE}.pydantic_ai:PydanticAIClear",
    "pydantic-ai-window": f"{_HERE}.pydantic_ai:PydanticAIWindow",
}
MODEL_CLASSES: dict[str, str] = {
    "inspect-summary": f"{_HERE}.inspect_ai:InspectSummary",
    "langchain-summary": f"{_HERE}.langchain:LangChainSummary",
    "llmlingua": f"{_HERE}.llmlingua:LLMLingua",
    "pi-summary": f"{_HERE}.pi:PiSummary",
    "pydantic-ai-summary": f"{_HERE}.pydantic_ai:PydanticAISummary",
}


def list_peers() -> Iterator[tuple[str, str, str]]:
    """Every peer as it is named, what it keeps, and the extra that installs it."""
    for peers, form in ((PEERS, "{}"), (MODEL_PEERS, "{}@MODEL"), (FOLDER_PEERS, "{}@FOLDER")):
        for name, keeps in peers.items():
            yield form.format(name), keeps, EXTRAS[name]


def needed(extra: str) -> str:
    """What a peer needs, as it is told.

    >>> needed("inspect")
    'tamis[inspect]'
    """
    return f"npm install {extra}" if extra.startswith("@") else f"tamis[{extra}]"
