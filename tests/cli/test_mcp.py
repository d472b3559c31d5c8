"""`tamis mcp`."""

from __future__ import annotations


def test_only_this_machine_is_served(tamis) -> None:
    ran = tamis("mcp", "--http", "--host", "0.0.0.0")
    assert ran.status == 2
    assert "open to others" in ran.err
