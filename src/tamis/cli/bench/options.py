"""Options that say which benchmark cases are meant, and the plan that follows from them."""

import click

from tamis.cli.options import F


def suite_option(function: F) -> F:
    """`--suite`: whose templates."""
    return click.option(
        "--suite", "suite_name", default="practice", help="A suite's name, or a folder of templates."
    )(function)


def case_options(function: F) -> F:
    """Which cases: the same for making, counting and running them."""
    options = (
        click.option("--slots", default=5, help="Cases of each template."),
        click.option(
            "--per-family", metavar="N", type=int, help="Only the first N templates of each family."
        ),
        click.option("--cycles", default=2, help="How often it is compacted again."),
        click.option(
            "--difficulty",
            default="medium",
            type=click.Choice(["easy", "medium", "hard", "elite"]),
            help="How obliquely things are said.",
        ),
        click.option("--length", "length_tokens", default=4_000, help="Tokens of a transcript."),
        click.option(
            "--position",
            type=click.Choice(["start", "middle", "end"]),
            help="Where the tested turns stand; by turns unless told.",
        ),
        click.option(
            "--tier",
            default="mid",
            type=click.Choice(["light", "mid", "aggressive"]),
            help="Compress at least 2x, 4x, 8x.",
        ),
        click.option("--seed-group", default="practice", help="Another group, other cases."),
        click.option(
            "--secret", metavar="FILE", type=click.Path(), help="A sealed seed group, from `bench seal`."
        ),
    )
    for option in (*reversed(options), suite_option):
        function = option(function)
    return function
