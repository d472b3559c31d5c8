"""Coding agents that tamis can be put into: hooks, plugins, settings, and taking it out again."""
