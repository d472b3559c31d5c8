"""The formats that tamis reads, most often met first.

To add one, write its module and add an instance here. Order only decides between formats that are equally
sure of a file.
"""

from __future__ import annotations

from tamis.sessions.format import Format

FORMATS: tuple[Format, ...] = ()
"""Every format, one instance each."""
