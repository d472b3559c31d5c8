"""What each phase of `extractive` saves, and in how many sessions it fires.

    python benchmarks/extractive_phases.py SESSIONS [SET...]

At most twenty sessions of each set, drawn by a seed; the published settings, no budget. A phase's share is
the tokens that it takes out of all tokens of these sessions; "of long prose" is what the third one takes out
of the messages that it changes.
"""

from __future__ import annotations

import sys
from collections import Counter as Tally
from pathlib import Path

from layered_memory import sampled

from tamis.compactors.methods.extractive import ExtractiveSettings, phases
from tamis.messages import get_counter

SAMPLE = 20
SEED = 1
SETS = ("entire-claude-code", "mini-swe-agent-deepseek", "openhands-codeact-swebench", "tau2-bench")
COUNTER = get_counter()


def main() -> None:
    """Print a row for each set."""
    folder, *sets = sys.argv[1:]
    print("| set | sessions | reasoning | tool output | sentences | of long prose |")
    print("|---|---|---|---|---|---|")
    for name in sets or SETS:
        saved: Tally[str] = Tally()
        fired: Tally[str] = Tally()
        count = 0
        for session in sampled(Path(folder) / name, SAMPLE, SEED):
            count += 1
            for phase in phases(session.messages, COUNTER, ExtractiveSettings(ratio_step=0)):
                saved["all"] += phase.tokens_before if phase.name == "reasoning" else 0
                saved[phase.name] += phase.tokens_before - phase.tokens_after
                fired[phase.name] += bool(phase.changed)
                if phase.name == "sentences":
                    saved["prose"] += phase.changed_before
        shares = [f"{saved[p] / saved['all']:.2%} ({fired[p]})" for p in ("reasoning", "output", "sentences")]
        prose = f"{saved['sentences'] / saved['prose']:.0%}" if saved["prose"] else "-"
        print(f"| {name} | {count} | {' | '.join(shares)} | {prose} |", flush=True)


if __name__ == "__main__":
    main()
