"""An audit in sentences: said the same way on the screen and in the page; and what to type next."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tamis.audit.discovery import NAMED, Discovery
from tamis.audit.inspection import TokenUse
from tamis.audit.scan import ScanResult
from tamis.audit.totals import AuditFigures, LossExample, RecallShares, shortened
from tamis.evals.inference.intervals import Estimate


def amount(number: int) -> str:
    """A number of tokens as people say it.

    >>> amount(812), amount(21_802), amount(3_333_652), amount(2_100_000_000)
    ('812', '22k', '3.3M', '2.1G')
    """
    if number >= 1_000_000:
        return f"{number / 1e9:.1f}G" if number >= 1_000_000_000 else f"{number / 1e6:.1f}M"
    return f"{number / 1000:.0f}k" if number >= 10_000 else f"{number:,}"


def size(count: int) -> str:
    """A number of bytes as people say it.

    >>> size(1_368), size(68_941_067), size(1_234_000_000)
    ('1 kB', '69 MB', '1.2 GB')
    """
    if count >= 1_000_000_000:
        return f"{count / 1e9:.1f} GB"
    return f"{count / 1e6:.0f} MB" if count >= 1_000_000 else f"{max(count / 1e3, 1):.0f} kB"


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "session"), counted(2, "summary")
    ('1 session', '2 summaries')
    """
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what.removesuffix('y')}ies" if what.endswith("y") else f"{number:,} {what}s"


