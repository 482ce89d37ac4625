"""How the tables and figures of this text are read: the names of its measures."""

MEAN_COSINE = "__key___mean_cosine"  # of all pairs of random words, by layer
