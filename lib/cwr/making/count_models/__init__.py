"""Predicts tokens by counts, the baseline that a language model has to beat."""
