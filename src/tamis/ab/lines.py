"""The folder of a run: what is tried in `ab.json`, and finished trials in `trials.jsonl`, a line each.

One process writes it, and may be killed at any moment: a trial counts once its line stands there whole.
"""

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from tamis._version import __version__
from tamis.errors import InputError, NotComparable, UnreadableFile

T = TypeVar("T")


class TrialLines(Generic[T]):
    """The trials of a folder that is open for more; use it through `open_lines`."""

    def __init__(self, file: IO[bytes], kind: TypeAdapter[T], trials: list[T]) -> None:
        self.trials, self._file, self._kind = trials, file, kind

    def add(self, trial: T) -> None:
        """Write a finished trial down."""
        self._file.write(self._kind.dump_json(trial) + b"\n")
        self._file.flush()
        self.trials.append(trial)


@contextmanager
def open_lines(
    folder: Path, form: str, plan: Mapping[str, Any], kind: TypeAdapter[T]
) -> Iterator[TrialLines[T]]:
    """The trials of a folder, to add more; a line that was cut while it was written is taken off.

    `form` is the format's name; `plan` is what must be the same where a run is gone on with.

    Raises:
        NotComparable: the folder holds a run of another plan.
        InputError: another process writes there, or it cannot be written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (folder / "trials.jsonl").open("ab+")
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}); give another with -o") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"another tamis ab writes to {folder}; give another folder with -o") from None
        _begin(folder, form, plan)
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        yield TrialLines(file, kind, read_lines(folder, kind))


def read_plan(folder: Path, form: str) -> dict[str, Any]:
    """The plan of a folder.

    Raises:
        UnreadableFile: there is none, or it is of another format.
    """
    try:
        about = json.loads((folder / "ab.json").read_bytes())
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{folder} holds no comparison ({error}); run tamis ab -o {folder}") from None
    if about.get("format") != form:
        raise UnreadableFile(f"{folder} is of the format {about.get('format')!r}; {form} can be read")
    plan = about.get("plan")
    if not isinstance(plan, dict):
        raise UnreadableFile(f"{folder / 'ab.json'} is damaged: it holds no plan")
    return plan


def read_lines(folder: Path, kind: TypeAdapter[T]) -> list[T]:
    """The trials of a folder, without a line that was cut.

    Raises:
        UnreadableFile: there are none, or they are damaged.
    """
    path = folder / "trials.jsonl"
    try:
        content = path.read_bytes()
        return [kind.validate_json(line) for line in content[: content.rfind(b"\n") + 1].splitlines()]
    except OSError as error:
        raise UnreadableFile(f"{folder} holds no comparison ({error}); run tamis ab -o {folder}") from None
    except ValidationError as error:
        raise UnreadableFile(f"{path} is damaged: {error.errors()[0]['msg']}") from None


def _begin(folder: Path, form: str, plan: Mapping[str, Any]) -> None:
    path = folder / "ab.json"
    if not path.exists():
        about = {"format": form, "version": __version__, "plan": plan}
        path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    wanted, kept = json.loads(json.dumps(plan)), read_plan(folder, form)
    if differing := ", ".join(name for name in wanted if wanted[name] != kept.get(name)):
        remedy = "give the same again, or another folder with -o"
        raise NotComparable(f"{folder} was begun with another {differing}; {remedy}")
