"""What was said, as statements: the user's messages by their parts, and the agent's sentences."""
