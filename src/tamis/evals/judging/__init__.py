"""Judging answers by a rubric: the rubric, judges with and without a model, and how far to trust a judge."""
