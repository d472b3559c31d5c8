"""The exam: can a reader go on from this text? Graded blind."""
