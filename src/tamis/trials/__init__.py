"""Trying a command with and without compression: pairs of trials, kept as they come, and what they show."""

from tamis.trials.comparing import ABReport, compare_trials
from tamis.trials.conducting import run_plan
from tamis.trials.plan import Compression, TrialPlan
from tamis.trials.record import read_record
from tamis.trials.trial import Trial

__all__ = [
    "ABReport",
    "Compression",
    "Trial",
    "TrialPlan",
    "compare_trials",
    "read_record",
    "run_plan",
]
