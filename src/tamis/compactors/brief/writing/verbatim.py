"""The newest text word for word: what room is left goes to it."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import eq

from tamis.compactors.brief.reading.action import is_quiet, is_skill
from tamis.compactors.brief.reading.call_text import (
    arguments_of,
    bare,
    is_fault,
    name_of,
    output_of,
    search_words,
    shortened,
)
from tamis.compactors.brief.reading.overtaken import SLIP, file_names
from tamis.compactors.brief.reading.salience import FRAMES, is_blob, is_usage
from tamis.compactors.brief.reading.service_calls import fetches
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.files.definitions import is_source
from tamis.ledger.files.effect_results import refused
from tamis.ledger.files.file_tools import (
    command_line,
    content_of,
    first_path,
    paths_of,
    replacements_of,
    shape_of,
)
from tamis.ledger.outputs.commands import command_of
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.programs import only_reads, run_subject, shows_help
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult
from tamis.messages.conversation import Part
from tamis.text.terms import all_terms_of

PASSAGE_CHARS = 1_200
SOURCE_CHARS = 60
_HARNESS = re.compile(
    r"(?s)^The file \S+ has been (?:updated|edited)[^\n]*\n?|^No files found$"
    r"|(?m:^(?:File updated\. Please r|R)eview the changes and make sure [^\n]*$"
    r"|^\[File: [^\n]*\]$|^</?(?:files?|content)(?: [^>\n]{0,80})?>$|^\(\d+ more lines (?:above|below)\)$)"
    r"|\A(?:Tool execution aborted|aborted by user\b.*)\Z"
    r"|\AThe user doesn'?t want to (?:proceed|take this)\b.*\Z"
    r"|\AFile created successfully at: \S+\s*\Z"
    r"|\ASuccess\. Updated the following files:(?:\n[AMDR] \S+)*\s*\Z"
    r"|(?m:^</?persisted-output>$|^<!--[^\n]{0,200}-->$|^\[[\w:-]{1,40}\] (?:\$ |Finished in )[^\n]*$)"
)

_SAVED = re.compile(r"\b[Ss]aved to:?\s{1,3}(\S{1,300})")
"""Where the rest of an output lies: who reads that file looks on at the output."""

_SHOWS = re.compile(r"(?m)^\[File: (\S+) ")
"""What a line editor says of the file that it has open."""

_DOCUMENT = re.compile(r"\.(?:mdx?|txt|rst|adoc|html?|pdf|log)\Z")
"""Ends the name of a file that is read for what it says."""

HEAD_CHARS = 300
"""Of what a call was given, so much names the file that it is about, as a patch does."""

LONG = 3
"""So many pieces make an output of which one is enough."""

ROLL_LINES, ROLL_SHARE, ALIKE = 12, 0.7, 0.12
"""An output is a roll where so many lines, and such a share of them, begin as such a share of others do."""

MANY = 4
"""Of so many lines in a row that begin and end alike, the first and the last are enough."""

_BEGINS = re.compile(r"\A\s{0,12}(?:\d{1,7}\s?[→|:\t])?\s{0,40}(?:([\w./~-]{1,200})|(\S))")
_MEMBER = re.compile(r"\A\s{0,80}(?:\"[^\"\n]{1,80}\": |[{}\[\]]{1,3},?\s{0,9}\Z)")
_NUMBER = re.compile(r"[0-9a-f]{0,40}[0-9][\w.:-]{0,200}")

LEAST_WORDS = 2
SPOKEN_CHARS, SAVED_CHARS = 12_000, 400

_EMPTY = re.compile(
    r"\A\s{0,12}(?:\d{1,6}[→:\t]\s{0,12})?(?:import\b|from \S{1,90} import\b|#include\b|use \S{1,90};"
    r"|\} from ['\"]|(?:type )?\w{1,60},\s*\Z|ok\s{1,9}\S+\s|\?\s{1,9}\S{1,120}\s{1,9}\[no test files\]|[✓✔]"
    r"|\[[\w:-]{1,40}\] \$ |(?:0|No) (?:issues|errors|problems)\b"
    r"|\(pass\)|PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)\b|\S{1,160} PASSED\b)"
)
_HEADS = re.compile(
    r"\A\s{0,12}(?:\d{1,7}\s?[→|:\t])?\s{0,40}"
    r"(?:@\w|(?:async )?def \w|class \w|(?:export )?(?:async )?function \w|#{1,6} \S)"
)
"""A line that stays with what stands below it: a decorator, the head of a function, a heading."""

_TIED = re.compile(r"\n| && ")
"""Of a long line of several commands the head is not what printed."""
_ALL_PASSED = re.compile(r"(?m)^={2,200} \d{1,9} passed\b(?![^\n]{0,200}\b(?:failed|error))")
"""The totals of a run of tests without a failure: nothing above them tells more."""

_FILE = re.compile(r"\w[\w.-]{0,80}(?:\.\w{1,8}|_)|__\w{1,40}\.\w{1,8}")
_LINE_NUMBER = re.compile(r"\A\s{0,12}\d{1,7}\s?[→|:\t]\s*\Z")
_WORD, _LETTERS = re.compile(r"\w"), re.compile(r"[^\W\d_]{2}")
_BULLETS = frozenset("-+*#|=")
FEW_LINES = 3

LOOKED_AT = 10
"""Characters of newest text that are looked at, per token of the budget."""


def passages_of(
    messages: Sequence[Message],
    turns: Sequence[int],
    budget_tokens: int,
    changed: Mapping[str, int] | None = None,
) -> Iterator[Statement]:
    """Pieces of tool results and of what was written into files, the newest messages first.

    `changed` says when files of a name were changed last: a look at one before that shows what is no more. A
    look at code serves what is done next: behind an edit or an answer it is for spare room, as a part of much
    code is, of which the edit tells; so is a page behind which files were changed. Of a long output, the part
    that was spoken of then comes before the others; a roll comes last.
    """
    changed = changed or {}
    calls = {call.id: call for message in messages for call in message.calls}
    places = {
        call.id: f"{turn}.{index}"
        for message, turn in zip(messages, turns, strict=True)
        for index, call in enumerate(message.parts)
        if isinstance(call, ToolCall)
    }
    saved = {
        path.rpartition("/")[2]
        for m in messages
        for r in m.results
        for path in _SAVED.findall(r.text[:SAVED_CHARS])
    }
    left = dict.fromkeys((False, True), LOOKED_AT * budget_tokens)
    seen: set[str] = set()
    edits: dict[str, list[tuple[str, str]]] = {}  # what later calls replaced, by file
    again: set[str | None] = set()
    known: dict[str, int] = {}  # the newest edit of each file that says what it took out
    answers = (t for m, t in zip(messages, turns, strict=True) if m.role == "assistant" and not m.calls)
    worked = max(changed.values(), default=-1)
    acted = max([worked, *answers])
    is_spent = _Spent(messages, calls, changed)
    heard = (m for m in reversed(messages) if m.text and m.origin == "conversation")
    newest = [*islice((m for m in heard if m.role == "user"), 1), *messages[-2:]]
    behind: Message | None = None
    for message, turn in zip(reversed(messages), reversed(turns), strict=True):
        if max(left.values()) < 0:
            return
        if message.origin != "conversation" or turn < 0:
            continue
        for index, part in enumerate(message.parts):
            call = calls.get(part.call_id) if isinstance(part, ToolResult) else None
            if is_spent(part, turn):
                continue
            name = (_file_of(part) or "") if isinstance(part, ToolCall) else ""
            if name and changed.get(name, -1) > max(turn, known.get(name, -1)):
                continue  # a command has changed it since, who knows where
            line = command_line(call) if call is not None else None
            if line in again:
                continue  # it was run again
            again |= {line} - {None}
            spare = False
            if isinstance(part, ToolResult) and call is not None:
                looks = _SAVED.search(part.text, 0, SAVED_CHARS) is not None
                looks = looks or _only_looks(call, part.text, {*changed, *saved})
                spare = (turn <= acted and looks) or (turn <= worked and fetches(call.arguments))
            pieces = list(
                islice(_pieces(part, call, edits.get(name, ())), max(0, left[spare]) // PASSAGE_CHARS + 2)
            )
            spare = spare or (is_source(name) and len(pieces) > 1)
            about, is_roll = None, False
            if isinstance(part, ToolResult):
                of_work = line is not None and not changed.keys().isdisjoint(file_names(line))
                is_roll = turn <= acted and not (of_work or part.is_error) and _is_roll(pieces)
                about = _spoken_of(pieces, [behind] if behind else newest)
            for at, piece in enumerate(pieces):
                is_aside = about not in (None, at)
                spares = 2 * is_roll or spare + is_aside * (1 + (turn <= worked))
                left[spares > 0] -= len(piece)
                if left[spares > 0] < 0:
                    break
                is_vain = is_roll and behind is not None and is_aside  # one part of it is enough
                if is_vain or piece in seen or _says_little(piece):
                    continue  # the newest time is enough
                seen.add(piece)
                since = ", edited since" * (name in edits and not _wrote(part, piece))
                ends = " …" * (at + 1 < len(pieces))
                yield Statement(
                    kind="passage",
                    text=f"#{turn} {_voice(part, calls)}{', further down' * (at > 0)}{since}:\n{piece}{ends}",
                    turn=turn,
                    place=(index, at),
                    key=places.get(part.call_id if isinstance(part, ToolResult) else "", f"{turn}.{index}"),
                    flags=("spare", "detail")[:spares],
                )
            if isinstance(part, ToolCall) and name:
                known[name] = max(known.get(name, -1), turn)
                edits[name] = [*(replacements_of(part) or [("", "")]), *edits.get(name, ())]
        behind = message if message.role == "assistant" else behind


class _Spent:
    """Whether a part is of a quiet or vain call, or shows what is no more."""

    def __init__(
        self, messages: Sequence[Message], calls: Mapping[str, ToolCall], changed: Mapping[str, int]
    ) -> None:
        results = [result for message in messages for result in message.results]
        self._calls, self._changed = calls, changed
        self._vain = {r.call_id for r in results if r.call_id in calls and _is_vain(calls[r.call_id], r)}
        told = (call for message in messages for call in message.calls)
        quiet = {c.id for c in told if is_quiet(c.name) or is_skill(c) or _reads_skill(c, changed)}
        self._skipped = self._vain | quiet

    def __call__(self, part: Part, turn: int) -> bool:
        if not isinstance(part, ToolResult):
            return isinstance(part, ToolCall) and part.id in self._vain
        call = self._calls.get(part.call_id)
        return part.call_id in self._skipped or _is_old(call, part.text, turn, self._changed)


def _reads_skill(call: ToolCall, changed: Mapping[str, int]) -> bool:
    """Whether a call opens instructions that stay at hand, and are not what is worked on."""
    opened = command_line(call) or first_path(call) or ""
    return opened.rstrip("'\"").endswith("/SKILL.md") and "SKILL.md" not in changed


def _file_of(call: ToolCall) -> str | None:
    """The name of the one file that a call edits, where it says what it takes out."""
    names = {path.rpartition("/")[2] for path in paths_of(call)}
    return names.pop() if len(names) == 1 and (replacements_of(call) or content_of(call)) else None


def _wrote(part: Part, piece: str) -> bool:
    """Whether a call itself put in each line of a piece."""
    if not isinstance(part, ToolCall):
        return True
    lines = {
        line.rstrip()
        for text in (content_of(part) or "", *dict(replacements_of(part)).values())
        for line in text.splitlines()
    }
    return lines.issuperset(piece.splitlines())


def _as_it_is(text: str, later: Sequence[tuple[str, str]]) -> str:
    """What was put into a file as later edits left it; empty where that is not known."""
    for old, new in later:
        if old and old in text:
            text = text.replace(old, new, 1)
            continue
        gone = {line.strip() for line in old.splitlines() if line.strip() and line.strip() not in new}
        if not old or not gone.isdisjoint(map(str.strip, text.splitlines())):
            return ""
    return text


def _added(old: str, new: str) -> str:
    """What is new in a text, without the lines around it that stood there before."""
    before, lines = old.splitlines(), new.splitlines()
    start = [*map(eq, before, lines), False].index(False)
    same = [*map(eq, before[start:][::-1], lines[start:][::-1]), False].index(False)
    return "\n".join(lines[start : len(lines) - same])


def _is_roll(pieces: Sequence[str]) -> bool:
    """Whether an output is a list of like entries, a log, or a listing: most of its lines begin alike."""
    lines = [line for piece in pieces for line in piece.splitlines()]
    if len(pieces) > 1 and sum(_MEMBER.match(line) is not None for line in lines) >= ROLL_SHARE * len(lines):
        return True
    begins = Counter(
        _NUMBER.sub("0", found[1]).partition("/")[0] if found[1] else found[2]
        for found in map(_BEGINS.match, lines)
        if found
    )
    alike = sum(n for begin, n in begins.items() if n > ALIKE * len(lines) and begin not in _BULLETS)
    return len(lines) >= ROLL_LINES and alike >= ROLL_SHARE * len(lines) and not any(map(is_fault, lines))


def _only_looks(call: ToolCall, output: str, changed: Container[str]) -> bool:
    """Whether a call only looks at files, or shows what an edit made of one; not at others' documents."""
    line = command_line(call)
    names = [*file_names(line or ""), *(paths_of(call) if line is None else ())]
    if names and all(_DOCUMENT.search(name) and name.rpartition("/")[2] not in changed for name in names):
        return False
    if line is None:
        return bool(search_words(call) or (names and shape_of(call) not in (None, "python")))
    return _SHOWS.search(output) is not None or (only_reads(line, None) and "git " not in line)


