"""What a run of tests came to: the totals, and the errors of those that failed."""

import re
from collections.abc import Mapping, Sequence

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.events import TestRun

MOST_NAMED, OWN_CHARS = 4, 100
_SUMMARY = re.compile(r"(?m)^-{20,}\nRan |^=+ (?:short test|warnings) summary")


def own_errors(run: TestRun, output: str, errors: Sequence[str]) -> dict[str, str]:
    """The failing tests of a run that will be named, each with its own error; none unless all have one."""
    names, output = run.failing[:MOST_NAMED], _SUMMARY.split(output)[0]
    heads = {name: (f": {name}\n", f"_ {re.split(r'::|[.]', name)[-1]} _") for name in run.failing}
    found = ((max(map(output.find, signs)), name) for name, signs in heads.items())
    starts = sorted((at, name) for at, name in found if at >= 0)
    ends = [*(at for at, _ in starts[1:]), len(output)]
    own = {}
    for (at, name), end in zip(starts, ends, strict=False):
        part = one_line(output[at:end])
        if told := [error for error in errors if error in part]:
            # Of several in a row what they came to, but for a file of tests that could not be loaded.
            own[name] = min(told, key=part.find) if "_FailedTest" in name else max(told, key=part.rfind)
    return {name: own[name] for name in names} if names and own.keys() >= {*names} else {}


def totals(run: TestRun, own: Mapping[str, str]) -> str:
    """How many tests came to what, with the names of those that failed, or what each of them came to."""
    kinds = ("passed", "failed", "errors", "skipped")
    counts = ", ".join(f"{many} {what}" for what in kinds if (many := getattr(run, what)) is not None)
    names = run.failing[:MOST_NAMED]
    suites = {name.partition(" (")[2] for name in names}
    shown = dict(zip(names, names, strict=True))
    if len(names) > 1 and len(suites) == 1 and "" not in suites:  # they are of one class: it is told once
        shown |= {name: name.partition(" (")[0] for name in names[:-1]}
    told = ", ".join(shown.values())
    if own and own.keys() == shown.keys():
        alike = {why: [shown[name] for name in names if own[name] == why] for why in own.values()}
        most = 160 if len(alike) == 1 else OWN_CHARS
        told = "; ".join(f"{', '.join(those)}: {shortened(why, most)}" for why, those in alike.items())
    rest = max(len(run.failing), (run.failed or 0) + (run.errors or 0)) - len(names)
    told += f"; and {rest} more" if rest > 0 else ""
    return (counts or ("failed" if run.is_red else "ok")) + (f" ({told})" if names else "")
