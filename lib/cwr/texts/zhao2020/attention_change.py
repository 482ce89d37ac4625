"""Compares attention before and after a model is tuned: Figure 7 of Zhao et al. (2020).

Each sentence, layer and head has a cosine (`cwr.texts.zhao2020.attention`); cosines are averaged
over sentences. Draws resample sentences.

    n sentences, L blocks, h heads of one model and g of the other, D draws
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora.sentences import Sentence
from cwr.measures import stats
from cwr.texts.zhao2020.attention import head_cosines

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

READ_AT_ONCE = 16  # sentences


def cosines(
    first: "Encoder", second: "Encoder", sentences: Sequence[Sentence], specials: bool = True
) -> np.ndarray:
    """Computes cosines of each head of one model with each of another, by layer: (L, n, h, g).

    specials: whether attention from and to special pieces counts; that of padding never does. Of a
    sentence beyond the window only the first row of pieces counts.
    Raises UserError for sentences without a piece, and as `Encoder.forward`; ValueError as
    `head_cosines`.
    """
    order = np.argsort(first.tokenise(sentences).lengths, kind="stable")  # alike ones together
    of_batches = []
    for begin in range(0, len(order), READ_AT_ONCE):
        batch = [sentences[row] for row in order[begin : begin + READ_AT_ONCE]]
        before, counted = _attention(first, batch, specials)
        after, _ = _attention(second, batch, specials)
        of_layers = [head_cosines(*layer, counted) for layer in zip(before, after, strict=True)]
        of_batches.append(np.stack(of_layers))  # (L, batch, h, g)
    return np.concatenate(of_batches, axis=1)[:, np.argsort(order)]


def _attention(
    encoder: "Encoder", sentences: Sequence[Sentence], specials: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities (L, n, h, length, length) of each sentence's first row, and what counts of it.

    The latter is (n, length) bool. Raises UserError as `Encoder.forward`.
    """
    forward = encoder.forward(sentences, attentions=True)
    inputs = forward.pieces
    _, first_rows = np.unique(inputs.sentence, return_index=True)
    counted = inputs.mask.cpu().numpy().astype(bool)
    if not specials:
        counted &= ~inputs.special
    weights = forward.attentions.detach().float().cpu().numpy()
    return weights[:, first_rows], counted[first_rows]


def rows_of(
    values: np.ndarray, sentences: Sequence[Sentence], draws: int = 1000, seed: int = 0, **keys
) -> Iterable[dict]:
    """Averages cosines over sentences, as rows for `report.results.write`, one per block and head.

    values: (L, n, h), of `attention.same_head` or `attention.other_heads` in each layer. keys: of
    all rows. Blocks are our layers 1 to L.
    """
    weights = stats.weights(np.array([sentence.id for sentence in sentences]), draws, seed)
    for layer, of_layer in enumerate(values, start=1):
        replicates = weights @ of_layer / len(sentences)  # (D, h)
        for head, value in enumerate(of_layer.mean(axis=0)):
            named = {**keys, "layer": layer, "head": head}
            yield {**named, "value": float(value), "replicates": replicates[:, head]}