def _is_vain(call: ToolCall, result: ToolResult) -> bool:
    """Whether what was to be written was not, or a call shows how a program is used, or that tests pass."""
    line = command_line(call)
    if line is None:
        return refused(result, reading=False)
    calls = is_usage(result.text) and not (result.is_error or only_reads(line, None))
    return calls or shows_help(line, None) or _ALL_PASSED.search(result.text) is not None


def _spoken_of(pieces: Sequence[str], by: Sequence[Message]) -> int | None:
    """The piece of a long output that shares most with what is said and done then; None for all alike."""
    if len(pieces) < 2:
        return None
    words = [part.text for m in by for part in m.parts if isinstance(part, Text | Thinking)]
    words += [str(list(call.arguments.values())) for m in by for call in m.calls]
    spoken = frozenset(all_terms_of("\n".join(words)[:SPOKEN_CHARS]))
    shared = [sum(map(len, spoken.intersection(all_terms_of(piece)))) for piece in pieces]
    return shared.index(max(shared))


def _is_old(call: ToolCall | None, output: str, turn: int, changed: Mapping[str, int]) -> bool:
    """Whether a call looked at a file that was changed afterwards, or only at how a program is called."""
    if call is not None and "--help" in (command_line(call) or "").split():
        return True
    words = "".join(f" {path}" for path in _SHOWS.findall(output))
    if call is not None:
        words += command_line(call) or first_path(call) or str([*call.arguments.values()])[:HEAD_CHARS]
    return any(changed.get(name, -1) >= turn for name in file_names(words))


