"""Deeds that later deeds overtake: run again, put right, taken out, put back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from tamis.compactors.brief.reading.deeds.call_text import bare, is_fault
from tamis.compactors.brief.reading.settling.installed import NOT_THERE
from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.ledger.files.paths import is_temporary, is_within
from tamis.ledger.shell.programs import is_named_check

LEAST_BEGINNING = 12
OPENING, LEAST_ALIKE = 6, 3
"""Of the first sentences of a message, so many in a later one of the same agent show that it is made anew."""

_PAIR = re.compile(r"`([^`]+)` → `([^`]+)`")
_LACKS = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have)(?:n['’]t| not)\b|\b(?:missing|incorrectly)\b"
    r"|\b(?:issue|problem) (?:is|occurs|arises) when\b|\bstill an? (?:\w{1,12} )?(?:issue|problem)\b",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\b(?:did|was|were|has|have)(?:n['’]t| not) (?:been |get |fully |properly |correctly )?"
    r"(?:add(?:ed)?|appl(?:y|ied)|updated?|saved|replaced?|inserted|removed|fix(?:ed)?|solved?|resolved?|work)\b"
    r"|\bthere(?:['’]s| (?:is|are))(?: still)? (?:an?|some|another|more) (?:\w{1,20} )?"
    r"(?:syntax|indentation|duplicate)|\bnot updating\b"
    r"|\A(?:this|that|it) (?:could|may|might) be (?:because|due to)\b"
    r"|\b(?:issue|bug|problem) (?:still )?(?:exists|persists)\b"
    r"|\bI(?:['’]m| am| was) not \w{2,12}ing\b|\bI (?:forgot|missed|did(?:n['’]t| not))\b"
    r"|\bis still (?:fail|giv|print|return|show)ing\b",
    re.IGNORECASE,
)
"""Finds the agent's own work amiss, or guesses why."""
_HOPED = re.compile(
    r"(?<!\bI )(?<!\bwe )\bshould (?:now |already )?have (?:now )?\w{2,20}ed\b"
    r"|\bshould (?:now )?(?:address|fix|re?solve)\b"
    r"|\A(?:now,? )?(?:I|we)(?:['’]ve| have) (?:\w{2,12} )?(?:add|chang|implement|modifi|remov|updat)ed\b"
    r"|\A(?:I|we)(?:['’]ll| will)\b|\bI (?:still )?need to (?:check|look|see|verify)\b"
    r"|\bclass is (?:defined|located) in `?[\w./]{3,200}`?[.]?\Z"
    r"|\bshould (?:(?:now|all) (?:work|pass)|work (?:now|as (?:intended|expected)|correctly|properly))\b"
    r"|\b(?:I|we)(?:['’]ve| have)? (?:already|just) (?:fix|solv|resolv)ed\b",
    re.IGNORECASE,
)
_PLANS = re.compile(r"\bfix(?:es)? (?:should|would|could|is to|needs? to)\b|\bwe should\b", re.IGNORECASE)
_ECHOES = re.compile(r"(?:y(?:es|eah)|no),? |(?<!.)[^.;:\n]{1,200} either\.\Z", re.I)  # what was seen last
_FILE = re.compile(r"`(?:\./|/)?([\w.-]{1,80}/[\w./-]{1,200})`")
_UNUSED = re.compile(r"\b(?:unused|dead code|(?:not|never) (?:used|called)|no callers?)\b", re.IGNORECASE)
_TICKED = re.compile(r"`(\w{3,80})(?:\(\))?`")
_TO_COMMIT = re.compile(
    r"\bready (?:for|to) (?:be )?commit|\beverything(?:['’]s| is) (?:still )?uncommitted\b"
    r"|\bnothing (?:is |was |has been )?committed\b"
    r"|\bnot (?:been )?committed yet\b",
    re.IGNORECASE,
)
OF_OWN_CHECK = re.compile(
    r"\b(?:issue|problem|bug|mistake|error) (?:with|in) my (?:\w+ )?(?:test|script|check)"
    r"|\bmy (?:\w+ )?(?:test|script|check) (?:is|was|did|does)(?:n['’]t| not)\b",
    re.IGNORECASE,
)
_ISSUES = re.compile(r"\b(?:issue|problem|error)s?\W{1,4}\Z", re.IGNORECASE)
_LOOKED = re.compile(r"[\w -]{0,40}: looked at (.{12,120}?) \(")
_PATH = re.compile(r"[\w./-]++")
_HIDDEN = re.compile(r"\.[a-z]\w{2,40}")
SLIP = re.compile(
    r"can't open file|[Nn]o such file|command not found|[Cc]ould not resolve|"
    r"(?:unknown|illegal|invalid|unrecognized) (?:argument|flag|option|command)"
)
"""What a call says that was put wrongly: put right, it is the same call."""


