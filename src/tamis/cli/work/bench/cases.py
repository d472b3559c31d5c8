"""Templates of a suite, its cases, an estimate of running them, and hidden cases."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tamis.bench.case import CaseQuestions, write_case
from tamis.bench.methodology import TIER_FLOORS
from tamis.bench.run import BenchPlan
from tamis.bench.seal import check_suite, make_secret, read_secret, seal_of, write_new
from tamis.bench.seal import reveal as open_seal
from tamis.bench.suite import load_suite, own_suites
from tamis.bench.template import Template, template_schema
from tamis.cli.work.output import number, print_json, print_tables, table
from tamis.errors import InputError


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


def templates(suite_name: str, schema: bool, as_json: bool) -> None:
    if schema:
        print_json(template_schema(), dict[str, Any])
        return
    suite = load_suite(suite_name)
    if as_json:
        print_json(list(suite.templates), list[Template])
        return
    rows = [(t.family, t.key, t.version, number(len(t.evaluation_items))) for t in suite.templates]
    columns = ["family", "template", "version", ">questions"]
    print_tables(table(f"{suite.name}, {len(rows)} templates", columns, rows))
    click.echo(f"\nsuites that ship with tamis: {', '.join(own_suites())}")


def cases(key: str | None, output: str | None, as_json: bool, **settings: Any) -> None:
    plan = plan_of(**settings)
    chosen = tuple(t for t in plan.asked.templates if key in (None, t.key))
    if not chosen:
        remedy = "`tamis bench templates` lists them"
        raise InputError(f"no template of {plan.suite.name} is called {key!r}; {remedy}")
    suite = replace(plan.suite, templates=chosen)
    if output is not None:
        for case in suite.cases(plan.spots, cycles=plan.cycles):
            path = write_case(case, Path(output))
            if not as_json:
                click.echo(path)
    asked = list(suite.questions(plan.spots))
    if as_json:
        print_json(asked, list[CaseQuestions])
    elif output is None:
        for asking in asked:
            rows = [
                (i.type, i.prompt, i.expected.value or ", ".join(i.expected.values)) for i in asking.items
            ]
            print_tables(table(asking.case, ["item", "question", "expected"], rows))


def estimate(as_json: bool, **settings: Any) -> None:
    plan = plan_of(**settings)
    asked, rounds = list(plan.asked.questions(plan.spots)), plan.cycles + 1
    questions = sum(len(case.items) for case in asked) * rounds
    made = EstimateJson(
        suite=plan.suite.name,
        tier=plan.tier,
        cases=len(asked),
        compactions=len(asked) * rounds,
        questions=questions,
        method_tokens=len(asked) * plan.length_tokens * rounds,
        reader_tokens=questions * int(plan.length_tokens / TIER_FLOORS[plan.tier]),
    )
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


def plan_of(suite_name: str, secret: str | None, **settings: Any) -> BenchPlan:
    """The plan that these options ask for."""
    suite = load_suite(suite_name)
    if secret is not None:
        settings["seed_group"] = check_suite(read_secret(Path(secret)), suite).seed_group
    return BenchPlan(suite=suite, **settings)


def seal(suite_name: str, output: str, secret: str, as_json: bool) -> None:
    made = make_secret(load_suite(suite_name))
    write_new(Path(secret), made, private=True)
    write_new(Path(output), seal_of(made), private=False)
    if as_json:
        print_json(seal_of(made))
        return
    click.echo(f"{made.hash}\npublish {output}, keep {secret}; run with: tamis bench run --secret {secret}")


def reveal(sealed: str, secret: str, as_json: bool) -> None:
    opened = open_seal(Path(sealed), Path(secret))
    if as_json:
        print_json(opened)
        return
    click.echo(f"{opened.hash} holds\nsuite {opened.suite}\nseed group {opened.seed_group}")
