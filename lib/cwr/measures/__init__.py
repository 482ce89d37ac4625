"""Computes measures by pure functions: NumPy in, NumPy or floats out; no files, models, plots."""