_RETRIES = re.compile(r"(?i)\bretry(?:ing)?\b|\btry(?:ing)? (?:it )?(?:again|with|another|differently)\b")
_FAILS = re.compile(r"(?i)\b(?:failed|errored|did(?:n['’]t| not) work)\b")
"""Say that a call is made again, and that it had failed."""

COPY = re.compile(r"(?<=[a-z])_?v?\d{1,2}(?=\.\w{1,4}\Z)")
"""Tells a script apart from the one that it was made from: `try_rows2.py`."""

TAKEN_OUT_CHARS, LEAST_CHARS = 20_000, 12
_COUNT = re.compile(r" \(\d{1,6} lines\)\Z")


def overtaken(statements: Sequence[Statement], born: Collection[str] = ()) -> set[int]:
    """Runs and records that a later one overtakes, and changes that a later change takes out again.

    `born` are files that the session made.
    """
    gone = _undone(statements) | _unused(statements) | _slips(statements) | _told_anew(statements)
    gone |= _tried_before(statements)
    runs: dict[str, Statement] = {}
    records: dict[str, Statement] = {}
    refused: dict[str, Statement] = {}  # deeds that were refused, by their file
    lacking: dict[str, Statement] = {}  # what failed for want of a module
    waiting: set[int] = set()  # what says that something is not committed yet
    written: dict[str, int] = {}  # when each of its own files was changed last, by its name
    for s in statements:
        if s.kind in WORDS and "\n" not in s.text and _TO_COMMIT.search(s.text):
            waiting.add(id(s))
        elif s.kind in ("committed", "asked"):  # how things stand tells it
            gone |= waiting
        if s.kind == "changed" and s.key in born:
            written[s.key.rpartition("/")[2]] = s.turn
        if s.kind in ("tested", "failed") and s.key:
            again = (s.key, *s.key.split(" && "), COPY.sub("", s.key)) if s.kind == "tested" else (s.key,) * 2
            before = (runs[key] for key in again if key in runs and not _is_another(runs[key], written))
            gone |= {id(run) for run in before if run.key in again[:-1] or "gain" not in run.flags}
            runs[s.key] = s
        if s.kind == "ran" and "reads" not in s.flags and s.key:
            own = "git status" if s.key.startswith("git status") else s.key
            gone |= {id(runs[own])} if own in runs and runs[own].kind == "ran" else set()
            runs[own] = s
        if s.kind == "failed" and (lacked := NOT_THERE.search(s.text)):
            gone |= {id(lacking[lacked[1]])} if lacked[1] in lacking else set()
            lacking[lacked[1]] = s
        if s.kind == "failed" and "refused" in s.flags:
            gone |= {id(refused[s.key])} if s.key in refused else set()
            refused[s.key] = s
        elif s.kind == "changed":  # the second time it was done; a call may have left out where
            gone |= {id(refused.pop(key)) for key in (s.key, "") if key in refused}
        if "record" in s.flags and s.key:
            own = f"{s.key} {'outline' in s.flags}"
            if own in records and records[own].turn < s.turn:
                gone.add(id(records[own]))
            records[own] = s
    removed: dict[str, list[tuple[str, str]]] = {}
    tidied: dict[str, Statement] = {}
    out: dict[str, Statement] = {}
    back_in: dict[str, list[tuple[str, Statement]]] = {}
    wrote: set[str] = set()
    for s in reversed(statements):
        if s.kind != "changed" or "outline" in s.flags:
            continue
        head, _, hunk = s.text.partition(": ")
        back = f"{s.key} {_COUNT.sub('', hunk).removeprefix('added ').removeprefix('removed ')}"
        if hunk.startswith("added ") and back in out:
            gone |= {id(s), id(out.pop(back))}  # put in and taken out: nothing came of it
        elif hunk.startswith("removed "):
            out[back] = s
            begin = _COUNT.sub("", hunk).removeprefix("removed `").rstrip("` …")
            put_back = [o for text, o in back_in.get(s.key, ()) if text.startswith(begin)]
            gone |= {id(o) for o in (s, *put_back) if put_back and len(begin) >= LEAST_CHARS}
        if hunk.startswith("added ") and "`" not in hunk[7:-1]:
            back_in.setdefault(s.key, []).append((hunk[7:-1], s))
        if head.startswith("wrote ") or is_temporary(
            s.key
        ):  # of the newest file for trials alone it may be asked what it holds
            own = "/tmp" if is_temporary(s.key) else s.key
            gone |= {id(s)} if own in wrote else set()
            wrote.add(own)
        if hunk.startswith("removed a second "):
            tidied[head] = s
        elif head in tidied:  # what the agent had doubled itself
            gone.add(id(tidied.pop(head)))
        later = removed.get(s.key, [])
        pairs = _PAIR.findall(s.text)
        if pairs and later and all(any(_is_out(line, *pair) for pair in later) for _, line in pairs):
            gone.add(id(s))
        removed.setdefault(s.key, []).extend(pairs)
    told = {(s.turn, s.place, s.key) for s in statements if s.kind == "changed" and id(s) in gone}
    return gone | {id(s) for s in statements if "outline" in s.flags and (s.turn, s.place, s.key) in told}


