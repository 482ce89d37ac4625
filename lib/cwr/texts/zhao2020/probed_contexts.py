"""Reads the vectors of words in their contexts, in every layer of a model, for probes.

Zhao et al. (2020), section 4.1: the vector of a word, or of a phrase, is the mean of the vectors of
its pieces; the model reads the whole sentence, or (section 4.3) k words on each side of the target.
We add a third input, *context alone*: the target is replaced by a sign without meaning, and the
vector is that of the sign, which only the context can tell from another's.

A sentence beyond the model's window is cut around its target, as many words a side as fit. (The
encoder alone would read it in rows that overlap by half, and a target's pieces from two of them.)

    n contexts (rows of the probing set), L blocks, dim dimensions
"""

import bisect
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus, Sentence, excerpts
from cwr.encoders.pieces import special_tokens, word_units
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

READS = WHOLE, TARGET, CONTEXT = "whole", "target", "context"
POOLS = PIECES, WORDS, LAST = "pieces", "words", "last"
MASKED = "masked"  # the family that has learned what a mask is
EMPTY = "_"  # for models that have no mask


def read(
    encoder: "Encoder",
    corpus: Corpus,
    table: pd.DataFrame,
    reads: str = WHOLE,
    k: int | None = None,
    pool: str = PIECES,
) -> list[np.ndarray]:
    """Reads the vector of each context in layers 0 to L, a list of (n, dim); rows as in the table.

    table: at least sentence, first and last, as of `wiki_pse.contexts.probing_set`; n >= 1.
    reads: the model's input: the "whole" sentence, the "target" alone, or the "context" alone,
        with `sign` in the target's place. k: the most words on each side of it.
    pool: "pieces" or "words" averages the target's pieces, or its words (each the mean of its
        pieces); "last" takes its last piece. A model that reads characters has words only.
    Arrays are mapped from the cache. Raises UserError as `shown`, and for a target of which the
    model reads nothing; ValueError for another `pool`.
    """
    if pool not in POOLS:
        raise ValueError(f"a target is pooled over one of {', '.join(POOLS)}, not {pool!r}")
    texts, targets = shown(encoder, corpus, table, reads, k)
    unit = "word" if pool == WORDS or encoder.tokenizer is None else "piece"
    if unit == "piece":
        targets = in_pieces(encoder, texts, targets)
    if pool == LAST:
        targets = targets.assign(first=targets["last"])
    run = extraction.run(encoder, texts, targets.assign(group="context"), unit=unit)
    if run.missing:
        raise UserError(
            f"{encoder.name} reads nothing of {run.missing} targets in {corpus.name}: take them out"
        )
    return [run.vectors(layer) for layer in range(run.n_layers + 1)]


def shown(
    encoder: "Encoder",
    corpus: Corpus,
    table: pd.DataFrame,
    reads: str = WHOLE,
    k: int | None = None,
) -> tuple[Corpus, pd.DataFrame]:
    """Makes the model's input, and returns it with the place of each target or sign; as `read`.

    Raises UserError for words that a sentence does not have, a negative k, and as `sign`;
    ValueError for another `reads`.
    """
    if reads not in READS:
        raise ValueError(f"a model reads one of {', '.join(READS)}, not {reads!r}")
    if reads == CONTEXT:
        corpus, table = excerpts.hidden(corpus, table, sign(encoder))
    if reads == TARGET:
        k = 0
    if k is not None:
        corpus, table = excerpts.around(corpus, table, k)
    return _fitted(encoder, corpus, table)


def sign(encoder: "Encoder") -> str:
    """Returns the word that replaces a hidden target and says nothing of it.

    It is the mask of the model's vocabulary. Not every model has read it in training (cwr-gpt never
    has): then it is a sign without a meaning, as is `EMPTY` for a model without a mask.
    Raises UserError for a masked model without a mask.
    """
    mask = getattr(encoder.tokenizer, "mask_token", None)
    if mask is None and encoder.family == MASKED:
        raise UserError(
            f"{encoder.name} is a masked model whose tokenizer has no mask, so no target can be "
            "hidden from it: save the tokenizer with its mask_token, or take another model"
        )
    return mask or EMPTY