def times(number: int) -> str:
    """How often.

    >>> times(1), times(2), times(9)
    ('once', 'twice', '9 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def headline(figures: AuditFigures) -> str:
    """What this is about, in one sentence."""
    agents = counted(len(figures.agents), "agent")
    return f"{counted(figures.sessions, 'session')} of {agents} on this machine, {size(figures.bytes)}."


def coverage(figures: AuditFigures) -> str:
    """How much of it was read, and, where that is not all, what was left."""
    took = f"{figures.seconds:.0f} s"
    if figures.is_whole:
        left = ", but not every compaction was measured" if figures.unreached else ""
        return f"All of it was read here, in {took}{left}; nothing was sent anywhere."
    read = f"{figures.read:,} of {figures.sessions:,} were read here ({size(figures.bytes_read)}), in {took}"
    short = f", {figures.cut_short} of them in part" if figures.cut_short else ""
    order = "some of each agent, then those that were compacted, then the newest; --all reads everything"
    return f"{read}{short}: {order}. Nothing was sent anywhere."


def compacting(figures: AuditFigures) -> str:
    """How often the agents compacted themselves."""
    if not figures.compactions:
        return "None of the agents compacted one of these sessions, so nothing was lost that way."
    sessions = sum(agent.compacted_sessions for agent in figures.agents)
    least = "" if figures.is_whole else "at least "
    said = f"The agents compacted their sessions {least}{times(figures.compactions)}"
    if not figures.is_whole:
        where = "counted by their marks where a session was not read"
        said += f" ({where}{'' if figures.searched else ', as far as there was time'})"
    elif sessions:
        said += f", in {counted(sessions, 'session')}"
    return f"{said}."


def unmeasured(figures: AuditFigures) -> Iterator[str]:
    """Why not every compaction is in the figures."""
    if figures.unrecorded:
        yield f"{figures.unrecorded} without a summary that can be read (Codex seals its own)"
    if figures.unmeasured:
        yield f"{figures.unmeasured} too short, or without a sequel"
    if figures.unreached:
        yield f"{figures.unreached} that there was no time for (the newest of each session come first)"


def needed(figures: AuditFigures) -> Iterator[tuple[str, RecallShares]]:
    """What was needed behind the compactions, by kind; only what there was."""
    rows = (("Statements taken up again", figures.statements), ("Names used again", figures.names))
    return ((what, kept) for what, kept in rows if kept)


def averaged(figures: AuditFigures) -> str:
    """What kind of shares these are."""
    points = " and ".join(f"{kept.theirs.points:,}" for _, kept in needed(figures))
    return f"Shares are means over compactions ({points}), with 95% intervals."


def share(kept: Estimate) -> str:
    """A share, with its interval where there is one.

    >>> share(Estimate(mean=0.54, low=0.36, high=0.7, points=23, clusters=19))
    '54% (36–70)'
    """
    around = "" if kept.low is None or kept.high is None else f" ({kept.low * 100:.0f}–{kept.high * 100:.0f})"
    return f"{kept.mean:.0%}{around}"


def token_rows(use: TokenUse) -> list[tuple[str, int]]:
    """Where the tokens went; what begins with blanks is a part of what stands above."""
    rows = [
        ("tool output", use.results),
        ("  of files that were changed later", use.superseded),
        ("  of files that were shown again", use.reread),
        ("  the same output again", use.repeated),
        ("calls", use.calls),
        ("what was said", use.text),
        ("thinking", use.thinking),
    ]
    return [row for row in rows if row[1]]


def shrinking(figures: AuditFigures) -> str:
    """What the compactions did to the tokens."""
    return (
        f"{counted(figures.measured, 'compaction')} measured: {amount(figures.tokens_before)} tokens became "
        f"{amount(figures.tokens_after)}; tamis took {amount(figures.tamis_tokens)} for the same."
    )


def lost(example: LossExample) -> str:
    """One loss in words, without where it was."""
    loss = example.loss
    text = loss.text.rstrip(".")
    if loss.kind == "rule":
        again = f"; you had to say it again {times(loss.uses)}" if loss.uses else ""
        return f"You said “{text}”. After the compaction it was gone{again}."
    if loss.kind == "statement":
        return f"Later the agent said “{text}”. It knew that from before; the summary no longer said it."
    used = f"{_last_parts(text)} in {counted(loss.uses, 'turn')}"
    before = f"known from {counted(loss.before, 'message')} before"
    return f"The agent went on to use {used}, {before}; the summary did not name it."


def _last_parts(name: str) -> str:
    """A long path by its end, which is what tells it from others."""
    while len(name) > 40 and "/" in name.removeprefix("…/"):
        name = "…/" + name.removeprefix("…/").partition("/")[2]
    return name


def where(example: LossExample, home: Path) -> str:
    """Where a loss was, and whether tamis would have kept it."""
    shrunk = f"{amount(example.tokens_before)} tokens to {amount(example.tokens_after)}"
    kept = "tamis keeps it in as many" if example.loss.kept_by_tamis else "tamis would have lost it too"
    return f"{example.agent}, {shrunk}; {kept}. {shortened(example.path, home)}"


def troubles(figures: AuditFigures) -> Iterator[str]:
    """What could not be read, a line for each kind."""
    for trouble in figures.troubles:
        yield f"{counted(trouble.files, 'file')} {trouble.kind}: {trouble.example}"
    if figures.cut_off:
        files = counted(figures.cut_off, "file")
        yield f"{files} with half a line at the end: being written now, or synced by half; read up to there"
    if figures.unread:
        yield f"passed over: {counted(figures.unread, 'record')} of a kind that tamis does not know"


def nothing_found(found: Discovery, home: Path) -> str:
    """Where it was looked, and what to do."""
    places = sorted({(agent, shortened(str(root), home)) for agent, root in found.looked if root.is_dir()})
    there = "; ".join(f"{root} holds none" for _, root in places[:3])
    agents = ", ".join(dict.fromkeys(agent for agent, _ in found.looked if agent != NAMED))
    said = f" ({found.troubles[0].reason})" if found.troubles else ""
    said += f"; looked where {agents} keep theirs under {home}" if agents else ""
    said += f" ({there})" if there else ""
    remedy = "name their folder (tamis audit FOLDER), or try an example: tamis audit examples"
    return f"no sessions found{said}; {remedy}"


_WRAPPED = ("claude-code", "opencode", "pi", "codex", "gemini-cli")


@dataclass(frozen=True, kw_only=True, slots=True)
class SuggestedCommand:
    """A command line, and what it does."""

    line: str
    does: str


def advise(figures: AuditFigures, audited: ScanResult, *, page: Path | None) -> Iterator[SuggestedCommand]:
    """The commands that are worth typing next, the most useful first; `page` is the one that was written."""
    if path := figures.examples[0].path if figures.examples else _largest(audited):
        which = "the session of the first example" if figures.examples else "the largest of these sessions"
        line = f"tamis compact {shlex.quote(path)} -b 2% --as text"
        yield SuggestedCommand(line=line, does=f"what tamis makes of {which}")
    names = [a.name for a in sorted(figures.agents, key=lambda a: (-a.measured, -a.compactions))]
    if ours := next((name for name in names if name in _WRAPPED), None):
        does = "let tamis compact in this folder; --user: in all of them"
        yield SuggestedCommand(line=f"tamis wrap {ours}", does=does)
    if figures.unreached:
        yield SuggestedCommand(line="tamis audit --all", does="measure every compaction; it takes minutes")
    if page is None:
        yield SuggestedCommand(line="tamis audit -o audit.html", does="all of this as a page to keep")


def _largest(audited: ScanResult) -> str | None:
    """The session with the most tokens that is a file of its own."""
    files = [one for one in audited.looked if one.sessions == 1 and one.stored.inside is None]
    best = max(files, key=lambda one: one.tokens.total if one.tokens else 0, default=None)
    return str(best.stored.path) if best else None
