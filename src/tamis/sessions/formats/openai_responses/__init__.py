"""Items as OpenAI's Responses API takes them."""
