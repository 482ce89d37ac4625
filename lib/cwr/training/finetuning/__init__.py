"""Whole encoders that learn a task, with a linear layer on top.

tuned.py       taggers by a word's last piece, classifiers by the first special piece
bands.py       attention that reaches so many words to each side, in every layer
updates.py     a model after so many updates, trained once and kept in the cache
"""
