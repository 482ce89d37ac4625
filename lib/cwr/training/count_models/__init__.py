"""Count models of text: what a small language model must beat before it knows more than short word sequences."""
