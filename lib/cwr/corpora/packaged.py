"""Reads packaged texts as sentences, cached because tokenising them takes seconds.

Such a text depends only on the version of its package; its sentences also depend on spaCy's version
and on the code that cuts them. All of these make the name of the cached file.
"""

import contextlib
import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from cwr import paths
from cwr.corpora import sentences, texts
from cwr.corpora.sentences import Sentence

PACKAGES = ("gensim", "spacy")
CODE = [Path(module.__file__) for module in (sentences, texts)]


def read(
    name: str, cut: Callable[[], Iterable[Sentence]], cut_by: Sequence[Path] = ()
) -> list[Sentence]:
    """Reads the sentences of a packaged text from the cache, with annotations that JSON can hold.

    cut: makes the sentences if they are missing, damaged or cannot be cached. cut_by: files besides
    `CODE` that decide the result of `cut`. Raises the errors of `cut`.
    """
    file = _file(name, cut_by)
    with contextlib.suppress(OSError):
        digest, _, content = file.read_bytes().partition(b"\n")
        if digest == _digest(content):
            return [_sentence(*values) for values in json.loads(content)]
    fresh = list(cut())
    content = json.dumps([_values(sentence) for sentence in fresh]).encode()
    with contextlib.suppress(OSError):
        paths.write_bytes(file, _digest(content) + b"\n" + content)
    return fresh


def _values(sentence: Sentence) -> tuple:
    spans, annotations = sentence.spans, sentence.annotations
    return sentence.id, sentence.text, spans, sentence.document, sentence.paragraph, annotations


def _sentence(name: str, text: str, spans: list, *values: object) -> Sentence:
    return Sentence(name, text, tuple(map(tuple, spans)), *values)


def _file(name: str, cut_by: Sequence[Path]) -> Path:
    """Returns the file for a text's sentences, named after all that decides them."""
    digest = hashlib.sha256(" ".join(map(_version, PACKAGES)).encode())
    for source in [*CODE, *cut_by]:
        digest.update(source.read_bytes())
    return paths.cache_root() / "corpora" / f"{name}-{digest.hexdigest()}.json"


def _version(package: str) -> str:
    """Returns the version of a package, "none" without it: then `cut` raises the error."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
