"""The five texts: what a claim, a predicate and a check are, a folder a text, and the registry."""
