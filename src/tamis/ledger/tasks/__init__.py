"""Work that is left or done: to-do lists, tasks told in prose, the next step."""
