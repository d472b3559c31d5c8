"""Writing a brief and reading it back: frame, rules, story, state, next, passages."""
