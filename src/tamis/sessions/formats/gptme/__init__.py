"""gptme's conversation logs."""
