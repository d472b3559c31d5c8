"""aider's chat history."""
