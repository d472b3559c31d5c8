"""Browsing runs in a browser: every answer and every context, filtered, searched, and beside another's."""

from tamis.reports.local_server import Viewer
from tamis.reports.view.server import DEFAULT_PORT, open_viewer

__all__ = ["DEFAULT_PORT", "Viewer", "open_viewer"]
