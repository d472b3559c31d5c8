"""What a shell script comes to: simple commands with their words, files and working directory."""

from dataclasses import dataclass

from tamis.ledger.shell.word_expansion import Word


@dataclass(frozen=True, kw_only=True, slots=True)
class Redirect:
    """One redirection: the operator without its descriptor (`>`, `>>`, `<` ...) and the file."""

    operator: str
    target: Word


@dataclass(frozen=True, kw_only=True, slots=True)
class SimpleCommand:
    """One simple command. `argv` is empty for a redirection that stands alone or belongs to a group.

    `stdin` is the text of its here-document or here-string. `certain` is False where it may not run (a
    branch, the right side of `||`). `last` marks the command whose exit status the script hands back: not
    piped on, not in a branch. `assigned` are the variables set for it alone (`CI=1 make`); `inner` says that
    it only gives another one its words (`$(...)`); `fed`, that it reads what the one before it writes.
    """

    argv: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    stdin: str | None = None
    cwd: str | None = None
    certain: bool = True
    last: bool = False
    assigned: tuple[str, ...] = ()
    inner: bool = False
    fed: bool = False

    @property
    def name(self) -> str:
        """The program, without the folder that it is called from; empty where there is none."""
        return self.argv[0].text.rsplit("/", 1)[-1] if self.argv else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Script:
    """The commands in the order in which they run, and the working directory that they leave."""

    commands: tuple[SimpleCommand, ...]
    cwd: str | None
