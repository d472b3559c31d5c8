"""The tasks of the example sessions, one module each: what stood there, what was said, what was done."""
