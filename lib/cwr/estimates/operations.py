"""How many operations a transformer spends, counted as multiplications and additions.

For one piece of a text, one block multiplies by its matrices for query, key, value and output
(8 d^2), compares and mixes all n pieces (4 n d), and passes a layer of 4 d hidden units (16 d^2).
Biases, normalisation and activations are left out: one or two per cent of what the script
`flops_computation.py` of ELECTRA counts (Clark et al. 2020).

    d = numbers of a vector, n = word pieces of a text
"""


def per_piece(pieces: float, layers: int, dim: int) -> float:
    """Operations of one word piece in a text of so many pieces: layers * (24 d^2 + 4 n d)."""
    return layers * (24 * dim**2 + 4 * pieces * dim)


def per_call(pieces: float, layers: int, dim: int, vocabulary: int = 0) -> float:
    """Operations of one call on a text of so many pieces.

    vocabulary: its size where the embedding is charged as the product of a one-hot row with the
    whole matrix, as the script of Clark et al. does; 0 where it is a look-up, which costs nothing.
    """
    return pieces * (per_piece(pieces, layers, dim) + 2 * vocabulary * dim)


def per_word(
    words: float, layers: int, dim: int, pieces_per_word: float = 1.0, special: int = 0
) -> float:
    """Operations of one word in a text of so many words, read in one call.

    special: pieces that the model adds to every text, such as [CLS] and [SEP].
    """
    return per_call(words * pieces_per_word + special, layers, dim) / words
