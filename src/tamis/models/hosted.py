"""Models behind a network: any provider by name, and any server that speaks the OpenAI chat API.

pydantic-ai speaks to all of them; here it is only told what to send, and its errors are translated.
"""

import time
from typing import Literal

from pydantic import BaseModel

from tamis.errors import MissingExtra, UnknownModel, UnusableReply
from tamis.models.protocol import Prompt, Reply
from tamis.models.server_address import split_address
from tamis.models.translation import translated

try:
    from openai import APIStatusError, AsyncOpenAI
    from pydantic_ai import ModelRequest, UserPromptPart
    from pydantic_ai.direct import model_request
    from pydantic_ai.models import Model as Client
    from pydantic_ai.models import ModelRequestParameters, infer_model
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.settings import ModelSettings
except ImportError:
    raise MissingExtra("asking a model needs more: pip install 'tamis[models]'") from None


class HostedModel:
    """A model by its provider and name, as in `anthropic:claude-haiku-4-5`."""

    def __init__(self, name: str, *, timeout_s: float = 120.0) -> None:
        """Find the model; nothing is sent.

        Raises:
            UnknownModel: the provider is not known, or its key or its client is missing.
        """
        self.name = name
        self._timeout_s = timeout_s
        try:
            with translated(name):
                self._client: Client | None = self._make()
        except ImportError as error:
            raise UnknownModel(f"{name}: {error}") from None

    def _make(self) -> Client | None:
        return infer_model(self.name)

    async def _ready(self) -> Client:
        """What to ask with; looked up at the first question where the name does not say it all."""
        if self._client is None:
            raise UnknownModel(f"{self.name}: nothing to ask with")
        return self._client

    @property
    def window_tokens(self) -> int | None:
        """What the provider's profile says."""
        return None if self._client is None else self._client.profile.get("context_window")

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """Ask once, within the time-out.

        Raises:
            ModelError: one of its kinds.
        """
        start = time.perf_counter()
        with translated(self.name):
            client = await self._ready()
            async with client:  # the connections belong to the event loop that runs now
                response = await model_request(
                    client,
                    [ModelRequest(parts=[UserPromptPart(prompt.text)], instructions=prompt.instructions)],
                    model_settings=self._settings(prompt),
                    model_request_parameters=_parameters(client, schema),
                )
        if response.finish_reason in ("length", "content_filter"):
            raise UnusableReply(f"{self.name}: the answer was cut short ({response.finish_reason})")
        text = response.text or ""
        if not text.strip():
            raise UnusableReply(f"{self.name}: the answer is empty")
        used = response.usage
        return Reply(
            text=text,
            model=self.name,
            input_tokens=used.input_tokens or None,  # the library says 0 where the server said nothing
            output_tokens=used.output_tokens or None,
            latency_ms=(time.perf_counter() - start) * 1000,
        )

    def _settings(self, prompt: Prompt) -> ModelSettings:
        """Retries are our own, so that they can be counted and tests need not wait."""
        settings = ModelSettings(
            temperature=0.0, timeout=self._timeout_s, request_timeout=self._timeout_s, max_retries=0
        )
        if prompt.max_output_tokens is not None:
            settings["max_tokens"] = prompt.max_output_tokens
        return settings


class ServedModel(HostedModel):
    """A model behind an OpenAI-compatible address: `http://host:port[/v1][#model]`.

    Without `#model` the server is asked which one it has.
    """

    def __init__(self, address: str, *, api_key: str | None = None, timeout_s: float = 120.0) -> None:
        """Nothing is sent yet.

        Raises:
            UnknownModel: no address.
        """
        self._url, self._model = split_address(address)
        self._api_key = api_key
        super().__init__(address, timeout_s=timeout_s)

    def _make(self) -> Client | None:
        return self._served(self._model) if self._model else None

    async def _ready(self) -> Client:
        if self._client is None:
            self._client = self._served(await self._only_model())
        return self._client

    def _served(self, model: str) -> Client:
        # Without a key of its own the provider would send OpenAI's to whatever server this is.
        provider = OpenAIProvider(base_url=self._url, api_key=self._api_key or "none")
        # What every such server knows; `max_completion_tokens` is newer than many of them.
        profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OpenAIChatModel(model, provider=provider, profile=profile)

    async def _only_model(self) -> str:
        """The model that the server names; any name where it does not know the question.

        Raises:
            UnknownModel: it has several.
        """
        client = AsyncOpenAI(
            base_url=self._url, api_key=self._api_key or "none", timeout=self._timeout_s, max_retries=0
        )
        async with client:
            try:
                listed = await client.models.list()
            except APIStatusError as error:
                if error.status_code not in (404, 405, 501):
                    raise
                return "default"
        names = [model.id for model in listed.data]
        if len(names) > 1:
            raise UnknownModel(f"{self.name} serves {', '.join(names[:8])}; name one: {self._url}#{names[0]}")
        return names[0] if names else "default"


def _parameters(client: Client, schema: type[BaseModel] | None) -> ModelRequestParameters:
    """The server is made to keep to the schema where it can; else it is asked to."""
    if schema is None:
        return ModelRequestParameters()
    wanted = OutputObjectDefinition(
        json_schema=schema.model_json_schema(), name=schema.__name__, description=schema.__doc__
    )
    native = client.profile.get("supports_json_schema_output", False)
    mode: Literal["native", "prompted"] = "native" if native else "prompted"
    parameters = ModelRequestParameters(output_mode=mode, output_object=wanted)
    return client.customize_request_parameters(parameters)
