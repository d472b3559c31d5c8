"""What tools gave back: commands and how they ended, test runs, errors, and what is said twice."""