def _says_little(piece: str) -> bool:
    """Whether a passage is one word, a slip, or most of its lines list names, or say that all is well."""
    lines = piece.splitlines()
    if len(piece.split()) < LEAST_WORDS or (len(lines) <= FEW_LINES and SLIP.search(piece)):
        return True
    if 0 < sum(map(_lists, lines)) >= len(lines) - 1:
        return True
    return 2 * sum(_EMPTY.match(line) is not None or _lists(line) for line in lines) > len(lines)


def _lists(line: str) -> bool:
    """Whether a line holds nothing but names of files."""
    return all("/" in word or _FILE.fullmatch(word) for word in line.split())


def _voice(part: Part, calls: Mapping[str, ToolCall]) -> str:
    """What gave a passage, by the command or the name of the file."""
    call = calls.get(part.call_id) if isinstance(part, ToolResult) else part
    if not isinstance(call, ToolCall):
        return "printed"
    line = command_line(call)
    name = ", ".join(path.rpartition("/")[2] for path in paths_of(call))
    named = f"{name_of(call)} {name if '.' in name else arguments_of(call)}"
    if (
        (shell := command_of(call))
        and len(bare(shell)) > SOURCE_CHARS
        and _TIED.search(cut_heredocs(bare(shell))[0].strip())
    ):
        line = run_subject(shell, None, placed=True)
    what = bare(line) if line else search_words(call).replace("`", "") or named
    told = f"`{shortened(one_line(what), SOURCE_CHARS)}`"
    verb = "put into" if replacements_of(call) else "wrote"
    return f"{told} printed" if isinstance(part, ToolResult) else f"{verb} {name or told}"


