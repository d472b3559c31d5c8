"""What a method keeps of rules, facts and updates that stand in filler of the same tone.

    python benchmarks/rules_in_filler.py --methods ledger mask truncate --seeds 8
    python benchmarks/rules_in_filler.py --state --held-out

A table by method and budget, in per cent: rules and facts that stand (the words of the sentence in one
place),
updates whose new value stands and whose old one does not, rules that were taken back and are gone, statements
beside another of like words that both stand, and neutral sentences from the same places. Once with the gate,
which adds the ledger's rules to every method's text, and once without. `--state` shows what the ledger itself
holds, whatever the budget. `--held-out` takes the third of the phrasings that nobody mended anything by.
"""

from __future__ import annotations

import argparse

from filler.conversations import conversation
from filler.kept import Tally, tally
from filler.ledger_state import judge_state

import tamis
from tamis.compactors.gate import GateMode
from tamis.messages import part_text

GATES: tuple[GateMode, ...] = ("repair", "off")
COLUMNS = ("rule", "fact", "update", "update: new", "update: old gone", "lift", "neighbours", "neutral")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--methods", nargs="+", default=["ledger", "mask", "truncate"])
    parser.add_argument("--budgets", nargs="+", default=["10%", "20%", "30%"])
    parser.add_argument("--seeds", type=int, default=8, help="how many conversations (default 8)")
    parser.add_argument("--held-out", action="store_true", help="the phrasings that are kept aside")
    parser.add_argument("--state", action="store_true", help="only what the ledger holds")
    parser.add_argument(
        "--show", action="store_true", help="with --state: what it misses, phrasing by phrasing"
    )
    options = parser.parse_args()
    if options.show and options.held_out:
        parser.error("what is missed of the held-out phrasings is not shown, or they would no longer be")
    talks = [conversation(seed, held_out=options.held_out) for seed in range(options.seeds)]
    print("ledger state")
    for line in judge_state(talks, show=options.show):
        print(line)
    if options.state:
        return
    print(f"\n{'method':12} {'gate':7} {'budget':7} " + " ".join(f"{name:>17}" for name in COLUMNS))
    for method in options.methods:
        for gate in GATES:
            for budget in options.budgets:
                counts: dict[str, Tally] = {}
                for talk in talks:
                    made = tamis.compact(talk.messages, budget=budget, method=method, gate=gate)
                    text = "\n".join(part_text(part) for message in made.messages for part in message.parts)
                    tally(talk, text, counts)
                figures = " ".join(f"{counts.get(name, Tally())!s:>17}" for name in COLUMNS)
                print(f"{method:12} {gate:7} {budget:7} {figures}")


if __name__ == "__main__":
    main()
