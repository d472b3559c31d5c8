"""Messages as Anthropic's API takes them."""
