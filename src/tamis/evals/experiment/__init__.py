"""The experiment: arms, cycles, readers and judges at each point."""