def _is_another(run: Statement, written: Mapping[str, int]) -> bool:
    """Whether what a script showed stands beside its next run: the script tries something else since."""
    is_trial = run.kind == "tested" and not is_named_check(run.key) and not is_fault(run.text)
    return is_trial and any(written.get(name, -1) > run.turn for name in file_names(run.key))


def _told_anew(statements: Sequence[Statement]) -> set[int]:
    """Of several agents: forms and orders before the newest, plans made anew, an order that is done."""
    gone = _superseded(statements)
    told: dict[tuple[str, int], list[Statement]] = {}
    pages: dict[str, int] = {}  # when each was looked at last
    for s in statements:
        if s.kind == "ran" and (page := _LOOKED.match(s.text)):
            pages[page[1]] = s.turn
        if "authored" in s.flags and s.kind in WORDS:
            told.setdefault((s.text.partition(": ")[0], s.turn), []).append(s)
    forms: set[str] = set()
    openings: dict[str, list[set[str]]] = {}
    for (author, turn), own in reversed(told.items()):
        opening = {s.text for s in own[:OPENING] if len(s.text) - len(author) > LEAST_BEGINNING}
        again = any(len(opening & other) >= LEAST_ALIKE for other in openings.get(author, ()))
        if " -> " in author:
            again = again or any(at > turn and page in own[0].text for page, at in pages.items())
        is_form = "form" in own[0].flags
        if again or (is_form and author in forms):
            gone |= {id(s) for s in own}
        forms |= {author} if is_form else set()
        openings.setdefault(author, []).append(opening)
    return gone


def _superseded(statements: Sequence[Statement]) -> set[int]:
    """Of several agents, one of whom gives the orders: all before the newest; what came of them is told."""
    orders = [s for s in statements if "authored" in s.flags and " -> " in _author(s)]
    if len({_author(s).partition(" -> ")[0] for s in orders}) > 1:
        return set()
    return {id(s) for s in orders if s.turn < orders[-1].turn}


def _author(s: Statement) -> str:
    return s.text.partition(": ")[0]


