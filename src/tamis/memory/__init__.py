"""Layered memory for agent loops: what to say of the past, in four levels and within a limit.

`LayeredMemory` is what a loop holds. `load_settings` reads its settings, `shadow_sessions` tries it on what
was recorded. Nothing here writes text of its own, except a model where one is named.
"""

from tamis.memory.iterations import Iteration, split_iterations
from tamis.memory.loop import LayeredMemory
from tamis.memory.passes import Pass, Stages
from tamis.memory.sections import Level, LineWorth
from tamis.memory.settings import MemoryMode, MemorySettings
from tamis.memory.settings_file import load_settings
from tamis.memory.shadow import ShadowReport, shadow_session, shadow_sessions
from tamis.memory.skillbook import Skill, Skillbook, read_skillbook, update_skillbook

__all__ = [
    "Iteration",
    "LayeredMemory",
    "Level",
    "LineWorth",
    "MemoryMode",
    "MemorySettings",
    "Pass",
    "ShadowReport",
    "Skill",
    "Skillbook",
    "Stages",
    "load_settings",
    "read_skillbook",
    "shadow_session",
    "shadow_sessions",
    "split_iterations",
    "update_skillbook",
]
