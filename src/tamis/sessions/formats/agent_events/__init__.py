"""Other agents' event logs."""
