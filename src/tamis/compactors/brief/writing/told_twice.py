"""What is told elsewhere as well: in how things stand, in full, or in copied text."""

import re
from collections import defaultdict
from collections.abc import Sequence

from tamis.compactors.brief.reading.deeds.call_text import JOINT
from tamis.compactors.brief.reading.edits.code_lines import REMARK
from tamis.compactors.brief.reading.statement import DEEDS, STOPPED, WORDS, Statement, is_order
from tamis.compactors.brief.reading.statement_reader import BEFORE
from tamis.compactors.brief.writing.frame import one_line
from tamis.text.terms import run_of, terms_of

_SHORT_FORMS = frozenset({"outline", "excerpt"})

NEAR, FEW_WORDS, ALIKE, SAME = 4, 6, 0.8, 0.9
"""Messages behind an output that the agent repeats in so few words beside the names; how much of a sentence a
later one has that says the same, of three names and more, and of two."""

OF_LAST = 0.4
"""How much of what the last run printed is told as the state, where the rest is not copied."""

LEAST_KNOWN, ASKED_BY = 12, 100
"""Characters of a sentence that is known where it stands in another, and of a question in what is next."""

MOSTLY, FEW = 0.8, 3
"""Copied text of which so many lines stand elsewhere is told; fewer lines stand there by chance."""

_NUMBER = re.compile(r"(?m)^ {0,12}\d{1,7}[→:\t]")
_ADDED = re.compile(
    r"\Aedited [^`]{1,300}: added `(?![^\n]* ; |[^\n]*` → `)(?=[^\n]*…)([^\n]*)`(?: \([^`]{1,60}\))?\Z"
)
"""An edit that took nothing out, of which not all is told."""

_PUT_IN = re.compile(r"(?:` → |\badded |\bput in )`")
_ENDS = re.compile(r"`(?: ; .*| \([^`]{1,60}\))?\Z", re.DOTALL)
"""Before what an edit put in, and behind it."""

