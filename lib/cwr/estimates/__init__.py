"""From vectors, scores and counts to numbers with names: what notebooks measure and claims read."""
