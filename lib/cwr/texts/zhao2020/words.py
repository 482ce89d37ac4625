"""Trains probes on one vector per word: Figure 1 of Zhao et al. (2020).

A word can have several classes, so its vector is a positive example of each of them and a negative
one of all others.

    S seeds, L layers, W words, C classes, d dimensions
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cwr.corpora.wiki_pse.contexts import DEV, TEST, TRAIN
from cwr.texts.zhao2020 import probe_training, probes
from cwr.texts.zhao2020.probe_training import Settings
from cwr.texts.zhao2020.probes import Answers
from cwr.texts.zhao2020.word_spaces import ProbingWords


def answers(
    vectors: Sequence[np.ndarray],
    words: ProbingWords,
    settings: Settings,
    seeds: Sequence[int] = (0,),
    layers: Sequence[int | None] = (None,),
    device: str = "cpu",
) -> dict[str, Answers]:
    """Trains probes on training words and tests them on the others, {split: answers}.

    vectors: an array (W, d) for each of `layers`, in the order of the words; (None,) stands for
        vectors without layers. settings: their seed is replaced by each of `seeds`.
    The splits are dev, whose words decide when training stops, and test.
    Raises UserError as `probe_training.train`.
    """
    of_split = {name: _of_split(vectors, words, name) for name in (TRAIN, DEV, TEST)}
    learned = *of_split[TRAIN], *of_split[DEV], words.classes
    trained = [
        probe_training.train(*learned, replace(settings, seed=seed), device) for seed in seeds
    ]
    result = {}
    for name in (DEV, TEST):
        rows, is_class = of_split[name]
        decisions = np.stack([probe.margins(rows) > 0 for probe in trained])  # (S, L, W, C)
        names = words.table.index.to_numpy()[words.rows(name)]
        result[name] = probes.of_words(names, is_class, decisions, tuple(layers))
    return result


def _of_split(
    vectors: Sequence[np.ndarray], words: ProbingWords, split: str
) -> tuple[list[np.ndarray], np.ndarray]:
    """The vectors of the words of a split, a layer each, and their classes (words, C)."""
    rows = words.rows(split)
    return [layer[rows] for layer in vectors], words.is_class[rows]
