"""An agent framework that knows nothing of the proxy, past its window several times, and what it recalls."""

from __future__ import annotations

import re
from typing import Any

import pytest

from proxy.conftest import Start
from proxy.conversations import output_of
from proxy.upstream import Say

PARTS = 40


def working(body: dict[str, Any], n: int) -> Say:
    """Reads one part after the other, then asks for the marker of the third, and says what it was told."""
    text = str(body.get("messages") or body.get("input"))
    done = max((int(found) for found in re.findall(r"call_(\d+)", text)), default=-1)
    if done + 1 < PARTS:
        return Say(calls=((f"call_{done + 1}", "read_part", {"number": done + 1}),))
    if "recall_1" not in text:
        return Say(calls=(("recall_1", "recall", {"words": "marker of part 3"}),))
    found = re.search(r"the marker of part 3 is (quartz-\d+)", text[text.index("recall_1") :])
    return Say(text=f"The marker is {found[1] if found else 'gone'}.")


@pytest.mark.parametrize("api", ["openai-chat", "openai-responses", "anthropic"])
@pytest.mark.parametrize("stream", [False, True])
async def test_an_agent_finishes_its_task_past_its_window(start: Start, api: str, stream: bool) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.usage import UsageLimits

    proxy = start()
    proxy.upstream.script = working
    agent = Agent(_model(api, proxy.url), system_prompt="You are careful.")

    @agent.tool_plain
    def read_part(number: int) -> str:
        return output_of(number)

    task = "Read all parts, then name the marker of part 3."
    limits = UsageLimits(request_limit=PARTS * 2)
    if stream:
        async with agent.run_stream(task, usage_limits=limits) as run:
            said = await run.get_output()
    else:
        said = (await agent.run(task, usage_limits=limits)).output
    assert said.strip() == "The marker is quartz-0003."
    metrics = proxy.metrics()
    compacted = re.search(rf'requests_total{{api="{api}",decision="compacted"}} (\d+)', metrics)
    assert compacted is not None
    assert int(compacted[1]) >= 2
    assert "tamis_proxy_recalls_total 1.0" in metrics


def _model(api: str, url: str) -> Any:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    if api == "anthropic":
        return AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(api_key="k", base_url=url))
    provider = OpenAIProvider(base_url=f"{url}/v1", api_key="k")
    if api == "openai-chat":
        return OpenAIChatModel("m", provider=provider)
    return OpenAIResponsesModel("m", provider=provider)
