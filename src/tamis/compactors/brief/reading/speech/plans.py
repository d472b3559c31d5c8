"""Plans that the agent writes to a file of their own, or puts up for approval: what it means to do."""

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.ledger.files.file_tools import content_of, first_path
from tamis.messages import Message, ToolCall

PLAN = "plan"
"""The flag of what a plan says."""

PLAN_FILE = re.compile(r"(?:^|/)plans?/[^/]{1,200}\.md\Z|(?:^|[/_-])plan\.md\Z", re.IGNORECASE)
MOST_OF_PLAN = 20_000


def puts_up_plan(call: ToolCall) -> bool:
    """Whether a call asks the user to approve a plan.

    >>> puts_up_plan(ToolCall(id="1", name="ExitPlanMode", arguments={}))
    True
    """
    return call.name.lower().replace("_", "") == "exitplanmode"


def plans_of(message: Message) -> Iterator[tuple[int, str]]:
    """The plans that a message writes or puts up, each with the place of its call."""
    for index, part in enumerate(message.parts):
        if not isinstance(part, ToolCall):
            continue
        if puts_up_plan(part):
            text = part.arguments.get("plan")
        else:
            text = content_of(part) if PLAN_FILE.search(first_path(part) or "") else None
        if isinstance(text, str) and text.strip():
            yield index, text[:MOST_OF_PLAN]


def superseded_by_plan(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What plans say but of the newest, and of that too once it is begun; what was thought before it."""
    plans = [s for s in statements if PLAN in s.flags]
    newest = max((s.turn for s in plans), default=-1)
    changes = (s for s in statements if s.kind == "changed" and not PLAN_FILE.search(s.key))
    is_begun = any(s.turn > newest for s in changes)
    yield from (s for s in plans if is_begun or s.turn < newest)
    if plans and not is_begun:
        asked = max((s.turn for s in statements if s.kind == "asked" and s.turn < newest), default=-1)
        before = (s for s in statements if asked < s.turn < newest and s.kind in WORDS)
        yield from (s for s in before if s.kind == "thought")
