"""Fine-tunes whole encoders on a task, with a linear layer on top.

tuned.py       taggers by a word's last piece, classifiers by the first special piece
bands.py       attention limited to some words on each side, in every layer
updates.py     a model after a number of updates, trained once and kept in the cache
"""
