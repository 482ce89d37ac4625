"""Estimates: a measure per item first, then its mean over items in every layer, with replicates."""
