"""What the agent works by: the skills that it took up, and the plan that it wrote."""

import re
from collections.abc import Iterator

from tamis.compactors.brief.reading.speech.plans import PLAN_FILE
from tamis.compactors.brief.reading.statement import STOPPED_PLAN, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.status_line import StatusLine

MOST_SKILLS = 3
TOOK_UP = "took up the skill "
BY_THE_WAY = 5
"""The rank from which on a line of a small brief stands in its short form."""

_PLAN_WANTED = re.compile(
    r"\b(?:writ|creat|draft|produc|prepar|mak|deliver|giv)\w{0,8}\b[^.\n]{0,20}"
    r"\ban? (?:[\w-]{1,20} ){0,3}(?:plan|design|proposal|brainstorm|spec|rfc)\b",
    re.IGNORECASE,
)
"""Asks for the plan itself."""


def by_skill(reading: StatementReader) -> Iterator[StatusLine]:
    """The skills that the agent took up for the newest request: how they say to work binds it."""
    asked = max(request_turns(reading.statements), default=-1)
    read = [e for e in reading.state.files if e.value.status == "read" and e.last_turn > asked]
    paths = [e.value.path for e in read if e.value.path.endswith("/SKILL.md")]
    taken = (s.text for s in reading.statements if s.turn > asked and s.text.startswith(TOOK_UP))
    names = [text.removeprefix(TOOK_UP) for text in taken]
    names += [name for path in paths if (name := path.split("/")[-2]) not in names]
    if names and len(names) <= MOST_SKILLS:
        short = f"the agent works by the skill{'s' * (len(names) > 1)} {', '.join(names)}"
        text = f"{short}, taken up for it" + f" ({', '.join(paths)})" * bool(paths)
        yield StatusLine(section="next", rank=BY_THE_WAY, text=text, short=short)


def plan_line(reading: StatementReader) -> Iterator[StatusLine]:
    """The plan that was written for the newest request, while nothing was changed since."""
    changed = [s for s in reading.statements if s.kind == "changed"]
    last = max(changed, key=lambda s: (s.turn, s.place), default=None)
    asked = max(request_turns(reading.statements), default=-1)
    if last and last.turn > asked and PLAN_FILE.search(last.key):
        how = "" if plan_turned_down(reading, asked) is None else " not approved,"
        words = [s.text for s in reading.statements if s.kind == "asked" and s.turn == asked]
        wanted = any(map(_PLAN_WANTED.search, words))
        text = f"the plan is {last.key} (#{last.turn}),{how} none of it begun: no file was changed since"
        if wanted:
            text = f"the plan asked for is written: {last.key} (#{last.turn}),{how} no file was changed since"
        yield StatusLine(section="next", rank=2, text=text, short=text)


def plan_turned_down(reading: StatementReader, newest: int) -> int | None:
    """When the user turned the agent's plan down without a word, where nothing was done since."""
    own = [s for s in reading.statements if s.turn > newest]
    turns = [s.turn for s in own if s.text == STOPPED_PLAN]
    since = [s for s in own if turns and s.turn > turns[-1] and "aborted" not in s.flags]
    return turns[-1] if turns and not since else None
