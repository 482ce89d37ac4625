"""Chooses the units that a context averages: words, or pieces with or without special pieces.

Gupta and Jaggi (2021), equations 3 and 4, average over words. Their released code averages over
word pieces, so that a word counts in proportion to its pieces; it includes the special pieces of
sentences, but not of paragraphs. It pairs paragraphs with sentences by two counters, one over words
and one over pieces, which drift apart where a piece is an end mark and its word is none ("u.s." is
read as "u . s ."): from there to the paragraph's end each word gets the context of an earlier
stretch (`learn_from_bert_ver2_paragraph.py`).
"""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.corpora.paragraphs import END_MARKS
from cwr.encoders.pieces import Pieces, special_tokens, word_units
from cwr.errors import UserError

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

WORDS, PIECES, SPECIALS, RELEASED = "words", "pieces", "special pieces", "released"
MEANS = (WORDS, PIECES, SPECIALS, RELEASED)


def piece_targets(
    encoder: "Encoder", texts: Corpus, table: pd.DataFrame, mean_over: str
) -> pd.DataFrame:
    """Returns each sentence's first and last piece, for `extraction.run` with unit="piece".

    table: where the sentences stand in the texts, in words (`corpora.paragraphs.CUTS`).
    mean_over: "pieces" means those of the sentence. "special pieces" adds the special pieces before
        the first sentence of a text and behind its last. "released" takes the pieces that
        `released_stretches` assigns, in texts cut by `cut_at_end_marks`.
    Raises UserError for a teacher that reads characters, a sentence without a piece, and as
    `released_stretches`; ValueError for another mean.
    """
    if mean_over not in MEANS[1:]:
        raise ValueError(f"a context is a mean over one of {', '.join(MEANS)}, not {mean_over!r}")
    if encoder.tokenizer is None:
        raise UserError(
            f"{encoder.name} reads words by their characters and has no pieces: take the mean over "
            "words"
        )
    before, behind = special_tokens(encoder.tokenizer, encoder.name)
    pieces = encoder.tokenise(texts.sentences)
    text = table["sentence"].to_numpy()
    if mean_over == RELEASED:
        start, stop, is_fragment = released_stretches(encoder, pieces, text)
        stop = stop + np.where(is_fragment, len(behind), 0)
    else:
        start, stop = _stretches(encoder, pieces, texts, table)
    if mean_over == SPECIALS:
        is_new = np.diff(text) > 0
        start = start - np.where(np.append(True, is_new), len(before), 0)
        stop = stop + np.where(np.append(is_new, True), len(behind), 0)
    shift = len(before) - pieces.first[text]
    return table.assign(first=start + shift, last=stop - 1 + shift)


def released_stretches(
    encoder: "Encoder", pieces: Pieces, text: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns where the pieces start and stop that the released code assigns to each sentence.

    A stretch ends with a piece that is an end mark, or with its text. The k-th sentence of a text
    gets the k-th stretch of the text.
    text: (s,) the number of each sentence's text, ascending.
    Returns start, stop, (s,) indices into `pieces`, and whether the stretch is a fragment without
    an end mark, (s,). Raises UserError where a text has fewer stretches than sentences.
    """
    is_end = np.isin(np.array(encoder.vocabulary)[pieces.ids], END_MARKS)  # (pieces,)
    closes = is_end.copy()
    closes[pieces.first[1:] - 1] = True  # the last piece of each text
    stops = np.flatnonzero(closes) + 1  # (stretches,)
    starts = np.append(0, stops[:-1])
    text_of = np.searchsorted(pieces.first, starts, side="right") - 1
    stretch = np.searchsorted(text_of, text) + pd.Series(text).groupby(text).cumcount().to_numpy()
    exists = text_of[np.minimum(stretch, len(stops) - 1)] == text
    if not (exists & (stretch < len(stops))).all():
        raise UserError(
            f"among the pieces of {encoder.name} are fewer end marks than among the words: the "
            "released pairing counts the pieces of a BERT; take the mean over pieces"
        )
    return starts[stretch], stops[stretch], ~is_end[stops[stretch] - 1]


def misaligned(encoder: "Encoder", texts: Corpus, table: pd.DataFrame) -> pd.DataFrame:
    """Marks the words that the released code pairs with a stretch of pieces that lacks the word.

    texts, table: as for `piece_targets`, from a corpus cut by `cut_at_end_marks`.
    One row per word that has a piece: text (its number), misaligned (bool).
    Raises UserError as `released_stretches`.
    """
    pieces = encoder.tokenise(texts.sentences)
    start, stop, _ = released_stretches(encoder, pieces, table["sentence"].to_numpy())
    words = word_units(pieces, [text.spans for text in texts.sentences])
    opening = np.flatnonzero(table["first"].to_numpy() == 0)  # the first sentence of each text
    lengths = (table["last"] - table["first"] + 1).to_numpy()
    sentence = np.repeat(np.arange(len(table)), lengths)  # of each word of all texts
    first_word = (np.cumsum(lengths) - lengths)[opening]
    row = sentence[first_word[words.sentence] + words.position]
    inside = (start[row] <= words.start) & (words.start < stop[row])
    return pd.DataFrame({"text": words.sentence, "misaligned": ~inside})


def _stretches(
    encoder: "Encoder", pieces: Pieces, texts: Corpus, table: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray]:
    """Returns start and stop, (s,) indices into `pieces`, of each sentence of the table.

    A sentence is looked up as if it were one long word. Raises UserError for one without a piece.
    """
    spans: list[list] = [[] for _ in texts.sentences]
    for row in table.itertuples():
        words = texts.sentences[row.sentence].spans
        spans[row.sentence].append((words[row.first][0], words[row.last][1]))
    units = word_units(pieces, spans)
    if len(units.start) < len(table):
        raise UserError(
            f"{encoder.name} reads no piece of a sentence of {texts.name}: take the mean over words, "
            "which names the sentence"
        )
    return units.start, units.stop
