"""What holds in the end: which statements later ones overtake, disprove, prove or close."""