def is_beyond_window(encoder: "Encoder", corpus: Corpus, table: pd.DataFrame) -> np.ndarray:
    """Tells which contexts' sentences have more pieces than the model reads at once, (n,) bool."""
    if encoder.tokenizer is None:  # reads words, of which it knows no limit
        return np.zeros(len(table), dtype=bool)
    numbers, row = np.unique(table["sentence"], return_inverse=True)
    pieces = encoder.tokenise([corpus.sentences[number] for number in numbers])
    return (pieces.lengths > _room(encoder))[row]


def in_pieces(encoder: "Encoder", corpus: Corpus, table: pd.DataFrame) -> pd.DataFrame:
    """Converts a table's `first` and `last` from words to pieces, special ones included; inclusive.

    For a model that reads characters a word is a piece, and nothing changes.
    Raises UserError for a target without a piece.
    """
    if encoder.tokenizer is None:
        return table
    before, _ = special_tokens(encoder.tokenizer, encoder.name)
    sentences = [corpus.sentences[number] for number in table["sentence"]]
    pieces = encoder.tokenise(sentences)
    columns = zip(sentences, table["first"], table["last"], strict=True)
    spans = [[_span(*target)] for target in columns]
    units = word_units(pieces, spans)  # a target is looked up as if it were one long word
    if len(units.start) < len(table):
        row = int(np.setdiff1d(np.arange(len(table)), units.sentence)[0])
        text = quoted(sentences[row].text)
        raise UserError(
            f"{encoder.name} reads no piece of a target in {text} of {corpus.name}: take it out"
        )
    shift = len(before) - pieces.first[:-1]
    return table.assign(first=units.start + shift, last=units.stop - 1 + shift)


def positions(encoder: "Encoder", corpus: Corpus, table: pd.DataFrame) -> np.ndarray:
    """Encodes only the position of each hidden target, one-hot: (n, positions) float32.

    This is all a probe can know of a context alone at layer 0. Positions are those of pieces, or of
    words for a model that reads characters. Raises UserError as `shown`.
    """
    number = in_pieces(encoder, *shown(encoder, corpus, table, CONTEXT))["first"].to_numpy()
    return np.eye(number.max() + 1, dtype=np.float32)[number]


def _span(sentence: Sentence, first: int, last: int) -> tuple[int, int]:
    return sentence.spans[first][0], sentence.spans[last][1]


def _fitted(encoder: "Encoder", corpus: Corpus, table: pd.DataFrame) -> tuple[Corpus, pd.DataFrame]:
    """The same with sentences beyond the window cut around their targets."""
    is_long = is_beyond_window(encoder, corpus, table)
    if not is_long.any():
        return corpus, table
    too_long = {corpus.sentences[number].text for number in table["sentence"][is_long]}

    def fitted(sentence: Sentence, first: int, last: int) -> excerpts.Excerpt:
        """Cuts a sentence that is longer than the model reads at once around its target."""
        if sentence.text not in too_long:
            return sentence, first, last
        k = _words_a_side(encoder, sentence, first, last)
        return excerpts.cut(sentence, first, last, k)

    return excerpts.apply_to_targets(corpus, table, fitted)


def _room(encoder: "Encoder") -> int:
    """How many pieces of a text the model reads at once."""
    before, behind = special_tokens(encoder.tokenizer, encoder.name)
    return encoder.window - len(before) - len(behind)


def _words_a_side(encoder: "Encoder", sentence: Sentence, first: int, last: int) -> int:
    """The most words on each side of a target with which it fits into the model's window; or 0."""

    def is_too_long(k: int) -> bool:
        excerpt, _, _ = excerpts.cut(sentence, first, last, k)
        return encoder.tokenise([excerpt]).lengths[0] > _room(encoder)

    fewest_too_many = bisect.bisect_left(range(len(sentence.spans)), True, key=is_too_long)
    return max(fewest_too_many - 1, 0)
