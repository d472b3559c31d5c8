"""What was done, as statements: each call with what it came to, worded so that the effect can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tamis.compactors.brief.evidence import Shown, flat_json
from tamis.compactors.brief.speech import is_announcement
from tamis.compactors.brief.statement import Statement
from tamis.compactors.brief.frame import one_line
from tamis.ledger.commands import command_of
from tamis.ledger.definitions import definition
from tamis.ledger.events import CommandRun, ErrorSeen, Event, FileChange, TestRun
from tamis.ledger.failures import without_colours
from tamis.ledger.programs import only_reads, run_subject
from tamis.ledger.sentences import split_sentences
from tamis.ledger.tools import command_line, content_of, first_path, patch_text, replacements_of, shape_of
from tamis.ledger.verdicts import refused
from tamis.messages import ToolCall, ToolResult

COMMAND_CHARS = 110
LINE_CHARS = 110
OUTPUT_CHARS = 230
HUNK_CHARS = 200
SOURCE_CHARS = 420
MOST_REMEMBERED = 20_000
"""Characters of a written file that are remembered, to say what a later rewriting changes."""

_COMMIT = re.compile(r"\bgit\b[^\n|;&]*\bcommit\b")
_HASH = re.compile(r"\[[^\]\n]*? ([0-9a-f]{7,40})\]")
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\s*\n(.*?)\n\s*\1\b", re.DOTALL)
_MESSAGE = re.compile(r"(?:\s-[a-zA-Z]*m|--message)[ =]\s*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL)
_ECHOED = re.compile(r"\b(?:echo|printf)\s+(?:-\w+\s+)?[\"'](.{20,}?)[\"']\s*>", re.DOTALL)
_TRAILER = re.compile(r"(?im)^\s*(?:co-authored-by|signed-off-by|entire-[\w-]+|🤖.*|generated with.*):?.*$")
_POSTS = re.compile(
    r"\bgh\s+(?:pr|issue|release)\s+(?:create|comment|review|edit|merge|close|reopen|ready)\b"
    r"|\bgh\s+api\b[^\n]*(?:-f|--field|-F|--raw-field|-X\s*(?:POST|PATCH|PUT))"
    r"|\bgit\s+(?:push|merge|rebase|reset|checkout|switch|stash|cherry-pick|tag|revert|branch -[dDm])\b"
)
_CHECKS = re.compile(
    r"\b(?:py\.?test|unittest|runtests|tox|nox|jest|vitest|mocha|go test|cargo (?:test|check|build|clippy)|go (?:build|vet)"
    r"|golangci-lint|lint|eslint|ruff|mypy|tsc|test|tests|check|build|make)\b"
)
_PROMPT = re.compile(r"(?m)^\(Open file: [^\n]*\)\s*$|^\(Current directory: [^\n]*\)\s*$|^bash-\$\s*$")
_ERROR_LINE = re.compile(r"(?m)^(?:\w+\.)*\w*(?:Error|Exception): .+$")
_NOTHING = re.compile(r"No (?:matches|files|results) (?:found|were found)|no matches? for|0 (?:matches|results)", re.IGNORECASE)
_REPLY = re.compile(r"(?:pulls/(\d+)/)?comments/(\d+)/replies")
_SAID = re.compile(r"the user said:\s*(.+)\Z", re.DOTALL | re.IGNORECASE)
_STOPPED = re.compile(r"The user doesn'?t want to (?:proceed|take this action)|user rejected|User denied|\[Request interrupted")
_ANSWERED = re.compile(r"(?:User has answered your questions?|Your questions? ha(?:s|ve) been answered):\s*(.+)", re.DOTALL)
_TROUBLE = re.compile(r"error|fail|panic|exception|traceback|✗|✘|undefined|not found|denied|cannot|fatal|warning", re.I)
_LINE_NUMBER = re.compile(r"^\s*\d+\s*[→|\t]\s?")
_PROSE_ARGUMENTS = ("title", "subject", "name", "query", "question", "prompt", "body", "description", "message", "text", "comment")
_QUIET = frozenset("todowrite todoread update_plan taskcreate taskupdate taskget tasklist exitplanmode enterplanmode toolsearch".split())
_IDENTIFIERS = (
    re.compile(r"\"(?:identifier|key|html_url|number)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
    re.compile(r"(https?://\S+/(?:pull|issues)/\d+)|\b([A-Z]{2,6}-\d+)\b"),
    re.compile(r"\"(?:url|id)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
)


def deed_statements(
    call: ToolCall,
    result: ToolResult | None,
    *,
    turn: int,
    part: int,
    events: Sequence[Event],
    cwd: str | None,
    files: dict[str, str],
) -> Iterator[Statement]:
    """The statements of one call and its result; nothing where it only looked and there is nothing to tell."""
    here = {"turn": turn, "place": (part, -1)}
    output = _PROMPT.sub("", without_colours(result.text)).strip() if result else ""
    if said := _users_words(call, result, output):
        yield Statement(kind="asked", text=said, flags=("answer",), **here)  # type: ignore[arg-type]
        return
    line = command_line(call)
    command = command_of(call) if shape_of(call) in ("shell", None) else None
    changes = [e.value for e in events if isinstance(e.value, FileChange) and e.value.action != "read"]
    if any(isinstance(e.value, CommandRun) and e.value.ok is False for e in events):
        changes = []  # what a failed command did to files, nobody can tell from its words
    if command is not None and _COMMIT.search(command):
        if made := _commit(command, output):
            yield Statement(kind="committed", text=made, flags=(), **here)  # type: ignore[arg-type]
            return
    if changes:
        errors = _ERROR_LINE.findall(output) if command is None else []
        yield from _changes(call, line, changes, here, printed=errors, files=files)
        if command is None or not output:
            return
    if command is not None:
        if statement := _command(command, result, output, events, cwd, changed=bool(changes), here=here):
            yield statement
        return
    if changes or result is None:
        return
    if _NOTHING.match(output):
        yield Statement(kind="ran", text=one_line(f"{name_of(call)} {_arguments(call)} → nothing found"), flags=("reads", "short"), **here)  # type: ignore[arg-type]
        return
    if refused(result, reading=bool([e for e in events if isinstance(e.value, FileChange)])):
        text = f"{call.name} {_arguments(call)} failed: {_first_lines(output, LINE_CHARS * 2)}"
        yield Statement(kind="failed", text=one_line(text), flags=("reads",), **here)  # type: ignore[arg-type]
        return
    yield from _tool(call, output, here)


def _users_words(call: ToolCall, result: ToolResult | None, output: str) -> str | None:
    if result is None:
        return None
    if found := _ANSWERED.match(output):
        return "answered: " + _short(one_line(found[1]), 500)
    if _STOPPED.search(output[:300]):
        what = one_line(f"{call.name} {_short(command_line(call) or _arguments(call), 90)}")
        said = _SAID.search(output)
        words = one_line(said[1]).split(" Note: The user")[0] if said else ""
        return f"(stopped the agent's {what}) {words}".strip()
    return None


def _commit(command: str, output: str) -> str | None:
    documents = [body for _, body in _HEREDOC.findall(command)]
    messages = documents or [a or b for a, b in _MESSAGE.findall(command)]
    message = _TRAILER.sub("", "\n".join(messages)).strip()
    subject = message.splitlines()[0].strip() if message else ""
    found = _HASH.search(output) or (
        re.search(rf"(?m)^\W{{0,3}}([0-9a-f]{{7,40}}) (?:\([^)]*\) )?{re.escape(subject)}", output) if subject else None
    )
    if found is None:
        return None
    pushed = " and pushed" if re.search(r"\bgit\b[^\n|;&]*\bpush\b", command) and not re.search(r"rejected|error:|fatal:", output) else ""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return f"committed{pushed} {found[1][:10]}: " + _short(" ⏎ ".join(lines), 1200)


def _changes(
    call: ToolCall, command: str | None, changes: Sequence[FileChange], here: dict[str, object], *, printed: Sequence[str], files: dict[str, str]
) -> Iterator[Statement]:
    for change in changes[:6]:
        verb = {"modified": "edited", "created": "wrote"}.get(change.action, change.action)
        where = f" ({', '.join(change.touched[:4])})" if change.touched else ""
        hunk = _hunk(call, command, change, files) if change.action in ("modified", "created") else ""
        origin = f" from {change.renamed_from}" if change.renamed_from else ""
        text = f"{verb} {change.path}{origin}{where}" + (f": {hunk}" if hunk else "")
        if printed:
            text += f" (the call printed: {_short(one_line(printed[0]), 120)})"
        flags = ("source",) if change.action == "modified" else ("scratch",)
        if hunk and where:
            brief = one_line(f"{verb} {change.path}{where}")
            yield Statement(kind="changed", text=brief, key=change.path, flags=(*flags, "outline"), **here)  # type: ignore[arg-type]
        yield Statement(kind="changed", text=one_line(text), key=change.path, flags=flags, **here)  # type: ignore[arg-type]


def _hunk(call: ToolCall, command: str | None, change: FileChange, files: dict[str, str]) -> str:
    room = SOURCE_CHARS if change.action == "modified" else HUNK_CHARS
    edit = re.match(r"\s*(?:edit|insert)\s+\d[^\n]*\n(.*)", command, re.DOTALL) if command else None
    if edit:
        return _telling([line for line in edit[1].splitlines() if line.strip() != "end_of_edit"], change.path, room)
    pairs = replacements_of(call) if command is None else []
    if pairs:
        return " ; ".join(filter(None, (_pair(old, new, change.path, room // min(len(pairs), 3)) for old, new in pairs[:3])))
    patch = patch_text(call)
    if patch:
        added = [line[1:] for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")]
        removed = [line[1:] for line in patch.splitlines() if line.startswith("-") and not line.startswith("---")]
        return _pair("\n".join(removed), "\n".join(added), change.path, room)
    if command is not None:
        documents = [body for _, body in _HEREDOC.findall(command)] or _ECHOED.findall(command)
        if documents and not re.search(rf">\s*[\"']?\S*{re.escape(change.path.rpartition('/')[2])}", command):
            return ""  # a script that works on the file, not what it writes
        if documents:
            return _rewritten(documents[0], change.path, room, files)
        return f"`{_short(one_line(_bare(command)), 180)}`"
    content = content_of(call)
    return _rewritten(content, change.path, room, files) if content else ""


def _rewritten(content: str, path: str, room: int, files: dict[str, str]) -> str:
    """What is new in a file that is written whole, beside what the session last wrote into it."""
    before = files.get(path)
    if len(content) <= MOST_REMEMBERED:
        files[path] = content
    return _pair(before, content, path, max(room, SOURCE_CHARS)) if before else _telling(content.splitlines(), path, room)


def _pair(old: str, new: str, path: str, room: int) -> str:
    a = [line.strip() for line in old.splitlines() if line.strip()]
    b = [line.strip() for line in new.splitlines() if line.strip()]
    removed: list[str] = []
    added: list[str] = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += a[i:j]
            added += b[k:m]
    if not added:
        return f"removed `{_telling(removed, path, room // 2)}`" if removed else ""
    if removed and len(removed) <= 2 and len(added) <= 3:
        return f"`{_short(' ⏎ '.join(removed), 110)}` → `{_short(' ⏎ '.join(added), 190)}`"
    return _telling(added, path, room)


_TELLS = re.compile(r"\b(?:return|raise|if|elif|assert|throw|func|def|class|fn|type|const)\b|[=(]")


def _telling(lines: Sequence[str], path: str, room: int = HUNK_CHARS) -> str:
    """The lines that say what is new: definitions, conditions, what is returned; comments say why."""
    kept: list[str] = []
    seen: set[str] = set()
    candidates = []
    for at, raw in enumerate(lines):
        line = raw.strip()
        if len(line) < 6 or line in seen or not re.search(r"\w", line):
            continue
        seen.add(line)
        worth = 2.0 if definition(path, raw) else 1.6 if "assert" in line else 1.0 if _TELLS.search(line) else 0.6
        if re.match(r"(?:import|from|package|use|#include)\b", line):
            worth = 0.1
        if re.match(r"(?:#|//|\"\"\"|\*)\s*\w", line) and len(line) > 25:
            worth = 1.3
        candidates.append((-worth, at, _short(line, LINE_CHARS)))
    for _, at, line in sorted(candidates):
        if len(line) + 3 > room:
            continue
        room -= len(line) + 3
        kept.append((at, line))  # type: ignore[arg-type]
    return " ⏎ ".join(line for _, line in sorted(kept))  # type: ignore[misc]


def _command(
    command: str, result: ToolResult | None, output: str, events: Sequence[Event], cwd: str | None, *, changed: bool, here: dict[str, object]
) -> Statement | None:
    run = next((e.value for e in events if isinstance(e.value, CommandRun)), None)
    tests = [e.value for e in events if isinstance(e.value, TestRun)]
    errors = [e.value for e in events if isinstance(e.value, ErrorSeen)]
    subject = run_subject(command, cwd)
    shown = f"`{_short(_bare(subject), COMMAND_CHARS)}`"
    if _POSTS.search(command):
        posted = _post(command, subject)
        bad = run is not None and run.ok is False
        text = posted if posted.startswith("replied") and not bad else f"{posted} → {_outcome(output)}"
        return Statement(kind="failed" if bad else "posted", text=one_line(text), **here)  # type: ignore[arg-type]
    reads = only_reads(command, cwd)
    if tests and not reads:
        told = "; ".join(_totals(t) for t in tests[:2])
        why = f" — {_short(one_line(errors[0].message), 160)}" if errors and any(t.is_red for t in tests) else ""
        return Statement(kind="tested", text=one_line(f"ran {shown}: {told}{why}"), key=subject, **here)  # type: ignore[arg-type]
    failed = run is not None and run.ok is False and not (reads and run.exit_code == 1)
    if failed or (errors and not reads):
        told = _short(one_line(errors[0].message), 200) if errors else _last_lines(output, OUTPUT_CHARS)
        return Statement(kind="failed", text=one_line(f"ran {shown} → {told or 'failed'}"), key=subject, **here)  # type: ignore[arg-type]
    checks = not reads and is_check(subject)
    if checks:
        return Statement(kind="tested", text=one_line(f"ran {shown} → {_last_lines(output, 120) or 'no output, ok'}"), key=subject, **here)  # type: ignore[arg-type]
    if changed:
        return None
    if not output:
        return None
    if reads and len(output) > OUTPUT_CHARS:
        return None  # what of it matters is told when the agent has spoken of it
    told = output if len(output) <= OUTPUT_CHARS else _last_lines(output, OUTPUT_CHARS)
    flags = ("reads",) if reads else ()
    flags += ("short",) if len(output) <= OUTPUT_CHARS else ()
    return Statement(kind="ran", text=one_line(f"ran {shown} → {_lines(told)}"), key=subject, flags=flags, **here)  # type: ignore[arg-type]


def _bare(subject: str) -> str:
    return re.sub(r"^cd \S+ && ", "", subject)


def _post(command: str, subject: str) -> str:
    bodies = [body for _, body in _HEREDOC.findall(command)]
    fields = re.findall(r"(?:-f|-F|--field|--raw-field)\s+(?:body|title|state)=(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|(\S+))", command)
    fields += [(a, b, "") for a, b in re.findall(r"--(?:title|body|comment)[ =](?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", command)]
    words = [w for f in fields for w in f if w and not w.startswith("$(cat")] + bodies
    path = re.search(r"\bgh\s+api\s+(?:-X\s*\w+\s+)?(?:--method\s+\w+\s+)?[\"']?(\S+?)[\"']?(?:\s|$)", command)
    comment = _REPLY.search(command)
    if comment and words:
        of = f" of PR {comment[1]}" if comment[1] else ""
        return f"replied to comment {comment[2]}{of}: {_short(one_line(words[0]), 300)}"
    head = f"gh api {path[1]}" if path else _short(_bare(re.sub(r"\s--?(?:title|body)[ =].*", "", subject)), 70)
    if not words:
        return f"ran `{_short(_bare(subject), COMMAND_CHARS)}`"
    return f"{head}: {_short(one_line(' — '.join(words)), 420)}"


def _outcome(output: str) -> str:
    if output.startswith("{"):
        found = _identifier(output)
        return f"ok ({found})" if found else "ok"
    return _last_lines(output, 140) or "ok"


def _identifier(output: str) -> str | None:
    """What a service calls the thing that it made or changed."""
    for pattern in _IDENTIFIERS:
        if found := pattern.search(output):
            return next(group for group in found.groups() if group)
    return None


def _totals(run: TestRun) -> str:
    counts = [f"{n} {what}" for n, what in ((run.passed, "passed"), (run.failed, "failed"), (run.errors, "errors"), (run.skipped, "skipped")) if n is not None]
    failing = f" ({', '.join(run.failing[:4])})" if run.failing else ""
    return (", ".join(counts) or ("failed" if run.is_red else "ok")) + failing


def _tool(call: ToolCall, output: str, here: dict[str, object]) -> Iterator[Statement]:
    if call.name.lower() in _QUIET:
        return
    words = name_of(call)
    if re.search(r"^(?:task|agent|.*subagent.*|delegate.*)$", call.name, re.I):
        asked = call.arguments.get("description") or call.arguments.get("prompt") or ""
        lead = Statement(kind="ran", text=one_line(f"handed to another agent: {_short(str(asked), 160)}"), flags=("agent",), **here)  # type: ignore[arg-type]
        yield lead
        for sentence in split_sentences(output)[:60]:
            text = output[sentence.body : sentence.end]
            if sentence.kind in ("prose", "item") and 20 <= len(text) <= 400 and not is_announcement(text):
                yield Statement(kind="reported", text=f"(reported) {one_line(text)}", turn=here["turn"], place=(here["place"][0], sentence.start), leads=(lead,))  # type: ignore[arg-type,index]
        return
    posts = re.search(r"create|update|comment|post|send|reply|close|merge|save|book|cancel|modify|exchange|return|transfer", call.name, re.I)
    told = _identifier(output) if posts and output.startswith(("{", "[")) else None
    result = told if told else _first_lines(output, OUTPUT_CHARS)
    text = f"{words} {_arguments(call)}" + (f" → {_lines(result)}" if result else "")
    yield Statement(kind="posted" if posts else "ran", text=one_line(text), flags=() if posts else ("reads",), **here)  # type: ignore[arg-type]


def name_of(call: ToolCall) -> str:
    """The tool's own name."""
    return call.name.rsplit("__", 1)[-1]


