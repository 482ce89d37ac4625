"""Measures the lengths of an embedding matrix's rows, and how they relate to frequency.

Biś et al. (2021), appendix C with Figures 5 and 6, and section 5.2.

    v  rows of the matrix, one a token
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import scipy.stats

from cwr.measures import partition, stats
from cwr.texts.bis2021 import rare_words

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

POINTS = 512  # of the grid on which a density is drawn
MARGIN = 0.1  # of the smallest and largest norm, by which the grid reaches beyond them
QUANTILES = {"low": 0.1, "median": 0.5, "high": 0.9}


def raw_and_centred(W: np.ndarray) -> dict[str, np.ndarray]:
    """Computes the rows' norms before and after the mean row is subtracted: two (v,), float64.

    W: (v, dim). Raises ValueError for an empty matrix, NaN and infinity.
    """
    W = partition.checked_matrix(W)
    mean = W.mean(axis=0, dtype=np.float64)
    return {
        "raw": partition.lengths_and_sum(W)[0],
        "centred": partition.lengths_and_sum(W, mean)[0],
    }


def densities(norms: dict[str, np.ndarray], points: int = POINTS) -> pd.DataFrame:
    """Estimates Gaussian kernel densities of sets of norms on one grid: norm, a column per set.

    Scott's bandwidth, n^(-1/5) standard deviations, for each set; the paper states none. norms:
    {name: (v,)}. Raises ValueError for a set of norms that are all alike, which has no density.
    """
    every = np.concatenate(list(norms.values()))
    grid = np.linspace((1 - MARGIN) * every.min(), (1 + MARGIN) * every.max(), points)
    columns = {"norm": grid}
    for name, values in norms.items():
        if values.std() == 0:
            raise ValueError(f"the {len(values)} {name} norms are all {values[0]:g}: no density")
        columns[name] = scipy.stats.gaussian_kde(values, bw_method="scott")(grid)
    return pd.DataFrame(columns)


def by_frequency(norms: np.ndarray, counts: np.ndarray, bins: int = 10) -> pd.DataFrame:
    """Computes quantiles of the norms in bins of equally many tokens, the commonest bin first.

    norms, counts: (v,). Columns bin (from 1), count (median of the bin), low, median, high (tenth,
    half and nine tenths of the norms). Raises UserError as `rare_words.frequency_bins`.
    """
    rows = []
    for number, tokens in enumerate(rare_words.frequency_bins(counts, bins), start=1):
        quantiles = np.quantile(norms[tokens], list(QUANTILES.values()))
        named = dict(zip(QUANTILES, quantiles, strict=True))
        rows.append({"bin": number, "count": float(np.median(counts[tokens])), **named})
    return pd.DataFrame(rows)


def summary(matrix: "Matrix", norms: dict[str, np.ndarray], counts: np.ndarray) -> Iterator[dict]:
    """Yields one model's mean norm and its rank correlation with frequency, raw and centred.

    norms: as `raw_and_centred`; counts: (v,). The correlation is over the tokens that occur; below
    0, frequent tokens have shorter rows (section 5.2).
    """
    keys = {"model": matrix.name, "family": matrix.family}
    used = counts > 0
    frequency = stats.percentile_rank(counts[used])
    for name, suffix in (("raw", ""), ("centred", "_centred")):
        lengths = norms[name]
        correlation = stats.correlation(frequency, stats.percentile_rank(lengths[used]))
        values = {
            "embedding_norm": lengths.mean(),
            "norm_frequency_correlation": correlation,
        }
        for measure, value in values.items():
            yield {**keys, "measure": f"{measure}{suffix}", "value": float(value)}
