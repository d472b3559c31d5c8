"""The formats that tamis reads, most often met first.

To add one, write its module and add an instance here. Order only decides between formats that are equally
sure of a file.
"""

from __future__ import annotations

from tamis.sessions.claude_code import ClaudeCode
from tamis.sessions.format import Format

FORMATS: tuple[Format, ...] = (ClaudeCode(),)
"""Every format, one instance each."""
