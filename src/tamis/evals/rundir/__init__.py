"""A run directory: what an evaluation measured, written, read, compared and scored again."""
