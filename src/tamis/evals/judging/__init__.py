"""Judging answers by a rubric: the rubric, judges with and without a model, how far a judge can be trusted."""
