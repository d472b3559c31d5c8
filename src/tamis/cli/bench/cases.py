"""What is asked: the templates of a suite, its cases, and what a run of them would take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.bench.options import case_options, plan_of, suite_option
from tamis.cli.inputs import json_option
from tamis.cli.output import number, print_json, print_tables, table

if TYPE_CHECKING:
    from rich.table import Table

    from tamis.bench.case import Questions
    from tamis.bench.run import Plan


@dataclass(frozen=True, kw_only=True)
class EstimateJson:
    """What `tamis bench estimate --json` prints. Tokens are about so many, by the transcripts' length."""

    suite: str
    tier: str
    cases: int
    compactions: int
    questions: int
    method_tokens: int
    reader_tokens: int


@click.command()
@suite_option
@click.option("--schema", is_flag=True, help="Print the JSON schema of a template file.")
@json_option
def templates(suite_name: str, schema: bool, as_json: bool) -> None:
    """List the templates of a suite, or check a folder of your own.

    \b
    tamis bench templates
    tamis bench templates --suite my-suite/
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.suite import load_suite, own_suites
    from tamis.bench.template import Template, template_schema

    if schema:
        print_json(template_schema(), dict[str, Any])
        return
    suite = load_suite(suite_name)
    if as_json:
        print_json(list(suite.templates), list[Template])
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
@json_option
def cases(key: str | None, output: str | None, as_json: bool, **settings: Any) -> None:
    """Show the cases: their questions and what is expected. With -o, write the transcripts as sessions.

    \b
    tamis bench cases --template bc_release_day --slots 1
    tamis bench cases --per-family 1 --length 20000 -o cases/
    """  # noqa: D301 - click wants the character itself
    from dataclasses import replace

    from tamis.bench.case import Questions
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
            path = write_case(case, Path(output))
            if not as_json:
                click.echo(path)
    asked = list(suite.questions(plan.spots))
    if as_json:
        print_json(asked, list[Questions])
    elif output is None:
        print_tables(*(_questions_table(questions) for questions in asked))


def _questions_table(questions: Questions) -> Table:
    rows = [(i.type, i.prompt, i.expected.value or ", ".join(i.expected.values)) for i in questions.items]
    return table(questions.case, ["item", "question", "expected"], rows)


@click.command()
@case_options
@json_option
def estimate(as_json: bool, **settings: Any) -> None:
    """Count what a run would take, before it is begun: compactions, questions, tokens.

    \b
    tamis bench estimate --per-family 1 --slots 1 --length 1000
    """  # noqa: D301 - click wants the character itself
    made = _estimate(plan_of(**settings))
    if as_json:
        print_json(made)
        return
    rows = [
        ("cases", number(made.cases)),
        ("compactions", number(made.compactions)),
        ("questions to the reader", number(made.questions)),
        ("tokens that methods read, about", number(made.method_tokens)),
        ("tokens that the reader reads, about", number(made.reader_tokens)),
    ]
    print_tables(table(f"{made.suite}, {made.tier}", ["what", ">how much"], rows))


def _estimate(plan: Plan) -> EstimateJson:
    from tamis.bench.methodology import TIER_FLOORS

    asked, rounds = list(plan.asked.questions(plan.spots)), plan.cycles + 1
    questions = sum(len(q.items) for q in asked) * rounds
    return EstimateJson(
        suite=plan.suite.name,
        tier=plan.tier,
        cases=len(asked),
        compactions=len(asked) * rounds,
        questions=questions,
        method_tokens=len(asked) * plan.length_tokens * rounds,
        reader_tokens=questions * int(plan.length_tokens / TIER_FLOORS[plan.tier]),
    )
