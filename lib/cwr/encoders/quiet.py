"""Silences transformers while a model is read."""

import contextlib
import warnings
from collections.abc import Iterator

from transformers.utils import logging


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silences transformers' bars, reports and warnings inside; restores its settings after."""
    verbosity = logging.get_verbosity()
    hook = logging.set_tqdm_hook(lambda factory, args, kwargs: logging.EmptyTqdm(*args, **kwargs))
    logging.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_tqdm_hook(hook)
        logging.set_verbosity(verbosity)
