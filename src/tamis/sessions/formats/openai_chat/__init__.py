"""Messages as OpenAI's chat API takes them."""
