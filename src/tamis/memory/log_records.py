"""Log lines of a memory's decisions: one for each pass, and at debug level one for each line that went."""

from __future__ import annotations

import logging

from tamis.memory.passes import Pass

LOG = logging.getLogger("tamis.memory")


def log_pass(result: Pass) -> None:
    """Write down a pass: what it made of how much, whether that was used, and what went and why."""
    stages = result.stages
    if stages is None:
        return
    LOG.info(
        "memory pass: mode=%s applied=%s reason=%r tokens_before=%d tokens_after=%d ratio=%.3f"
        " latency_ms=%.2f strategy=%s left_out=%d",
        result.mode,
        result.applied,
        result.reason,
        stages.tokens_before,
        stages.tokens_after,
        stages.ratio,
        stages.latency_ms,
        stages.strategy,
        len(stages.injected.left_out),
    )
    if LOG.isEnabledFor(logging.DEBUG):
        for gone in stages.injected.left_out:
            LOG.debug(
                "left out of %s: %s (%s): %s", gone.source, gone.line.worth, gone.reason, gone.line.line.text
            )
