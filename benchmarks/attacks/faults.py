"""Disks that are full, methods that fail in every way, and kills in the middle of the work."""

from __future__ import annotations

import json
import resource
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import killed

from attacks.line import Line, line
from tamis.archive import Archive
from tamis.compactors import Compaction, CompactionRequest, run_compactor
from tamis.compactors.gate import guard
from tamis.compactors.methods.truncate import Truncate
from tamis.errors import BadArchive, InputError, MethodFailed
from tamis.evals import Settings, write_run
from tamis.evals.rundir.results import SessionResults
from tamis.messages import Message, Text, get_counter

ERRORS: tuple[BaseException, ...] = (
    KeyError("x"),
    ValueError("odd\nlines"),
    RecursionError(),
    MemoryError(),
    OSError(28, "No space left on device"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"),
    StopIteration(),
    SystemExit(3),
    AssertionError(),
    TimeoutError(),
)
SHAPES: tuple[Callable[[Compaction], Any], ...] = (
    lambda _: None,
    lambda _: "text",
    lambda _: {"messages": []},
    lambda made: replace(made, outcome="great"),
    lambda made: replace(made, messages=None),
    lambda made: replace(made, messages=[{"role": "user"}]),
    lambda made: replace(made, messages="hello"),
    lambda made: replace(made, account=("kept",)),
    lambda made: replace(made, account=None),
    lambda made: replace(made, warnings=(1,)),
    lambda made: replace(made, tokens_after="12"),
    lambda made: replace(made, usage=None),
)


class Foreign(Truncate):
    """Somebody else's method: its answer goes through `act`, which may raise."""

    name = "foreign"

    def __init__(self, act: Callable[[Compaction], Any]) -> None:
        super().__init__()
        self._act = act

    async def compact(self, request: CompactionRequest) -> Compaction:
        """Answer with whatever it is."""
        answer: Compaction = self._act(await super().compact(request))
        return answer


def lines(*, is_short: bool) -> Iterator[Line]:
    """One line for each kind of fault."""
    acts = [*map(_raising, ERRORS), *SHAPES]
    yield line(
        "methods that raise, or answer with something else",
        "a typed failure that names the method",
        (
            _failed(act, is_gated, timeout_s)
            for act in acts
            for is_gated in (False, True)
            for timeout_s in (None, 60.0)
        ),
    )
    sizes = (4_096, 40_960) if is_short else tuple(range(4_096, 120_000, 4_096))
    yield line(
        "an archive on a full disk", "one line, and what was put before is there", map(_full_archive, sizes)
    )
    yield line("a run on a full disk", "one line, and the run goes on with room", map(_full_run, sizes))
    if not is_short:
        yield _kills()


def _failed(act: Callable[[Compaction], Any], is_gated: bool, timeout_s: float | None) -> str:
    span = tuple(Message(id=str(n), role="user", parts=(Text(text=f"line {n} " * 40),)) for n in range(8))
    request = CompactionRequest(span=span, budget_tokens=400, counter=get_counter())
    method = guard(Foreign(act)) if is_gated else Foreign(act)
    try:
        run_compactor(method, request, timeout_s=timeout_s)
    except MethodFailed as error:
        return "" if "foreign" in str(error) else f"{error} names no method"
    except BaseException as error:  # whatever it is, it is what is looked for
        return f"{type(error).__name__} came through: {error}"
    return "nothing was said"


def _raising(error: BaseException) -> Callable[[Compaction], Any]:
    def act(made: Compaction) -> Any:  # noqa: ARG001 - as an answer is handled
        raise error

    return act


@contextmanager
def _no_room_behind(size: int) -> Iterator[None]:
    """No file grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _message(number: int) -> Message:
    return Message(id=str(number), role="user", parts=(Text(text=f"{number} " * 800),))


def _full_archive(size: int) -> str:
    kept: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tamis"
        try:
            with _no_room_behind(size), Archive.open(path) as archive:
                for number in range(200):
                    kept += archive.put("s", [_message(number)])
        except BadArchive as error:
            if "\n" in str(error):
                return f"{size}: more than a line: {error}"
        except Exception as error:  # whatever it is, it is what is looked for
            return f"{size}: {type(error).__name__}: {error}"
        else:
            return f"{size}: nothing was said"
        if not kept:
            return ""
        with Archive.open(path) as archive:
            lost = [number for number, key in enumerate(kept) if archive.get(key) != _message(number)]
        return f"{size}: {len(lost)} lost" if lost else ""


def _full_run(size: int) -> str:
    settings = Settings(methods=("index",), budgets=("5%",), at=("50%",))
    nothing = SessionResults(points=(), results=(), skipped=(), sessions=1, messages=1)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        try:
            with write_run(run, settings) as writer, _no_room_behind(size):
                for number in range(100_000):
                    writer.add(nothing, work=f"{number} " * 50)
        except InputError as error:
            if "\n" in str(error):
                return f"{size}: more than a line: {error}"
        except Exception as error:  # whatever it is, it is what is looked for
            return f"{size}: {type(error).__name__}: {error}"
        with write_run(run, settings) as writer:
            return "" if writer.done else f"{size}: what was done is forgotten"


def _kills() -> Line:
    """A session compacted ten times, with a kill at each place of it."""
    items: list[dict[str, Any]] = [{"role": "user", "content": "Fix rows.py. Never change prices.csv."}]
    for n in range(99):
        function = {"name": "bash", "arguments": json.dumps({"command": f"cat src/part{n}.py"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        items.append({"role": "assistant", "content": None, "tool_calls": [call]})
        items.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"value_{n} = {n}\n" * 20})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.json"
        path.write_text(json.dumps(items), encoding="utf-8")
        outcome = killed.measure(path, 400)
    broken = outcome.lost + (not outcome.same)
    return Line(
        attack="kill -9 in the middle of a compaction",
        tried=outcome.kills,
        broken=broken,
        promise="every message is there byte for byte, and the end is that of a quiet run",
        examples=(str(outcome),) if broken else (),
    )
