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

_FOR_APPROVAL = re.compile(r"/\.[\w-]{1,40}/plans/[^/]{1,200}\.md\Z")
"""Where harnesses keep the plans that a user approves; a document of the work beside others is none."""

_ESCAPED_FENCE = re.compile(r"(?m)^(\s{0,40})\\(?=```|~~~)")
_GOES_ON = re.compile(r"[a-z0-9`(\"'][^\n]*")
_OPENS_LINE = re.compile(r"\s{0,40}(?:[-*+|#>]|\d{1,3}[.)] |```|~~~)")


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
            text = content_of(part) if _FOR_APPROVAL.search(first_path(part) or "") else None
        if isinstance(text, str) and text.strip():
            yield index, unwrapped(text[:MOST_OF_PLAN])


def unwrapped(text: str) -> str:
    r"""A text whose paragraphs and items stand in one line each; code is left as it is.

    >>> unwrapped("- Read the rows\n  before the heads.\nThen go\non.")
    '- Read the rows before the heads.\nThen go on.'
    """
    lines, in_code = list[str](), False
    for line in _ESCAPED_FENCE.sub(r"\1", text).splitlines():
        is_fence = line.lstrip().startswith(("```", "~~~"))
        before = lines[-1] if lines else ""
        goes_on = not (in_code or is_fence or _OPENS_LINE.match(line)) and _GOES_ON.fullmatch(line.strip())
        if goes_on and before.strip() and not before.lstrip().startswith(("#", "|", "```", "~~~")):
            lines[-1] = f"{before} {line.strip()}"
        else:
            lines.append(line)
        in_code ^= is_fence
    return "\n".join(lines)


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
