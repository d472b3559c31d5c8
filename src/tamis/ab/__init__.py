"""Trying a command with and without compression: pairs of trials, kept as they come, and what they show."""

from tamis.ab.ab_report import ABReport, compare_trials
from tamis.ab.execution import read_comparison, run_plan
from tamis.ab.trial import Compression, Trial, TrialPlan

__all__ = ["ABReport", "Compression", "Trial", "TrialPlan", "compare_trials", "read_comparison", "run_plan"]
