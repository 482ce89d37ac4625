"""What was trained is read from the cache, and trained anew when anything that decides it differs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cwr import source_code
from cwr.estimates.contexts import Vocabulary
from cwr.extraction import cache
from cwr.making.static_vectors import quality, ship
from cwr.texts.gupta2021 import sent2vec
from cwr.training import loop
from cwr.training.static_vectors import from_scratch, x2static
from cwr.training.static_vectors.cached import cached
from cwr.training.static_vectors.x2static import Settings

pytest.importorskip(
    "gensim", reason="needs gensim, which trains such rows: pip install gensim"
)

TEXT = Vocabulary(
    ("a", "é\u2028"), np.array([3, 2]), [np.array([0, 1, 0]), np.array([1, 0])]
)
MATRIX = np.ones((2, 3), np.float32)
SETTINGS = Settings(threshold=10.0, steps=3)


@pytest.fixture
def train(tmp_path, monkeypatch):
    """X2Static's training, which counts how often it is called, and an empty cache."""
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))

    def counted(*arguments, **named):
        counted.calls += 1
        return x2static.train(*arguments, **named)

    counted.calls = 0
    return counted


def test_the_same_question_is_trained_once_and_answered_alike(train):
    first = cached(train, MATRIX, TEXT, SETTINGS, "row")
    again = cached(train, MATRIX.copy(), replace(TEXT), SETTINGS, "row")
    assert train.calls == 1
    assert again.fingerprint == first.fingerprint == train_directly().fingerprint
    assert again.name == "row" and again.words == TEXT.words


def test_who_looks_trains_and_what_is_found_at_the_end_is_kept_for_all(train):
    seen = []
    watched = {
        "visits": [1, 3],
        "visit": lambda step, vectors: seen.append((step, vectors)),
    }
    for _ in range(2):
        cached(train, MATRIX, TEXT, SETTINGS, "row", **watched)
    kept = cached(train, MATRIX, TEXT, SETTINGS, "row")
    assert train.calls == 2 and [step for step, _ in seen] == [1, 3, 1, 3]
    assert kept.fingerprint == seen[-1][1].fingerprint == train_directly().fingerprint


def train_directly():
    return x2static.train(MATRIX, TEXT, SETTINGS, "row")


@pytest.mark.parametrize(
    "arguments",
    [
        (2 * MATRIX, TEXT, SETTINGS, "row"),
        (MATRIX, replace(TEXT, words=("a", "b")), SETTINGS, "row"),
        (MATRIX, replace(TEXT, counts=np.array([4, 2])), SETTINGS, "row"),
        (MATRIX, replace(TEXT, tokens=list(reversed(TEXT.tokens))), SETTINGS, "row"),
        (MATRIX, TEXT, replace(SETTINGS, seed=1), "row"),
        (MATRIX, TEXT, SETTINGS, "another row"),
    ],
)
def test_whatever_differs_is_trained_anew(arguments, train):
    cached(train, MATRIX, TEXT, SETTINGS, "row")
    cached(train, *arguments)
    assert train.calls == 2


ROOM = Path(x2static.__file__).parent
ELSEWHERE = {
    each.__name__.rpartition(".")[2]: Path(each.__file__)
    for each in (sent2vec, quality, ship)
}
TRAININGS = {
    "x2static": (x2static.train, MATRIX, TEXT, SETTINGS, "row"),
    "sent2vec": (
        sent2vec.train,
        TEXT,
        sent2vec.Settings(threshold=10.0, steps=3, buckets=5),
    ),
    "from_scratch": (
        from_scratch.train,
        TEXT,
        from_scratch.Settings(dim=2, epochs=1),
        "row",
    ),
}


@pytest.mark.parametrize(
    ("name", "edited", "models"),
    [
        *[("x2static", file, 2) for file in ("x2static", "negative_sampling", "stopping")],
        *[
            ("x2static", file, 1)
            for file in ("sent2vec", "export", "quality", "ship", "skip_gram")
        ],
        *[("sent2vec", file, 2) for file in ("sent2vec", "negative_sampling", "stopping")],
        *[("sent2vec", file, 1) for file in ("x2static", "export")],
        *[("from_scratch", file, 2) for file in ("from_scratch", "skip_gram")],
        *[
            ("from_scratch", file, 1)
            for file in ("x2static", "negative_sampling", "stopping", "export")
        ],
        *[(name, "cached", 2) for name in TRAININGS],
    ],
)
def test_an_edit_trains_anew_what_it_may_move_and_nothing_else(
    name, edited, models, tmp_path, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    cached(*TRAININGS[name])
    edit(ELSEWHERE.get(edited, ROOM / f"{edited}.py"), monkeypatch)
    cached(*TRAININGS[name])
    assert len(cache.entries()) == models


def test_an_edit_of_the_loop_trains_anew_whatever_it_trains(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    for _ in range(2):
        for training in TRAININGS.values():
            cached(*training)
        edit(Path(loop.__file__), monkeypatch)
    assert len(cache.entries()) == 5  # gensim has a loop of its own


def edit(edited, monkeypatch):
    """Let all that a file defines be read as if it were other code."""
    read = source_code._sum

    def read_edited(file, name):
        return read(file, name) + ", edited" * (file == edited)

    monkeypatch.setattr(source_code, "_sum", read_edited)
