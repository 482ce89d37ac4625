"""Predicts tokens by counts: the baseline of a language model."""
