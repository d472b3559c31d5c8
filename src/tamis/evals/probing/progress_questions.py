"""Questions about where the work stood at the end of a span: what was in progress, and what comes next."""

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.speech.utterances import agent_statements, user_statements
from tamis.compactors.brief.reading.statement import Statement
from tamis.evals.probing.drafts import (
    CARRIERS,
    LEAST_TELLING,
    TEMPLATE_CHARS,
    ProbeDraft,
    is_askable,
    item,
    word_by_hash,
)
from tamis.evals.probing.probes import ItemType
from tamis.ledger.files.file_tools import command_line, first_path
from tamis.ledger.shell.programs import only_reads
from tamis.ledger.speech.prose import looks_pasted, speaker
from tamis.ledger.state import State
from tamis.messages import Message
from tamis.text.key_words import key_words
from tamis.text.names import names_in

NEWEST_MESSAGES = 4  # of the agent; what it said before these is no longer what it is at
LEAST_WORDS = 3

_DOING = ("What was in progress at the end?", "Which step was the agent at when this ended?")
_TOLD = (
    "What had the agent last found out or reported?",
    "What was the last thing that the agent established?",
)
_REQUEST = ("What does the user's newest message ask for?", "What was the user's latest request?")
_WAITING = ("Which question to the user is still unanswered?", "What did the agent last ask the user?")
_UNDER_WAY = ("Which call was under way, with no result yet?", "Which call is still waiting for its result?")
_FILE = ("Which file was worked on last?", "At which file was the agent last?")
_COMMAND = ("Which command was run last?", "What was the last command that was run?")

_WISH = re.compile(
    r"\b(?:please|(?:can|could|would) you|(?:i|we) (?:want|need)|i'd like|let's|make sure|help me)\b"
    r"|^(?:now |then |ok(?:ay)?,? )?(?:add|fix|implement|make|create|update|write|remove|change|rename"
    r"|review|run|find|use|show|explain|check|move|refactor|investigate|continue|commit|push|try|allow|support)\b|请|帮我",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^(?:next|now|then|first|check|verify|ensure|make sure)\b,?|^i['’]m \w+ing\b|^i am \w+ing\b",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"^[^.]{0,90}\b(?:i|we)"
    r"(?:['’]ll| will| should| must| (?:need|have) to|(?: am| are|['’][rm]e?) going to)\b",
    re.IGNORECASE,
)
"""How a step is told that is no finding."""

_EMPTY = CARRIERS | key_words(
    "check, open, follow, explore, examine, locate, view, continue, start, seem, step, outlined, actual,"
    " current, original, careful, carefully, directory, together, relevant, key, read, understand,"
    " better, state, scroll, part, surrounding, context, comprehensive, edit, command, search, find"
)
"""Words of a step that does not say what is in progress: "Let me check the original code again."."""


def ask_for_progress(messages: Sequence[Message], state: State) -> Iterator[ProbeDraft]:
    """What was in progress, said, asked, waited for and worked on last."""
    newest = [(at, m) for at, m in enumerate(messages) if speaker(m) == "assistant"][-NEWEST_MESSAGES:]
    yield from _said(newest)
    yield from _request(messages)
    yield from _open_call(messages)
    yield from _touched(state)


def _said(newest: Sequence[tuple[int, Message]]) -> Iterator[ProbeDraft]:
    """The newest step that the agent announced, what it told last, and what it wants to know of the user."""
    told = [(s, m.id) for at, m in newest for s in agent_statements(m, at) if _tells(s)]
    told = [one for one in told if one[0].kind != "thought"] or told
    plain = [one for one in told if "question" not in one[0].flags]
    steps = [one for one in plain if _is_step(one[0])]
    found = [one for one in plain if not _is_step(one[0]) and "guess" not in one[0].flags]
    for form, questions, some in (("doing", _DOING, steps), ("told", _TOLD, found)):
        if not some:
            continue
        text = some[-1][0].text
        if form == "told" or names_in(text) or len(key_words(text) - _EMPTY) >= LEAST_TELLING:
            yield _draft(form, questions, text, some[-1][1])
    asked = [one for one in told if "question" in one[0].flags]
    if asked and newest and not newest[-1][1].calls and asked[-1][1] == newest[-1][1].id:
        yield _draft("waiting", _WAITING, asked[-1][0].text, asked[-1][1])


def _is_step(made: Statement) -> bool:
    return "announces" in made.flags or bool(_GOES_ON.match(made.text) or _PLANS.match(made.text))


def _tells(made: Statement) -> bool:
    text = made.text
    opens = {"opens"} if "announces" not in made.flags else set()
    dull = ({"heading", "table", "code"} | opens) & set(made.flags)
    return (
        not dull
        and (text.count("`") != 2 or text[:1] != "`" or text[-1:] != "`")  # nothing but code
        and "\n" not in text
        and len(key_words(text)) >= LEAST_WORDS
        and not looks_pasted(text)
        and is_askable(text.rstrip(":"))
    )


def _request(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    """What the user's newest message asks for, in its own words; of a long one its first wish."""
    for at in range(len(messages) - 1, -1, -1):
        asked = [
            s
            for s in user_statements(messages[at], at)
            if not {"boilerplate", "paste", "code"} & set(s.flags)
        ]
        if not asked:
            continue
        wishes = [
            s for s in asked if "whole" in s.flags or ("trouble" not in s.flags and _WISH.search(s.text))
        ]
        if len(messages[at].text) > TEMPLATE_CHARS:  # a task that a harness hands over goes by its title
            wishes = [s for s in asked if "first" in s.flags and "item" not in s.flags]
        good = [s.text for s in wishes if len(key_words(s.text)) > LEAST_WORDS and is_askable(s.text)]
        if good and not looks_pasted(good[0]):
            yield _draft("request", _REQUEST, good[0], messages[at].id)
        return


def _open_call(messages: Sequence[Message]) -> Iterator[ProbeDraft]:
    answered = {result.call_id for message in messages for result in message.results}
    waiting = [(c, m.id) for m in messages[-1:] for c in m.calls if c.id not in answered]
    for call, source in waiting[-1:]:
        line = command_line(call)
        if what := line or first_path(call):
            yield _draft("under way", _UNDER_WAY, what, source, of=None if line is None else "text")


def _touched(state: State) -> Iterator[ProbeDraft]:
    """The file and the command of the newest work, where there is one of each."""
    newest = max((entry.last_turn for entry in state.files), default=-1)
    files = [entry for entry in state.files if entry.last_turn == newest]
    if len(files) == 1 and files[0].value.certain and files[0].value.status != "deleted":
        yield _draft("file", _FILE, files[0].value.path, files[0].source.message_id, of="path")
    runs = sorted(state.commands, key=lambda entry: entry.last_turn)
    if runs:
        command = runs[-1].value.command
        if is_askable(command) and "\n" not in command and not only_reads(command, None):
            yield _draft("command", _COMMAND, command, runs[-1].source.message_id)


def _draft(
    form: str, questions: Sequence[str], answer: str, source: str, *, of: ItemType | None = "text"
) -> ProbeDraft:
    question, expected = word_by_hash(questions, about=answer), (item(answer.rstrip(":"), of),)
    made_by = "ledger" if form in ("file", "command") else "speech"
    return ProbeDraft("continuation", form, question, expected=expected, sources=(source,), made_by=made_by)
