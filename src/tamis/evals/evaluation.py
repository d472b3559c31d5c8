"""Evaluating sessions that are at hand, in one call: `tamis.evaluate`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tamis._version import __version__
from tamis.errors import InputError
from tamis.evals.experiment.components import Components, get_tools
from tamis.evals.experiment.runner import drive, run_apart
from tamis.evals.experiment.session_run import measure_session
from tamis.evals.judging.calibration import AnswerLimit, calibrate_all
from tamis.evals.rundir.results import LEXICAL, OFFLINE, RECORDS, Run, SessionResults, Settings
from tamis.messages import Session, get_counter
from tamis.models import Model, get_model
from tamis.sessions import find_sessions, read_all


def evaluate(
    sessions: Sequence[Session | str | Path],
    *,
    methods: Sequence[str],
    budgets: Sequence[str | int | float],
    at: Sequence[str] = ("50%",),
    tokenizer: str = "o200k_base",
    cycles: int = 1,
    readers: Sequence[str] = (LEXICAL,),
    judges: Sequence[str] = (OFFLINE,),
    repeats: int = 1,
    calibration: AnswerLimit = None,
    rubric: str | Path | None = None,
    probes: str | Path | None = None,
    probe_model: str | None = None,
    likelihoods: Sequence[str] = (),
    next_actions: Sequence[str] = (),
    timeout_s: float | None = None,
    models: Callable[[str], Model] = get_model,
) -> Run:
    """Measure every method at every budget at every compaction point of the sessions.

    Args:
        sessions: recorded sessions, as `tamis.read` gives them, or paths of files and folders that hold some.
        methods: names as `tamis.get_method` takes them; `METHOD+restated` says the constraints again.
        budgets: tokens (4_000), shares of the span (0.05, "5%"), or "own".
        at: where to cut each session: `50%`, `18k`, `#120`, `own`.
        tokenizer: what counts as a token.
        cycles: how many times in a row a session is compacted.
        readers: who answers the probes: "lexical", or models by name; none: no probes are asked.
        judges: who judges the answers: "offline", or models by name.
        repeats: how often a model judges each answer.
        calibration: how many answers of known worth a model judges, to say how far it can be trusted; all of
            them, but fewer for a model that runs here, unless told.
        rubric: the file to judge by; the rubric that ships unless told.
        probes: a file of saved probes, to be asked instead of made ones.
        probe_model: a model that makes more probes.
        likelihoods: models that say how little the agent's next act surprises them (`gguf:FILE`).
        next_actions: models that are asked for their next call.
        timeout_s: the most that one compaction may take.
        models: what gives a model by its name.

    Returns:
        The run: points, probes, results, answers, judgements, and what was not measured. Averages are made by
        `tamis.evals.figures.summary.summarise` and `tamis.evals.figures.reading_summary.summarise_reading`.

    Raises:
        InputError: no sessions, or something that cannot be measured with.

    >>> from tamis.messages import Message, Text
    >>> talk = [Message(id=str(i), role=r, parts=(Text(text=f"see src/file_{i}.py. " * 300),))
    ...         for i, r in enumerate(["user", "assistant"] * 2)]
    >>> session = Session(id="talk", format="messages", messages=tuple(talk))
    >>> run = evaluate([session], methods=["index", "nothing"], budgets=[0.5], readers=[], judges=[])
    >>> [result.method for result in run.results]
    ['index', 'nothing']
    """
    given = list(_read(sessions))
    if not given:
        raise InputError("there are no sessions to evaluate")
    settings = Settings(
        methods=_several(methods, "method"),
        budgets=_several(budgets, "budget"),
        at=_several(at, "place to cut"),
        tokenizer=tokenizer,
        cycles=cycles,
        readers=tuple(readers),
        judges=tuple(judges) if readers else (),
        repeats=repeats,
        calibration=calibration,
        rubric=str(rubric) if rubric else None,
        probes=str(probes) if probes else None,
        probe_model=probe_model,
        timeout_s=timeout_s,
        likelihoods=tuple(likelihoods),
        next_actions=tuple(next_actions),
    )
    tools = get_tools(settings, models=models)
    work = _measure(given, settings, tools)
    together = run_apart(work) if tools.panel.asks_models else drive(work)
    return Run(
        tamis=__version__,
        settings=settings,
        exact_tokens=get_counter(tokenizer).exact,
        **{name: getattr(together, name) for name in ("sessions", "messages", *RECORDS)},
    )


def _several(given: object, what: str) -> tuple[str, ...]:
    """What was given as text, one of them alone too; that there is none would look like a run that failed."""
    values = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if found := tuple(str(value) for value in values):
        return found
    raise InputError(f"there is no {what} to evaluate with; name one")


def _read(sessions: object) -> Iterator[Session]:
    """The sessions, and those in the files and folders among them."""
    wanted = "give sessions as `tamis.read` gives them, or paths"
    if isinstance(sessions, Session | str | Path):
        sessions = [sessions]
    if not isinstance(sessions, Iterable):
        raise InputError(f"{sessions!r:.60} is no list of sessions; {wanted}")
    for item in sessions:
        if isinstance(item, Session):
            yield item
        elif isinstance(item, str | Path):
            yield from _read_path(Path(item))
        else:
            raise InputError(f"{item!r:.60} is no session; {wanted}")


def _read_path(path: Path) -> Iterator[Session]:
    if not path.is_dir():
        yield from read_all(path)
        return
    for found in find_sessions([path]):
        if found.format is not None:
            yield from read_all(found.path, found.format)


async def _measure(sessions: Sequence[Session], settings: Settings, tools: Components) -> SessionResults:
    parts = [
        await measure_session(
            session, settings, tools, source=session.source or session.id, set_name=session.format
        )
        for session in sessions
    ]
    judges = tools.panel.judges if tools.panel.asks_models else ()
    calibrations = await calibrate_all(judges, repeats=settings.repeats, most=settings.calibration)
    tools.desk.raise_if_stopped()
    return replace(SessionResults.merged(parts), calibrations=calibrations)
