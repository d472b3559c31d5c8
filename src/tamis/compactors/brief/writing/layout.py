"""How a brief looks: rules, the story in episodes, where things stand, what is next; all inside one fence.

Every line begins with a mark, so that nothing quoted can pass for a line of the brief's own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.edits.code_lines import shared
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, edited_since
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.closed_requests import DENIES
from tamis.compactors.brief.reading.speech.plans import PLAN
from tamis.compactors.brief.reading.statement import (
    CUT,
    LISTED,
    STOPPED,
    STOPPED_PLAN,
    WANTED,
    WORDS,
    Statement,
)
from tamis.compactors.brief.writing.frame import BRIEF_HEADER, SMALL_BRIEF_HEADER, fence

MARKS = "> the user; = the agent's words, unchecked; - what was done; | copied text."
KEY = "(> the user, = the agent)"
LEGEND = f"Each line as of its message, State and Next as of now. {MARKS}"

TITLES: Mapping[str, str] = {
    "rules": "Rules",
    "facts": "Facts",
    "asked": "Asked",
    "summary": "Summary, by a model",
    "story": "Story",
    "state": "State",
    "files": "Files",
    "open": "Open tasks",
    "next": "Next",
}
"""The sections in the order in which they stand; `asked`, `files` and `open` are what the gate adds."""

_PARTS = re.compile(r" ⏎ | … ")
ALIKE_CHARS = 32
"""Two commands of one call, and two printed lines, that begin with so many of the same are the same."""
_SPEAKS = re.compile(r"\w[\w >-]{0,60}:(?:\s|\Z)")
"""Begins words that would pass for somebody else's."""
ANSWERED = " (answered)"
_STOPPED = re.compile(r"[.!?:;…)。！？：；][\"'’”`)\]*_]{0,4}\Z")
"""Ends a sentence."""
_OF_CODE = frozenset({"code", "excerpt"})
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def mark_of(statement: Statement) -> str:
    """What stands before each line of a statement."""
    if statement.kind in WORDS:
        return "= "
    return {"asked": "> ", "demanded": "| ", "passage": "| "}.get(statement.kind, "- ")


def lines_of(statement: Statement) -> list[str]:
    """The statement as lines, each with its mark."""
    if statement.text.startswith(STOPPED) and statement.text.endswith(")"):  # the user said nothing
        told = statement.text.replace(STOPPED_PLAN, "(turned down the agent's plan)")
        return marked(f"the user {told[1:-1]}", "- ")
    return marked(statement.text.replace(STOPPED_PLAN, "(of the agent's plan)"), mark_of(statement))


def marked(text: str, mark: str) -> list[str]:
    """Somebody's words as lines, each behind a mark, whatever they break a line with."""
    return [f"{mark}{line.rstrip()}" for line in _BREAKS.split(text) if line.strip()]


def story(
    chosen: Iterable[Statement],
    episodes: Sequence[Episode],
    *,
    headed: bool = True,
    edits: Sequence[EditedPlace] = (),
    answers: Mapping[int, str] | None = None,
) -> list[str]:
    """The lines of the story: episodes in order, in each what was chosen, in order.

    The heading of one tells which files, of those whose edits it tells, were edited again behind it. A
    question that stands alone in its episode tells that it was answered, or where it was put right.
    """
    lines: list[str] = []
    waiting = sorted(chosen, key=lambda s: (s.turn, s.place, s.kind != "changed", "agent" not in s.flags))
    at, begins = 0, -1
    misread: list[Statement] = []
    for episode in episodes:
        own = []
        while at < len(waiting) and waiting[at].turn < episode.end:
            own.append(waiting[at])
            at += 1
        if not own:
            continue
        last, begins = episode.end - 1, begins if begins >= 0 else episode.start
        told = _with_answers(own, answers or {})
        if headed and all(", see #" in s.text[len(o.text) :] for s, o in zip(told, own, strict=True)):
            misread += told  # with what was meant, under one heading
            continue
        if headed:
            heading = f"### #{begins}" + (f"-{last}" if last > begins else "")
            asked = max((s.turn for s in waiting[:at] if s.kind == "asked"), default=None)
            lines.append(heading + edited_since(own, episode.end, edits, asked=asked))
        lines += _joined([*misread, *told])
        misread, begins = [], -1
    return lines + _joined(misread)


def _with_answers(own: Sequence[Statement], answers: Mapping[int, str]) -> list[Statement]:
    """The statements of an episode; a question with nothing of its answer told, with the note on that."""
    made = [*own]
    for at, s in enumerate(own):
        behind = own[at + 1] if at + 1 < len(own) else None
        note = answers.get(s.turn) if s.kind == "asked" else None
        is_alone = behind is None or (behind.kind == "asked" and behind.turn > s.turn)
        begins = next(n for n, o in enumerate(own) if o.turn == s.turn)
        if note and is_alone and not any(note in o.text for o in own[begins : at + 1]):
            made[at] = replace(s, text=s.text + note)
    return made


