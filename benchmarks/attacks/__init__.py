"""What `benchmarks/attack.py` tries, one module for each kind of attack."""
