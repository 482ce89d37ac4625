"""Contextual word representations, reproduced: the library behind the book."""
