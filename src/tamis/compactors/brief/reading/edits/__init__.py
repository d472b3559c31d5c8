"""What edits changed: old and new told apart, and what is known of the files between them."""
