"""Trying a command with and without compression: pairs of trials, kept as they come, and what they show."""

from importlib.util import find_spec

from tamis.errors import MissingExtra

for _library, _extra in (
    ("scipy", "evals"),
    ("starlette", "proxy"),
    ("uvicorn", "proxy"),
    ("httpx", "proxy"),
):
    if find_spec(_library) is None:
        raise MissingExtra(f"trials need {_library}; install it with: pip install 'tamis[{_extra}]'")

from tamis.trials.comparing import ABReport, compare_trials  # noqa: E402
from tamis.trials.conducting import run_plan  # noqa: E402
from tamis.trials.plan import Compression, TrialPlan  # noqa: E402
from tamis.trials.record import read_record  # noqa: E402
from tamis.trials.trial import Trial  # noqa: E402

__all__ = [
    "ABReport",
    "Compression",
    "Trial",
    "TrialPlan",
    "compare_trials",
    "read_record",
    "run_plan",
]
