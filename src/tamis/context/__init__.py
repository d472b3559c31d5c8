"""A conversation that keeps itself within a model's window, while it goes on."""

from tamis.context.live import Context
from tamis.context.trigger import Trigger

__all__ = ["Context", "Trigger"]
