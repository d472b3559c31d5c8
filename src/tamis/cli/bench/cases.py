"""What is asked: the templates of a suite, its cases, and what a run of them would take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.bench.options import case_options, plan_of, suite_option
from tamis.cli.inputs import json_option
from tamis.cli.output import number, print_json, print_tables, table


@click.command()
@suite_option
@click.option("--schema", is_flag=True, help="Print the JSON schema of a template file.")
@json_option
def templates(suite_name: str, schema: bool, as_json: bool) -> None:
    """List the templates of a suite, or check a folder of your own."""
    from tamis.bench.suite import load_suite, own_suites
    from tamis.bench.template import template_schema

    if schema:
        print_json(template_schema(), dict[str, Any])
        return
    suite = load_suite(suite_name)
    if as_json:
        print_json([t.model_dump() for t in suite.templates], list[dict[str, Any]])
        return
    rows = [(t.family, t.key, t.version, number(len(t.evaluation_items))) for t in suite.templates]
    print_tables(
        table(f"{suite.name}, {len(rows)} templates", ["family", "template", "version", ">questions"], rows)
    )
    click.echo(f"\nsuites that ship with tamis: {', '.join(own_suites())}")


@click.command()
@case_options
@click.option("--template", "key", metavar="KEY", help="Only this template's cases.")
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the transcripts there as sessions."
)
def cases(key: str | None, output: str | None, **settings: Any) -> None:
    """Show the cases: transcripts, questions, and what is expected."""
    from dataclasses import replace

    from tamis.bench.export import write_case
    from tamis.errors import InputError

    plan = plan_of(**settings)
    chosen = tuple(t for t in plan.asked.templates if key in (None, t.key))
    if not chosen:
        raise InputError(
            f"no template of {plan.suite.name} is called {key!r}; `tamis bench templates` lists them"
        )
    suite = replace(plan.suite, templates=chosen)
    if output is not None:
        for case in suite.cases(plan.spots, cycles=plan.cycles):
            click.echo(write_case(case, Path(output)))
        return
    for questions in suite.questions(plan.spots):
        rows = [(i.type, i.prompt, i.expected.value or ", ".join(i.expected.values)) for i in questions.items]
        print_tables(table(questions.case, ["item", "question", "expected"], rows))


@click.command()
@case_options
def estimate(**settings: Any) -> None:
    """Count what a run would take, before it is begun: compactions, questions, tokens."""
    from tamis.bench.methodology import TIER_FLOORS

    plan = plan_of(**settings)
    asked = list(plan.asked.questions(plan.spots))
    rounds = plan.cycles + 1
    questions = sum(len(q.items) for q in asked) * rounds
    artifact = int(plan.length_tokens / TIER_FLOORS[plan.tier])
    rows = [
        ("cases", number(len(asked))),
        ("compactions", number(len(asked) * rounds)),
        ("questions to the reader", number(questions)),
        ("tokens that methods read, about", number(len(asked) * plan.length_tokens * rounds)),
        ("tokens that the reader reads, about", number(questions * artifact)),
    ]
    print_tables(table(f"{plan.suite.name}, {plan.tier}", ["what", ">how much"], rows))
