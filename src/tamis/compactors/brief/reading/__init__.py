"""Reading a session into statements: speech, deeds, edits, and what settles what."""
