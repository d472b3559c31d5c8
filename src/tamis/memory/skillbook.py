"""L3: the skillbook, a file of skills that outlives sessions.

    {"format": "tamis-skillbook/1", "skills": [{"name": ..., "summary": ..., "domains": [...],
     "helped": 3, "did_not_help": 1}]}

It is written whole or not at all, and the version before stays beside it as `FILE.bak`. Changes are made
under a lock, so that two agents that learn at once lose nothing of each other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError, with_config

from tamis.errors import InputError, UnreadableFile
from tamis.faults import first_fault
from tamis.sessions import write_atomic
from tamis.text_files import read_text

SKILLBOOK_FORMAT = "tamis-skillbook/1"
LOCK_TIMEOUT_S = 10.0


@with_config(extra="forbid")
@dataclass(frozen=True, kw_only=True, slots=True)
class Skill:
    """A strategy that was learned: its name, what to do, where it belongs, and how it turned out.

    `helped` and `did_not_help` count the iterations that it was given to, by how they ended.
    """

    name: Annotated[str, Field(min_length=1)]
    summary: str
    domains: tuple[str, ...] = ()
    helped: Annotated[int, Field(ge=0)] = 0
    did_not_help: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Skillbook:
    """Skills by name, in the order in which they were added."""

    skills: tuple[Skill, ...] = ()

    def with_skill(self, skill: Skill) -> Skillbook:
        """The book with this skill, in the place of one with the same name where there is one."""
        known = {s.name: s for s in self.skills}
        known[skill.name] = skill
        return Skillbook(skills=tuple(known.values()))

    def with_outcome(self, names: Iterable[str], *, helped: bool) -> Skillbook:
        """The book with one more outcome for each of these skills; unknown names change nothing."""
        given = set(names)
        return Skillbook(
            skills=tuple(
                replace(s, helped=s.helped + helped, did_not_help=s.did_not_help + (not helped))
                if s.name in given
                else s
                for s in self.skills
            )
        )


class _SkillbookFile(BaseModel, extra="forbid"):
    format: str
    skills: tuple[Skill, ...]


def read_skillbook(path: Path) -> Skillbook:
    """The skills of a file.

    Raises:
        UnreadableFile: missing, cut short, or not a skillbook; says where, and what to put in its place.
    """
    return skillbook_from_json(read_text(path, "name a skillbook, or add a first skill"), str(path))


def skillbook_from_json(text: str, source: str) -> Skillbook:
    """The skills in a text; `source` names it in errors.

    Raises:
        UnreadableFile: cut short, not JSON, or not a skillbook.
    """
    remedy = f"correct it, or put {source}.bak in its place, the version before the last change"
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UnreadableFile(f"{source}: not whole ({error}); {remedy}") from None
    try:
        book = _SkillbookFile.model_validate(data)
    except ValidationError as error:
        raise UnreadableFile(f"{source}: {first_fault(error, 'file')}; {remedy}") from None
    if book.format != SKILLBOOK_FORMAT:
        raise UnreadableFile(
            f"{source}: a skillbook of format {book.format!r}, not {SKILLBOOK_FORMAT!r}; {remedy}"
        )
    names = [skill.name for skill in book.skills]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UnreadableFile(f"{source}: two skills are called {twice[0]!r}; rename one")
    return Skillbook(skills=book.skills)


def skillbook_to_json(book: Skillbook) -> str:
    """The text of the file, one skill a line."""
    rows = (json.dumps(asdict(skill), ensure_ascii=False) for skill in book.skills)
    return f'{{"format": "{SKILLBOOK_FORMAT}", "skills": [\n' + ",\n".join(rows) + "\n]}\n"


def update_skillbook(
    path: Path, change: Callable[[Skillbook], Skillbook], *, timeout_s: float = LOCK_TIMEOUT_S
) -> Skillbook:
    """Read the file (empty where there is none), change it, and write it whole.

    A file that cannot be read is left as it is.

    Raises:
        UnreadableFile: what is there is not a whole skillbook.
        InputError: it cannot be written, or another process holds it for longer than `timeout_s`.
    """
    with _locked(path, timeout_s):
        known = read_skillbook(path) if path.exists() else Skillbook()
        changed = change(known)
        if changed != known:
            if path.exists():
                before = path.with_name(f"{path.name}.bak")
                write_atomic(before, [path.read_text(encoding="utf-8")], force=True)
            write_atomic(path, [skillbook_to_json(changed)], force=True)
    return changed


@contextmanager
def _locked(path: Path, timeout_s: float) -> Iterator[None]:
    """An SQLite file as a lock: it works on every system, waits, and a killed process lets go of it."""
    lock = path.with_name(f".{path.name}.lock")
    try:
        connection = sqlite3.connect(lock, timeout=timeout_s, isolation_level=None)
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be locked ({error}); choose a folder that can be written") from None
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            raise InputError(f"{path}: is being changed by another process ({error}); try again") from None
        yield
    finally:
        connection.close()
