"""The command line: parse, call one function, print.

Each command lives in a module of its own and is loaded only when it runs, so that `tamis --help` answers at
once. This is the one place where errors become exit statuses: 0 done, 1 a check failed, 2 bad input, 130
interrupted.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

import click
from click.exceptions import NoArgsIsHelpError

from tamis._version import __version__
from tamis.cli.lazy import LazyGroup
from tamis.cli.terminal import visible
from tamis.errors import MethodFailed, ModelError, TamisError

__all__ = ["cli", "main"]

INTERRUPTED = 130
READER_GONE = 141


class Terminated(BaseException):
    """Somebody asked this process to end (SIGTERM)."""


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
)
@click.version_option(__version__, "-V", "--version", message="tamis %(version)s")
def cli() -> None:
    """Compress an AI agent's session into a token budget, and prove what survived."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; every expected failure is one line on stderr."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _terminate)
    try:
        status = cli.main(args=arguments, prog_name="tamis", standalone_mode=False)
        sys.stdout.flush()
    except NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)  # all is unwound; who waits is told what ended it
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "tamis"
        _fail(f"{error.format_message().rstrip('.')}; see {path} --help", 2)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except TamisError as error:
        _fail(str(error), 1 if isinstance(error, MethodFailed | ModelError) else 2)
    except (KeyboardInterrupt, click.Abort):
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C, while the rest is let go, ends it
        _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the flush at exit fails again
        sys.exit(READER_GONE)
    sys.exit(status if isinstance(status, int) else 0)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
    """Stop at once. asyncio would replace Python's own handler by one that waits for what computes."""
    raise KeyboardInterrupt


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
    """Unwind, so that temporary files and other processes go too."""
    raise Terminated


def _fail(message: str, status: int) -> None:
    line = visible(" ".join(message.split()))
    click.echo(f"tamis: {line}", err=True)
    sys.exit(status)
