"""Computes vectors of words that a model reads alone, without any context.

Gupta and Jaggi (2021), section 2: Bommasani et al. (2020) try them first, under the name of
decontextualised vectors. Model2Vec begins with them, too.

In the released code of Bommasani et al. BERT reads a word without its special pieces, here with
them around it; RoBERTa reads a blank before it there, and none here.
"""

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus, fingerprint
from cwr.corpora.sentences import joined
from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.context_pieces import SPECIALS, piece_targets
from cwr.measures import static_vectors

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


def decontextualised(encoder: "Encoder", words: Iterable[str]) -> dict[int, dict[str, np.ndarray]]:
    """Computes the vector of each word alone in every layer, {layer: {word: (dim,)}}.

    A word's vector is the mean over its pieces. Words in which the model finds no piece are left
    out.
    """
    corpus, targets = _texts(words)
    run = extraction.run(encoder, corpus, targets, reducers=[extraction.vectors()])
    tables = {}
    for layer in range(run.n_layers + 1):
        vectors = run.vectors(layer)
        tables[layer] = dict(zip(run.table["group"], vectors, strict=True))
    return tables


def model2vec(encoder: "Encoder", words: Iterable[str]) -> WordVectors:
    """Computes static vectors of words from a model as Model2Vec does, without a text.

    A word's vector is the mean of the last layer over all pieces that the model reads, special
    pieces included; the vectors are then treated (`measures.static_vectors.model2vec`).
    words: each with a piece, from the commonest to the rarest.
    Raises UserError for a model that reads characters, and for a word without a piece.
    """
    corpus, targets = _texts(words)
    pieces = piece_targets(encoder, corpus, targets, SPECIALS)
    last = extraction.vectors(layers=[-1])
    run = extraction.run(encoder, corpus, pieces, reducers=[last], unit="piece")
    vectors = static_vectors.model2vec(run.vectors(run.n_layers))
    return WordVectors("Model2Vec", tuple(run.table["group"]), vectors.astype(np.float32))


def input_matrix(encoder: "Encoder", words: Iterable[str]) -> dict[str, np.ndarray]:
    """Averages the token matrix' rows over each word's pieces, {word: (dim,)}.

    No model is run; positions are not in it. Words without a piece are left out. Raises UserError
    for a model that reads characters.
    """
    corpus, _ = _texts(words)
    W = encoder.embedding_matrix()
    pieces = encoder.tokenise(corpus.sentences)
    rows = {}
    stretches = itertools.pairwise(pieces.first)
    for sentence, (start, stop) in zip(corpus.sentences, stretches, strict=True):
        if stop > start:
            rows[sentence.text] = W[pieces.ids[start:stop]].mean(axis=0)
    return rows


def _texts(words: Iterable[str]) -> tuple[Corpus, pd.DataFrame]:
    """Returns each word as a sentence of its own, and as a target, grouped by itself."""
    words = list(dict.fromkeys(words))
    sentences = tuple(replace(joined([word]), id=str(row)) for row, word in enumerate(words))
    corpus = Corpus("words alone", sentences, fingerprint(sentences), "a list of words")
    rows = range(len(words))
    return corpus, pd.DataFrame({"sentence": rows, "first": 0, "last": 0, "group": words})
