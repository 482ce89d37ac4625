"""Computes the cost of a teacher's pass over a corpus from its matrices and its pieces.

No model is run. `texts.gupta2021.cost` has the arithmetic.
"""

from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora import Corpus
from cwr.corpora.paragraphs import paragraphs
from cwr.encoders.architectures import architecture_of
from cwr.encoders.pieces import special_tokens
from cwr.encoders.windows import cut_rows
from cwr.errors import UserError
from cwr.texts.gupta2021 import cost

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

PER_WORD, PER_CALL, DIMENSION, CALLS = (
    "teacher_flops_per_word",
    "teacher_flops_per_call",
    "teacher_output_dimension",
    "teacher_calls",
)
CALL = 128  # pieces of the call whose cost footnote 1 prints


def transformer_of(encoder: "Encoder") -> cost.Transformer:
    """Returns the sizes that decide an encoder's cost; weights are of all matrices in its blocks.

    Raises UserError for a model that is no transformer.
    """
    if encoder.tokenizer is None:
        raise UserError(
            f"{encoder.name} is no transformer, and its operations are not counted: leave it out"
        )
    blocks = architecture_of(encoder.model.config.to_dict(), encoder.name).blocks
    parameters = encoder.model.get_submodule(blocks).parameters()
    weights = sum(matrix.numel() for matrix in parameters if matrix.ndim == 2)
    return cost.Transformer(encoder.dim, encoder.n_layers, weights)


def specials(encoder: "Encoder") -> int:
    """Counts the special pieces around a text."""
    return sum(map(len, special_tokens(encoder.tokenizer, encoder.name)))


def row_lengths(encoder: "Encoder", texts: Corpus, whole: bool = False) -> np.ndarray:
    """Counts the pieces of each row that the teacher reads, special ones included, (rows,).

    A text beyond the window has several rows, which overlap by half.
    whole: as if the window were as long as the longest text.
    """
    pieces, around = encoder.tokenise(texts.sentences), specials(encoder)
    room = int(pieces.lengths.max()) if whole else encoder.window - around
    return cut_rows(pieces, room).count + around


def paragraph_shares(encoder: "Encoder", corpus: Corpus) -> dict[str, float]:
    """Computes the shares of a corpus' paragraphs that are too short or too long.

    "one sentence": its two contexts are the same. "fewer than three": Gupta and Jaggi (2021),
    section 4.1, ask for three sentences. "longer than the window": of the teacher; 0 for an ELMo,
    which has none.
    """
    texts, table = paragraphs(corpus)
    sizes = table.groupby("sentence").size().to_numpy()
    beyond = 0.0
    if encoder.tokenizer is not None:
        lengths = encoder.tokenise(texts.sentences).lengths + specials(encoder)
        beyond = float((lengths > encoder.window).mean())
    return {
        "one sentence": float((sizes == 1).mean()),
        "fewer than three": float((sizes < 3).mean()),
        "longer than the window": beyond,
    }


def rows(encoder: "Encoder", corpus: Corpus) -> list[dict]:
    """Returns a teacher's costs as rows for `results.write`: of a call, a corpus, and a word.

    A call has CALL pieces. The corpus' calls, one per row of pieces, and the operations per word
    are for a teacher that reads sentences (estimator x2static_sentence), paragraphs in its window
    (x2static_paragraph), or paragraphs whole (paragraph_without_window).
    Raises UserError for a model that is no transformer.
    """
    model, words = transformer_of(encoder), sum(len(one.spans) for one in corpus.sentences)
    texts, _ = paragraphs(corpus)
    lengths = {
        "x2static_sentence": row_lengths(encoder, corpus),
        "x2static_paragraph": row_lengths(encoder, texts),
        "paragraph_without_window": row_lengths(encoder, texts, whole=True),
    }
    keys = {"model": encoder.name, "family": encoder.family}
    call = float(cost.operations(CALL, model))
    costs = [
        {**keys, "measure": PER_CALL, "value": call},
        {**keys, "measure": DIMENSION, "value": float(encoder.dim)},
    ]
    for kind, of_rows in lengths.items():
        named = {**keys, "dataset": corpus.name, "estimator": kind}
        value = cost.operations_per_word(of_rows, words, model)
        costs.append({**named, "measure": PER_WORD, "value": value})
        costs.append({**named, "measure": CALLS, "value": float(len(of_rows))})
    return costs
