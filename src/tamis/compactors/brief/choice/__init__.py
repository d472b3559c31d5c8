"""Choosing statements under a budget: their signals, their worth, what must be said."""
