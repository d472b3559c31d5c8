"""Reading a session into statements: speech, deeds, hunks, evidence, and what settles what."""
