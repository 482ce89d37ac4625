"""Vectors are trained once: what one notebook trains is kept in the cache, and the next one reads it."""

import ast
import hashlib
import importlib.metadata
import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.contexts import Vocabulary
from cwr.extraction import cache
from cwr.training.static_vectors.negative_sampling import fingerprint

VECTORS, WORDS, NAME = "vectors.npy", "words.txt", "name.txt"
LIBRARY = Path(__file__).parents[3]  # the folder that holds cwr
TRAINERS = ("torch", "gensim")  # packages whose version may move the numbers


def cached(train: Callable[..., WordVectors], *arguments: object) -> WordVectors:
    """What `train(*arguments)` gives, from the cache if it was trained before.

    train: a function of this room; an edit of its module, or of what that imports of `training`,
    trains anew. arguments: by position; arrays count by their numbers, a vocabulary by its text,
    settings and names as they are written.
    Raises as `train`, and UserError for a cache that cannot be written.
    """
    versions = {package: importlib.metadata.version(package) for package in TRAINERS}
    ingredients = {
        "train": f"{train.__module__}.{train.__qualname__}",
        "arguments": [_identity(argument) for argument in arguments],
        "sources": [file.read_text(encoding="utf-8") for file in _sources(train)],
        "versions": versions,
    }
    key = cache.key(ingredients)
    with cache.reserved([key]):
        if not cache.holds(key):
            vectors = train(*arguments)
            with cache.writing(key, {"model": vectors.name, "corpus": "static vectors"}) as folder:
                _save(vectors, folder)
        return cache.read(key, _load)


def _sources(train: Callable[..., WordVectors]) -> list[Path]:
    """The module of a function, all of cwr.training that it needs, and this one, which keeps it."""
    files, waiting = {Path(__file__)}, [Path(inspect.getfile(train))]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting += _imports(file)
    return sorted(files)


def _imports(file: Path) -> list[Path]:
    """The modules of cwr.training that a file names in its imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    modules = [name for name in names if name.startswith("cwr.training.")]
    files = [LIBRARY.joinpath(*name.split(".")).with_suffix(".py") for name in modules]
    return [file for file in files if file.is_file()]  # a package, or a name in a module, is none


def _identity(argument: object) -> str:
    """A text that is another one for other content."""
    if isinstance(argument, np.ndarray):
        numbers = hashlib.sha256(np.ascontiguousarray(argument)).hexdigest()
        return f"{argument.dtype} {argument.shape} {numbers}"
    if isinstance(argument, Vocabulary):
        return fingerprint(argument)
    return repr(argument)


def _save(vectors: WordVectors, folder: Path) -> None:
    np.save(folder / VECTORS, vectors.vectors)
    (folder / WORDS).write_text("\n".join(vectors.words), encoding="utf-8", newline="\n")
    (folder / NAME).write_text(vectors.name, encoding="utf-8")


def _load(folder: Path) -> WordVectors:
    with (folder / WORDS).open(encoding="utf-8", newline="\n") as file:
        words = tuple(file.read().split("\n"))
    name = (folder / NAME).read_text(encoding="utf-8")
    return WordVectors(name, words, np.load(folder / VECTORS, allow_pickle=False))