def _pieces(part: Part, call: ToolCall | None, later: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Runs of whole lines, each of at most `PASSAGE_CHARS` where the lines allow."""
    if isinstance(part, ToolResult):
        output = output_of(part).removeprefix((call and command_line(call)) or "")
        text = FRAMES.sub("", _HARNESS.sub("", output)) if _WORD.search(output) else ""
    elif isinstance(part, ToolCall):
        pairs = replacements_of(part)
        fresh = (
            _added(old, _as_it_is(new, [*pairs[at:], *later]))
            for at, (old, new) in enumerate(pairs, 1)
            if not {*new.splitlines()} <= {*old.splitlines()}
        )
        text = _as_it_is(content_of(part) or "", later) or "\n".join(fresh)
    else:
        return
    run: list[str] = []
    size = 0
    for line in _folded(text.splitlines()) if isinstance(part, ToolResult) else text.splitlines():
        if len(line) > PASSAGE_CHARS or is_blob(line):
            continue
        if size + len(line) > PASSAGE_CHARS and run:
            end = next((n for n in range(len(run), 1, -1) if not _HEADS.match(run[n - 1])), len(run))
            yield "\n".join(run[:end])
            run = run[end:]
            size = sum(map(len, run)) + len(run)
        if _LINE_NUMBER.sub("", line).strip():
            run.append(line.rstrip())
            size += len(line) + 1
    if run:
        yield "\n".join(run)


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """The lines; of many in a row that begin and end with the same words, the first and the last."""
    for ends, run in groupby(lines, lambda line: (words := line.split())[:1] + words[-1:]):
        alike = list(run)
        is_many = len(alike) >= MANY and len(ends) == 2 and all(map(_LETTERS.search, ends))
        yield from [alike[0], "…", alike[-1]] if is_many else alike
