"""Pure functions on arrays: NumPy in, NumPy or floats out. No files, no models, no plotting."""
