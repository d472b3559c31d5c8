"""`tamis proxy`, `monitor` and `mcp`: what runs beside an agent."""

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option, tokenizer_option


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
def proxy(**given: Any) -> None:
    """Pass an agent's requests on to its model's API, and compact a conversation that nears the window.

    Set the agent's base URL to http://127.0.0.1:8788 and what stood behind the host before (/v1). OpenAI chat
    completions, Responses and Anthropic messages are understood. With --archive the model can recall what was
    taken out.
    """
    work("proxy:run", given)


@click.command("monitor")
@click.argument("sources", metavar="LOG_OR_URL...", nargs=-1)
@click.option("--once", is_flag=True, help="Print once; so it is where stdout is no terminal.")
@click.option("--last", default=10_000, type=click.IntRange(1), help="Newest lines of a log.")
@click.option("--interval", default=2.0, type=click.FloatRange(0.1), help="Seconds between two looks.")
@click.option("--check", is_flag=True, help="Print once, and exit with 1 where an alert fires.")
@click.option("--rules", is_flag=True, help="Print the alert rules, as Prometheus takes them.")
@click.option("--dashboard", is_flag=True, help="Print a Grafana dashboard, to import.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings in YAML: the bounds of its block `monitoring`, and its log where no source is named.",
)
@json_option
def monitor(**given: Any) -> Any:
    """Show what decision logs (files, folders) and running proxies (http://127.0.0.1:8788) say.

    How much was saved, how long it took, what was needed again, and which alerts fire. The figures of a log
    are over its newest lines, those of a URL since its program began.
    """
    return work("monitor:run", given)


@click.command("mcp")
@click.option(
    "--archive", metavar="ARCHIVE", type=click.Path(), help="What recall and expand read; made if missing."
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP, not stdin and stdout.")
@click.option("--host", default="127.0.0.1", help="With --http; only this machine's own.")
@click.option("--port", default=8765, type=click.IntRange(1, 65535), help="With --http.")
def mcp(**given: Any) -> None:
    """Serve tools that an agent can call: recall, expand, show, file_trail, compact.

    Over stdin and stdout, as desktop clients and coding agents start it, or over HTTP at /mcp.
    """
    work("mcp:run", given)
