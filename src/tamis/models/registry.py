"""Models by name.

- `http://host:port[/v1][#model]`: any server that speaks the OpenAI chat API
- `gguf:FILE`: a model file, run in this process
- `recorded:FILE`: exchanges recorded earlier
- `provider:model`: any provider that pydantic-ai knows, as `openai:...` and `anthropic:...`
"""

import asyncio
import os

from tamis.errors import UnknownModel
from tamis.models.protocol import Model
from tamis.models.recorded import RecordedModel
from tamis.models.retry import Patience, RetryingModel, Sleep

KEY_VARIABLE = "TAMIS_API_KEY"
"""Where the key of an `http://` server is read from, for those that want one."""

FORMS = "http://host:port[/v1][#model], gguf:FILE, recorded:FILE, or provider:model as in openai:gpt-5-mini"


def get_model(
    name: str,
    *,
    timeout_s: float | None = None,
    patience: Patience | None = None,
    api_key: str | None = None,
    sleep: Sleep = asyncio.sleep,
) -> Model:
    """The model of this name; nothing is sent or loaded before it is asked.

    Args:
        name: see above.
        timeout_s: the most that one answer may take; 120 seconds, or 600 for a file.
        patience: how often a failure that may pass is met by asking again.
        api_key: for `http://` servers that want a key; else the key is read from `TAMIS_API_KEY`.
        sleep: what waits between two attempts.

    Raises:
        UnknownModel: the name has no known form, or there is nothing behind it.
        MissingExtra: what asks such a model is not installed.
        UnreadableFile: recorded exchanges that cannot be read.
    """
    scheme, colon, rest = name.partition(":")
    if scheme == "recorded":
        return RecordedModel(rest)
    if scheme == "gguf":
        from tamis.models.local import TIMEOUT_S, LocalModel  # needs no network library

        return LocalModel(rest, timeout_s=timeout_s or TIMEOUT_S)  # what fails here fails again
    if not colon or not rest:
        raise UnknownModel(f"no model is called {name!r}; write {FORMS}")
    from tamis.models.hosted import HostedModel, ServedModel  # slow to import

    if scheme in ("http", "https"):
        hosted: HostedModel = ServedModel(name, api_key=api_key or read_key(), timeout_s=timeout_s or 120.0)
    else:
        hosted = HostedModel(name, timeout_s=timeout_s or 120.0)
    return RetryingModel(hosted, patience, sleep=sleep)


def read_key() -> str | None:
    """The key for `http://` servers, where the environment has one."""
    return os.environ.get(KEY_VARIABLE)
