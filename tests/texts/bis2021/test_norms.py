"""Norms of rows, their densities and how they go with frequency."""

from types import SimpleNamespace

import numpy as np
import pytest

from cwr.texts.bis2021 import norms


@pytest.fixture
def W():
    return np.random.default_rng(0).normal(size=(40, 6)) + 1


def naive_density(values, points):
    """A sum of normal densities, one for each norm, as wide as Scott's rule says."""
    width = values.std(ddof=1) * len(values) ** (-1 / 5)
    bells = [np.exp(-(((points - value) / width) ** 2) / 2) for value in values]
    return np.sum(bells, axis=0) / len(values) / width / np.sqrt(2 * np.pi)


def test_densities_are_sums_of_bells_on_a_grid_that_reaches_beyond_both(W):
    lengths = norms.raw_and_centred(W)
    table = norms.densities(lengths, points=64)
    every = np.concatenate(list(lengths.values()))
    assert table["norm"].iloc[0] == pytest.approx(0.9 * every.min())
    assert table["norm"].iloc[-1] == pytest.approx(1.1 * every.max())
    for name, values in lengths.items():
        np.testing.assert_allclose(
            table[name], naive_density(values, table["norm"].to_numpy())
        )


def test_centring_takes_the_mean_row_away_and_squares_fall_by_its_square(W):
    """Sum of |w - mean|^2 = sum of |w|^2 - n |mean|^2."""
    lengths = norms.raw_and_centred(W)
    np.testing.assert_allclose(lengths["raw"], [np.sqrt(sum(row**2)) for row in W])
    lost = (lengths["raw"] ** 2).sum() - (lengths["centred"] ** 2).sum()
    assert lost == pytest.approx(len(W) * (W.mean(axis=0) ** 2).sum())


def test_quantiles_of_norms_stand_from_the_commonest_bin_to_the_rarest():
    counts = np.array([0, 100, 90, 80, 9, 8, 7])
    lengths = np.array([50, 1, 2, 3, 4, 5, 6])
    table = norms.by_frequency(lengths, counts, bins=2)
    assert table["bin"].tolist() == [1, 2] and table["count"].tolist() == [90, 8]
    assert table["median"].tolist() == [2, 5]
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx([1.2, 2.8])


@pytest.mark.parametrize(
    ("lengths", "correlation"), [((9, 5, 3, 1), -1), ((1, 3, 5, 9), 1)]
)
def test_frequent_tokens_with_shorter_rows_correlate_below_nought(lengths, correlation):
    """The token that does not occur, the longest of all, has no say."""
    counts = np.array([1, 2, 30, 400, 0])
    W = np.outer([*lengths, 1000], [0.6, 0.8])
    model = SimpleNamespace(name="tiny", family="causal")
    lengths = norms.raw_and_centred(W)
    rows = {row["measure"]: row for row in norms.summary(model, lengths, counts)}
    assert rows["norm_frequency_correlation"]["value"] == pytest.approx(correlation)
    assert rows["embedding_norm"]["value"] == pytest.approx(lengths["raw"].mean())
    assert rows["embedding_norm_centred"]["value"] == pytest.approx(
        lengths["centred"].mean()
    )
    assert {row["model"] for row in rows.values()} == {"tiny"}


def test_norms_that_are_all_alike_have_no_density():
    with pytest.raises(ValueError, match="the 3 raw norms are all 1: no density"):
        norms.densities({"raw": np.ones(3)})
