"""The numbers of a token matrix: built matrices with known ones, and frames that are drawn."""

from types import SimpleNamespace

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.texts.bis2021 import matrix_shape, projection

COUNTS = np.array([0, 1, 10, 100, 1000, 0, 5, 50])


NAMED = SimpleNamespace(name="m", family="masked")


def built(scores, mean):
    """Rows with these two components, orthogonal to a mean along the third axis."""
    return np.column_stack([scores, np.full(len(scores), mean)])


def test_a_shift_off_the_plane_of_the_rows_changes_the_first_gap_only():
    scores = np.array([[3.0, 0], [-3, 0], [0, 1], [0, -1]])
    W = built(scores, 10)
    numbers = matrix_shape.shape(W, *projection.views(W))
    first = np.sqrt(4 * 10**2)
    assert numbers["second_over_first_singular_value"] == pytest.approx(
        np.sqrt(18) / first
    )
    assert numbers["second_over_first_singular_value_centred"] == pytest.approx(1 / 3)
    assert numbers["median_over_first_singular_value_centred"] == pytest.approx(1 / 3)
    assert numbers["principal_component_mean_cosine"] == pytest.approx(0, abs=1e-9)
    assert numbers["first_singular_value_remains"] == pytest.approx(np.sqrt(18) / first)
    assert numbers["second_singular_value_remains"] == pytest.approx(np.sqrt(2 / 18))
    assert numbers["share_of_rows_on_one_side"] == 1


def test_rows_that_spread_along_their_mean_have_it_as_first_component():
    W = np.array([[9.0, 0.1], [1, -0.1], [5, 0.1], [5, -0.1]])
    numbers = matrix_shape.shape(W, *projection.views(W))
    assert numbers["principal_component_mean_cosine"] == pytest.approx(1, abs=1e-3)


def test_an_index_that_lies_on_the_first_component_is_explained_and_one_off_it_is_not():
    index = np.arange(8) - 3.5
    W = np.column_stack([10 * index, np.cos(np.pi * np.arange(8)), np.ones(8)])
    assert matrix_shape.shape(W, *projection.views(W))[
        "vocabulary_index_r2"
    ] == pytest.approx(1)
    mirrored = np.column_stack([abs(index), abs(index) ** 2, np.ones(8)])
    numbers = matrix_shape.shape(mirrored, *projection.views(mirrored))
    assert numbers["vocabulary_index_r2"] == pytest.approx(0, abs=1e-9)


def test_frequency_is_read_from_tokens_that_occur_only():
    first = np.where(COUNTS > 0, 2 * np.log(np.maximum(COUNTS, 1)), -50)
    view = projection.View(None, np.column_stack([first, np.sin(np.arange(8))]), None)
    numbers = matrix_shape.frequency(view, COUNTS)
    assert numbers["frequency_r2"] == pytest.approx(1)
    # indices 1 2 3 4 6 7 hold the counts 1 10 100 1000 5 50: the ranks of rarity are 6 4 2 1 5 3
    squares = np.sum((np.arange(1, 7) - np.array([6, 4, 2, 1, 5, 3])) ** 2)
    assert numbers["index_rarity_correlation"] == pytest.approx(1 - 6 * squares / (6 * 35))


def test_counts_of_nothing_are_refused():
    view = projection.View(None, np.ones((8, 2)), None)
    with pytest.raises(ValueError, match="four points"):
        matrix_shape.frequency(view, np.zeros(8, int))


def test_each_number_is_a_row_of_the_model_and_counted_ones_name_the_text():
    W = np.random.default_rng(0).normal(size=(8, 3))
    matrix = SimpleNamespace(name="m", family="masked", W=W)
    rows = matrix_shape.rows(matrix, projection.views(W), COUNTS, "lee")
    assert {(row["model"], row["family"]) for row in rows} == {("m", "masked")}
    counted = {row["measure"] for row in rows if row.get("dataset") == "lee"}
    assert counted == {"frequency_r2", "index_rarity_correlation"}
    assert len(rows) == len({row["measure"] for row in rows}) == 10


def test_a_text_without_any_of_the_tokens_is_refused_by_name():
    W = np.random.default_rng(0).normal(size=(8, 3))
    matrix = SimpleNamespace(name="m", family="masked", W=W)
    with pytest.raises(
        UserError, match="the text tiny.txt is too short .* tokens of m .*longer"
    ):
        matrix_shape.rows(matrix, projection.views(W), np.zeros(8, int), "tiny.txt")


def test_drawn_rows_are_spread_over_the_vocabulary_with_their_own_scores_and_counts():
    view = projection.View(None, np.column_stack([np.arange(8), -np.arange(8)]), None)
    frame = matrix_shape.drawn(NAMED, view, COUNTS, 4).sort_values("index")
    assert frame["x"].tolist() == [0, 2, 5, 7] == (-frame["y"]).tolist()
    assert frame["index"].to_numpy() == pytest.approx(np.array([0, 2, 5, 7]) / 7)
    assert frame["log_count"].to_numpy() == pytest.approx(
        [np.nan, 1, np.nan, np.log10(50)], nan_ok=True
    )
    everything = matrix_shape.drawn(NAMED, view, COUNTS, 100)
    assert sorted(everything["x"]) == list(range(8)) != everything["x"].tolist()


def test_a_spectrum_has_both_curves_from_one():
    W = np.random.default_rng(0).normal(size=(8, 3)) + 5
    raw, centred = projection.views(W)
    frame = matrix_shape.spectrum(NAMED, raw, centred)
    assert (
        frame["index"].tolist() == [1, 2, 3]
        and (frame.loc[0, ["original", "centred"]] == 1).all()
    )
    assert frame["original"][1] < frame["centred"][1]