def _arguments(call: ToolCall) -> str:
    """The arguments that a person would name: prose ones first, the rest as they fit."""
    told = []
    for key, value in call.arguments.items():
        if isinstance(value, str | int | float | bool) and str(value).strip():
            told.append((key not in _PROSE_ARGUMENTS, f"{key}: {_short(one_line(str(value)), 200)}"))
    return _short("; ".join(text for _, text in sorted(told, key=lambda t: t[0])), 330)


def _lines(text: str) -> str:
    return " ⏎ ".join(line.strip() for line in text.splitlines() if line.strip())


def _shown(text: str) -> list[str]:
    return [line for raw in text.splitlines() if (line := _LINE_NUMBER.sub("", raw).strip()) and re.search(r"\w", line)]


def _first_lines(text: str, most: int) -> str:
    told = ""
    for line in _shown(text[: most * 8]):
        if told and len(told) + len(line) > most:
            break
        told += ("\n" if told else "") + _short(line, LINE_CHARS)
    return _lines(told)


def _last_lines(text: str, most: int) -> str:
    """The last lines, those that tell of trouble before others."""
    lines = _shown(text[-most * 30 :])
    trouble = [line for line in lines if _TROUBLE.search(line)][:2]
    told: list[str] = []
    room = most - sum(min(len(line), LINE_CHARS) for line in trouble)
    for line in reversed(lines):
        if line in trouble:
            continue
        room -= min(len(line), LINE_CHARS)
        if room < 0 and (told or trouble):
            break
        told.insert(0, line)
    return " ⏎ ".join(_short(line, LINE_CHARS) for line in dict.fromkeys([*trouble, *told]))


