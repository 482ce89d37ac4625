"""Trains structural probes on each fold's complement, and predicts the trees of the fold.

I inputs (layers, or other vectors of the same words), W words of all sentences, n of one sentence,
d dimensions
"""

from collections.abc import Sequence

import numpy as np
import torch

from cwr.measures import structural as measures
from cwr.measures.trees import depths, tree_distances
from cwr.texts.survey import structural
from cwr.texts.survey.structural import Settings
from cwr.texts.survey.treebanks import Treebank, TreePredictions
from cwr.training import loop


def predictions(
    vectors: Sequence[np.ndarray],
    trees: Treebank,
    settings: Settings,
    depth: bool = True,
    asked: Sequence[np.ndarray] | None = None,
) -> TreePredictions:
    """Predicts distances and depths of the tested sentences, by two probes per input and fold.

    vectors: an array (W, d) for each input, words in the order of the sentences. depth: False for
    distances alone. asked: vectors of the same inputs and words to test on, if they differ from
    the vectors of the training: the words in other sentences, say.
    Raises UserError as `structural.train`, ValueError for another number of words than the trees'.
    """
    learned = by_sentence(vectors, trees)
    tested = learned if asked is None else by_sentence(asked, trees)
    distances, of_words = [None] * len(trees), [None] * len(trees)
    ways = [(tree_distances, measures.squared_distances, distances)]
    if depth:
        ways.append((depths, measures.squared_norms, of_words))
    for train, test in trees.parts():
        for gold, read, place in ways:
            targets = [gold(trees.heads[number]) for number in train]
            of_train = [learned[number] for number in train]
            projections = structural.train(of_train, targets, settings)
            for number in test:
                place[number] = read(tested[number], projections)
    return TreePredictions(distances, of_words)


def by_sentence(vectors: Sequence[np.ndarray], trees: Treebank) -> list[np.ndarray]:
    """Splits vectors by sentence, (I, n, d) each.

    Raises ValueError for another number of words than the trees have.
    """
    stacked = np.stack(vectors)
    ends = np.cumsum(trees.lengths)
    if stacked.shape[1] != ends[-1]:
        raise ValueError(f"{stacked.shape[1]} vectors for {ends[-1]} words: give one a word")
    return np.split(stacked, ends[:-1], axis=1)


@torch.no_grad()
def random_bilstm(vectors: np.ndarray, trees: Treebank, seed: int = 0) -> np.ndarray:
    """Computes the states of an untrained biLSTM over the words of each sentence, (W, d): "Proj0".

    Hewitt and Manning (2019), section 4.1: the word order that an untrained network encodes.
    vectors: (W, d), d even; the states of either direction have half as many dimensions.
    """
    dim = vectors.shape[1]
    with loop.seeded(seed):
        layer = torch.nn.LSTM(dim, dim // 2, bidirectional=True, batch_first=True)
    words = torch.from_numpy(np.array(vectors, dtype=np.float32)) / float(np.std(vectors))
    states = torch.empty_like(words)
    starts = np.cumsum(trees.lengths) - trees.lengths
    for n in np.unique(trees.lengths):
        rows = torch.from_numpy(starts[trees.lengths == n][:, None] + np.arange(n))
        states[rows] = layer(words[rows])[0]  # sentences of one length, without padding
    return states.numpy()
