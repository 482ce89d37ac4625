"""Count models of text: what a language model must beat to know more than short word sequences."""
