"""What may be concluded: intervals, tests, corrections, effect sizes, power, fronts, over whole sessions."""
