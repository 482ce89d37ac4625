"""Predicts tokens by counts: a language model must beat that to know more than word sequences."""
