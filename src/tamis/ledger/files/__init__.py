"""What tool calls do to files: calls, edits, patches, scripts and `git`, as one file trail."""
