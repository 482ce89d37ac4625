"""Rows of Table 1 for a matrix: their names, their signs, and what is held against the printed cells."""

from types import SimpleNamespace

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.encoders import matrices
from cwr.errors import UserError
from cwr.estimates import isotropy
from cwr.measures import geometry
from cwr.measures import isotropy as measures
from cwr.papers import printed
from cwr.report import results
from cwr.tables import only_value, where
from cwr.texts.bis2021 import built_matrices
from cwr.texts.bis2021.claims import readings

BUILT = built_matrices.skewed_matrix(500, 64)


def built(name):
    return SimpleNamespace(name=name, family="causal", W=BUILT)


def values(rows):
    return {row["measure"]: row["value"] for row in rows if "class" not in row}


def test_the_rows_of_a_matrix_have_the_names_that_claims_read_and_can_be_written(tmp_path):
    rows = isotropy.table_1(built("a"), removed=11)
    read = {*readings.SYMBOLS, readings.COSINE, readings.ANGLE, readings.TOP}
    assert read <= set(values(rows))
    assert {(row["model"], row["family"]) for row in rows} == {("a", "causal")}
    assert len(results.collect(rows).table) == 33


def test_each_row_is_the_measure_that_its_name_says():
    cells = values(isotropy.table_1(built("a"), removed=11))
    removed = measures.all_but_the_top(BUILT, 11)
    for name, W in (
        ("", BUILT),
        ("_removed", removed),
        ("_centred", measures.center(BUILT)),
    ):
        both = measures.partition_isotropy(W, "both")
        assert cells[f"partition_isotropy{name}_both"] == pytest.approx(both, abs=1e-3)
    for ending, sign in (("", "positive"), ("_negative", "negative")):
        expected = measures.partition_isotropy(BUILT, sign)
        assert cells[f"partition_isotropy{ending}"] == pytest.approx(expected, abs=1e-3)
    top = np.linalg.eigvalsh(np.cov(BUILT.T, ddof=0))[[0, -1]]
    of_two_moments = np.exp((top[0] - top[1]) / 2)
    assert cells["gaussian_partition_isotropy_centred"] == pytest.approx(of_two_moments)
    norms = np.linalg.norm(BUILT, axis=1)
    assert cells["embedding_norm"] == pytest.approx(norms.mean())
    assert cells["mean_vector_norm_ratio"] == pytest.approx(2.04 / norms.mean())
    cosine = np.cos(np.radians(cells["embedding_mean_cosine_angle"]))
    assert cells["embedding_mean_cosine"] == pytest.approx(cosine)


def test_components_are_those_of_the_text_unless_named():
    assert [isotropy.components(dim) for dim in (100, 101, 768, 1024)] == [1, 2, 8, 11]
    table = geometry.of_matrix(BUILT)
    of_text, of_two = (
        isotropy.columns(table, d)["partition_isotropy_removed"] for d in (None, 2)
    )
    curve = isotropy.by_components(table, 3)
    assert list(curve.index) == [0, 1, 2, 3]
    assert (curve[1], curve[2]) == (of_text, of_two)
    assert len(isotropy.by_components(table, 99)) == 65
    with pytest.raises(UserError, match="65 components of 64 dimensions"):
        isotropy.columns(table, 65)


def test_a_matrix_made_for_gpt2_medium_meets_its_printed_cells_against_the_mean_only():
    """Six cells of Table 1; the matrix is that of the paper's page, which meets them all."""
    table = geometry.of_matrix(built_matrices.skewed_matrix())
    beside = isotropy.beside_table_1("GPT-2-medium", isotropy.columns(table, 11))
    assert list(beside.index) == list(readings.SYMBOLS)
    raw = beside.loc[readings.I_RAW]
    assert raw["signs"].split(", ")[0] == "against" and abs(raw["difference"]) <= 0.005
    assert "none" not in set(beside["signs"])
    differences = beside["nearest"] - beside["printed"]
    assert np.allclose(differences.astype(float), beside["difference"].astype(float))


def test_a_cell_that_no_sign_meets_is_said_to_have_none_and_other_models_have_no_cells():
    doubled = isotropy.columns(geometry.of_matrix(2 * built_matrices.skewed_matrix()), 11)
    beside = isotropy.beside_table_1("GPT-2-medium", doubled)
    assert beside.loc[readings.NORM, "signs"] == "none"
    row = where(printed.load("bis2021"), model="GPT-2-medium")
    expected = doubled[readings.NORM] - only_value(row, readings.NORM)
    assert beside.loc[readings.NORM, "difference"] == pytest.approx(expected)
    assert isotropy.beside_table_1("cwr-gpt", doubled).empty


def test_a_model_of_table_1_has_a_difference_for_each_column():
    rows = [row for row in isotropy.table_1(built("GPT-2-medium")) if "class" in row]
    assert [row["class"] for row in rows] == list(readings.SYMBOLS)
    assert {row["measure"] for row in rows} == {"difference_from_table_1"}


def test_rows_are_selected_by_their_kind():
    matrix = matrices.read("cwr-gpt")
    sizes = {choice: len(isotropy.selected(matrix, choice)) for choice in isotropy.ROWS}
    kinds = [str(kind) for kind in matrix.rows]
    unseen = sum(kind in ("special", "unused", "reserved") for kind in kinds)
    assert unseen >= 200
    assert sizes == {
        "all": len(kinds),
        "used": len(kinds) - unseen,
        "words": kinds.count("word"),
    }
    with pytest.raises(ValueError, match="rows 'few' is none of all, used, words"):
        isotropy.selected(matrix, "few")


def test_centring_an_output_matrix_changes_no_prediction_of_a_shipped_model():
    """A shared mean adds mu . h to every logit; cwr-gpt predicts with the rows of W."""
    encoder = encoders.load("cwr-gpt")
    (batch,) = encoder.encode(corpora.load("lee").sentences[:1])
    h = batch.hidden[-1].astype(np.float64)  # (words, dim), after the final norm
    W = encoder.embedding_matrix().astype(np.float64)
    logits, moved = h @ W.T, h @ measures.center(W).T
    assert abs(logits - moved).max() > 0.1
    differences = (logits - logits[:, :1]) - (moved - moved[:, :1])
    assert abs(differences).max() < 1e-5


def test_centring_leaves_margins_and_taking_more_than_the_mean_does_not():
    W = np.random.default_rng(0).normal(1, 1, (300, 8)).astype(np.float32)
    row = isotropy.margin_row("m", "masked", W)
    assert row["measure"] == isotropy.MARGIN and row["value"] == pytest.approx(0, abs=1e-5)