def answers_of(statements: Iterable[Statement], misread: Mapping[range, str]) -> dict[int, str]:
    """Of questions before the newest request, by turn, that they are answered, or as what they were misread.

    An answer is the last message before the next request.
    """
    found: dict[int, str] = {}
    asked = reply = -1
    for s in statements:
        if s.kind == "asked" and s.turn != asked:
            is_met = 0 <= reply == s.turn - 1 and not DENIES.search(s.text)
            found |= {asked: ANSWERED} if is_met else {}
            asked, reply = s.turn, -1
        elif {"reply", "verdict"} <= {*s.flags}:
            reply = s.turn
    notes = {
        turns: f"taken for {other} by the agent" if other else "misread" for turns, other in misread.items()
    }
    return found | {at - 1: f" ({note}, see #{turns.stop})" for turns, note in notes.items() for at in turns}


def _joined(statements: Sequence[Statement]) -> list[str]:
    """The lines of statements; sentences of one message run on in one line."""
    lines: list[str] = []
    before: Statement | None = None
    for statement in statements:
        author = _author_of(statement)
        again = author if before is not None and before.turn == statement.turn else ""
        if before is None or author != _author_of(before) or _SPEAKS.match(statement.text, len(author)):
            again = ""
        if PLAN in statement.flags and (before is None or PLAN not in before.flags):
            lines.append("- the plan says:")
        if before is not None and _touches(before, statement):
            lines[-1] = lines[-1].removesuffix(" …")
            lines += lines_of(statement)[1:]
        elif before is not None and (more := _more_of(before, statement)):
            lines[-1] = _with_more(lines[-1].removesuffix(" …"), more)
        elif before is not None and _stood_on_line(before, statement):
            first, *own = lines_of(statement)
            said, note = lines[-1].removesuffix(ANSWERED), ANSWERED * lines[-1].endswith(ANSWERED)
            if CUT not in before.flags:
                said = said.removesuffix(" …")  # what goes on here is told
            first = first[2:].strip().removeprefix("> ") if "quoted" in statement.flags else first[2:].strip()
            lines[-1] = f"{said} {first}{note}"
            lines += own
        elif before is not None and _run_on(before, statement):
            lines[-1] += f" {statement.text.strip().removeprefix('(reported) ').removeprefix(again)}"
        else:
            own = lines_of(replace(statement, text=statement.text.removeprefix(again)))
            if own and _skips(before, statement) and own[0][2:3] != "…":
                own[0] = f"{own[0][:2]}… {own[0][2:]}"
            elif before is not None and _breaks_off(before, statement):
                lines[-1] = lines[-1].removesuffix(" …") + " …"
            lines += own
        before = statement
    if before is not None and _breaks_off(before, None):
        lines[-1] = lines[-1].removesuffix(" …") + " …"
    return lines


def _touches(before: Statement, statement: Statement) -> bool:
    """Whether a piece of copied text begins where the one before ends."""
    both = before.turn == statement.turn and before.place[0] == statement.place[0]
    on = both and before.place[1] + 1 == statement.place[1] and "runs-on" in statement.flags
    return on and before.kind == statement.kind == "passage"


def _more_of(before: Statement, statement: Statement) -> str:
    """What more a call printed than the line before tells of it."""
    call, arrow, printed = statement.text.partition(" → ")
    same = before.turn == statement.turn and before.place[0] == statement.place[0]
    own = before.text.partition(arrow)[0] if arrow else ""  # one call may be shortened in two ways
    told = call == own or shared(call, own) >= ALIKE_CHARS
    told = told and printed not in before.text
    return printed if arrow and same and told and before.kind == statement.kind else ""


def _with_more(line: str, more: str) -> str:
    """A call's line with what else it printed; two extracts that overlap have no order: the longer is told.

    >>> _with_more("- ran `make` → … 2 failed", "cc a.c"), _with_more("- ran `ls` → a ⏎ b", "… b ⏎ c.py")
    ('- ran `make` → cc a.c … 2 failed', '- ran `ls` → … b ⏎ c.py')
    """
    call, _, told = line.partition(" → ")
    own, others = ({part.strip("… ") for part in _PARTS.split(text)} for text in (told, more))
    if own & others or any(shared(a, b) >= ALIKE_CHARS for a in own for b in others):
        return line if len(told) >= len(more) else f"{call} → {more}"
    if told.startswith("… "):
        return f"{call} → {more.removesuffix(' …')} {told}"
    return f"{line} … {more.removeprefix('… ')}"


