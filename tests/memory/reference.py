"""The reference page of the memory's settings, as it follows from them."""

from __future__ import annotations

import json

from tamis.memory import MemorySettings
from tamis.memory.settings_file import leaves

_HEAD = """# Memory configuration

Settings of [layered memory](../how-to/layered-memory.md): a YAML file with one key, `compression`, read by
`tamis.memory.load_settings(path)` and by `tamis memory brief --config FILE`. A key that is not
listed here is refused with its file, line and the nearest key. `tamis memory settings` prints the defaults as
such a file. A variable overrides the file: `TAMIS_MEMORY_` and the key in capitals, with `_` for each dot, as
in `TAMIS_MEMORY_LEVELS_ERRORS=8`; lists are given as JSON.

The keys `thresholds`, `llm_summarization`, `skillbook`, `cache`, `async`, `safety`, `enabled` and `mode` are
those of the published configuration reference, with its defaults; one is another: no model is named, so none
is asked. A published file is read as it is: a bare model name gets its provider (`claude-3-haiku-20240307` is
`anthropic:claude-3-haiku-20240307`; where it cannot be asked, sentences are selected and a warning says so).
A block `monitoring` may stand beside, for [`load_monitoring`](../how-to/monitor.md).

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
