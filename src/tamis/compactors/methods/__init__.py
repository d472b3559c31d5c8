"""The compaction methods, one file each."""