def _author_of(statement: Statement) -> str:
    """What stands before the words of one of several agents."""
    author, colon, _ = statement.text.partition(": ")
    return author + colon if "authored" in statement.flags else ""


def _breaks_off(last: Statement, behind: Statement | None) -> bool:
    """Whether a message says more behind what is told of it last: the user's, or another's in lists."""
    if "more" in last.flags and last.kind in WORDS:
        if behind is None or behind.turn != last.turn:
            return True
        own = behind.leads[:1] == last.leads[:1] or _is_next(last, behind)
        return not ("\n" in last.text or "prose" in last.flags or (own and LISTED & {*behind.flags}))
    if last.kind not in WANTED or not last.key.isdigit() or "final" in last.flags or last.text.endswith("…"):
        return False
    return behind is None or (behind.turn, behind.place[0]) != (last.turn, last.place[0])


def _skips(before: Statement | None, statement: Statement) -> bool:
    """Whether something of the user's message, or of a list or a line, stood between two pieces of it.

    Before an item that is told first of a message, those may be missing that stood before it in its list.
    """
    further = "further" in statement.flags
    if before is None or (before.turn, before.place[0]) != (statement.turn, statement.place[0]):
        return further and statement.key.isdigit()
    both = before, statement
    opened = before in statement.leads or (
        before.leads[:1] == statement.leads[:1] and LISTED & {*before.flags}
    )
    one_of = "heading" in statement.flags or (LISTED & {*statement.flags} and (opened or further))
    first = statement.text.startswith("1. ")  # nothing of its list is left out before it
    listed = bool(one_of) and not first and (before.kind == "asked") == (statement.kind == "asked")
    goes_on = "runs-on" in statement.flags and before.kind in WORDS
    numbered = all((s.kind in WANTED or listed or goes_on) and s.key.isdigit() for s in both)
    return numbered and int(statement.key) > int(before.key) + 1


def _run_on(before: Statement, statement: Statement) -> bool:
    both = (before, statement)
    return (
        before.turn == statement.turn
        and _STOPPED.search(before.text) is not None  # a line that does not end stands for itself
        and _is_next(before, statement)
        and all(s.kind in WORDS and "prose" in s.flags for s in both)
        and not _BREAKS.search(statement.text)
    )


def _stood_on_line(before: Statement, statement: Statement) -> bool:
    """Whether a piece of the user's words goes on in the line in which the one before it stands."""
    asked = before.kind == statement.kind == "asked" and "in-line" in statement.flags
    same = (before.turn, before.place[0]) == (statement.turn, statement.place[0])
    return asked and same and _is_next(before, statement) and not _OF_CODE & {*before.flags, *statement.flags}


def _is_next(before: Statement, statement: Statement) -> bool:
    """Whether a piece of a message is the one right behind another."""
    return before.key.isdigit() and statement.key == str(int(before.key) + 1)


def with_lines(text: str, added: Iterable[tuple[str, Sequence[str]]]) -> str | None:
    """A brief with more lines in its sections; None for what is not one brief in one fence.

    Rules come before those that bind only one request, which stand last under a line of their own.
    """
    header, *body = text.split("\n")
    if header not in (BRIEF_HEADER, SMALL_BRIEF_HEADER) or body[:1] != body[-1:] or body[0] in body[1:-1]:
        return None
    legend, sections, name = list[str](), dict[str, list[str]](), ""
    names = {f"## {title}": name for name, title in TITLES.items()}
    for line in body[1:-1]:
        name = names.get(line, name)
        if line not in names:
            (sections.setdefault(name, []) if name else legend).append(line)
    for name, lines in added:
        own = sections.setdefault(name, [])
        if name == "rules" and own[-1:] and own[-1].startswith("- "):  # none of its rules had room
            own.pop()
        at = next((n for n, line in enumerate(own) if name == "rules" and line.startswith("- ")), len(own))
        own[at:at] = "\n".join(lines).split("\n")
    told = [line for n in TITLES if n in sections for line in (f"## {TITLES[n]}", *sections[n])]
    return f"{header}\n{fence(chr(10).join([*legend, *told]))}"


def render(sections: Mapping[str, Sequence[str]], *, legend: str = LEGEND, short: bool = False) -> str:
    """The text of a brief with the lines of each section, and above them the `legend`: what the marks mean.

    `short` is the frame of a brief in which every token counts.
    """
    lines = [legend] if legend else []
    for name, title in TITLES.items():
        if body := sections.get(name):
            lines += [f"## {title}", *body]
    header = SMALL_BRIEF_HEADER if short else BRIEF_HEADER
    return f"{header}\n{fence(chr(10).join(lines))}"
