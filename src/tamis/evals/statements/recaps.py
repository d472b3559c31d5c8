"""Recaps: where an agent sums up, behind a cut, what had been done.

Final reports, closing messages of a turn, commit messages, titles and texts of pull requests and issues,
answers to "where are we", what was said under a heading such as "Summary", and summaries of later
compactions. A recap is found by its form alone; what of it can be known from the span is decided elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.messages import Message, ToolCall
from tamis.sessions.loose import texts_within

RecapKind = Literal["commit", "pull request", "report", "answer", "summary", "closing"]
MIN_CLOSING_WORDS = 8  # a shorter closing message ("Done.") says nothing

_COMMIT = re.compile(r"\bgit\b(?:(?!\bgit\b)[^\n|;&])*?\bcommit\b")
_HOSTED = re.compile(
    r"\b(?:gh|glab)\s+(?:pr|mr|issue|release)\s+(?:create|edit|comment|review|close|merge|note)\b"
)
_OPTION = re.compile(
    r"(?:^|\s)(?:-[a-zA-Z]*m|--message|--title|--body|--notes|-t|-b)(?:=|\s*)"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)')",
    re.S,
)
_ECHOED = re.compile(r"\b(?:cat|echo|printf)\b")
_FINISHING = frozenset(
    {"finish", "submit", "attempt_completion", "complete", "done", "complete_task", "final_answer"}
)
_SUMS_UP = re.compile(
    r"""(?imx)
    \b(?:in\ summary|to\ summari[sz]e|to\ sum\ up|in\ conclusion|to\ recap|changes\ made
      |summar(?:y|izing|ising)\b[^.\n]{0,40}:
      |(?:i|we)(?:'ve|\ have)?\ (?:now\ |successfully\ |already\ )*
        (?:accomplished|completed|implemented|fixed|identified|resolved)\b
      |here(?:'s|\ is|\ are)\ (?:what|a\ summary|the\ summary|an\ overview|all)
      |what\ (?:was|i|we)\ (?:did|done|changed|found)
      |key\ (?:changes|findings|points|results)
      |(?:the\ )?fix\ (?:works|is\ complete|was))
    |^\W{0,6}(?:final\ )?(?:summary|recap|conclusion|overview|results?|status|findings)\b[^.\n]{0,60}$
    |总结|综上|完成了
    """
)
_ASKED = re.compile(
    r"""(?ix)
    \b(?:where\ (?:are|were)\ we|summar(?:y|i[sz]e)|recap|status
      |what\ (?:did|have|has)\ (?:you|we|been|changed)
      |what(?:'s|\ is)\ (?:left|done|the\ state|changed|new|next)|what\ was\ (?:done|changed|wrong)
      |catch\ me\ up|overview|explain\ what|remind\ me|why\ did|how\ did)\b
    |总结|做了什么
    """
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recap:
    """A text that sums up.

    `at` is its message's position behind the cut; for a later summary, the number of messages there.
    """

    message_id: str
    at: int
    kind: RecapKind
    text: str


def find_recaps(tail: Sequence[Message], later_summary: Message | None = None) -> list[Recap]:
    """The recaps behind a cut, in order.

    `later_summary` is that of the compaction that ended the tail.

    >>> from tamis.messages import Text
    >>> call = ToolCall(id="1", name="bash", arguments={"command": "git commit -m 'Keep blank rows'"})
    >>> find_recaps([Message(id="m1", role="assistant", parts=(call,))])[0].text
    'Keep blank rows'
    """
    found: list[Recap] = []
    asked = False
    for at, message in enumerate(tail):
        if message.origin == "summary":
            found.append(Recap(message_id=message.id, at=at, kind="summary", text=message.text))
        elif message.role == "user" and message.origin == "conversation" and message.text.strip():
            asked = bool(_ASKED.search(message.text[:500]))
        elif message.role == "assistant" and message.origin == "conversation":
            texts = _recaps_in(message, closes=_closes(tail, at), asked=asked)
            found.extend(Recap(message_id=message.id, at=at, kind=k, text=t) for k, t in texts)
    if later_summary is not None:
        text = later_summary.text
        found.append(Recap(message_id=later_summary.id, at=len(tail), kind="summary", text=text))
    return found


def _recaps_in(message: Message, *, closes: bool, asked: bool) -> Iterator[tuple[RecapKind, str]]:
    text = message.text
    if len(text.split()) >= MIN_CLOSING_WORDS:
        finishing = any(call.name.lower() in _FINISHING for call in message.calls)
        if _SUMS_UP.search(text):
            yield "report", text
        elif closes or finishing:
            yield "answer" if asked else "closing", text
    for call in message.calls:
        yield from _recaps_of_call(call)


def _closes(tail: Sequence[Message], at: int) -> bool:
    """Whether it is the last that the agent says before a person speaks again, or at all."""
    if tail[at].calls:
        return False
    for following in tail[at + 1 :]:
        if following.origin == "conversation" and following.role in ("user", "assistant"):
            return following.role == "user"
    return True


def _recaps_of_call(call: ToolCall) -> Iterator[tuple[RecapKind, str]]:
    if call.name.lower() in _FINISHING:
        yield from (("report", text) for text in texts_within(call.arguments) if len(text) > 40)
        return
    for script in texts_within(call.arguments):
        if _COMMIT.search(script):
            yield from (("commit", text) for text in _messages_in(script))
        elif _HOSTED.search(script):
            yield from (("pull request", text) for text in _messages_in(script))
        elif _ECHOED.search(script[:200]) and (sums := _summary_printed(script)):
            yield "report", sums


def _messages_in(script: str) -> Iterator[str]:
    """The texts that a script hands to options such as `-m` and `--body`, here-documents among them."""
    bare, bodies = cut_heredocs(script)
    yield from bodies
    for match in _OPTION.finditer(bare):
        text = match["double"] if match["double"] is not None else match["single"]
        if text and not text.startswith("$("):
            yield text.replace('\\"', '"').replace("\\`", "`").replace("\\n", "\n")


def _summary_printed(script: str) -> str | None:
    """What a script prints for a person to read, where it sums up (`echo "Summary: ..."`)."""
    bare, bodies = cut_heredocs(script)
    if ">" in bare.replace("2>&1", "").replace(">&2", "") or not _SUMS_UP.search(script):
        return None
    echoed = re.findall(r"\becho\s+(?:-e\s+)?(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", script)
    return "\n".join([*bodies, *(a or b for a, b in echoed)]) or None
