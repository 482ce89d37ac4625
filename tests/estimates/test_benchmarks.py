"""Treatments of a matrix we choose, gains against scipy draw by draw, averages, refusals."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from cwr.corpora import word_pairs
from cwr.errors import UserError
from cwr.estimates import benchmarks
from cwr.measures import isotropy, stats
from cwr.papers import printed
from cwr.texts.bis2021.claims import readings

ROWS, DIM = 40, 5


@pytest.fixture(scope="module")
def matrix():
    """A matrix with a mean, and a vocabulary of w0 to w39; w1 is no token."""
    W = np.random.default_rng(3).normal(size=(ROWS, DIM)) * np.arange(1, DIM + 1) + 2

    def row_of(word, leading_space=True):
        return int(word[1:]) if word != "w1" else None

    return SimpleNamespace(name="ours", family="masked", W=W, dim=DIM, row_of=row_of)


def scored(seed: int, n: int = 25) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    words = rng.integers(ROWS, size=(n, 2)).astype(str)
    pairs = pd.DataFrame(np.char.add("w", words), columns=["first", "second"])
    return pairs.assign(score=rng.normal(size=n))


def estimated(matrix, names=("one", "two"), draws=20, **options) -> list[dict]:
    sets = {name: scored(seed) for seed, name in enumerate(names)}
    words = {
        word for pairs in sets.values() for word in [*pairs["first"], *pairs["second"]]
    }
    vectors = benchmarks.word_vectors(matrix, sorted(words))
    return benchmarks.similarity(matrix, vectors, sets, draws=draws, **options)


def row(rows: list[dict], measure: str, **keys) -> dict:
    wanted = {"measure": measure, **keys}
    (only,) = [row for row in rows if wanted.items() <= row.items()]
    return only


def test_every_treatment_is_of_the_whole_matrix_and_words_of_several_pieces_are_left_out(
    matrix,
):
    vectors = benchmarks.word_vectors(matrix, ["w7", "w1", "w0"], removed=2)
    W = matrix.W
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    u = np.linalg.svd(W - W.mean(axis=0))[2][:2]  # the two leading components
    expected = {
        "": W[7],
        "_centred": W[7] - sum(W) / ROWS,
        "_scaled": W[7] - norms[7] * sum(W / norms) / ROWS,
        "_processed": (W[7] - sum(W) / ROWS) @ (np.eye(DIM) - u.T @ u),
        "_processed_uncentred": W[7] - sum(W) / ROWS - W[7] @ u.T @ u,
    }
    expected["_processed_released"] = expected["_processed"]
    assert vectors.keys() == benchmarks.TREATMENTS.keys() == expected.keys()
    for ending, by_word in vectors.items():
        assert list(by_word) == ["w7", "w0"]
        np.testing.assert_allclose(
            by_word["w7"], expected[ending], atol=1e-12, err_msg=ending
        )


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_replicates_are_scipys_correlations_of_resampled_pairs(matrix, correlation):
    rows = estimated(matrix, correlation=correlation, seed=5)
    pairs = scored(0)
    pairs = pairs[(pairs["first"] != "w1") & (pairs["second"] != "w1")]
    W = isotropy.center(matrix.W)
    first, second = (W[pairs[side].str[1:].astype(int)] for side in ("first", "second"))
    products, scores = (first * second).sum(axis=1), pairs["score"].to_numpy()
    measure = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr}[
        correlation
    ]
    labels = (pairs["first"] + " " + pairs["second"]).to_numpy()
    picks = stats.resample(labels, 20, 5)
    expected = [100 * measure(products[pick], scores[pick]).statistic for pick in picks]
    estimate = row(rows, "similarity_pearson_centred", dataset="one", estimator="inner")
    assert estimate["value"] == pytest.approx(100 * measure(products, scores).statistic)
    np.testing.assert_allclose(estimate["replicates"], expected)
    assert row(rows, "similarity_pairs", dataset="one")["value"] == len(pairs)


def test_a_gain_is_paired_and_that_of_a_treatment_that_does_nothing_is_exactly_zero(
    matrix,
):
    W = np.concatenate(
        [matrix.W, -matrix.W]
    )  # its mean is nought, and no row has another length
    symmetric = SimpleNamespace(**{**vars(matrix), "W": W})
    gains = benchmarks.gains(estimated(symmetric))
    centred = gains[gains["treatment"] == "centred"]
    assert len(centred) == 4  # two sets by two products
    np.testing.assert_allclose(centred[["gain", "low", "high"]], 0, atol=1e-9)


def test_gains_are_differences_with_the_interval_of_the_differences(matrix):
    rows = estimated(matrix)
    gains = benchmarks.gains(rows).set_index(["dataset", "treatment", "estimator"])
    keys = {"dataset": "two", "estimator": "cosine"}
    after, before = (
        row(rows, f"similarity_pearson{e}", **keys) for e in ("_processed", "")
    )
    gain = gains.loc["two", "post-processed", "cosine"]
    assert gain["gain"] == pytest.approx(after["value"] - before["value"])
    low, high = np.quantile(after["replicates"] - before["replicates"], [0.025, 0.975])
    assert (gain["low"], gain["high"]) == pytest.approx((low, high))
    assert gain["half_width"] == pytest.approx((high - low) / 2)
    assert gain["n"] == row(rows, "similarity_pairs", dataset="two")["value"]


def test_by_inner_product_mu_and_viswanath_correlates_as_equation_11(matrix):
    rows = estimated(
        matrix
    )  # their rows differ by a constant vector, orthogonal to what is left
    for name in ("one", "two"):
        keys = {"dataset": name, "estimator": "inner"}
        ours = row(rows, "similarity_pearson_processed", **keys)
        original = row(rows, "similarity_pearson_processed_uncentred", **keys)
        assert original["value"] == pytest.approx(ours["value"])


def test_averages_carry_the_papers_name_only_over_the_papers_five_sets(matrix):
    assert set(word_pairs.TABLE_3) == set(readings.SETS)
    here = {row["measure"] for row in estimated(matrix, ("men", "wordsim-353"))}
    assert (
        "similarity_average_here_scaled" in here
        and "similarity_average_scaled" not in here
    )
    five = estimated(matrix, (*word_pairs.TABLE_3, "wordsim-353"))
    average = row(five, "similarity_average_scaled", estimator="cosine")
    of_sets = [
        row(five, "similarity_pearson_scaled", estimator="cosine", dataset=name)
        for name in readings.SETS
    ]
    assert average["value"] == pytest.approx(np.mean([row["value"] for row in of_sets]))
    replicates = [row["replicates"] for row in of_sets]
    np.testing.assert_allclose(average["replicates"], np.mean(replicates, axis=0))
    assert not any("here" in row["measure"] for row in five)


def test_a_set_of_which_no_pair_is_left_is_refused_with_the_names_of_both(matrix):
    pairs = pd.DataFrame(
        {"first": ["w1"] * 3, "second": ["w2", "w3", "w4"], "score": [1, 2, 3]}
    )
    vectors = benchmarks.word_vectors(matrix, ["w1", "w2", "w3", "w4"])
    with pytest.raises(
        UserError, match="ours cannot be compared with tiny: of 3 pairs .* 0 have"
    ):
        benchmarks.similarity(matrix, vectors, {"tiny": pairs}, draws=5)


def test_more_components_than_dimensions_are_refused_by_name(matrix):
    with pytest.raises(
        UserError, match="^6 principal components cannot be removed from ours"
    ):
        benchmarks.word_vectors(matrix, ["w0"], removed=6)


def test_a_word_of_several_tokens_is_the_mean_of_their_rows():
    W = np.array([[2.0, 0.0], [0.0, 4.0], [1.0, 0.0]])
    spelled = {" one": [1, 0, 0], " two": [1, 2, 0], " three": [0, 0, 1]}
    matrix = SimpleNamespace(count=lambda texts: np.array(spelled[texts[0]]))
    near = benchmarks.nearness(matrix, W, "one", ["two", "three"])
    assert near["tokens"].to_dict() == {"one": 1, "two": 3, "three": 1}
    assert near.loc["two", "cosine"] == pytest.approx(
        2 / np.hypot(2, 8)
    )  # (2, 0) with (2/3, 8/3)
    assert near.loc[["one", "three"], "cosine"].tolist() == [1, 1]


def test_cells_are_those_that_table_3_prints():
    published = printed.load("bis2021")
    cells = benchmarks.cells(published)
    assert (
        cells["RoBERTa-large", "raw", "men"] == "42.9 / 63.4"
    )  # printed: 42.92 and 63.44
    assert cells["GPT-2-small", "post-processed", "wordsim-relatedness"] == "62.6 / 63.4"
    assert len(cells) == 6 * 3 * 5
    averages = benchmarks.cells(published, benchmarks.AVERAGE)
    assert len(averages) == 6 * 4
    assert averages.droplevel("data set")["BERT-base-cased", "centred"] == "60.1 / 60.4"
