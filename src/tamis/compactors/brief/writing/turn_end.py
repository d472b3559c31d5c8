"""How the span ends: whether the agent has answered, what it was about to do, and what it went back to."""

import re
from collections.abc import Iterable

from tamis.compactors.brief.reading.deeds.action import is_quiet
from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.files.file_tools import command_line
from tamis.ledger.speech.requests import is_steering
from tamis.messages import ToolCall
from tamis.text.cues.discourse_cues import closes_talk, is_polite, wants
from tamis.text.sentences import prose_sentences

_OFFERS = re.compile(
    r"\?\s*$|\blet me know\b|\bif you\b|\b(?:i|we)(?:'ll| will) (?:wait|be here)\b"
    r"|\b(?:would|do) you\b|\byour\b",
    re.IGNORECASE,
)
"""What the user is to answer first."""

_GOES_BACK = re.compile(
    r"\b(?:continu(?:e|ing)|resum(?:e|ing)|return(?:ing)? to|(?:go|get|carry) on with|pick up)\b"
    r"|(?:\A\W{0,3}|\b(?:now|let['’]s|go|going|get|getting|come|coming|head|heading) )back to\b",
    re.IGNORECASE,
)
_HANDS_IN = re.compile(
    r"\bsubmit\b[^.\n]{0,120}\bcommand\b|\bcommand\b[^.\n]{0,40}\bto submit\b", re.IGNORECASE
)
_RUNS_AGAIN = re.compile(r"\A(?:when|once|after) you\b[^,.]{1,80}, re-?run\b[^.]{1,60}?(?= to\b|\.|\Z)", re.I)
_VERBS = (
    "update|edit|modify|fix|change|rename|add|create|write|implement|remove|replace|correct|refactor|rewrite"
    "|move|delete|adjust|migrate|extend"
)
_TO_CHANGE = re.compile(
    r"\b(?:let me|let['’]s|i['’]ll|i will|(?:i|we)(?:['’]ll)? (?:need|have) to)\s+(?:\w+\s+){0,2}"
    rf"(?:{_VERBS})\b"
    rf"|^\s{{0,8}}(?:\d{{1,2}}[.)]|[-*]) (?:\*\*)?(?:{_VERBS})\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Says what is to be changed, in a sentence or as an item of a plan."""

_NOT_MEANT = re.compile(r"\b(?:instead of|rather than|other than|without)\b[^,.;\n]{0,120}", re.IGNORECASE)
_ON_CONDITION = re.compile(
    r"\bif (?:we|you|i|they|needed|necessary|required|wanted|possible)\b|\A\W{0,9}(?:\d{1,2}[.)] )?if\b", re.I
)
"""What is named beside what is announced, and what may never come to be."""

_LEAVES_IT = re.compile(
    r"(?:\bno|n['’]t need|\bnot need)(?: any| to be| further| more){0,2} (?:chang|edit|modif|updat)"
    rf"|(?:\bnot|n['’]t) (?:to )?(?:touch|{_VERBS})\b",
    re.IGNORECASE,
)
"""Says of a file that it stays as it is."""

_NEXT_ITEM = re.compile(r"\n(?=\d{1,2}[.)] |[-*] )")
_ENDS_TALK = re.compile(r"\bTERMINATE\b|\bFINAL ANSWER\b|\bRequest satisfied\b")


_ANYTHING = re.compile(r"\b(?:anything|something) else\b|\bany (?:other |more )?questions\b", re.IGNORECASE)
"""A question that waits for no answer."""

STEP_CHARS = 80
"""So much is told of a command that hands the work in, or of what is to be looked at before."""

_ENDINGS = frozenset(["submit", "finish", "attempt_completion"])
_HANDS_OVER = re.compile(r"(?:transfer|escalate|hand_?(?:off|over))_to_(?:a_)?(?:human|person|supervisor)")
_ENDING_WORDS = re.compile(r"echo ['\"]?(?:COMPLETE_TASK_AND_SUBMIT|MINI_SWE_AGENT)_FINAL_OUTPUT\b")


def ending(call: ToolCall) -> str:
    """The name of a call, or its command, by which an agent says that it is done; empty for any other."""
    command = command_line(call) or ""
    if _ENDING_WORDS.match(command):
        return shortened(one_line(command), STEP_CHARS)
    names = (call.name, *command.split()[:1])
    return next((name for name in names if name in _ENDINGS or hands_over(name)), "")


def hands_over(tool: str) -> bool:
    """Whether a tool gives the user over to a person.

    >>> hands_over("transfer_to_human_agents"), hands_over("transfer_money")
    (True, False)
    """
    return _HANDS_OVER.match(tool) is not None


def run_ended(reading: StatementReader) -> Statement | None:
    """What the program in which agents talk printed at its end, behind which nobody spoke."""
    return next((s for s in reading.statements if "ends" in s.flags and s.turn == reading.turns - 1), None)


def announced(reading: StatementReader) -> Statement | None:
    """What the agent said at the very end that it would do, without doing it."""
    spoken = [s for s in reading.statements if s.turn == reading.turns - 1 and s.kind in WORDS]
    spoken = sorted((s for s in spoken if s.kind != "thought"), key=lambda s: s.place)
    if len(spoken) > 1 and spoken[-1].text[-1:].isalpha() and not {"item", "heading"} & {*spoken[-1].flags}:
        spoken = spoken[:-1]  # a sentence that breaks off is what followed the one before it
    last = spoken[-1] if spoken else None
    if last is None or "announces" not in last.flags or is_polite(last.text):
        return None
    return None if _OFFERS.search(last.text) else last


def still_to_change(reading: StatementReader, since: int) -> dict[str, Statement]:
    """The known files that the agent said last it would change, and has not since, by name."""
    known = {e.value.path.rpartition("/")[2] for e in reading.state.files if e.value.status != "deleted"}
    found: dict[str, Statement] = {}
    for s in (s for s in reading.statements if s.turn > since):
        if s.kind == "changed":
            for path in (s.key, s.text.partition(" from ")[2] if s.text.startswith("renamed ") else ""):
                found.pop(path.rpartition("/")[2], None)
        elif s.kind in WORDS:
            for part in _NEXT_ITEM.split(s.text):
                if leaves := _LEAVES_IT.search(part):
                    for name in file_names(part):
                        found.pop(name, None)
                says = _TO_CHANGE.search(part) if {"announces", "item"} & {*s.flags} else None
                if says and not leaves and not _ON_CONDITION.search(part):
                    names = file_names(_NOT_MEANT.sub("", part[says.end() :]))
                    found |= {name: s for name in names if name in known}
    return found


def gone_back(reading: StatementReader, newest: int, *, closed: bool) -> Statement | None:
    """Where the agent says that it goes on with older work, which the newest request broke into.

    It says so last, or it has done something for good since.
    """
    since = [s for s in reading.statements if s.turn > newest and s.kind in ("said", "found")]
    asked = " ".join(s.text for s in reading.statements if s.turn == newest and s.kind == "asked")
    if is_steering(asked):  # by it the older work was asked for again
        return None
    back = [s for s in since if "announces" in s.flags and _GOES_BACK.search(s.text) and not wants(asked)]
    before = [s.turn for s in reading.statements if s.turn < newest]
    if not back or len(request_turns(reading.statements)) < 2:
        return None
    done = [s.turn for s in reading.statements if s.kind in ("changed", "committed", "posted")]
    settled = any(newest < turn < back[-1].turn for turn in done)  # what was asked since is done
    last = back[-1].turn == since[-1].turn
    if not last and (closed or not (settled or max(done, default=-1) >= back[-1].turn)):
        return None
    deeds = [s.turn for s in reading.statements if s.turn < newest and s.kind in DEEDS]
    return back[-1] if deeds and max(before) == max(deeds) else None


def handing_in(reading: StatementReader, *, briefly: bool = False) -> str:
    """How the work is to be handed in, by a harness's instructions; empty where they do not say."""
    formal = [s.text for s in reading.statements if s.kind == "asked" and "boilerplate" in s.flags]
    how = next((text for text in reversed(formal) if _HANDS_IN.search(text)), "")
    needs = {*file_names(how)}
    changed = [s for s in reading.statements if s.kind == "changed"][-1:]
    is_made = any("captured" in s.flags and s.key.rpartition("/")[2] in needs for s in changed)
    if (briefly or is_made) and (found := _HANDS_IN.search(how)):
        return how[found.start() :]
    earlier = formal[: formal.index(how)] if how else []
    before = [text for text in earlier if not needs.isdisjoint(file_names(text))]
    made = next((n for n, text in enumerate(before) if " > " in text), len(before))
    steps = [*before[made : made + 1], *(shortened(text, STEP_CHARS) for text in before[made + 1 :][:1])]
    checks = (f"{found[0]}." for text in formal if how and (found := _RUNS_AGAIN.match(text)))
    return " Then: ".join(filter(None, [next(checks, ""), *steps, how]))  # what is handed in has to be made


def _is_among_agents(reading: StatementReader) -> bool:
    """Whether several agents talk with one another: what one says to another is no answer to the user."""
    asked_last = max((s.turn for s in reading.statements if s.kind == "asked"), default=-1)
    spoken = [s for s in reading.statements if s.kind in ("said", "found") and s.turn > asked_last]
    if any("authored" in s.flags for s in spoken):
        return len({s.text.partition(":")[0] for s in spoken if "authored" in s.flags}) > 1
    return not reading.last_calls and len({s.turn for s in spoken}) > 1


def open_question(reading: StatementReader) -> str:
    """What the agent's last message asks the user; empty where it asks nothing."""
    spoken = [s.text for s in reading.statements if s.turn == reading.turns - 1 and s.kind in WORDS]
    for text in reversed(spoken):
        for sentence in reversed(prose_sentences(text)):
            words = text[sentence.body : sentence.end]
            if words.endswith("?") and not _ANYTHING.search(words):
                return words
    return ""


def is_closed(reading: StatementReader) -> bool:
    """Whether the last message that says anything is the agent's, and does nothing else."""
    called = reading.last_calls[-1].turn if reading.last_calls else -1
    said = [
        s
        for s in reading.statements
        if s.kind != "asked" or not (closes_talk(s.text) or s.turn == reading.left)
    ]
    last = max([called, *(s.turn for s in said)])  # a harness's own messages say nothing
    if reading.last_calls and called == last and not is_quiet(reading.last_calls[-1].call.name):
        return False
    spoken: Iterable[str] = {s.kind for s in said if s.turn == last}
    if any(s.turn == last and s.text.endswith(":") for s in said[-1:]):
        return False  # what it opens was to come
    if _is_among_agents(reading) and not any(_ENDS_TALK.search(s.text) for s in said if s.turn == last):
        return False
    return bool({"said", "found"} & set(spoken)) and set(spoken) <= {"said", "found", "thought"}
