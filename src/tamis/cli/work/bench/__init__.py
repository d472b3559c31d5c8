"""What the commands of `tamis bench` do."""
