"""`tamis proxy`, `monitor` and `mcp`: what runs beside an agent."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import FILE, PATH, complete_method, json_option, option, tokenizer_option


@click.command("proxy")
@option("--upstream", "The API: https://api.openai.com, for one.", "URL", required=True)
@option("-b --budget", "For a brief: tokens, or a share of the window.", default="5%")
@option("--window", "The tokens that the model takes.", default=200_000, type=int)
@option("--trigger", "The share of the window at which it is compacted.", default=0.8)
@option("--keep-last", "What stays word for word: messages, or a share.", default="10%")
@option(
    "--mode",
    "shadow sends originals, and records what it would have sent.",
    default="active",
    type=click.Choice(["active", "shadow"]),
)
@option("--archive", "Where it keeps what it takes out.", "FILE", type=PATH)
@option("--log", "The decision log, for tamis monitor.", "FILE", type=PATH)
@option("--otlp", "An OpenTelemetry collector to send metrics to.", "URL")
@option(
    "--quality-every",
    "Compactions from one quality check to the next; 0 checks nothing.",
    default=10,
    type=click.IntRange(0),
)
@click.option("-m", "--method", default="ledger", shell_complete=complete_method)
@tokenizer_option
@option("--host", "Only this machine's own.", default="127.0.0.1")
@option("--port", "0 takes a free one.", default=8788, type=click.IntRange(0, 65535))
@option("--max-body", "Largest request, in MiB.", default=64, type=click.IntRange(1))
@option("--max-concurrent", "Requests at once.", default=512, type=click.IntRange(1))
@option("--decide-timeout decide_timeout_s", "Seconds until a request goes on as it came.", default=10.0)
@option("--timeout", "Seconds between two pieces of an answer.", default=600.0)
def proxy(**given: Any) -> None:
    """Pass an agent's requests on to its model's API, and compact a conversation that nears the window.

    Set the agent's base URL to http://127.0.0.1:8788 and what stood behind the host before (/v1). OpenAI chat
    completions, Responses and Anthropic messages are understood. With --archive the model can recall what was
    taken out.
    """
    work("proxy:run", given)


@click.command("monitor")
@click.argument("sources", metavar="LOG...", nargs=-1)
@option("--once", "Print once; so it is where stdout is no terminal.", is_flag=True)
@option("--last", "Newest lines of a log.", default=10_000, type=click.IntRange(1))
@option("--interval", "Seconds between two looks.", default=2.0, type=click.FloatRange(0.1))
@option("--check", "Print once, and exit with 1 where an alert fires.", is_flag=True)
@option("--rules", "Print the alert rules, as Prometheus takes them.", is_flag=True)
@option("--dashboard", "Print a Grafana dashboard, to import.", is_flag=True)
@option(
    "--config",
    "Settings in YAML: the bounds of its block `monitoring`, and its log where no source is named.",
    "FILE",
    type=click.Path(dir_okay=False),
)
@json_option
def monitor(**given: Any) -> Any:
    """Show what decision logs (files, folders) say; `tamis proxy --log` writes one.

    Without any, those of the wrapped agents: a log lies beside the archive,
    `.claude/tamis.archive.decisions.jsonl`.

    How much was saved, how long it took, what was needed again, and which alerts fire, over the newest lines
    of each log. What exports metrics (a running proxy at /metrics) is for Prometheus: --rules, --dashboard.
    """
    return work("monitor:run", given)


@click.command("mcp")
@option("--archive", "What recall and expand read; made if missing.", "ARCHIVE", type=FILE)
@option("--http", "Serve streamable HTTP, not stdin and stdout.", is_flag=True)
@option("--host", "With --http; only this machine's own.", default="127.0.0.1")
@option("--port", "With --http.", default=8765, type=click.IntRange(1, 65535))
def mcp(**given: Any) -> None:
    """Serve tools that an agent can call: recall, expand, show, file_trail, compact.

    Over stdin and stdout, as desktop clients and coding agents start it, or over HTTP at /mcp.
    """
    work("mcp:run", given)
