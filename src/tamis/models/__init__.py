"""Asking a language model: any provider, any OpenAI-compatible server, a local file, and test doubles."""

from tamis.models.protocol import Model, Prompt, Reply, read_reply
from tamis.models.recorded import RecordedModel
from tamis.models.registry import get_model
from tamis.models.retry import Patience, RetryingModel
from tamis.models.scripted import ScriptedModel

__all__ = [
    "Model",
    "Patience",
    "Prompt",
    "RecordedModel",
    "Reply",
    "RetryingModel",
    "ScriptedModel",
    "get_model",
    "read_reply",
]
