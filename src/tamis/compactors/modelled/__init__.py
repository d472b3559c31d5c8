"""What methods that ask a model have in common: prompts, sections, the interview, what is taken of its answers."""
