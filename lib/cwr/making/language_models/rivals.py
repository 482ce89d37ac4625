"""Scores the rivals on a model's card: count models of exactly the model's training text.

A score is a row, as in `scores`: by (the count model), measure, value, n (predictions).
"""

from collections.abc import Iterator

import numpy as np

from cwr.making.count_models.both_neighbours import BothNeighbours
from cwr.making.count_models.kneser_ney import KneserNey
from cwr.making.language_models import scores, text
from cwr.making.language_models.predictions import SIZE

TRIGRAM = "Kneser-Ney trigram"
NEIGHBOURS = "counts of both neighbours"


def trigram(
    training: np.ndarray, pieces: np.ndarray, characters: float, vocabulary: int
) -> Iterator[dict]:
    """Yields the scores of a trigram model of cwr-gpt's text on the pieces that cwr-gpt predicts.

    training, pieces: (n,) the training text and the scored text. characters: their mean number per
        piece.
    """
    complete = len(pieces) // SIZE * SIZE
    targets = pieces[:complete].astype(np.int64)
    model = KneserNey.count(training.astype(np.int64), vocabulary)
    nats = -model.log_probability(targets)
    bits = nats.mean() / np.log(2) / characters
    yield {"by": TRIGRAM, "measure": "nats", "value": nats.mean(), "n": len(nats)}
    yield {"by": TRIGRAM, "measure": "bits a character", "value": bits, "n": len(nats)}


def both_neighbours(
    training: np.ndarray, pieces: np.ndarray, hidden: np.ndarray, vocabulary: int
) -> Iterator[dict]:
    """Yields the scores of a count model of cwr-bert's text on the pieces hidden from cwr-bert.

    The count model sees both neighbours of a hidden piece, hidden or not.
    training, pieces: (n,) the training text and the scored text. hidden: positions in `pieces`;
        both ends of the text are left out.
    """
    hidden = hidden[(hidden > 0) & (hidden < len(pieces) - 1)]
    left, target, right = (pieces[hidden + shift].astype(np.int64) for shift in (-1, 0, 1))
    model = BothNeighbours.count(training.astype(np.int64), vocabulary)
    is_right = model.predict(left, right)[0] == target
    nats = -model.log_probability(left, right, target)
    yield {"by": NEIGHBOURS, "measure": "accuracy", "value": is_right.mean(), "n": len(target)}
    yield scores.without_ends(NEIGHBOURS, is_right, target)
    yield {"by": NEIGHBOURS, "measure": "nats", "value": nats.mean(), "n": len(target)}


def word_trigram(training: text.Words, words: text.Words, classes: int) -> Iterator[dict]:
    """Yields the perplexity of a trigram model of cwr-elmo's classes, forwards and backwards.

    training, words: the training text and the scored text. classes: their number.
    """
    training_classes = training.classes[training.stream].astype(np.int64)
    targets = words.classes[words.stream].astype(np.int64)
    for direction, step in (("forward", 1), ("backward", -1)):
        model = KneserNey.count(training_classes[::step], classes)
        nats = -model.log_probability(targets[::step])[1:]
        yield {
            "by": TRIGRAM,
            "measure": f"{direction} perplexity",
            "value": np.exp(nats.mean()),
            "n": len(nats),
        }