def file_names(words: str) -> Iterator[str]:
    """The names of files in a command or in the arguments of a call.

    >>> [*file_names("cat src/rows.py | head")]
    ['rows.py']
    """
    names = (found.rpartition("/")[2] for found in _PATH.findall(words))
    yield from (name for name in names if "." in name.strip(".") or _HIDDEN.fullmatch(name))


def outdated(statements: Sequence[Statement]) -> set[int]:
    """Edits of what a later edit of the same names in the same file changes, or that were taken back.

    So is putting a file back before it was changed, and what was put into files that are gone.
    """
    gone: set[int] = set()
    later: set[str] = set()
    edited: set[str] = set()
    newest: dict[str, int] = {}
    removed: set[str] = set()
    for s in reversed(statements):
        if s.kind == "changed" and "outline" in s.flags and newest.get(s.text, s.turn) > s.turn:
            gone.add(id(s))  # a later edit in the same place is told by the same words
        if s.kind != "changed" or "outline" in s.flags:
            continue
        newest.setdefault(s.text.partition(": ")[0], s.turn)
        name = s.key.rpartition("/")[2]
        if "restore" in s.flags and name in edited:
            gone.add(id(s))
        if s.text.startswith(("wrote ", "edited ")) and s.key in removed:
            gone.add(id(s))
        removed |= {s.key} if s.text.startswith("deleted ") else set()
        edited.add(name)
        head, _, hunk = s.text.partition(": ")
        if s.key in later or (head.endswith(")") and head in later):
            gone.add(id(s))
        if not hunk.startswith("removed ") or "; put in `" in hunk:  # what is tidied up stands but for that
            later.add(s.key if head.startswith("reverted") else head)
    return gone


def deleted_since(statements: Sequence[Statement]) -> dict[int, str]:
    """What there is to add to what the agent said of a file that it then deleted, by identity."""
    last = {s.key: s for s in statements if s.kind == "changed"}
    removed = {f"/{path}": s.turn for path, s in last.items() if s.text.startswith("deleted ")}
    notes: dict[int, str] = {}
    for s in statements if removed else ():
        named = tuple(f"/{name}" for name in _FILE.findall(s.text) if s.kind in WORDS and "\n" not in s.text)
        turns = [at for path, at in removed.items() if named and path.endswith(named)]
        if turns and min(turns) > s.turn:
            notes[id(s)] = f"deleted since, #{max(turns)}"
    return notes


def mended(statements: Sequence[Statement]) -> set[int]:
    """What an agent that works alone found lacking in its own work, or meant to do, before a change."""
    edits = [s.turn for s in statements if s.kind == "changed" and "source" in s.flags]
    if not edits:
        return set()
    said = [s for s in statements if s.kind in ("said", "found") and s.turn < edits[-1]]
    lacks = {id(s) for s in said if edits[0] < s.turn and _LACKS.search(s.text)}
    return lacks | {id(s) for s in said if _PLANS.search(s.text)}


def passed(statements: Sequence[Statement], end: int) -> set[int]:
    """What an agent that works alone hoped of its work, or found amiss in it, before it went on."""
    edits = [s.turn for s in statements if s.kind == "changed" and "source" in s.flags] or [end]
    last = max((s.turn for s in statements if s.kind == "changed"), default=-1)
    said = [s for s in statements if s.kind in ("said", "found")]
    listed = (s for s in said if edits[0] < s.turn <= edits[-1] and {"opens", "item"} & {*s.flags})
    gone = {id(s) for s in listed if _ISSUES.search(s.text.partition("\n")[0])}
    asked = {s.turn + 1 for s in statements if s.kind == "asked"}
    for s in said:
        echoes = s.turn not in asked and s.key == "0" and _ECHOES.match(s.text)
        hoped = s.turn < end and (echoes or _HOPED.search(s.text))
        failed = edits[0] < s.turn <= edits[-1] and _FAILED.search(s.text)
        failed = failed or (s.turn <= last and OF_OWN_CHECK.search(s.text))
        if any(id(lead) in gone for lead in s.leads) or ("\n" not in s.text and (hoped or failed)):
            gone.add(id(s))
    return gone


