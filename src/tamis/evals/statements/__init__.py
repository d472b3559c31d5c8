"""Statement recall: key points from an agent's own recaps, looked for in a compacted text."""
