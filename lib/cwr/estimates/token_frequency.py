"""The words and the tokens of one text, counted side by side.

Biś et al. (2021), section 2.2 and appendix B. A word is what our tokeniser of texts calls so,
punctuation included, as it is among tokens; a token is what a model's tokeniser makes of the text.
"""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.measures import frequency

if TYPE_CHECKING:
    from cwr.corpora import Corpus
    from cwr.encoders.matrices import Matrix

CURVE = 150  # points of a curve over ranks


def words_of(corpus: "Corpus", lower_case: bool = True) -> pd.DataFrame:
    """The words of a text as they are spelt: columns form, word, count, the most frequent first.

    lower_case: whether forms that differ in case are one word; `word` is then in lower case.
    """
    counts = Counter()
    for sentence in corpus.sentences:
        counts.update(sentence.words)
    forms = pd.DataFrame(counts.most_common(), columns=["form", "count"])
    word = forms["form"].str.lower() if lower_case else forms["form"]
    return forms.assign(word=word)


def by_word(forms: pd.DataFrame) -> pd.Series:
    """How often each word occurs, over its spellings, the most frequent first."""
    return forms.groupby("word", sort=False)["count"].sum().sort_values(ascending=False)


def is_split(matrix: "Matrix", forms: pd.Series) -> np.ndarray:
    """Whether a word is no single token, neither behind a blank nor without one, (words,) bool."""
    return np.array([not _is_one_token(matrix, form) for form in forms], dtype=bool)


def _is_one_token(matrix: "Matrix", form: str) -> bool:
    return any(matrix.row_of(form, blank) is not None for blank in (True, False))


def split_shares(forms: pd.DataFrame, split: np.ndarray) -> dict[str, float]:
    """How much of a text is words that are split: all together, and the most frequent of them.

    Shares of all words, in [0, 1]; beside them the share of the vocabulary of words that is split.
    split: (words,) bool, of `forms`.
    """
    total, of_split = forms["count"].sum(), by_word(forms[split])
    most = of_split.iloc[0] if len(of_split) else 0
    return {
        "split_words_share": of_split.sum() / total,
        "commonest_split_word_share": most / total,
        "split_types_share": len(of_split) / forms["word"].nunique(),
    }


def word_rows(forms: pd.DataFrame, text: str, percents: list[int]) -> list[dict]:
    """The estimates of a text's words: their coverage, their slope, the most frequent one's share."""
    counts = by_word(forms).to_numpy()
    named = {
        "zipf_slope_words": frequency.zipf_slope(counts),
        "commonest_word_share": counts[0] / counts.sum(),
    }
    return _rows({"dataset": text}, named, "words_to_cover", counts, percents)


def token_rows(
    matrix: "Matrix", counts: np.ndarray, forms: pd.DataFrame, text: str, percents: list[int]
) -> list[dict]:
    """The estimates of a text's tokens by one tokeniser, and of the words that it splits.

    counts: (rows,) of the vocabulary, as `matrix.count` gives them.
    """
    shares = split_shares(forms, is_split(matrix, forms["form"]))
    named = {"zipf_slope_tokens": frequency.zipf_slope(counts)} | shares
    label = {"model": matrix.name, "family": matrix.family, "dataset": text}
    return _rows(label, named, "types_to_cover", counts, percents)


def _rows(label: dict, named: dict, cover: str, counts: np.ndarray, percents: list) -> list[dict]:
    rows = [{**label, "measure": name, "value": value} for name, value in named.items()]
    for percent in percents:
        types = frequency.types_to_cover(counts, percent)
        rows.append({**label, "measure": cover, "k": percent, "value": types})
    return rows


def curve(counts: np.ndarray, dataset: str, model: str, family: str | None) -> pd.DataFrame:
    """Rank and relative frequency for `figures.by_rank`, at ranks evenly spaced by their logarithm."""
    ordered = frequency.by_rank(counts)
    ranks = np.unique(np.geomspace(1, len(ordered), CURVE).round().astype(int))
    columns = {"rank": ranks, "frequency": ordered[ranks - 1] / ordered.sum()}
    return pd.DataFrame({"dataset": dataset, "model": model, "family": family, **columns})
