"""Tokenlearn, against least squares: what it asks is linear in the vectors."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import tokenlearn
from cwr.training.static_vectors.negative_sampling import Settings

UNKNOWN = -1
TOKENS = [[0, 1], [0, 2, 2], [1, 2, UNKNOWN], [3, 0], [3, 1, 2, 0], [UNKNOWN], [0]]
TEXT = Vocabulary(
    ("a", "b", "c", "d"), np.array([5, 3, 4, 2]), [np.array(tokens) for tokens in TOKENS]
)
SHARES = np.array(  # of each word among a sentence's known words, by hand
    [
        [1 / 2, 1 / 2, 0, 0],
        [1 / 3, 0, 2 / 3, 0],
        [0, 1 / 2, 1 / 2, 0],
        [1 / 2, 0, 0, 1 / 2],
        [1 / 4, 1 / 4, 1 / 4, 1 / 4],
        [0, 0, 0, 0],
        [1, 0, 0, 0],
    ]
)
MATRIX = np.random.default_rng(0).normal(3.0, 1.0, (7, 5)).astype(np.float32)
START = np.random.default_rng(1).normal(3.0, 1.0, (4, 5)).astype(np.float32)
SETTINGS = Settings(rate=0.05, floor=0.0, batch=7, steps=1500)
CENTRED = MATRIX - MATRIX.mean(axis=0)
HAS_WORD = SHARES.any(axis=1)


def test_at_the_end_the_vectors_solve_the_least_squares():
    vectors = tokenlearn.train(MATRIX, TEXT, START, SETTINGS, "row")
    expected, *_ = np.linalg.lstsq(SHARES[HAS_WORD], CENTRED[HAS_WORD])
    assert vectors.vectors == pytest.approx(expected, abs=1e-3)
    assert vectors.words == TEXT.words and vectors.name == "row"


def test_vectors_that_solve_it_stay_and_have_no_loss():
    planted = np.random.default_rng(2).normal(size=(4, 5)).astype(np.float32)
    matrix = (SHARES @ planted).astype(np.float32)
    matrix[5] = matrix[HAS_WORD].mean(axis=0)  # the sentence without words moves no mean
    shift = matrix.mean(axis=0)
    learner = tokenlearn.Tokenlearn(matrix, TEXT, planted, SETTINGS)
    assert float(learner.loss(0).detach()) == pytest.approx(0.0, abs=1e-12)
    assert learner.vectors() == pytest.approx(planted - shift, abs=1e-6)


def test_the_loss_is_the_squared_error_of_each_sentence_by_hand():
    learner = tokenlearn.Tokenlearn(MATRIX, TEXT, START, SETTINGS)
    rows = START - MATRIX.mean(axis=0)
    errors = [
        ((rows[[word for word in tokens if word >= 0]].mean(axis=0) - context) ** 2).mean()
        for tokens, context in zip(TOKENS, CENTRED, strict=True)
        if tokens != [UNKNOWN]
    ]
    assert float(learner.loss(0).detach()) == pytest.approx(np.mean(errors), rel=1e-5)


def test_an_untouched_word_stays_and_the_gradient_is_sparse():
    learner = tokenlearn.Tokenlearn(MATRIX, TEXT, START, replace(SETTINGS, batch=1))
    learner.loss(0).backward()
    gradient = learner.model["targets"].weight.grad
    (sentence,) = np.unique(learner.sampler.draw(0).sentences)
    touched = {word for word in TOKENS[sentence] if word >= 0}
    assert gradient.is_sparse and set(gradient.coalesce().indices()[0].tolist()) == touched
    assert torch.isfinite(gradient.to_dense()).all()


def test_settings_of_the_noise_change_nothing():
    few = replace(SETTINGS, steps=3)
    other = replace(few, negatives=4, threshold=1e-9, power=0.75)
    one, two = (tokenlearn.train(MATRIX, TEXT, START, each, "row") for each in (few, other))
    assert np.array_equal(one.vectors, two.vectors)


def test_arrays_of_another_text_are_refused():
    with pytest.raises(ValueError, match="3 contexts for 7 sentences"):
        tokenlearn.train(MATRIX[:3], TEXT, START, SETTINGS, "row")
    with pytest.raises(ValueError, match=r"start has the shape \(3, 5\), the words need \(4, 5\)"):
        tokenlearn.train(MATRIX, TEXT, START[:3], SETTINGS, "row")


def test_sentences_without_a_known_word_are_refused():
    text = replace(TEXT, tokens=[np.array([UNKNOWN])] * 7)
    with pytest.raises(UserError, match="no sentence has a word that can be predicted"):
        tokenlearn.train(MATRIX, text, START, SETTINGS, "row")
