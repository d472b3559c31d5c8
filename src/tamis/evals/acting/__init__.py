"""Acting: what an agent does next behind a compaction, as a model expects it and as a model would do it."""
