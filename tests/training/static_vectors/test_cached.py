"""What was trained is read from the cache, and trained anew when anything that decides it differs."""

from dataclasses import replace

import numpy as np
import pytest

from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import x2static
from cwr.training.static_vectors.cached import cached
from cwr.training.static_vectors.x2static import Settings

TEXT = Vocabulary(("a", "é\u2028"), np.array([3, 2]), [np.array([0, 1, 0]), np.array([1, 0])])
MATRIX = np.ones((2, 3), np.float32)
SETTINGS = Settings(threshold=10.0, steps=3)


@pytest.fixture
def train(tmp_path, monkeypatch):
    """X2Static's training, which counts how often it is called, and an empty cache."""
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))

    def counted(*arguments):
        counted.calls += 1
        return x2static.train(*arguments)

    counted.calls = 0
    return counted


def test_the_same_question_is_trained_once_and_answered_alike(train):
    first = cached(train, MATRIX, TEXT, SETTINGS, "row")
    again = cached(train, MATRIX.copy(), replace(TEXT), SETTINGS, "row")
    assert train.calls == 1
    assert again.fingerprint == first.fingerprint == train_directly().fingerprint
    assert again.name == "row" and again.words == TEXT.words


def train_directly():
    return x2static.train(MATRIX, TEXT, SETTINGS, "row")


@pytest.mark.parametrize(
    "arguments",
    [
        (2 * MATRIX, TEXT, SETTINGS, "row"),
        (MATRIX, replace(TEXT, words=("a", "b")), SETTINGS, "row"),
        (MATRIX, replace(TEXT, counts=np.array([4, 2])), SETTINGS, "row"),
        (MATRIX, replace(TEXT, tokens=TEXT.tokens[::-1]), SETTINGS, "row"),
        (MATRIX, TEXT, replace(SETTINGS, seed=1), "row"),
        (MATRIX, TEXT, SETTINGS, "another row"),
    ],
)
def test_whatever_differs_is_trained_anew(arguments, train):
    cached(train, MATRIX, TEXT, SETTINGS, "row")
    cached(train, *arguments)
    assert train.calls == 2