def _is_out(line: str, old: str, new: str) -> bool:
    """Whether a change takes out what an earlier one put in; the old text may be told by its beginning."""
    begins = old.removesuffix("…").rstrip()
    is_cut = len(begins) < len(old) and len(begins) >= LEAST_BEGINNING
    held = line in old or (is_cut and line.startswith(begins))
    return held and line not in new


def _undone(statements: Sequence[Statement]) -> set[int]:
    """Edits since the last commit of files that were put back afterwards; deletions of what was made anew."""
    gone: set[int] = set()
    there: set[str] = set()  # what was worked on afterwards
    again: set[str] = set()  # and for the same request
    written = {s.key for s in statements if s.text.startswith("wrote ")}
    reverted: set[str] = set()
    back: set[str] = set()  # what a stash gave back again
    for s in reversed(statements):
        if s.kind == "committed":
            reverted.clear()
        elif s.kind == "asked":
            again.clear()
        elif s.kind != "changed":
            continue
        elif s.text.startswith("deleted ") and s.key in there:
            gone.add(id(s))
        elif s.text.startswith("put back"):
            back.add(s.key)
        elif s.text.startswith("reverted"):
            reverted |= {s.key} - back
            gone |= {id(s)} if s.key in again - written else set()  # what was put back is not told either
            back.discard(s.key)
        elif s.text.startswith(("edited ", "wrote ")):
            there.add(s.key)
            again.add(s.key)
            gone |= {id(s)} if s.key in reverted and s.text.startswith("edited") else set()
    return gone


def _unused(statements: Sequence[Statement]) -> set[int]:
    """What was said to be unused and is taken out."""
    gone: set[int] = set()
    taken_out = ""
    for s in reversed(statements):
        names = _TICKED.findall(s.text) if s.kind in WORDS and _UNUSED.search(s.text) else []
        gone |= {id(s)} if names and all(name in taken_out for name in names) else set()
        if s.kind == "changed" and ": removed `" in s.text:
            taken_out = f"{s.text}\n{taken_out}"[:TAKEN_OUT_CHARS]
    return gone


def _tried_before(statements: Sequence[Statement]) -> set[int]:
    """What ran in a throw-away folder before the last edit of the work behind which more ran in it."""
    gone: set[int] = set()
    ran: set[str] = set()
    before: set[str] = set()
    for s in reversed(statements):
        if s.kind == "changed" and "source" in s.flags:
            before |= {folder for folder in ran if not is_within(s.key, folder)}
        elif s.kind in ("ran", "tested", "failed") and s.key[:3] == "cd " and is_temporary(s.key[3:]):
            ran.add(folder := s.key[3:].partition(" && ")[0])
            gone |= {id(s)} if folder in before else set()
    return gone


def _slips(statements: Sequence[Statement]) -> set[int]:
    """Calls that were put wrongly, where the next of the same program, or of the same script, was not.

    So are those that failed, where the same with other options went well, and what was said of them then.
    """
    gone: set[int] = set()
    slips: dict[str, Statement] = {}
    vain: dict[frozenset[str], Statement] = {}
    said: list[Statement] = []  # in the newest message
    for s in statements:
        if s.kind in WORDS:
            said = [*(o for o in said if o.turn == s.turn), s]
        elif s.kind == "changed":
            vain.clear()
        if s.kind not in ("tested", "failed", "ran") or not s.key:
            continue
        if s.kind != "failed" and any(o.turn == s.turn and _RETRIES.search(o.text) for o in said):
            gone |= {id(o) for o in said if "\n" not in o.text and _FAILS.search(o.text)}
        words = [word.rpartition("/")[2] for word in bare(s.key).split() if not word.startswith("-")]
        program = " ".join(words[:2])
        same = frozenset(word for word in words if "=" not in word)
        if s.kind != "failed":
            gone |= {id(vain.pop(same))} if same in vain else set()
        elif not is_named_check(s.key):
            vain[same] = s
        if s.kind == "failed" and SLIP.search(s.text):
            if "reads" not in s.flags:
                slips[program] = s
        elif program in slips:
            gone.add(id(slips.pop(program)))
    return gone
