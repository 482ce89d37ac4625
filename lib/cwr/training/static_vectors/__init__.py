"""Static word vectors that we fit: skip-gram, and the rival that only counts."""
