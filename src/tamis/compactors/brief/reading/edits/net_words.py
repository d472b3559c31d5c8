"""The words of an edit in the light of others: it only tries something out, or several came to one."""

from tamis.compactors.brief.reading.deeds.call_text import JOINT, shortened
from tamis.compactors.brief.reading.edits.file_deeds import MOST_NAMES
from tamis.compactors.brief.reading.edits.hunks import REWRITTEN, compared
from tamis.compactors.brief.reading.edits.seen_files import EditedLines
from tamis.ledger.files.definitions import definition
from tamis.ledger.files.diffs import compare

TRIAL_CHARS = 230
"""Of what the agent tries out its beginning is told: the file is there to be read, what it printed is not."""

LONG_CHARS, SHORT_CHARS = 720, 160
"""Of what several edits of one place came to: in full, and in outline."""


def of_trial(text: str) -> str:
    """The change of a file that is only there to try something out, shortened to what it begins to put in.

    >>> of_trial("edited t.py: removed `a` ; put in `b`")
    'edited t.py: removed `a` ; put in `b`'
    >>> of_trial(f"wrote t.py (check): import rows {'⏎ check(rows) ' * 20}")
    'wrote t.py (check)'
    """
    head, _, hunk = text.partition(": ")
    if len(text) <= TRIAL_CHARS:
        return text
    if not hunk.startswith(("`", "added `", "removed `")):
        return f"{head}: {REWRITTEN}" if hunk.startswith(REWRITTEN) else head  # of a whole file some lines
    put_in = hunk.partition(" ; put in ")[2].strip("`")
    return shortened(f"{head}: {put_in or hunk}", TRIAL_CHARS)


def of_all(text: str, path: str, edits: EditedLines, *, in_short: bool) -> str:
    """The last of several edits of one place, told as what they all came to."""
    head = text.partition(": ")[0]
    was, now = "\n".join(edits.was), "\n".join(edits.now)
    net = compared(was, now, path, SHORT_CHARS if in_short else LONG_CHARS) if was != now else ""
    last = text.partition(": ")[2]
    new = JOINT.split(last.rstrip("`").rpartition("`")[2])
    if "…" in net and len(last) <= TRIAL_CHARS and not any(line.strip() in net for line in new):
        net += f" ; at last {last}"
    names = compare(path, was, now).touched[:MOST_NAMES]
    stand = {definition(path, line) for line in now.splitlines()}
    out = {definition(path, line) for part in last.split("`") for line in JOINT.split(part)} - stand
    if (
        names or not last or any(name in head for name in out if name)
    ):  # what was taken out again names no place
        head = head.partition(" (")[0] + f" ({', '.join(names)})" * bool(names)
    label = f"all of #{min(edits.turns)}-{max(edits.turns)}"
    return labelled(f"{head}: {net}", label) if net else text


def labelled(text: str, label: str) -> str:
    """An edit with more in the brackets behind its file, which stand where its text does not."""
    head, colon, hunk = text.partition(": ")
    return f"{head[:-1]}; {label}){colon}{hunk}" if head[-1:] == ")" else f"{head} ({label}){colon}{hunk}"
