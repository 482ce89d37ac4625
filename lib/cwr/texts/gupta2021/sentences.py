"""Classifies sentences by a whole encoder, fine-tuned or frozen.

Gupta and Jaggi (2021), section 4.3: linear classifiers on top of the teachers, which are fine-tuned
with them, and on top of sentence models, which are not. The text does not say what the classifier
reads; here it is the mean of the last layer over a sentence, of pieces where the encoder learns, of
words where it is frozen.

    n sentences, dim dimensions
"""

import copy

import numpy as np
import pandas as pd
import torch

from cwr import extraction
from cwr.corpora import Corpus, fingerprint
from cwr.corpora.labelled import Labelled
from cwr.encoders.encoder import Encoder

DROPOUT = 0.1  # of what the classifier reads, as the teachers have it themselves


class FineTuned(torch.nn.Module):
    """A copy of an encoder with a linear layer on top; all of it learns."""

    def __init__(self, encoder: Encoder, data: Labelled, dropout: float = DROPOUT):
        super().__init__()
        self.encoder = copy.deepcopy(encoder)  # the caller's weights stay as they are
        self.body = self.encoder.model.requires_grad_(True)
        self.sentences = data.sentences
        self.lengths = np.array([len(sentence.spans) for sentence in data.sentences])  # (n,)
        self.dropout = torch.nn.Dropout(dropout)
        self.linear = torch.nn.Linear(encoder.dim, len(data.classes), device=encoder.device)

    def forward(self, rows: np.ndarray) -> torch.Tensor:
        """Computes logits of sentences, (rows, classes). rows: (rows,), indices into the set."""
        means = piece_means(self.encoder, [self.sentences[row] for row in rows])
        return self.linear(self.dropout(means))


def piece_means(encoder: Encoder, sentences: list) -> torch.Tensor:
    """Averages the last layer over the pieces of each sentence, (n, dim), with gradients.

    Special tokens do not count. A sentence beyond the window is read in overlapping rows, and
    pieces in two rows count twice. A sentence without pieces is a zero vector.
    """
    batch = encoder.forward(sentences)
    pieces = batch.pieces
    special = torch.as_tensor(pieces.special, device=pieces.mask.device)
    counted = pieces.mask.bool() & ~special  # (rows, length)
    sums = (batch.hidden[-1] * counted[..., None]).sum(dim=1)  # (rows, dim)
    sentence = torch.as_tensor(pieces.sentence, device=sums.device)
    totals = sums.new_zeros(len(sentences), encoder.dim).index_add(0, sentence, sums)
    counts = sums.new_zeros(len(sentences)).index_add(0, sentence, counted.sum(dim=1).to(sums))
    return totals / counts.clamp(min=1)[:, None]


class Frozen(torch.nn.Module):
    """A linear layer on top of fixed sentence vectors, (n, dim)."""

    def __init__(self, vectors: np.ndarray, data: Labelled):
        """Divides vectors by the root mean square of their numbers, as in `sentence_cnn`."""
        super().__init__()
        self.lengths = np.ones(len(vectors), int)
        scaled = vectors / np.sqrt(np.square(vectors, dtype=np.float64).mean())
        self.register_buffer("vectors", torch.from_numpy(scaled.astype(np.float32)), False)
        self.linear = torch.nn.Linear(vectors.shape[1], len(data.classes))

    def forward(self, rows: np.ndarray) -> torch.Tensor:
        """Computes logits of sentences, (rows, classes). rows: (rows,), indices into the set."""
        return self.linear(self.vectors[rows])


def sentence_vectors(encoder: Encoder, data: Labelled) -> np.ndarray:
    """Averages the last layer over the words of each sentence, (n, dim); zeros for no words.

    The encoder makes one pass, which the cache keeps.
    """
    corpus = Corpus(data.name, data.sentences, fingerprint(data.sentences), "")
    last = np.array([len(sentence.spans) for sentence in data.sentences]) - 1
    rows = np.flatnonzero(last >= 0)
    targets = pd.DataFrame(
        {"sentence": rows, "first": 0, "last": last[rows], "group": rows.astype(str)}
    )
    run = extraction.run(encoder, corpus, targets, reducers=[extraction.vectors(layers=[-1])])
    vectors = np.zeros((len(data.sentences), encoder.dim), np.float32)
    vectors[run.table["sentence"]] = run.vectors(encoder.n_layers)
    return vectors