def _short(text: str, most: int) -> str:
    """A command or code line that is too long, cut behind a word and marked so."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip() + "…"


def is_check(subject: str) -> bool:
    """Whether a command tests, checks or builds, or runs a script of the session's own."""
    head = re.split(r"['\"]", _bare(subject), maxsplit=1)[0][:80]
    if re.match(r"\S+ -(?:c|e)\b", head):
        return False
    if re.match(r"(?:echo|cat|printf|grep|rg|sed|awk|ls|find|git|gh|head|tail|mv|cp|rm|mkdir|touch|cd|curl|pip|npm i)\b", head):
        return False
    return _CHECKS.search(head) is not None or re.match(r"(?:python3?|node|bash|sh|go run|ruby|\./)\s*\S", head) is not None


def shown_by(call: ToolCall, result: ToolResult, *, turn: int, part: int, cwd: str | None) -> Shown | None:
    """An output too long to be told whole, with the words for what showed it."""
    output = _PROMPT.sub("", without_colours(result.text)).strip()
    if output.startswith(("{", "[")):
        output = flat_json(output) or output
    if len(output) <= OUTPUT_CHARS or result.is_error:
        return None
    command = command_of(call) if shape_of(call) in ("shell", None) else None
    reads = True
    if command is not None:
        if _POSTS.search(command) or _COMMIT.search(command):
            return None
        subject = run_subject(command, cwd)
        words, key = f"ran `{_short(_bare(subject), 90)}`", subject
        reads = only_reads(command, cwd)
    elif shape_of(call) in ("read", "editor", None):
        if call.name.lower() in _QUIET:
            return None
        words, key = one_line(f"{name_of(call)} {_short(first_path(call) or command_line(call) or _arguments(call), 90)}"), ""
    else:
        return None
    return Shown(words=words, output=output, turn=turn, part=part, key=key, reads=reads)
