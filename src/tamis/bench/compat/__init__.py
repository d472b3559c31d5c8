"""CompactBench as it was published: its cases, its figures to the last digit, its result files.

Nothing of it is copied here: the word lists are read from an installation or a folder that the user names.
"""
