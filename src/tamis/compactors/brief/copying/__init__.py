"""Text word for word: what was printed and what was put into files, as it stands at the end."""
