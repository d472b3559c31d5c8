"""The newest text word for word: what room is left goes to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tamis.compactors.brief.reading.action import is_quiet
from tamis.compactors.brief.reading.call_text import output_of
from tamis.compactors.brief.reading.overtaken import file_names
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.files.file_tools import command_line, content_of, first_path, replacements_of
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult
from tamis.messages.conversation import Part
from tamis.text.terms import all_terms_of

PASSAGE_CHARS = 1_200
_HARNESS = re.compile(
    r"(?s)^The file \S+ has been updated.*?(?:\n|\Z)|^No files found$"
    r"|\A(?:Tool execution aborted|aborted by user\b.*)\Z|\AFile created successfully at: \S+\s*\Z"
    r"|\ASuccess\. Updated the following files:(?:\n[AMDR] \S+)*\s*\Z"
)

LONG = 3
"""So many pieces make an output of which one is enough."""

LEAST_WORDS = 2
SPOKEN_CHARS = 12_000

_EMPTY = re.compile(
    r"\A\s{0,12}(?:\d{1,6}[→:\t]\s{0,12})?(?:import\b|from \S{1,90} import\b|#include\b|use \S{1,90};"
    r"|\} from ['\"]|(?:type )?\w{1,60},\s*\Z|ok\s{1,9}\S+\s|\?\s{1,9}\S{1,120}\s{1,9}\[no test files\]|[✓✔]"
    r"|\(pass\)|PASS\b|--- PASS|\S{1,160} PASSED\b)"
)
_WORD = re.compile(r"\w")

LOOKED_AT = 10
"""Characters of newest text that are looked at, per token of the budget."""


def passages_of(
    messages: Sequence[Message],
    turns: Sequence[int],
    budget_tokens: int,
    changed: Mapping[str, int] | None = None,
) -> Iterator[Statement]:
    """Pieces of tool results and of what was written into files, the newest messages first.

    `changed` says when files of a name were changed last: a look at one before that shows what is no more.
    """
    calls = {call.id: call for message in messages for call in message.calls}
    left = LOOKED_AT * budget_tokens
    seen: set[str] = set()
    quiet = {call.id for message in messages for call in message.calls if is_quiet(call.name)}
    for offset in range(len(messages) - 1, -1, -1):
        message = messages[offset]
        if message.origin != "conversation" or turns[offset] < 0:
            continue
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult) and (
                part.call_id in quiet or _is_old(calls.get(part.call_id), turns[offset], changed or {})
            ):
                continue
            pieces = list(islice(_pieces(part), left // PASSAGE_CHARS + 2))
            about = (
                _spoken_of(pieces, messages[offset + 1 : offset + 2])
                if isinstance(part, ToolResult)
                else None
            )
            for at, piece in enumerate(pieces):
                left -= len(piece)
                if left < 0:
                    return
                if piece in seen or (about is not None and at != about) or _says_little(piece):
                    continue  # the newest time is enough, and of a long output what was spoken of
                seen.add(piece)
                turn = turns[offset]
                yield Statement(
                    kind="passage", text=f"#{turn} {_voice(part)}\n{piece}", turn=turn, place=(index, at)
                )


def _spoken_of(pieces: Sequence[str], behind: Sequence[Message]) -> int | None:
    """The piece of a long output that shares most with what is said and done next; None for all alike."""
    if len(pieces) < LONG or not behind or behind[0].role != "assistant":
        return None
    words = [part.text for part in behind[0].parts if isinstance(part, Text | Thinking)]
    words += [str(list(call.arguments.values())) for call in behind[0].calls]
    spoken = frozenset(all_terms_of("\n".join(words)[:SPOKEN_CHARS]))
    shared = [sum(map(len, spoken.intersection(all_terms_of(piece)))) for piece in pieces]
    return shared.index(max(shared))


def _is_old(call: ToolCall | None, turn: int, changed: Mapping[str, int]) -> bool:
    """Whether a call looked at a file that was changed afterwards."""
    if call is None:
        return False
    words = command_line(call) or first_path(call) or ""
    return any(changed.get(name, -1) >= turn for name in file_names(words))


def _says_little(piece: str) -> bool:
    """Whether most lines of a passage only bring in names, or say that all went well; or it is one word."""
    lines = piece.splitlines()
    return len(piece.split()) < LEAST_WORDS or 2 * sum(
        _EMPTY.match(line) is not None for line in lines
    ) > len(lines)


def _voice(part: Part) -> str:
    return "printed:" if isinstance(part, ToolResult) else "wrote:"


def _pieces(part: Part) -> Iterator[str]:
    """Runs of whole lines, each of at most `PASSAGE_CHARS` where the lines allow."""
    if isinstance(part, ToolResult):
        text = _HARNESS.sub("", output_of(part)) if _WORD.search(part.text) else ""
    elif isinstance(part, ToolCall):
        text = content_of(part) or "\n".join(new for _, new in replacements_of(part))
    else:
        return
    run: list[str] = []
    size = 0
    for line in text.splitlines():
        if len(line) > PASSAGE_CHARS:
            continue
        if size + len(line) > PASSAGE_CHARS and run:
            yield "\n".join(run)
            run, size = [], 0
        if line.strip():
            run.append(line.rstrip())
            size += len(line) + 1
    if run:
        yield "\n".join(run)
