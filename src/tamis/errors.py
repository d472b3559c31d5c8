"""Every error that tamis raises on purpose.

    TamisError
    ├── InputError                  the input or the call is wrong; the message ends with the remedy
    │   ├── UnreadableFile          missing, empty, binary, not text, cut short
    │   ├── UnknownFormat           readable, but no reader knows the format
    │   ├── BadBudget               zero, negative, not a number, or below the fixed part
    │   ├── UnknownMethod           no such method, or it could not be loaded
    │   ├── OutputExists            refusing to overwrite
    │   └── NotComparable           runs or settings that do not go together
    ├── MethodFailed                a compactor raised, hung, or broke a guarantee
    └── MissingExtra                an optional dependency is needed; names the pip command

`InputError` and `MissingExtra` become one line and exit status 2 at the command line. Everything else that
tamis cannot name is a bug and keeps its traceback.
"""

from __future__ import annotations

__all__ = [
    "BadBudget",
    "InputError",
    "MethodFailed",
    "MissingExtra",
    "NotComparable",
    "OutputExists",
    "TamisError",
    "UnknownFormat",
    "UnknownMethod",
    "UnreadableFile",
]


class TamisError(Exception):
    """The root: catch this to catch everything that tamis raises on purpose."""


class InputError(TamisError):
    """What was given cannot be used. The message names the value and what to do instead."""


class UnreadableFile(InputError):
    """The file is missing, empty, binary, in another encoding, or cut short."""


class UnknownFormat(InputError):
    """The file can be read, but no reader recognises a session in it."""


class BadBudget(InputError):
    """The budget is not a positive token count or share, or is too small to hold anything."""


class UnknownMethod(InputError):
    """No compactor goes by this name, or the one named could not be loaded."""


class OutputExists(InputError):
    """The output path exists and overwriting was not asked for."""


class NotComparable(InputError):
    """Two runs, or a run and its settings, do not go together."""


class MethodFailed(TamisError):
    """A compactor raised, took too long, or returned something that breaks a guarantee."""


class MissingExtra(TamisError):
    """An optional dependency is needed for this; the message names the command that installs it."""
