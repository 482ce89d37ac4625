"""Matrices of cosines, and differences of pairs that are matched on what else sets them apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import similarity_matrices as matrices
from cwr.measures.similarity_matrices import ACROSS, NEITHER, WITHIN


def drawn(seed: int, n: int = 200, strata: int = 4, documents: int = 3):
    draw = np.random.default_rng(seed)
    kind = draw.choice([WITHIN, ACROSS, NEITHER], size=n)
    return (
        draw.normal(size=n),
        kind,
        draw.integers(strata, size=n),
        draw.integers(documents, size=n),
    )


def naive(values, kind, stratum, least=1):
    """Each pair within minus the mean of the pairs across of its stratum, averaged."""
    differences = []
    for number in np.flatnonzero(kind == WITHIN):
        across = values[(kind == ACROSS) & (stratum == stratum[number])]
        if len(across) >= least:
            differences.append(values[number] - across.mean())
    return np.mean(differences)


def difference(values, kind, stratum, document, least=1):
    matching = matrices.matching(kind, stratum, document, least)
    sums = matching.sums(values)
    return matrices.matched_difference(matching.counts.sum(axis=0), sums.sum(axis=0))


def test_vectors_without_a_direction_are_refused():
    with pytest.raises(ValueError, match="row 1 has no direction"):
        matrices.unit_vectors(np.array([[1.0, 0], [0, 0]]))


def cosines(vectors):
    unit = matrices.unit_vectors(vectors)
    return unit @ unit.T


def test_what_all_words_share_is_gone_when_centred_and_scales_when_standardised():
    vectors = np.random.default_rng(0).normal(size=(400, 3))
    cone = vectors + [50, 0, 0]
    off_diagonal = ~np.eye(400, dtype=bool)
    assert cosines(cone)[off_diagonal].mean() > 0.9
    mean = cone.mean(axis=0)
    centred = matrices.centred(cone, mean)
    assert abs(cosines(centred)[off_diagonal].mean()) < 0.01
    wide = cone * [1, 100, 0]
    scaled = matrices.standardised(wide, wide.mean(axis=0), wide.std(axis=0))
    assert scaled.std(axis=0) == pytest.approx([1, 1, 0])


@given(st.integers(0, 500), st.integers(1, 6))
def test_a_matched_difference_is_the_mean_over_pairs_within(seed, least):
    values, kind, stratum, document = drawn(seed)
    assert difference(values, kind, stratum, document, least) == pytest.approx(
        naive(values, kind, stratum, least), abs=1e-12
    )


@given(st.integers(0, 100), st.floats(-5, 5))
def test_a_constant_moves_nothing_and_an_effect_of_the_stratum_is_matched_away(
    seed, shift
):
    values, kind, stratum, document = drawn(seed)
    plain = difference(values, kind, stratum, document)
    assert difference(values + shift, kind, stratum, document) == pytest.approx(
        plain, abs=1e-9
    )
    moved = values + 100 * stratum
    assert difference(moved, kind, stratum, document) == pytest.approx(plain, abs=1e-9)
    assert difference(
        values + 2.0 * (kind == WITHIN), kind, stratum, document
    ) == pytest.approx(plain + 2, abs=1e-9)


def test_documents_that_are_drawn_twice_count_twice():
    values, kind, stratum, document = drawn(1)
    matching = matrices.matching(kind, stratum, document)
    weights = np.array([2, 0, 1])
    drawn_rows = np.concatenate([np.flatnonzero(document == d) for d in (0, 0, 2)])
    resampled = naive(values[drawn_rows], kind[drawn_rows], stratum[drawn_rows])
    counts = np.tensordot(weights, matching.counts, axes=1)
    sums = np.tensordot(weights, matching.sums(values), axes=1)
    assert matrices.matched_difference(counts, sums) == pytest.approx(resampled)


def test_strata_without_partners_are_left_out_and_counted():
    kind = np.array([WITHIN, WITHIN, WITHIN, ACROSS, NEITHER])
    stratum, document = np.array([0, 0, 1, 0, 0]), np.zeros(5, int)
    matching = matrices.matching(kind, stratum, document)
    assert matching.pair.tolist() == [0, 1, 3] and matching.compared == pytest.approx(
        2 / 3
    )
    assert difference(np.array([1.0, 2, 9, 0.5, 7]), kind, stratum, document) == 1.0
    with pytest.raises(
        ValueError, match="no stratum has a pair within and 2 pairs across"
    ):
        matrices.matching(kind, stratum, document, least=2)
    assert np.isnan(matrices.matched_difference(np.array([[0, 3]]), np.array([[0.0, 1]])))


def test_the_antecedent_is_the_nearest_once_the_shared_phrase_is_gone():
    phrase = np.array([0.0, 0, 9])
    pronoun = np.array([1.0, 0, 9])
    candidates = np.array([[0.0, 0, 1], [2, 0, 0], [1, 0, 0]])
    assert matrices.antecedent(pronoun, candidates, None) == 0
    assert (
        matrices.antecedent(pronoun, candidates, phrase) == 1
    )  # of two equal ones the first
    with pytest.raises(ValueError, match="no candidate"):
        matrices.antecedent(pronoun, candidates[:0], None)
    with pytest.raises(ValueError, match="no direction"):
        matrices.antecedent(pronoun, candidates, pronoun)
