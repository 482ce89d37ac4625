"""Measures a token matrix before and after centring, and samples the rows that Figure 1 draws.

Biś et al. (2021), sections 4.1 and 5.1.

    v  words of the vocabulary; counts are (v,), how often each token occurs in a text
"""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from cwr.errors import UserError
from cwr.texts.bis2021 import projection
from cwr.texts.bis2021.projection import View

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

DECAY = "over_first_singular_value"


def shape(W: np.ndarray, raw: View, centred: View) -> dict[str, float]:
    """Computes the measures of the singular vectors of W and W_c, {measure: value}.

    raw, centred: as `projection.views` gives them. The two "..._remains" are singular values of W_c
    over those of W, at most 1, since centring takes a matrix of rank one away from W'W. R² is of
    the vocabulary index on the first two components; the last measure is the absolute cosine of the
    first component and the mean row.
    """
    remains = centred.singular_values[:2] / raw.singular_values[:2]
    mean = W.mean(axis=0, dtype=np.float64)
    along_mean = centred.directions[0] @ mean / np.linalg.norm(mean)
    return {
        f"second_{DECAY}": raw.decay[1],
        f"second_{DECAY}_centred": centred.decay[1],
        "first_singular_value_remains": remains[0],
        "second_singular_value_remains": remains[1],
        "share_of_rows_on_one_side": float(np.mean(raw.scores[:, 0] > 0)),
        f"median_{DECAY}_centred": float(np.median(centred.decay)),
        "vocabulary_index_r2": projection.r_squared(centred.scores, np.arange(len(W))),
        "principal_component_mean_cosine": abs(along_mean),
    }


def frequency(centred: View, counts: np.ndarray) -> dict[str, float]:
    """Measures how well the first two components of W_c tell the frequency of tokens.

    Returns R² of log counts, and Spearman's correlation of index and rarity, over used tokens.
    Raises ValueError if fewer than four tokens occur, or all equally often.
    """
    used = np.flatnonzero(counts)
    log_count = np.log(counts[used])
    return {
        "frequency_r2": projection.r_squared(centred.scores[used], log_count),
        "index_rarity_correlation": float(spearmanr(used, -log_count).statistic),
    }


def rows(matrix: "Matrix", views: tuple[View, View], counts: np.ndarray, text: str) -> list[dict]:
    """Returns the estimates of one matrix as rows; those that need counts name the text.

    Raises UserError for a text that `frequency` refuses.
    """
    label = {"model": matrix.name, "family": matrix.family}
    of_shape = shape(matrix.W, *views)
    try:
        of_frequency = frequency(views[1], counts)
    except ValueError as error:
        raise UserError(
            f"the text {text} is too short to tell how frequent the tokens of {matrix.name} are "
            f"({error}): take a longer one"
        ) from None
    named = [{"measure": name, "value": value} for name, value in of_shape.items()]
    counted = [{"measure": m, "value": v, "dataset": text} for m, v in of_frequency.items()]
    return [label | row for row in named + counted]


def drawn(
    matrix: "Matrix", view: View, counts: np.ndarray, shown: int, seed: int = 0
) -> pd.DataFrame:
    """Samples evenly spaced matrix rows, shuffled, for `figures_of_matrices.on_two_vectors`.

    The columns are model, family, x, y, index (0 to 1) and log_count (NaN for a token that does not
    occur).
    """
    last = len(counts) - 1
    spaced = np.unique(np.linspace(0, last, min(shown, last + 1)).round().astype(int))
    picks = np.random.default_rng(seed).permutation(spaced)  # else high indices cover low ones
    x, y = view.scores[picks].T
    log_count = np.log10(counts[picks], where=counts[picks] > 0, out=np.full(len(picks), np.nan))
    columns = {"x": x, "y": y, "index": picks / last, "log_count": log_count}
    return pd.DataFrame({"model": matrix.name, "family": matrix.family, **columns})


def spectrum(matrix: "Matrix", raw: View, centred: View) -> pd.DataFrame:
    """Tabulates the singular values over the largest, for `figures_of_matrices.spectra`."""
    numbers = np.arange(1, len(raw.decay) + 1)
    columns = {"index": numbers, "original": raw.decay, "centred": centred.decay}
    return pd.DataFrame({"model": matrix.name, "family": matrix.family, **columns})
