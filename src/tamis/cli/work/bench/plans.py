"""The plan that the options of a benchmark ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tamis.bench.run import BenchPlan
from tamis.bench.seal import check_suite, read_secret
from tamis.bench.suite import load_suite


def plan_of(suite_name: str, secret: str | None, **settings: Any) -> BenchPlan:
    """The plan that these options ask for."""
    suite = load_suite(suite_name)
    if secret is not None:
        settings["seed_group"] = check_suite(read_secret(Path(secret)), suite).seed_group
    return BenchPlan(suite=suite, **settings)
