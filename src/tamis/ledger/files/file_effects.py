"""What one tool call does to one file, before its result is known."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from tamis.ledger.files.diffs import DiffStat, FilePatch
from tamis.ledger.shell.script import SimpleCommand
from tamis.ledger.shell.word_expansion import Word

FileEffectKind = Literal[
    "created", "modified", "written", "ensured", "read", "deleted", "renamed", "copied", "reverted", "run"
]
"""Beyond the actions of the trail: `written` is created or modified, whichever the past says; `ensured` is
created unless it is there (`touch`); `copied` is written with what `origin` holds; `run` runs a script."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEffect:
    """One thing that a call does to one file.

    `path` and `origin` (where it was moved or copied from) are as the call gives them, relative to `cwd`.
    `content` is all that the file holds afterwards, where the call tells it; `revise` makes it from what the
    file held before. `verb` is the name of the shell command that does it, so that its error messages can be
    told; `shell` says that the shell itself does it (a redirection), which happens even where the command
    fails. `last` marks what the exit status of the whole speaks about. `arguments` go with a script to run.
    """

    path: str
    action: FileEffectKind
    cwd: str | None = None
    lines_added: int | None = None
    lines_removed: int | None = None
    touched: tuple[str, ...] = ()
    origin: str | None = None
    content: str | None = None
    revise: Callable[[str], str] | None = field(default=None, compare=False, repr=False)
    arguments: tuple[str, ...] = ()
    certain: bool = True
    verb: str | None = None
    shell: bool = False
    last: bool = False

    def changed_by(self, change: DiffStat) -> Self:
        """The effect with the lines and definitions that a change to the file counts."""
        return replace(self, lines_added=change.added, lines_removed=change.removed, touched=change.touched)


def command_effect(
    command: SimpleCommand, word: Word, action: FileEffectKind, origin: Word | None = None
) -> FileEffect:
    """What a command does to the file that one of its words names."""
    return FileEffect(
        path=word.text,
        action=action,
        cwd=command.cwd,
        origin=origin.text if origin else None,
        certain=command.certain and word.certain,
        verb=command.name,
    )


def patch_effect(patch: FilePatch, cwd: str | None) -> FileEffect:
    """One file of a patch."""
    effect = FileEffect(path=patch.path, action=patch.action, cwd=cwd, origin=patch.origin)
    return effect.changed_by(patch.change)


def patching_effect(patch: FilePatch, command: SimpleCommand) -> FileEffect:
    """One file of a patch that a command applies."""
    return replace(patch_effect(patch, command.cwd), certain=command.certain, verb=command.name)
