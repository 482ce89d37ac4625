"""Whole encoders that learn a task, with a linear layer on top.

sentences.py   classifiers of sentences by the mean of their pieces, tuned or frozen
tuned.py       taggers by a word's last piece, classifiers by the first special piece
bands.py       attention that reaches so many words to each side, in every layer
spans.py       labels of spans, with the head of a linear probe: is tuning worth it?
updates.py     a model after so many updates, trained once and kept in the cache
"""

from cwr.texts.gupta2021.sentences import FineTuned, Frozen, piece_means, sentence_vectors

__all__ = ["FineTuned", "Frozen", "piece_means", "sentence_vectors"]
