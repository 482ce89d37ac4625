"""Contextual word representations, reproduced: the library behind the book.

Four functions take your own sentences, or a model, in one line each:

    import cwr
    cwr.vectors(["The bank is steep ."], "cwr-bert")      # of every word, in every layer
    cwr.self_similarity("bank", sentences, "cwr-bert")    # of one word, by layer
    cwr.anisotropy(sentences, "cwr-bert")                 # of random words, by layer
    cwr.isotropy("cwr-bert")                              # of the token matrix

Subpackages (`cwr.encoders`, `cwr.corpora`, `cwr.measures`, ...) are imported at their first use, so
that `import cwr` costs nothing.
"""

import importlib

__version__ = "0.1.0"
__all__ = ["anisotropy", "isotropy", "self_similarity", "vectors"]


def __getattr__(name: str):
    """Imports a function of `front_door`, or a subpackage, at its first use."""
    if name in __all__:
        return getattr(importlib.import_module("cwr.front_door"), name)
    if not name.startswith("_"):
        try:
            return importlib.import_module(f"cwr.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"cwr.{name}":  # a library that the room needs
                raise
    raise AttributeError(f"module 'cwr' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
