"""What the commands do. Each module is the work of the command of that name, and is loaded when it runs."""
