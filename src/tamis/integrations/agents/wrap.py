"""Putting tamis into a coding agent, and taking it out so that every byte is as it was.

A wrap is a change of a few files: a plugin's, or the hooks in the agent's settings. Before the first of them
is written, a record of what all were before lies beside the first (`NAME.tamis`), so that a wrap that was
interrupted half way can be finished or taken back, and nothing is restored over somebody's later change.
"""

import difflib
import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from tamis.errors import InputError
from tamis.integrations.agents.known import Agent
from tamis.integrations.agents.settings import has_hooks, with_hooks, without_hooks
from tamis.sessions import write_atomic

FORMAT = "tamis-wrap/1"

WrapStatus = Literal["absent", "half", "wrapped", "old", "changed", "unrecorded"]
"""`half`: a wrap or an unwrap was interrupted. `old`: of another version of tamis, or of another Python.
`changed`: a file was changed since. `unrecorded`: tamis's hooks are there and the record is not."""


class SavedFile(BaseModel, extra="forbid"):
    """A file as it was before (None: there was none), and the digest of what was written."""

    path: str
    before: str | None
    after_sha256: str


class WrapRecord(BaseModel, extra="forbid"):
    """What it takes to undo a wrap. `folders` are those that it made, outermost first."""

    format: str = FORMAT
    files: list[SavedFile]
    folders: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingChange:
    """A change to a file that was not made yet; None where there is no file, before or after."""

    path: Path
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrap:
    """Changes that were not made yet, and the record that is kept with them (None: it goes)."""

    agent: Agent
    place: Path
    changes: tuple[PendingChange, ...]
    record: WrapRecord | None

    @property
    def diff(self) -> str:
        """All of it as one diff."""
        return "".join(change.diff for change in self.changes)


def plan_wrap(agent: Agent, place: Path, archive: Path) -> Wrap | None:
    """What puts tamis into the agent whose folder this is; None where it is in, whole and of this version.

    Raises:
        InputError: a file that is not ours is in the way, or cannot be read or understood.
    """
    place = place.resolve()
    record = _read_record(agent, place)
    kept = {Path(file.path): file for file in record.files} if record else {}
    files, changes = [], []
    for path, after in _wanted(agent, place, archive, kept).items():
        now = _text_of(path)
        if path in kept:
            before = kept[path].before
            if now not in (before, after) and _digest(now) != kept[path].after_sha256:
                _refuse(path, agent)
        elif agent.replaces and now is not None and now != after:
            raise InputError(f"{path} is there and is not tamis's; move it away and try again")
        else:
            before = None if agent.replaces else now
        files.append(SavedFile(path=str(path), before=before, after_sha256=_digest(after)))
        if now != after:
            changes.append(PendingChange(path=path, before=now, after=after))
    if not changes:
        return None
    missing = {folder for change in changes for folder in change.path.parents if not folder.exists()}
    folders = record.folders if record else [str(folder) for folder in sorted(missing)]
    return Wrap(
        agent=agent, place=place, changes=tuple(changes), record=WrapRecord(files=files, folders=folders)
    )


def plan_unwrap(agent: Agent, place: Path, *, only_ours: bool = False) -> Wrap:
    """What gives every file back as it was; with `only_ours`, what takes out tamis's part of a changed one.

    Raises:
        InputError: nothing is wrapped there, or a file was changed since.
    """
    place = place.resolve()
    record = _read_record(agent, place)
    changes = []
    for file in record.files if record else _unrecorded(agent, place, only_ours=only_ours):
        path = Path(file.path)
        now = _text_of(path)
        if now == file.before:
            continue
        if _digest(now) == file.after_sha256:
            after = file.before
        elif only_ours:
            after = without_hooks(path, now) if agent.settings else None
        else:
            _refuse(path, agent)
        changes.append(PendingChange(path=path, before=now, after=after))
    kept = WrapRecord(files=[], folders=record.folders) if record else None
    return Wrap(agent=agent, place=place, changes=tuple(changes), record=kept)


def put(wrap: Wrap) -> None:
    """Make the changes of `plan_wrap`, the record first.

    Raises:
        InputError: a file cannot be written, or is no longer what it was when the wrap was planned; what was
            written by then is taken back.
    """
    assert wrap.record is not None
    _refuse_changed(wrap.changes)
    path = _record_path(wrap.agent, wrap.place)
    had = _text_of(path)
    made: list[PendingChange] = []
    try:
        for change in wrap.changes:
            _make_folder(change.path.parent)
        _make_folder(path.parent)
        write_atomic(path, [wrap.record.model_dump_json(indent=2), "\n"], force=True)
        for change in wrap.changes:
            made.append(change)
            _write(change.path, change.after)
    except BaseException as error:
        for change in reversed(made):
            _write(change.path, change.before)
        _write(path, had)
        _remove_folders(wrap.record.folders)
        if isinstance(error, OSError):
            raise InputError(f"{error.filename or path} cannot be written ({error.strerror})") from None
        raise


