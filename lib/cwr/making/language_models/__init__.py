"""Trains our small language models, measures them along the way, and ships them."""
