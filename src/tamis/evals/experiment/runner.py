"""Running an evaluation: every file of sessions measured, in order, by as many processes as there are.

A method that fails is a `Failure` in the results, a session that cannot be read is `SkippedInput`; the rest
goes on. What is measured comes out in the order in which it was put in, so that two runs of the same input
are the same. Where models are asked, the files are measured in this process, many questions on their way at
once; else by an engine (`workers.py`).
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from tamis.errors import MissingExtra, TamisError
from tamis.evals.experiment.components import Components, get_tools
from tamis.evals.experiment.session_run import measure_session
from tamis.evals.experiment.workers import Engine, WorkerCrash
from tamis.evals.rundir.results import SessionResults, Settings, SkippedInput
from tamis.messages import Session
from tamis.sessions import read_all

T = TypeVar("T")


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing, without an event loop.

    What is measured without a model only computes. A loop around it would forbid methods to run one of their
    own, and would have to run them in threads, where they cannot be stopped.

    Raises:
        RuntimeError: it waits for something.
    """
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("something waits where no event loop runs; a reader or judge of your own asks a model")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop, whether or not one runs in this thread already (as in a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="evaluate") as thread:
        return thread.submit(asyncio.run, work).result()


FILES_AT_ONCE = 2  # on their way at once where models are asked; each has many questions


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionFile:
    """A file of sessions. Those of one set are averaged together."""

    set: str
    path: Path

    @property
    def bytes(self) -> int:
        """Its size; 0 where it is gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


def measure_files(
    files: Sequence[SessionFile], settings: Settings, engine: Engine
) -> Iterator[SessionResults]:
    """The results of each file, in order; one whose process died is skipped, with the reason."""
    for file, part in zip(files, engine.map(partial(_measure_file, settings), files), strict=True):
        yield _skipped(file, part.reason) if isinstance(part, WorkerCrash) else part


async def measure_files_with_models(
    files: Sequence[SessionFile], settings: Settings, tools: Components
) -> AsyncIterator[SessionResults]:
    """The same where models are asked: a few files side by side, their results in order.

    Raises:
        TamisError: what made the whole run stop: the cap, or a provider that accepts nothing.
    """
    running: list[asyncio.Task[SessionResults]] = []
    waiting = iter(files)
    try:
        while True:
            while len(running) < FILES_AT_ONCE and (file := next(waiting, None)):
                running.append(asyncio.create_task(_measure(file, settings, tools)))
            if not running:
                return
            part = await running.pop(0)
            tools.desk.raise_if_stopped()  # what was refused is not measured, and must not be written down so
            yield part
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def evaluate_file(path: Path, settings: Settings, *, set_name: str) -> SessionResults:
    """Measure every session in a file; one that cannot be read comes back as skipped, with the reason."""
    return _measure_file(settings, SessionFile(set=set_name, path=path))


def evaluate_session(session: Session, settings: Settings, *, source: str, set_name: str) -> SessionResults:
    """Measure every method at every budget at every point of one session."""
    tools = get_tools(settings)
    work = measure_session(session, settings, tools, source=source, set_name=set_name)
    return run_apart(work) if tools.panel.asks_models else drive(work)


def _measure_file(settings: Settings, file: SessionFile) -> SessionResults:
    tools = _tools_of_process(settings)
    work = _measure(file, settings, tools)
    return run_apart(work) if tools.panel.asks_models else drive(work)


# made once in each process: loading methods and rubrics takes longer than a short session
_tools_of_process = lru_cache(maxsize=1)(get_tools)


async def _measure(file: SessionFile, settings: Settings, tools: Components) -> SessionResults:
    source = str(file.path)
    try:
        parts = [
            await measure_session(session, settings, tools, source=source, set_name=file.set)
            for session in read_all(file.path)
        ]
    except MissingExtra:
        raise  # every other file would be skipped for it as well
    except TamisError as error:
        return _skipped(file, str(error))
    return SessionResults.merged(parts)


def _skipped(file: SessionFile, reason: str) -> SessionResults:
    return SessionResults(skipped=(SkippedInput(source=str(file.path), what=file.path.name, reason=reason),))
