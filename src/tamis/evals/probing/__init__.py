"""Asking what a context still tells: probes, the readers that answer them, and the exact scorer."""