_NAME = re.compile(r"\w+")
_RENAMED = re.compile(r"\b(\w{1,99}) → (\w+)")
_DIFF = re.compile(r"(?m)^@@ -\d")
_CHANGED = re.compile(r"(?m)^[-+](?![-+]{2} )(.*)")
_HASH = re.compile(r"\b([0-9a-f]{7})[0-9a-f]{1,33}\b|\brefs/(?:heads|remotes|tags)/")
_NET = re.compile(r"\A[^:]{1,300}\ball of #(\d+)-(\d+)\)?: ")
_TICKED = re.compile(r"`([^`\n]{1,300})`")
_OWN = re.compile(r"\b(?:self|this)\.")
_DENIES = re.compile(r"\b(?:not?|never|only|without)\b|n['’]t\b")
_OF_EDIT = re.compile(
    r"(?:[^`\n]{0,20}\b(?:I|we)(?:['’]ve| have)?|.{1,80} (?:has|have) been) (?:now |just |also )?"
    r"(?:successfully )?(?:add|chang|fix|modifi|mov|remov|renam|replac|updat)ed\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"[^`\d:;(\n]{0,40}\b(?:tests? (?:\w{2,5} ){0,4}pass(?:e[sd])?|(committed))\b[^`\d:;(\n]{0,30}[.!]", re.I
)
"""Tells that something was edited, and in a few words that tests pass, or that it is committed."""
_NOT_ALONE = frozenset({"question", "heading", "opens", "code"})
_OFFERS = re.compile(
    r"(?:This|It|Now)(?:['’]s| is| seems| would be) (?:also )?a good (?:moment|time|point) (?:to|for)\b"
)
"""Leads up to an offer, and says nothing of itself."""

_ROW = re.compile(r"\n| ⏎ | … ")
_ASKS_STATE = re.compile(r"\b(?:status|list|log|diff|ls|branch|remote)\b")
"""Part of a command that asks how things stand."""


def is_stated(statement: Statement, stated: str) -> bool:
    """Whether how things stand tells of a run, or of the newest order, as much as the story would."""
    if statement.kind in WORDS:
        said = one_line(statement.text.partition(": ")[2] if is_order(statement) else statement.text)
        of_it = {lead.text.endswith("?") and is_stated(lead, stated) for lead in statement.leads} == {True}
        return (
            of_it
            or _OFFERS.match(said) is not None
            or (len(said) >= LEAST_KNOWN and said[: ASKED_BY if said[-1] == "?" else None] in stated)
        )
    if statement.kind not in ("tested", "failed", "ran"):
        return statement.text.startswith(STOPPED) and f"in stopping #{statement.turn} (" in stated
    installs = "installed" in statement.flags or (" install " in statement.key and "- installed: " in stated)
    if (installs and statement.kind == "ran") or statement.text.partition(BEFORE)[0] in stated:
        return True
    ran = re.escape(statement.text.partition(" → ")[0])
    at = rf"run(?: \((?:#{statement.turn}\b|(?!#))[^)\n]{{0,80}}\))?"  # in a small brief without its number
    return "run" in stated and re.search(rf"{at}: {ran}", stated) is not None


def _outlined(chosen: Sequence[Statement]) -> set[int]:
    """The outlines of deeds, and the excerpts of pastes, that are told in full, too."""
    short = {id(s) for s in chosen if not _SHORT_FORMS.isdisjoint(s.flags) or {"page", "short"} <= {*s.flags}}
    whole = (s for s in chosen if id(s) not in short and (s.kind in DEEDS or "paste" in s.flags))
    full = {(s.turn, s.place, s.key) for s in whole}
    return {id(s) for s in chosen if id(s) in short and (s.turn, s.place, s.key) in full}


def _lines_of(copied: Statement) -> list[str]:
    """The lines of a copied text; of a diff, what was taken out and put in."""
    text = _NUMBER.sub("", copied.text.removesuffix(" …")).partition("\n")[2]
    return [m[1] for m in _CHANGED.finditer(text)] if _DIFF.search(text) else text.splitlines()


def _put_in(s: Statement) -> list[str]:
    """The lines that the line of a change tells as new, without remarks in code."""
    hunk = s.text.partition(": ")[2]
    new = [_ENDS.sub("", text) for text in _PUT_IN.split(hunk)[1:]] or [hunk]
    lines = [line.strip(" …`") for text in new for line in JOINT.split(text)]
    told = s.key.endswith(".md")
    return [line for line in lines if len(line.split()) > 1 and (told or not REMARK.match(line))]


def _is_said(line: str, words: str) -> bool:
    """Whether a line stands in somebody's words: a short one as a line of its own."""
    run = run_of(line)
    return f" . {run} " in words or (run.count(" ") >= 2 and f" {run} " in words)


def _is_as_said(s: Statement, asked: str, words: str) -> bool:
    """Whether an edit puts in what the user gave, or a document what was said: its outline tells enough."""
    lines = _put_in(s)
    is_page = s.key.endswith(".md")
    if not is_page and ("removed `" in s.text or not s.text.partition(": ")[0].endswith(")")):
        return False
    return bool(lines) and sum(_is_said(line, words if is_page else asked) for line in lines) >= MOSTLY * len(
        lines
    )


def _versions_in(text: str) -> list[set[str]]:
    """The words of each line that names a version, however long its hash and the branch are written."""
    return [{*_HASH.sub(r"\1", line).split()} for line in _ROW.split(text) if _HASH.search(line)]


def is_shown(given: str, texts: Sequence[str]) -> bool:
    """Whether all that a line tells of an output stands in one copied text."""
    parts = [part.strip(" …") for part in JOINT.split(given)]
    return bool(given) and any(all(part in text for part in parts) for text in texts)


def _shows_edits(s: Statement, edits: Sequence[Statement]) -> bool:
    """Whether a deed shows a diff of which each line that is told stands in an edit that is told."""
    lines = [line.strip(" …") for line in JOINT.split(s.text.partition(" → ")[2])]
    if not lines[0].startswith(("diff --git ", "+++ b/")):
        return False
    changed = [
        line[1:].strip() for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")
    ]
    told = [(line, e) for line in changed for e in edits]
    known = {line for line, e in told if line in e.text or any(new in line for new in _put_in(e))}
    return bool(edits) and known.issuperset(changed)


def _is_of(s: Statement, copied: Statement) -> bool:
    """Whether a deed gave a copied text, or the change that a copied diff shows."""
    if s.kind == "changed" and s.turn < copied.turn and _DIFF.search(copied.text):
        return s.key.rpartition("/")[2] in copied.text
    if s.kind == "changed" and (net := _NET.search(s.text)) and s.key.rpartition("/")[2] in copied.text:
        return int(net[1]) <= copied.turn <= int(net[2]) + 1
    return s.kind in DEEDS and copied.key == f"{s.turn}.{s.place[0]}"


def _is_enough(s: Statement, copied: Statement) -> bool:
    """Whether beside the line of a call the copied text is only an echo of the edit, or for spare room."""
    echoes = _NET.search(s.text) or " printed" in copied.text.partition("\n")[0]
    is_echo = bool(echoes) and s.kind == "changed" and ": " in s.text
    return is_echo or ("detail" in copied.flags and " → " in s.text)


def _is_in(lines: Sequence[str], texts: Sequence[str], share: float = MOSTLY) -> bool:
    """Whether most of some lines stand in one of these texts, or name the versions that one names."""
    own = [version for line in lines for version in _versions_in(line)]
    held = [sum(line in text for line in lines) for text in texts]
    if len(own) == len(lines):
        others = map(_versions_in, texts)
        held += [sum(any(version <= o for o in other) for version in own) for other in others]
    return len(lines) >= FEW and max(held, default=0) >= share * len(lines)


def _words_twice(chosen: Sequence[Statement], asked: str) -> set[int]:
    """The agent's sentences that name what a call just before shows, or that somebody says again."""
    outputs = [(s.turn, s.text.partition(" → ")[2]) for s in chosen if s.kind == "ran"]
    outputs += [(s.turn, s.text) for s in chosen if s.kind == "changed"]
    edits = [(s.turn, s.text) for s in chosen if s.kind == "changed" and ": " in s.text]
    deeds = [(s.turn, s.kind) for s in chosen if s.kind in ("tested", "committed")]
    said = [s for s in chosen if s.kind in WORDS and _NOT_ALONE.isdisjoint(s.flags)]
    twice: set[int] = set()
    of_name: dict[str, list[tuple[Statement, frozenset[str]]]] = defaultdict(list)
    for s in said:
        held = frozenset(terms_of(_OWN.sub("", s.text)))
        for name in held:
            of_name[name].append((s, held))
    for s in said:
        names = [name.strip() for name in _TICKED.findall(s.text)]
        if "item" not in s.flags and names and len(_TICKED.sub("", s.text).split()) <= FEW_WORDS:
            near = [came for turn, came in outputs if 0 <= s.turn - turn <= NEAR]
            if not _DENIES.search(s.text) and any(all(name in came for name in names) for came in near):
                twice.add(id(s))
        near = [edit for turn, edit in edits if 0 <= s.turn - turn <= NEAR]
        tells = names and {"cause", "item"}.isdisjoint(s.flags) and _OF_EDIT.match(s.text)
        if tells and any(all(name.removesuffix("()") in edit for name in names) for edit in near):
            twice.add(id(s))
        if outcome := _OUTCOME.fullmatch(s.text):
            kind = "committed" if outcome[1] else "tested"
            twice |= {id(s)} if any(0 <= s.turn - at <= NEAR and k == kind for at, k in deeds) else set()
        runs = [line for line in s.text.splitlines() if run_of(line).count(" ") >= 2]
        if runs and all(_is_said(line, asked) for line in s.text.splitlines()):
            twice.add(id(s))
        own = frozenset(terms_of(_OWN.sub("", s.text)))
        keys = {term for name in names for term in terms_of(_OWN.sub("", name))}
        share = ALIKE if len(keys) >= FEW else SAME
        again = (
            other
            for other, held in of_name.get(min(keys, default=""), ())
            if other.turn > s.turn and id(other) not in twice and keys <= held
            if len(own & held) >= share * len(own)
        )
        if len(names) > 1 and any(again):
            twice.add(id(s))
    return twice


def _edits_named(chosen: Sequence[Statement]) -> set[int]:
    """Edits told without what they do, or that do next to nothing, whose file the agent then speaks of."""
    named: list[str] = []
    found: set[int] = set()
    for s in reversed(chosen):
        if s.kind == "asked":
            named.clear()
        elif s.kind in WORDS:
            named.append(s.text)
        elif s.text.startswith("edited ") and (": " not in s.text or "slight" in s.flags):
            name = s.key.rpartition("/")[2]
            found |= {id(s)} if any(name in text for text in named) else set()
    return found


def told_twice(chosen: Sequence[Statement], stated: Sequence[str]) -> set[int]:
    """What is told in full elsewhere, as well: outlines, and copied text beside a line that tells of it.

    Of a call and what is copied of its output, the line goes where the copied text has all that it tells; the
    copied text goes where most of it stands in the line, also under the names that it has now, in the line of
    another call, in another copied text, in how things stand, or in somebody's words; a diff, where its
    changes stand in the edits before it; what is only good for spare room, and what an edit echoes, beside
    any line of the call. Of a state that was asked for again, the newest answer is enough. The agent's words
    go where a call just before shows what they name, or where the user gives them, or a later report.
    """
    demanded = {s.turn for s in chosen if s.kind == "demanded"}
    states = [s for s in chosen if s.kind == "ran" and _ASKS_STATE.search(s.key)]
    newest = {s.key: s.turn for s in sorted(states, key=lambda s: s.turn)}
    twice = {*_outlined(chosen), *(id(s) for s in states if s.turn < newest[s.key])}
    twice |= {id(s) for s in chosen if s.kind == "passage" and int(s.key.partition(".")[0]) in demanded}
    names = dict(pair for line in stated if line.startswith("- renamed: ") for pair in _RENAMED.findall(line))

    def now(text: str) -> str:
        return _NAME.sub(lambda name: names.get(name[0], name[0]), text) if names else text

    copied = sorted((s for s in chosen if s.kind == "passage"), key=lambda s: s.turn)
    asked, words = (
        f" . {' . '.join(run_of(text) for s in chosen if s.kind in kinds for text in (s.text, now(s.text)))} "
        for kinds in (("asked",), ("asked", *WORDS))
    )
    for s in chosen:
        own = [p for p in copied if p.key == f"{s.turn}.{s.place[0]}"] if s.kind in DEEDS else []
        added = _ADDED.search(s.text)
        if own and (s.kind in ("ran", "failed", "tested") or added or s.text.startswith("wrote ")):
            gave = s.text.partition(": " if s.kind == "changed" else " → ")[2]
            gave = now(added[1]) if added else gave
            if is_shown(gave, [one_line("\n".join(p.text for p in own))]):
                twice.add(id(s))
        if s.kind == "changed" and "outline" not in s.flags and _is_as_said(s, asked, words):
            twice.add(id(s))
    twice |= _words_twice(chosen, asked) | _edits_named(chosen)
    helped = (s for s in chosen if s.kind == "committed" and s.text.endswith("(by another agent)"))
    twice |= {id(s) for s in helped if f" {s.text.split()[1][:7]}" in words}
    ran = [s for s in chosen if s.kind == "ran" and id(s) not in twice and " → " in s.text]
    edits = [s for s in chosen if s.kind == "changed" and id(s) not in twice]
    twice |= {id(s) for s in ran if _shows_edits(s, edits)}
    came = [s.text.partition(" → ")[2] for s in ran if id(s) not in twice]
    lines = {id(p): [one_line(line) for line in _lines_of(p)] for p in copied}
    for p in copied:
        own = [s for s in chosen if id(s) not in twice and _is_of(s, p)]
        beside = [s.text for s in own]
        beside += [now(text) for text in beside if names]
        there = [*beside, *stated]
        others = {line for o in copied if o is not p and id(o) not in twice for line in lines[id(o)]}
        mine = [line for line in lines[id(p)] if any(map(str.isalnum, line))]
        if " put into " in p.text.partition("\n")[0]:
            mine = [line for line in mine if not REMARK.match(line)] or mine
        known = sum(
            line in others or any(line in text for text in there) or _is_said(line, words) for line in mine
        )
        other = came + [o.text for o in copied if o is not p and id(o) not in twice]
        heads = f"- last run (#{p.key.partition('.')[0]}"
        last = [line for line in stated if line.startswith((f"{heads})", f"{heads}, the agent's script)"))]
        known = len(mine) if _is_in(mine, last, share=OF_LAST) else known
        if known >= MOSTLY * len(mine) or any(_is_enough(s, p) for s in own) or _is_in(mine, other):
            twice.add(id(p))
    return twice
