"""Computes cache keys of trainings, and the source files that a training depends on.

The numbers of a training follow from its arguments, from the code that it runs, and from the
versions of the packages that compute. `static_vectors.cached` and `texts.survey.edges` keep trained
results under such keys, in the cache of extractions.
"""

import hashlib
import importlib.metadata
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cwr import source_code
from cwr.extraction import cache

ROOMS = (Path(__file__).parent, Path(__file__).parents[1] / "texts")
AT_ONCE = 1 << 16  # rows of an array that are read together


def training_key(
    train: Callable, arguments: list[str], versions: tuple[str, ...], keeper: str
) -> str:
    """Computes the cache key for the result of a training function.

    arguments: strings that differ wherever the result may. versions: packages whose version may
    change the numbers. keeper: the file of the module that reads and writes the entry. An edit of
    what `sources` covers changes the key.
    """
    ingredients = {
        "train": f"{train.__module__}.{train.__qualname__}",
        "arguments": arguments,
        "sources": sources(train, keeper),
        "versions": {package: importlib.metadata.version(package) for package in versions},
    }
    return cache.key(ingredients)


def sources(train: Callable, keeper: str) -> str:
    """Computes a digest of the code of a function and of the module that keeps its results.

    It covers what the function depends on in cwr.training and in texts, except claims; what the
    function reads is among the arguments.
    """
    trained = source_code.definition(train)
    needed = {
        (file, name)
        for file, name in source_code.behind([trained])
        if any(room in file.parents for room in ROOMS) and file.parent.name != "claims"
    }
    kept = {
        definition
        for file in (Path(keeper), Path(__file__))
        for definition in source_code.everything(file)
        if definition[0] == file
    }
    return source_code.digest({trained, *needed, *kept})


def array_fingerprint(array: np.ndarray) -> str:
    """Returns a string that differs whenever the numbers differ (part of a cache key)."""
    digest, rows = hashlib.sha256(), np.atleast_1d(array)
    for first in range(0, len(rows), AT_ONCE):
        digest.update(np.ascontiguousarray(rows[first : first + AT_ONCE]))
        cache.release(array)  # a mapped one may be larger than the memory
    return f"{array.dtype} {array.shape} {digest.hexdigest()}"
