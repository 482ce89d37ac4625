"""Static word vectors trained here: skip-gram and CBOW, X2Static, and the objective they share."""
