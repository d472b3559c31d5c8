"""`tamis proxy`: keep the requests of any agent within the window; its base URL is all that changes."""

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, tokenizer_option


@click.command("proxy")
@click.option("--upstream", required=True, metavar="URL", help="The API: https://api.openai.com, for one.")
@click.option("-b", "--budget", default="5%", help="For a brief: tokens, or a share of the window.")
@click.option("--window", default=200_000, type=int, help="The tokens that the model takes.")
@click.option("--trigger", default=0.8, help="The share of the window at which it is compacted.")
@click.option("--keep-last", default="10%", help="What stays word for word: messages, or a share.")
@click.option(
    "--mode",
    default="active",
    type=click.Choice(["active", "shadow"]),
    help="shadow sends originals, and records what it would have sent.",
)
@click.option(
    "--archive", metavar="FILE", type=click.Path(path_type=Path), help="Where it keeps what it takes out."
)
@click.option(
    "--log", metavar="FILE", type=click.Path(path_type=Path), help="The decision log, for tamis monitor."
)
@click.option("--otlp", metavar="URL", help="An OpenTelemetry collector to send metrics to.")
@click.option(
    "--quality-every",
    default=10,
    type=click.IntRange(0),
    help="Compactions from one quality check to the next; 0 checks nothing.",
)
@click.option("-m", "--method", default="ledger", shell_complete=complete_method)
@tokenizer_option
@click.option("--host", default="127.0.0.1", help="Only this machine's own.")
@click.option("--port", default=8788, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--max-body", default=64, type=click.IntRange(1), help="Largest request, in MiB.")
@click.option("--max-concurrent", default=512, type=click.IntRange(1), help="Requests at once.")
@click.option(
    "--decide-timeout", "decide_timeout_s", default=10.0, help="Seconds until a request goes on as it came."
)
@click.option("--timeout", default=600.0, help="Seconds between two pieces of an answer.")
def command(**given: Any) -> None:
    """Pass an agent's requests on to its model's API, and compact a conversation that nears the window.

    Set the agent's base URL to http://127.0.0.1:8788 and what stood behind the host before (/v1). OpenAI chat
    completions, Responses and Anthropic messages are understood. With --archive the model can recall what was
    taken out.
    """
    work("proxy:run", given)
