"""Contextual word representations, reproduced: the library behind the book.

Four functions take sentences of your own, or a model, in a line each:

    import cwr
    cwr.vectors(["The bank is steep ."], "cwr-bert")      # of every word, in every layer
    cwr.self_similarity("bank", sentences, "cwr-bert")    # of one word, by layer
    cwr.anisotropy(sentences, "cwr-bert")                 # of random words, by layer
    cwr.isotropy("cwr-bert")                              # of the token matrix

Rooms of the library (`cwr.encoders`, `cwr.corpora`, `cwr.measures`, ...) are imported when they are
first asked for, so that `import cwr` costs nothing.
"""

import importlib

__version__ = "0.1.0"
__all__ = ["anisotropy", "isotropy", "self_similarity", "vectors"]


def __getattr__(name: str):
    """Imports a function of the front door, or a room of the library, at its first use."""
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
