"""A run directory: everything that an evaluation measured, and every text that it measured on.

run.json          format, versions, settings, and which sessions; written first
journal.jsonl     a line for each piece of work that is done: what it was, and how long each file is with it
points.jsonl      one compaction point a line
probes.jsonl      one probe at its point a line
results.jsonl     one result a line
timings.jsonl     how long each compaction took, by the key of the result
answers.jsonl     one answer a line
judgements.jsonl  one judgement a line
scores.jsonl      what the exact scorer says by now of answers that it scored otherwise before
calibrations.jsonl  how far each judge can be trusted
likelihoods.jsonl the bits that the agent's next act cost a model behind one context a line
next_actions.jsonl what a model called next behind one context a line
skipped.jsonl     what was not measured, and why
texts.sqlite      spans, contexts, answers, judgements, prompts and replies, compressed, by the digest that
                  the lines name; and every exchange with a model

All of it only grows. A piece of work counts when its line stands in the journal: whatever a run that was
stopped wrote behind that is cut off when it goes on, and measured again. Texts and exchanges are kept as they
come, so that nothing is asked of a model twice. All but `timings.jsonl` is the same for the same input.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any, Final

from pydantic import ValidationError

from tamis._version import __version__
from tamis.errors import InputError, NotComparable, OutputExists, UnreadableFile
from tamis.evals.rundir.records import SETTINGS, RecordLines, encode
from tamis.evals.rundir.results import RECORDS, RUN_FORMAT, Run, SessionResults, Settings
from tamis.evals.rundir.text_store import TextStore, broken_run, written
from tamis.messages import get_counter

FILES: Final = (
    *("points", "probes", "results", "timings", "answers", "judgements", "scores"),
    *("calibrations", "likelihoods", "next_actions", "skipped"),
)
FINISHED: Final = "finished"
_UNBEGUN: Final = "run.json.tmp"


class RunWriter:
    """Writes a run directory as results come in; use it through `write_run`.

    `done` are the pieces of work that stand in the journal, in order.
    """

    def __init__(self, folder: Path, settings: Settings, inputs: Mapping[str, Any]) -> None:
        self.folder = folder
        self.settings = settings
        self.sessions = self.messages = 0
        self.finished = False
        self.done: list[str] = []
        if not (folder / "run.json").exists():  # written whole or not at all
            unbegun = folder / _UNBEGUN
            unbegun.write_text(json.dumps(_about(settings, inputs), indent=2) + "\n", encoding="utf-8")
            unbegun.replace(folder / "run.json")
        self.texts = TextStore(folder / "texts.sqlite")  # locked: whoever else writes here is found out first
        try:
            self._journal: IO[bytes] = self._take_up()
            self._files = {name: (folder / f"{name}.jsonl").open("ab") for name in FILES}
        except BaseException:
            self.texts.close()
            raise

    def _take_up(self) -> IO[bytes]:
        """Cut off what a run that was stopped had not finished, and go on behind it."""
        journal = self.folder / "journal.jsonl"
        lines, length = _whole_lines(journal)
        sizes = dict.fromkeys(FILES, 0)
        for line in lines:
            self.finished = line.get("work") == FINISHED
            if self.finished:
                continue
            self.done.append(line["work"])
            self.sessions, self.messages, sizes = line["sessions"], line["messages"], line["bytes"]
        _cut(journal, length)
        for name in FILES:
            _cut(self.folder / f"{name}.jsonl", sizes.get(name, 0))
        return journal.open("ab")

    def add(self, part: SessionResults, *, work: str | None = None, scores: bytes = b"") -> None:
        """Append the results of a piece of work: texts, lines, and last the line that it is done.

        `scores` are lines of `scores.jsonl`.
        """
        lines, texts = encode(part)
        lines["scores"] = scores
        self.texts.put_all(texts)
        with written(self.folder):
            for name, file in self._files.items():
                file.write(lines.get(name, b""))
                file.flush()
        self.sessions += part.sessions
        self.messages += part.messages
        self.finished = False
        name = work if work is not None else str(len(self.done))
        self.done.append(name)
        sizes = {name: file.tell() for name, file in self._files.items()}
        self._say({"work": name, "sessions": self.sessions, "messages": self.messages, "bytes": sizes})

    def finish(self) -> None:
        """Say that nothing is left to do."""
        if not self.finished:
            self._say({"work": FINISHED})
            self.finished = True

    def close(self) -> None:
        """Close all files."""
        with written(self.folder), ExitStack() as files:
            files.callback(self.texts.close)
            for file in (*self._files.values(), self._journal):
                files.callback(file.close)

    def _say(self, line: Mapping[str, Any]) -> None:
        with written(self.folder):
            self._journal.write(json.dumps(line).encode() + b"\n")
            self._journal.flush()


@contextmanager
def continue_run(folder: Path) -> Iterator[RunWriter]:
    """Open a run that was finished, to add to it.

    Raises:
        UnreadableFile: there is no finished run.
        NotComparable: it is of another version.
        InputError: another process writes there.
    """
    if not (folder / "run.json").is_file():
        read_run(folder)  # says what it is instead
    about = _read_about(folder)
    try:
        settings = SETTINGS.validate_python(about["settings"])
        journal, _ = _whole_lines(folder / "journal.jsonl")
    except (OSError, KeyError, ValueError) as error:
        raise _broken(folder, error) from None
    if not any(line.get("work") == FINISHED for line in journal):
        read_run(folder)
    with closing(RunWriter(folder, settings, about["inputs"])) as writer:
        yield writer
        writer.finish()


@contextmanager
def write_run(
    folder: Path, settings: Settings, inputs: Mapping[str, Any] | None = None
) -> Iterator[RunWriter]:
    """Open a run directory for writing: a new one, or one that was stopped and now goes on.

    It is finished when the block ends without an error.

    A run that was stopped goes on only with the same settings and the same `inputs`: what it is measured on,
    as values that JSON knows.

    Raises:
        OutputExists: the folder has something else in it.
        NotComparable: it holds a run of another version, with other settings, or of other sessions.
        InputError: it cannot be written, the disk is full, or another process writes there.
    """
    given = dict(inputs or {})
    _may_write(folder, settings, given)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # passages of sessions are nobody else's
        writer = RunWriter(folder, settings, given)
    except OSError as error:
        raise InputError(f"{folder}: cannot write there ({error.strerror}); choose another place") from None
    with closing(writer):
        yield writer
        writer.finish()


def read_run(folder: Path) -> Run:
    """Read a finished run. Its records are read anew each time they are gone through.

    Raises:
        UnreadableFile: not a run directory, unfinished, or broken.
        NotComparable: written by another version of the run format.
    """
    if not (folder / "run.json").is_file():
        what = "an unfinished run" if (folder / "results.jsonl").exists() else "not a run directory"
        raise UnreadableFile(f"{folder} is {what} (no run.json); make one with: tamis eval PATH -o {folder}")
    about = _read_about(folder)
    try:
        journal, _ = _whole_lines(folder / "journal.jsonl")
        if not journal or journal[-1].get("work") != FINISHED:
            raise UnreadableFile(
                f"{folder} is an unfinished run; the tamis eval command that began it goes on with it"
            )
        nothing: dict[str, Any] = {"sessions": 0, "messages": 0, "bytes": {}}
        done = next((line for line in reversed(journal) if "bytes" in line), nothing)
        for name, size in done["bytes"].items():
            if (found := (folder / f"{name}.jsonl").stat().st_size) < size:
                raise ValueError(f"{name}.jsonl has {found:,} of {size:,} bytes")
        records: dict[str, Any] = {name: RecordLines(folder, name) for name in RECORDS}
        for lines_of in records.values():
            next(iter(lines_of), None)  # what is broken is found now, as far as one line tells
        return Run(
            tamis=about["tamis"],
            settings=SETTINGS.validate_python(about["settings"]),
            exact_tokens=about["exact_tokens"],
            sessions=done["sessions"],
            messages=done["messages"],
            **records,
        )
    except (OSError, KeyError, TypeError, ValueError, ValidationError) as error:
        raise _broken(folder, error) from None


def _broken(folder: Path, error: Exception) -> UnreadableFile:
    return broken_run(folder, str(error).splitlines()[0] if str(error) else type(error).__name__)


def _may_write(folder: Path, settings: Settings, inputs: Mapping[str, Any]) -> None:
    if not folder.exists() or (folder.is_dir() and all(p.name == _UNBEGUN for p in folder.iterdir())):
        return
    if not (folder / "run.json").is_file():
        raise OutputExists(f"{folder} exists and is not empty; name a new folder with -o")
    about, wanted = _read_about(folder), _about(settings, inputs)
    for part in ("settings", "inputs", "tamis"):
        if difference := _difference(about.get(part), wanted[part]):
            raise NotComparable(
                f"{folder} holds a run with other {part}: {difference}; name a new folder with -o"
            )


def _difference(before: Any, now: Any) -> str:
    """The first thing in which two values differ, in words; empty where they do not."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            if before.get(name) != now.get(name):
                return f"{name} was {json.dumps(before.get(name))}, now it is {json.dumps(now.get(name))}"
        return ""
    return "" if before == now else f"it was {before}, now it is {now}"


def _about(settings: Settings, inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": RUN_FORMAT,
        "tamis": __version__,
        "settings": SETTINGS.dump_python(settings, mode="json"),
        "exact_tokens": get_counter(settings.tokenizer).exact,
        "inputs": dict(inputs),
    }


def _read_about(folder: Path) -> dict[str, Any]:
    """What `run.json` says, where it is of the format that is read here."""
    try:
        about = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _broken(folder, error) from None
    if not isinstance(about, dict):
        raise broken_run(folder, "run.json is no JSON object")
    if about.get("format") != RUN_FORMAT:
        raise NotComparable(
            f"{folder} holds {about.get('format')!r}, this tamis reads {RUN_FORMAT!r}; evaluate again into a "
            "new folder"
        )
    return about


def _whole_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    if not path.exists():
        return [], 0
    whole = path.read_bytes()
    whole = whole[: whole.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()], len(whole)


def _cut(path: Path, size: int) -> None:
    if path.exists() and path.stat().st_size > size:
        with path.open("r+b") as file:
            file.truncate(size)
