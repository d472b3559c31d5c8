"""The experiment: arms, cycles, readers and judges put to work at one compaction point after another."""
