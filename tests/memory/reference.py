"""The reference page of the memory's settings, as it follows from them."""

from __future__ import annotations

import json

from tamis.memory import MemorySettings
from tamis.memory.settings_file import leaves

_HEAD = """# Memory configuration

Settings of [layered memory](../how-to/layered-memory.md): a YAML file with one key, `compression`, read by
`tamis.memory.load_settings(path)` and `tamis memory brief --config FILE`. An unknown key is refused with its
line and the nearest key. `tamis memory settings` prints the defaults as such a file. A variable overrides it:
`TAMIS_MEMORY_` and the key in capitals, `_` for each dot (`TAMIS_MEMORY_LEVELS_ERRORS=8`); lists are JSON.

The published configuration reference is read as it is and has these defaults, but for the model: none is
asked unless named. A block `monitoring` may stand beside, for [`load_monitoring`](../how-to/monitor.md).

| key | default | meaning |
|---|---|---|
"""


def reference() -> str:
    """The text of `docs/reference/memory-configuration.md`."""
    defaults = MemorySettings().model_dump(mode="json", by_alias=True)
    rows = []
    for path, field in leaves():
        value = defaults
        for step in path:
            value = value[step]
        shown = json.dumps(value).replace("|", "\\|")
        rows.append(f"| `{'.'.join(path)}` | `{shown}` | {field.description} |")
    return _HEAD + "\n".join(rows) + "\n"
