"""Computes cache keys of trainings, and the source files that a training depends on.

The numbers of a training follow from its arguments, from the code that it runs, and from the
versions of the packages that compute. `static_vectors.cached` and `texts.survey.edges` keep trained
results under such keys, in the cache of extractions.
"""

import ast
import hashlib
import importlib.metadata
import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cwr.extraction import cache

LIBRARY = Path(__file__).parents[2]  # the folder that holds cwr
AT_ONCE = 1 << 16  # rows of an array that are read together


def training_key(
    train: Callable, arguments: list[str], versions: tuple[str, ...], keeper: str
) -> str:
    """Computes the cache key for the result of a training function.

    arguments: strings that differ wherever the result may. versions: packages whose version may
    change the numbers. keeper: the file of the module that reads and writes the entry. An edit of
    the keeper, of the function's module, or of its `sources`, changes the key.
    """
    files = sorted({Path(keeper), *sources(train)})
    ingredients = {
        "train": f"{train.__module__}.{train.__qualname__}",
        "arguments": arguments,
        "sources": [file.read_text(encoding="utf-8") for file in files],
        "versions": {package: importlib.metadata.version(package) for package in versions},
    }
    return cache.key(ingredients)


def sources(train: Callable) -> list[Path]:
    """Lists the files of a function's module and its imports (see `_imports`), and this file."""
    files, waiting = {Path(__file__)}, [Path(inspect.getfile(train))]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting += _imports(file)
    return sorted(files)


def _imports(file: Path) -> list[Path]:
    """Returns the modules of cwr.training and of texts, except claims, that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    rooms = ("cwr.training.", "cwr.texts.")
    modules = [name for name in names if name.startswith(rooms) and ".claims" not in name]
    files = [LIBRARY.joinpath(*name.split(".")).with_suffix(".py") for name in modules]
    return [file for file in files if file.is_file()]  # a package, or a name in a module, is none


def array_fingerprint(array: np.ndarray) -> str:
    """Returns a string that differs whenever the numbers differ (part of a cache key)."""
    digest, rows = hashlib.sha256(), np.atleast_1d(array)
    for first in range(0, len(rows), AT_ONCE):
        digest.update(np.ascontiguousarray(rows[first : first + AT_ONCE]))
        cache.release(array)  # a mapped one may be larger than the memory
    return f"{array.dtype} {array.shape} {digest.hexdigest()}"
