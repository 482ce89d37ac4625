"""A cache of trained word vectors: what one notebook trains, the next one reads."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.contexts import Vocabulary
from cwr.extraction import cache
from cwr.training.cached import array_fingerprint
from cwr.training.cached import training_key as key_of
from cwr.training.static_vectors.negative_sampling import vocabulary_fingerprint
from cwr.training.static_vectors.stopping import Course, TrainedVectors

VECTORS, WORDS, NAME, COURSE = "vectors.npy", "words.txt", "name.txt", "course.json"
TRAINERS = ("torch", "gensim")  # packages whose version may move the numbers
WATCHING = {"visit", "visits"}  # of `negative_sampling.fit_vectors`: who looks moves nothing


def cached(
    train: Callable[..., WordVectors], *arguments: object, **named: object
) -> TrainedVectors:
    """Returns `train(*arguments, **named)`, from the cache if it was trained before.

    train: a function of this package; an edit of its module, or of the module's imports from
    `training` or `texts`, trains anew. arguments, named: arrays are compared by their numbers,
    vocabularies by their text, others by their `repr`. A result may have no course. With a `visit`
    the training always runs, and its result is kept for calls without one.
    Raises as `train`, and UserError for a cache that cannot be written.
    """
    deciding = sorted(named.keys() - WATCHING)
    texts = [_identity(argument) for argument in arguments]
    texts += [f"{name}: {_identity(named[name])}" for name in deciding]
    key = key_of(train, texts, TRAINERS, __file__)
    with cache.reserved([key]):
        if "visit" in named or not cache.holds(key):
            vectors = train(*arguments, **named)
            with cache.writing(key, {"model": vectors.name, "corpus": "static vectors"}) as folder:
                _save(vectors, folder)
        return cache.read(key, _load)


def _identity(argument: object) -> str:
    """Returns a string that differs whenever the content differs."""
    if isinstance(argument, np.ndarray):
        return array_fingerprint(argument)
    if isinstance(argument, Vocabulary):
        return vocabulary_fingerprint(argument)
    return repr(argument)


def _save(vectors: WordVectors, folder: Path) -> None:
    np.save(folder / VECTORS, vectors.vectors)
    (folder / WORDS).write_text("\n".join(vectors.words), encoding="utf-8", newline="\n")
    (folder / NAME).write_text(vectors.name, encoding="utf-8")
    course = vectors.course if isinstance(vectors, TrainedVectors) else None
    (folder / COURSE).write_text(json.dumps(course and asdict(course)), encoding="utf-8")


def _load(folder: Path) -> TrainedVectors:
    with (folder / WORDS).open(encoding="utf-8", newline="\n") as file:
        words = tuple(file.read().split("\n"))
    name = (folder / NAME).read_text(encoding="utf-8")
    course = json.loads((folder / COURSE).read_text(encoding="utf-8"))
    if course is not None:
        course = Course(tuple(course["updates"]), tuple(course["losses"]), course["until"])
    vectors = np.load(folder / VECTORS, allow_pickle=False)
    return TrainedVectors(name, words, vectors, course=course)
