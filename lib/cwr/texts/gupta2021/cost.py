"""Counts what vectors cost: operations and bytes of a contextual model, a look-up, an update.

An operation is an addition or a multiplication of two numbers, so a product of matrices costs two
for each weight and input. Gupta and Jaggi (2021), footnote 1, take the cost of a call from the
script `flops_computation.py` released with ELECTRA (Clark et al. 2020). The script counts more than
the products, as `script_operations` does.

    n pieces of a text, d dimensions of a vector, L blocks, v words or pieces of a vocabulary
"""

from dataclasses import dataclass

import numpy as np

BYTES = 4  # of a number in single precision
ADAM = 12  # operations of Adam for one coordinate: two moments and the step


@dataclass(frozen=True)
class Transformer:
    """The sizes that decide the cost of a transformer.

    dim: d. layers: L. weights: of the matrices in its blocks that multiply each piece; without
    embeddings, biases and norms.
    """

    dim: int
    layers: int
    weights: int


def of_bert(dim: int, layers: int) -> Transformer:
    """Returns the sizes of a BERT, RoBERTa or GPT-2, whose inner layer is four times as wide."""
    return Transformer(dim, layers, 12 * dim**2 * layers)


BERT_BASE, BERT_LARGE = of_bert(768, 12), of_bert(1024, 24)
BERT_VOCABULARY = 30_522


# ---- operations


def operations(
    pieces: np.ndarray | float, model: Transformer, vocabulary: int = 0
) -> np.ndarray | float:
    """Counts operations of the matrix products in one pass over texts; the shape of `pieces`.

    pieces: n. 2 for each weight and piece, and 4 n d in each block for the attention of a piece:
    scores, and the mean of the values. Special pieces count. A BERT needs n L (24 d² + 4 n d).
    vocabulary: v if the look-up of a piece is charged as the product of a one-hot row with the
    whole matrix, 2 d v; 0 if a look-up is free.
    Raises ValueError for a text of less than one piece.
    """
    n = np.asarray(pieces, dtype=np.float64)
    if not (n >= 1).all():
        raise ValueError(f"a text has at least 1 piece, got {n.min()}")
    attention = 4 * n * model.dim * model.layers
    return n * (2 * model.weights + attention + 2 * model.dim * vocabulary)


def script_operations(pieces: int, dim: int, layers: int, one_hot: bool = True) -> int:
    """Counts the operations of one call of a BERT as ELECTRA's `flops_computation.py` does.

    Beside the products of `operations` the script (`get_infer_flops`) charges softmax (5 for each
    number), dropout (4), norms (5), the activation (8), biases, residuals, a classifier at every
    piece, and the look-up of a piece as a product with a one-hot vector, 2 d v.
    Attention has d / 64 heads. one_hot=False: a look-up costs nothing.
    """
    d, n, heads = dim, pieces, max(dim // 64, 1)
    products = 24 * d**2 + 4 * n * d
    attention = (5 + 4 + 1) * n * heads  # softmax, dropout, scale
    block = products + attention + 56 * d + 5  # biases, dropout, residuals, norms, activation
    embedding = 2 * d * (n + 2) + 11 * d + (2 * d * BERT_VOCABULARY if one_hot else 0)
    classifier = 2 * d**2 + 11 * d
    return n * (layers * block + embedding + classifier)


def operations_per_word(rows: np.ndarray, words: float, model: Transformer) -> float:
    """Counts the operations of a teacher for each word of a corpus.

    rows: (rows,), the pieces of each text, special pieces included; a text beyond the window is
    several rows. Raises ValueError for a corpus without words.
    """
    if words < 1:
        raise ValueError(f"a corpus has at least 1 word, got {words}")
    return float(np.sum(operations(rows, model)) / words)


def level_length(sentence: float, specials: int, model: Transformer) -> float:
    """Computes the length of a paragraph whose words cost as much as in a sentence read alone.

    Each text has k special pieces around it, so a longer text has fewer of them for each piece, but
    more attention. Costs are level at the sentence's length s, and again at k (w / (2 d L) + k) / s
    pieces, which for a BERT is k (6 d + k) / s; w are the model's weights. Between these two
    lengths a paragraph is cheaper; without special pieces it never is.
    sentence: s, the pieces of the sentence. Neither length counts special pieces.
    Raises ValueError for a sentence of less than one piece.
    """
    if not sentence >= 1:
        raise ValueError(f"a sentence has at least 1 piece, got {sentence}")
    ratio = model.weights / (2 * model.dim * model.layers)
    return specials * (ratio + specials) / sentence


def update_operations(dim: int, negatives: int = 10) -> int:
    """Counts the operations of one target of X2Static, for its row and those of the negatives.

    Each number of a row costs two operations in its score, two in its gradient, and those of Adam.
    """
    return (1 + negatives) * dim * (2 + 2 + ADAM)


# ---- bytes


def vector_bytes(dim: int, n: int = 1) -> int:
    """Counts the bytes of n vectors: of a look-up, or of a table of static vectors."""
    return n * dim * BYTES


def weight_bytes(model: Transformer) -> int:
    """Counts the bytes of the blocks' matrices, which a call reads once for its whole batch."""
    return model.weights * BYTES


def update_bytes(dim: int, negatives: int = 10) -> int:
    """Counts the bytes one target of X2Static moves: row, gradient, moments; three written back."""
    return 7 * vector_bytes(dim, 1 + negatives)


def second_moment_bytes(dim: int, words: int) -> int:
    """Counts the bytes of a running d x d second moment of each word, in double precision.

    A word's first principal component needs it unless all occurrences are stored; section 2 argues
    from it that Ethayarajh's vectors do not scale.
    """
    return words * dim**2 * 2 * BYTES


# ---- against a look-up


def comparisons(model: Transformer, pieces: int = 128) -> dict[str, float]:
    """Computes how many times more a vector costs from a BERT than from a table, by comparison.

    A look-up costs no operations, and reads the bytes of one vector; operations are divided by the
    numbers that a look-up gives. The first comparison is our reconstruction of section 1 of Gupta
    and Jaggi (2021); the last four count like for like.
    pieces: of the call. A word by itself is read between two special pieces.
    """
    call, vector = operations(pieces, model), vector_bytes(model.dim)
    return {
        "operations: a call, one vector used": call / model.dim,
        "operations: a call, all vectors used": call / (pieces * model.dim),
        "operations: the word read alone": operations(3, model) / model.dim,
        "bytes: a call, all vectors used": weight_bytes(model) / (pieces * vector),
        "bytes: the word read alone": weight_bytes(model) / vector,
    }
