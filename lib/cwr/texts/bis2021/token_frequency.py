"""Counts the words and the tokens of one text.

Biś et al. (2021), section 2.2 and appendix B. Words come from our tokeniser of texts, and include
punctuation, as tokens do; tokens come from a model's tokeniser.
"""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.texts.bis2021 import frequency

if TYPE_CHECKING:
    from cwr.corpora import Corpus
    from cwr.encoders.matrices import Matrix

CURVE = 150  # points of a curve over ranks
COVER = {"words": "words_to_cover", "tokens": "types_to_cover"}


def word_counts(corpus: "Corpus", lower_case: bool = True) -> pd.DataFrame:
    """Counts the words of a text by spelling: columns form, word, count, the most frequent first.

    lower_case: whether forms that differ only in case are one word, which is then in lower case.
    """
    counts = Counter()
    for sentence in corpus.sentences:
        counts.update(sentence.words)
    forms = pd.DataFrame(counts.most_common(), columns=["form", "count"])
    word = forms["form"].str.lower() if lower_case else forms["form"]
    return forms.assign(word=word)


def by_word(forms: pd.DataFrame) -> pd.Series:
    """Counts how often each word occurs in any spelling, the most frequent first."""
    return forms.groupby("word", sort=False)["count"].sum().sort_values(ascending=False)


def is_split(matrix: "Matrix", forms: pd.Series) -> np.ndarray:
    """Tells which words are no single token, with or without a blank before them, (words,) bool."""
    return np.array(
        [all(matrix.row_of(form, blank) is None for blank in (True, False)) for form in forms],
        dtype=bool,
    )


def split_shares(forms: pd.DataFrame, split: np.ndarray) -> dict[str, float]:
    """Computes the shares of split words in a text and in its vocabulary.

    Of the text: all split words, and the commonest one. Of the vocabulary: all. In [0, 1].
    split: (words,) bool, one for each row of `forms`.
    """
    total, of_split = forms["count"].sum(), by_word(forms[split])
    most = of_split.iloc[0] if len(of_split) else 0
    return {
        "split_words_share": of_split.sum() / total,
        "commonest_split_word_share": most / total,
        "split_types_share": len(of_split) / forms["word"].nunique(),
    }


def word_rows(forms: pd.DataFrame, text: str, percents: list[int]) -> list[dict]:
    """Returns a text's estimates as rows: its commonest word's share, its Zipf slope, coverage.

    Raises UserError for a text with too few words for a slope.
    """
    counts = by_word(forms).to_numpy()
    label = {"dataset": text}
    share = {**label, "measure": "commonest_word_share", "value": counts[0] / counts.sum()}
    return [share, *_spread(label, "words", counts, percents)]


def token_rows(
    matrix: "Matrix", counts: np.ndarray, forms: pd.DataFrame, text: str, percents: list[int]
) -> list[dict]:
    """Returns one tokeniser's estimates on a text: shares of split words, Zipf slope, coverage.

    counts: (rows,), how often each vocabulary row occurs, as `matrix.count` gives them.
    Raises UserError for a text with too few tokens for a slope.
    """
    label = {"model": matrix.name, "family": matrix.family, "dataset": text}
    shares = split_shares(forms, is_split(matrix, forms["form"]))
    rows = [{**label, "measure": name, "value": value} for name, value in shares.items()]
    return rows + _spread(label, "tokens", counts, percents)


def _spread(label: dict, kind: str, counts: np.ndarray, percents: list[int]) -> list[dict]:
    """Slope and coverage of counts, a row each. kind: words or tokens."""
    try:
        slope = frequency.zipf_slope(counts)
    except ValueError as error:
        raise UserError(
            f"the text {label['dataset']} is too short for a slope ({error}): take a longer one"
        ) from None
    rows = [{**label, "measure": f"zipf_slope_{kind}", "value": slope}]
    for percent in percents:
        types = frequency.types_to_cover(counts, percent)
        rows.append({**label, "measure": COVER[kind], "k": percent, "value": types})
    return rows


def curve(counts: np.ndarray, dataset: str, model: str, family: str | None) -> pd.DataFrame:
    """Tabulates relative frequency at log-spaced ranks, for `figures_of_matrices.by_rank`."""
    ordered = frequency.by_rank(counts)
    ranks = np.unique(np.geomspace(1, len(ordered), CURVE).round().astype(int))
    columns = {"rank": ranks, "frequency": ordered[ranks - 1] / ordered.sum()}
    return pd.DataFrame({"dataset": dataset, "model": model, "family": family, **columns})
