"""Learning the worth of statements from what agents summed up later: recaps as free supervision."""
