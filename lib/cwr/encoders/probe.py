"""Checks that a model can read, by encoding a sentence of frequent English words."""

from dataclasses import dataclass

import numpy as np

from cwr.encoders.encoder import Encoder
from cwr.errors import UserError, first_line

STRANGE = "\U00012000"  # a cuneiform sign: what it becomes is a vocabulary's piece for the unknown
SPARE_ROWS = 256  # of an embedding matrix, without a token: matrices are padded to round sizes


@dataclass(frozen=True)
class Probe:
    """A sentence of very frequent words."""

    text: str = "They said that it is not in the house."
    spans: tuple = ((0, 4), (5, 9), (10, 14), (15, 17), (18, 20), (21, 24), (25, 27), (28, 31))


def refuse_unreadable(encoder: Encoder) -> None:
    """Raises UserError for a model that would give vectors without reading the text.

    Refused are a vocabulary far smaller than the embedding matrix, a tokenizer that knows less than
    half of the probe's letters, and vectors of the probe that cannot be computed or are not finite.
    """
    if encoder.tokenizer is not None:
        _refuse_small_vocabulary(encoder)
        _refuse_unknown_words(encoder)
    try:
        [batch] = encoder.encode([Probe()])
    except UserError:
        raise
    except Exception as error:  # what the model meets in a configuration that fits no input
        raise UserError(
            f"{encoder.name} cannot read a sentence ({first_line(error)}); "
            "get the config.json and the tokenizer that belong to its weights"
        ) from error
    if not np.isfinite(batch.hidden).all():
        raise UserError(
            f"{encoder.name} gives a plain sentence vectors that are no finite numbers; "
            "get a sound copy, or use another dtype"
        )


def _refuse_small_vocabulary(encoder: Encoder) -> None:
    """Raises UserError if more than a tenth of the rows, and over SPARE_ROWS, have no token."""
    rows = len(encoder.vocabulary)
    tokens = rows - encoder.vocabulary.count("")
    if rows - tokens > max(SPARE_ROWS, rows // 10):
        raise UserError(
            f"the tokenizer of {encoder.name} has {tokens:,} tokens for an embedding matrix of "
            f"{rows:,}, so it would take most words for others; get a complete copy of the folder"
        )


def _refuse_unknown_words(encoder: Encoder) -> None:
    """Raises UserError if less than half of the probe's letters are in known pieces."""
    pieces, unknown = encoder.tokenise([Probe()]), encoder.tokenise([Probe(STRANGE, ())])
    known = pieces.span[~np.isin(pieces.ids, unknown.ids)]
    if 2 * (known[:, 1] - known[:, 0]).sum() < len(Probe().text.replace(" ", "")):
        raise UserError(
            f"the tokenizer of {encoder.name} knows hardly a word of {Probe().text!r}; get the one "
            "that belongs to the model, which has to read English"
        )
