"""From vectors to trees: sentences are tested by probes that have not seen their fold."""

import numpy as np
import pytest
import torch

from cwr.measures.trees import ROOT, is_above
from cwr.texts.survey import structural_probes, tree_study
from cwr.texts.survey.structural import Settings
from cwr.texts.survey.treebanks import Treebank

WORDS = 6
SETTINGS = Settings(rank=WORDS, epochs=40, batch=8, rate=3e-2)


def planted(sentences=40, seed=0):
    """Trees whose words have a coordinate for each word above them: squared distances are edges."""
    rng = np.random.default_rng(seed)
    heads = [
        [ROOT, *(int(rng.integers(word)) for word in range(1, WORDS))]
        for _ in range(sentences)
    ]
    vectors = np.concatenate([is_above(tree) for tree in heads]).astype(np.float32)
    trees = Treebank(
        heads,
        [np.ones(WORDS, dtype=bool)] * sentences,
        [tuple("abcdef")] * sentences,
        [["NOUN"] * WORDS] * sentences,
        np.arange(sentences),
        np.arange(sentences) % 2,
    )
    return vectors, trees


def uuas(predictions, trees):
    score = structural_probes.scores(trees, predictions)["uuas_percent"]
    return score.values(np.ones((1, len(trees))))[0]


def test_planted_trees_are_read_and_vectors_of_other_sentences_are_not():
    vectors, trees = planted()
    noise = np.random.default_rng(1).normal(size=vectors.shape).astype(np.float32)
    of_planted, of_noise = uuas(
        tree_study.predictions([vectors, noise], trees, SETTINGS), trees
    )
    assert of_planted > 97 and of_noise < 60


def test_what_a_fold_holds_is_not_learned_from():
    vectors, trees = planted()
    settings = Settings(rank=2, epochs=2)
    plain = tree_study.predictions([vectors], trees, settings)
    changed = vectors.copy().reshape(len(trees), WORDS, WORDS)
    changed[trees.fold == 0] = 0  # the tested part of the first fold
    other = tree_study.predictions([changed.reshape(vectors.shape)], trees, settings)
    (train, test), _ = trees.parts()
    assert all((other.distances[number] == 0).all() for number in test)
    asked = tree_study.predictions(
        [changed.reshape(vectors.shape)], trees, settings, asked=[vectors]
    )
    assert all(np.array_equal(asked.distances[n], plain.distances[n]) for n in test)
    assert not np.allclose(asked.distances[train[0]], plain.distances[train[0]])


def test_distances_alone():
    vectors, trees = planted(sentences=6)
    said = tree_study.predictions(
        [vectors], trees, Settings(rank=2, epochs=1), depth=False
    )
    assert said.depths == [None] * 6 and said.distances[0].shape == (1, WORDS, WORDS)


def test_another_number_of_words_is_refused():
    vectors, trees = planted(sentences=4)
    with pytest.raises(ValueError, match="23 vectors for 24 words"):
        tree_study.by_sentence([vectors[:-1]], trees)


def test_an_untrained_bilstm_reads_each_sentence_by_itself():
    vectors, trees = planted(sentences=5)
    states = tree_study.random_bilstm(vectors, trees, seed=3)
    torch.manual_seed(3)
    layer = torch.nn.LSTM(WORDS, WORDS // 2, bidirectional=True, batch_first=True)
    words = torch.from_numpy(vectors[WORDS : 2 * WORDS] / vectors.std())
    expected = layer(words[None])[0][0].detach().numpy()
    assert states[WORDS : 2 * WORDS] == pytest.approx(expected, abs=1e-5)
    again = tree_study.random_bilstm(vectors, trees, seed=3)
    assert np.array_equal(states, again)
    assert not np.allclose(states, tree_study.random_bilstm(vectors, trees, seed=4))
