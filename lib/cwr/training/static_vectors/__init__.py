"""Trains static word vectors: skip-gram and CBOW, X2Static, and their shared objective."""
