"""What agents without tool calls put into their messages beside their own words: pages, forms, crashes.

A browsing agent answers with the page that it sees, an orchestrator with a form in JSON, and a crash leaves
its traceback behind what was said. Only the rest is somebody's words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.deeds.records import value_within
from tamis.compactors.brief.reading.deeds.salience import LINES_LOOKED_AT, PendingOutput
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.speech.harness import page_start
from tamis.messages import Message, Text

CRASH_CHARS = 200
AFTERMATH_CHARS = 300
"""A traceback with more behind it was quoted."""

TITLE_CHARS = 120
FIELD_CHARS = 40

_LINK = re.compile(r"screenshot of \[([^\]\n]{0,300})\]\((\S{1,300}?)\)")
_ADDRESS = re.compile(r"(?m)^(?:[\w ]{1,40}: )?Address: (\S{1,300})$")
_TITLE = re.compile(r"(?m)^Title: (.{1,300})$")
_PLACE = re.compile(r"Showing (page \d+ of \d+)|positioned (\d+% down|at the (?:top|bottom))")
_CRASH = re.compile(r"(?m)^(Error processing \w+ message\n)?Traceback \(most recent call last\):")
_REASON = re.compile(r"""['"]message['"]: (?:"([^"\n]{1,600})"|'([^'\n]{1,600})')""")
"""Why a service turned a request down, in the record that its error shows."""

_ENDED = re.compile(
    r"(?m)^FINAL ANSWER: ?(\S.{0,300})\n(?:^[A-Z.]{3,20} (?:COMPLETE|EXITED\b).{0,40}\s{0,3})+\Z"
)
"""What the program in which agents talk prints at its end."""

_ERROR = re.compile(r"(?m)^(?:[\w.]{1,80}\.)?\w{0,60}(?:Error|Exception)\b(?::.*)?$")
_NOISE = re.compile(
    r"(?m) into '\d{1,6} characters out of \d{1,6}'(?=\.?$)"
    r"|^(?:[A-Z]\w{1,40}: An? (?:[\w,-]{1,30} ){0,8}?(?:agent|assistant|terminal)\b.*|Next speaker \w+"
    r"|No agent selected\.|/\S+:\d+: \w*Warning: .*(?:\n[ \t]+\S.*)?"
    r"|[ \t]+\w{1,40} = await \S{1,80}(?=\s{1,3}(?:/\S{1,200}:\d+: \w{0,40}Warning: |\Z)))$"
)
_WELL = re.compile(r"loop\.False\Z|progress\w{0,20}\.True\Z")
"""A box of a form that says that the agents get on."""

_TICKED = re.compile(r'"\s?:\s?(?:true|false)\b')
_METADATA = re.compile(r"(?m)^The following metadata was extracted[^\n]*\s{0,9}(?=\{)")
_LINE_OF_LINK = re.compile(r"(?m)^(?:Here is a screenshot of \[|Automatic OCR of the page\b).*\n?")
_FURNITURE = re.compile(
    r"(?mi)^[ \t]{0,9}(?=[^|\d\n]{0,30}\|)(?:[^|\d\n]{0,30}\|){2,12}[^|\d\n]{0,30}$"
    r"|^(?=.{0,200}\b(?:privacy policy|cookies?|rights (?:apply|reserved)|copyright)\b|.{0,200}©).*$"
)
"""A line of a page's menu, or at its foot."""

_QUERY = re.compile(r"\?\S{30,}")
_GLUED = re.compile(r"(?<!\n\*\*)(?<=[^\s\d.$#=([<>/\\-])(\d)\. (?=[A-Z`*\"'])")
"""The number of a list's item that the end of the item before it runs into."""

_FORM = re.compile(r"(?m)^(`{3}\w*\n)?(?=\{)")
_FENCE_ENDS = re.compile(r"\s{0,9}`{3}\s*\Z")
"""Between fences with words behind them, JSON is an example and no form."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentText:
    """A text of an agent's: its `own` words, the `page` that it was shown, the `crash` that it ended in.

    `is_status`: it fills in a form with boxes to tick, which says how things stand until the next. `of_run`:
    what crashed is the program around the agents; `answer` is what that printed as the answer at its end.
    """

    own: str
    is_status: bool = False
    page: str = ""
    crash: str = ""
    of_run: bool = False
    answer: str = ""


_SHOWN = re.compile(r"(`{3,9})(?:md|markdown)")


def with_markdown_open(text: str) -> str:
    r"""The text with the Markdown that it shows in a fence as words of its own; several are samples.

    >>> with_markdown_open("A draft:\n```md\n- `x` is 1.\n```")
    'A draft:\n\n- `x` is 1.\n'
    """
    lines = text.split("\n")
    fence, shown = "", 0
    for at, line in enumerate(lines):
        bare = line.strip()
        if fence and bare == fence:
            lines[at] = fence = ""
        elif not fence and (found := _SHOWN.fullmatch(bare)):
            lines[at], fence, shown = "", found[1], shown + 1
    left = sum(line.lstrip().startswith("```") for line in lines)  # odd, where one within ends it early
    return text if fence or left % 2 or shown > 1 else "\n".join(lines)


def parts_of(text: str) -> AgentText:
    r"""A text without what nobody said.

    >>> parts_of("I clicked 'Maps'.\n\nHere is a screenshot of [Maps](https://m.example). It shows much.").own
    "I clicked 'Maps'."
    >>> parts_of('Ledger:\n{"done": {"reason": "No map was found yet."}}').own
    'Ledger:\ndone.reason: No map was found yet.'
    """
    crash, page, answer, is_status, of_run = "", "", "", False, False
    if ended := _ENDED.search(text):
        answer, text = ended[1], text[: ended.start()]
    shown = page_start(text)  # what a page shows of a crash is not the agent's
    found = next((c for c in _CRASH.finditer(text) if c[1] or c.start() < shown), None)
    errors = list(_ERROR.finditer(text, found.end())) if found else []
    if found and errors and len(text) - errors[-1].end() <= AFTERMATH_CHARS:
        crash, of_run, text = _told_briefly(errors[-1][0]), bool(found[1]), text[: found.start()]
    page, text = text[shown:], text[:shown]
    if found := _FORM.search(text):
        value, end = value_within(text, found.end())
        if found[1]:
            end = closing.end() if (closing := _FENCE_ENDS.match(text, end)) else 0
        is_status = _TICKED.search(text, found.end(), end) is not None if end else False
        text = text[: found.start()] + "\n".join(_filled_in(value)) + text[end:] if end else text
    if "1. " in text and "2. " in text:
        text = _GLUED.sub(_parted, text)
    own = _NOISE.sub("", text).strip()
    return AgentText(own=own, is_status=is_status, page=page, crash=crash, of_run=of_run, answer=answer)


def _told_briefly(error: str) -> str:
    """An error without the record around what it says went wrong."""
    found = _REASON.search(error)
    told = f"{error.partition('{')[0].rstrip(' -')}: {found[1] or found[2]}" if found else error
    return shortened(told, CRASH_CHARS)


def _parted(found: re.Match[str]) -> str:
    """The number of an item on a line of its own, where the item before it is there, too."""
    before = "\n" if int(found[1]) == 1 else f"{int(found[1]) - 1}. "
    above = found.string[max(0, found.start() - CRASH_CHARS * 10) : found.start()]
    return f"\n{found[0]}" if before in above or int(found[1]) == 1 else found[0]


def _filled_in(form: Any) -> Iterator[str]:
    """What is told in a form: short fields behind their names, texts; no box, nor that all is well."""
    waiting = [("", form)]
    while waiting:
        name, here = waiting.pop()
        if isinstance(here, Mapping) and any(_WELL.search(f"{name}.{ticked}") for ticked in here.values()):
            continue
        if isinstance(here, Mapping) and isinstance(here.get("answer"), str):
            here = {"answer": here["answer"]}  # why it is asked is no news
        if isinstance(here, Mapping | list):
            named = here.items() if isinstance(here, Mapping) else (("", inner) for inner in here)
            waiting += [(".".join(filter(None, (name, key))), inner) for key, inner in named][::-1]
        elif not isinstance(here, str) or " " in here.strip():
            told = str(here).strip()
            if told not in ("True", "False", "None"):
                yield told if len(told) > FIELD_CHARS else f"{name}: {told}"


class SeenPages:
    """The pages of a session: a line that stood on another one before is no finding."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def of(self, message: Message, turn: int) -> Iterator[PendingOutput]:
        """The pages that an agent's message shows: they wait for what is said of them."""
        for index, part in enumerate(message.parts):
            if isinstance(part, Text) and (page := parts_of(part.text).page):
                name, words = _place_of(page), f"{_voice(message)}looked at {_named(page)}"
                lines = _shown(page).splitlines()[:LINES_LOOKED_AT]
                new = (line for line in lines if self._first.setdefault(line.strip(), name) == name)
                output = "\n".join(new)
                yield PendingOutput(words=words, output=output, turn=turn, part=index, key="", is_page=True)


def _shown(page: str) -> str:
    """A page as it is seen: without its address, its menu, and what its head tells machines."""
    page = _FURNITURE.sub("", _LINE_OF_LINK.sub("", page))
    found = _METADATA.search(page)
    end = value_within(page, found.end())[1] if found else 0
    return page[: found.start()] + page[end:] if found and end else page


def shown_statements(message: Message, turn: int) -> Iterator[Statement]:
    """Which pages an agent's message shows, and how it crashed."""
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text):
            continue
        parts = parts_of(part.text)
        if parts.page:
            told = one_line(f"{_voice(message)}looked at {_named(parts.page)}")
            yield Statement(
                kind="ran", text=told, turn=turn, place=(index, -1), flags=("reads", "short", "page")
            )
        end = len(part.text)
        if parts.crash:
            told = one_line(f"{'the run ' if parts.of_run else _voice(message)}crashed: {parts.crash}")
            yield Statement(kind="failed", text=told, turn=turn, place=(index, end), flags=("trouble",))
        if parts.answer:
            told = f"the run ended with FINAL ANSWER: {parts.answer}"
            yield Statement(kind="ran", text=told, turn=turn, place=(index, end + 1), flags=("ends", "value"))


def _voice(message: Message) -> str:
    return f"{message.author}: " if message.author else ""


def _place_of(page: str) -> str:
    """The address of a page."""
    return link[2] if (link := _LINK.search(page)) else found[1] if (found := _ADDRESS.search(page)) else ""


def _named(page: str) -> str:
    """A page by its title, its address and how far down it was looked at."""
    link, title = _LINK.search(page), _TITLE.search(page)
    called = link[1] if link else title[1] if title else ""
    where = _QUERY.sub("?…", _place_of(page))
    place = _PLACE.search(page)
    seen = next(filter(None, place.groups()), "") if place else ""
    told = f"{shortened(called, TITLE_CHARS)} ({where})" if called and where else called or where or "a page"
    return f"{told}, {seen}" if seen else told