def take_out(wrap: Wrap) -> None:
    """Make the changes of `plan_unwrap`, and forget the record when all are made.

    Raises:
        InputError: a file cannot be written, or is no longer what it was; the record stays for another try.
    """
    _refuse_changed(wrap.changes)
    try:
        for change in wrap.changes:
            _write(change.path, change.after)
        _record_path(wrap.agent, wrap.place).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{error.filename} cannot be written ({error.strerror}); try again") from None
    _remove_folders(wrap.record.folders if wrap.record else [])


def standing(agent: Agent, place: Path, archive: Path | None = None) -> WrapStatus:
    """How far tamis is in the agent whose folder this is; see `WrapStatus`."""
    place = place.resolve()
    record = _read_record(agent, place)
    if record is None:
        return "unrecorded" if _traces(agent, place) else "absent"
    kept = {Path(file.path): file for file in record.files}
    texts = {path: _text_of(path) for path in kept}
    made = {path for path, file in kept.items() if _digest(texts[path]) == file.after_sha256}
    if any(path not in made and texts[path] != file.before for path, file in kept.items()):
        return "changed"
    if len(made) < len(kept):
        return "half"
    wanted = _wanted(agent, place, archive or agent.archive(place), kept)
    return "wrapped" if all(texts.get(path) == text for path, text in wanted.items()) else "old"


def _wanted(agent: Agent, place: Path, archive: Path, kept: dict[Path, SavedFile]) -> dict[Path, str]:
    if agent.replaces:
        return agent.wanted(place, archive)
    path = place / agent.settings
    now = _text_of(path)
    if path not in kept:
        return {path: with_hooks(agent, path, now, archive)}
    if now is not None and _digest(now) != kept[path].after_sha256 and has_hooks(path, now):
        return {path: now}  # changed by its owner since, and our hooks are in
    return {path: with_hooks(agent, path, kept[path].before, archive)}


def _traces(agent: Agent, place: Path) -> list[SavedFile]:
    """Files that are ours, where no record says so."""
    if agent.replaces:
        paths = [place / name for name in agent.files if (place / name).exists()]
    else:
        path = place / agent.settings
        paths = [path] if has_hooks(path, _text_of(path)) else []
    return [SavedFile(path=str(path), before=None, after_sha256="") for path in paths]


def _unrecorded(agent: Agent, place: Path, *, only_ours: bool) -> list[SavedFile]:
    found = _traces(agent, place)
    if not found:
        raise InputError(f"{place} has nothing of tamis; `tamis wrap {agent.name}` puts it in")
    if not only_ours:
        raise InputError(
            f"{found[0].path} has no record of what was before, so it cannot be given back as it was; "
            f"`tamis unwrap {agent.name} --only-ours` takes out tamis's part and leaves the rest"
        )
    return found


def _refuse(path: Path, agent: Agent) -> None:
    raise InputError(
        f"{path} was changed since tamis was put in, so it cannot be given back as it was; "
        f"`tamis unwrap {agent.name} --only-ours` takes out tamis's part and leaves the rest"
    )


def _refuse_changed(changes: Iterable[PendingChange]) -> None:
    for change in changes:
        if _text_of(change.path) != change.before:
            raise InputError(f"{change.path} was changed in the meantime; nothing was written, try again")


def _write(path: Path, text: str | None) -> None:
    if text is not None:
        write_atomic(path, [text], force=True)
    elif path.exists():  # where nothing may be written, what is not there cannot be removed either
        path.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}); name another with --folder") from None


def _remove_folders(folders: Sequence[str]) -> None:
    """Those that the wrap made, where nothing is in them by now."""
    for folder in reversed(folders):
        with suppress(OSError):
            Path(folder).rmdir()


def _record_path(agent: Agent, place: Path) -> Path:
    path = place / next(iter(agent.files), agent.settings)
    return path.with_name(f"{path.name}.tamis")


def _read_record(agent: Agent, place: Path) -> WrapRecord | None:
    path = _record_path(agent, place)
    text = _text_of(path)
    if text is None:
        return None
    try:
        return WrapRecord.model_validate_json(text)
    except ValidationError:
        raise InputError(
            f"{path} is not a record that this version reads; move it away, then "
            f"`tamis unwrap {agent.name} --only-ours`"
        ) from None


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); name another with --folder") from None


def _digest(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode("utf-8")).hexdigest()
