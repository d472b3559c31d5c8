"""What methods that ask a model share: prompts, sections, the interview, what is taken of answers."""
