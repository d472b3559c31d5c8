"""A conversation that keeps itself within a model's window, while it goes on."""

from tamis.context.compaction_plan import parse_keep
from tamis.context.live import Context
from tamis.context.pins import load_pins
from tamis.context.trigger import Trigger

__all__ = ["Context", "Trigger", "load_pins", "parse_keep"]
