"""`tamis check-method`: run a compaction method through the guarantees."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option, tokenizer_option


@click.command("check-method")
@click.argument("method", metavar="METHOD", shell_complete=complete_method)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--timeout", "timeout_s", default=60.0, help="Seconds for one compaction.")
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Run METHOD through the guarantees, on sessions made to break it and on those at the PATHs.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. The
    exit status is 0 when every guarantee that no method may break held, else 1.
    """
    work("check_method:run", given)
