"""Shell scripts: which commands would run, with which words, where."""
