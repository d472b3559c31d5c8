"""The figures of a run: averages with intervals, drift, prices, what a prompt cache would serve."""
