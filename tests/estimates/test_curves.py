"""Curves on vectors that we choose: values against plain loops, draws that join, undefined items left out."""
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr import curves
from cwr.curves import Curve
from cwr.extraction.answer import Sums
from cwr.measures import contextuality

rng = np.random.default_rng(0)
LAYERS = 3


def static_at_layer_0(run: SimpleNamespace) -> SimpleNamespace:
    """The same, each group being one vector in layer 0, as in a model whose input has no positions."""
    for rows in run.table.groupby("group").indices.values():
        run.vectors(0)[rows] = run.vectors(0)[rows[0]]
    return run


def extraction(sizes: dict[str, int], dim: int = 5, offset: float = 0.5) -> SimpleNamespace:
    """What an extraction of these groups would hold, with both vectors and sums, from random vectors."""
    group = np.repeat(list(sizes), list(sizes.values()))
    table = pd.DataFrame({"sentence": np.arange(len(group)), "first": 0, "last": 0, "group": group})
    stored = rng.normal(size=(LAYERS, len(group), dim)) + offset
    names = tuple(sorted(sizes))

    def sums(layer):
        parts = [stored[layer][group == name] for name in names]
        return Sums(np.array([contextuality.unit_rows(p).sum(0) if len(p) else np.zeros(dim) for p in parts]),
                    np.array([p.sum(0) for p in parts]), np.array([len(p) for p in parts]))
    return SimpleNamespace(table=table, n_layers=LAYERS - 1, groups=lambda: names, sums=sums,
                           vectors=lambda layer: stored[layer])


def test_the_baseline_curve_is_the_measure_of_each_layer():
    run = extraction({"random": 30})
    curve = curves.anisotropy_baseline(run, 40, 0)
    assert curve.values == pytest.approx([contextuality.anisotropy_baseline(run.vectors(i)) for i in range(LAYERS)])
    assert curve.replicates.shape == (40, LAYERS) and curve.replicates.std(axis=0).min() > 0


def test_self_similarity_is_the_mean_over_words_and_leaves_single_occurrences_out():
    run = extraction({"a": 4, "b": 7, "once": 1})
    curve = curves.self_similarity(run, 40, 0)
    for layer in range(LAYERS):
        words = [run.vectors(layer)[run.table["group"] == word] for word in ("a", "b")]
        assert curve.values[layer] == pytest.approx(np.mean([contextuality.self_similarity(w) for w in words]))
    assert list(curve.items.index) == ["a", "b"]


def test_intra_sentence_curves_equal_the_measures_sentence_by_sentence():
    run = extraction({"s1": 4, "s2": 9, "short": 1})
    similarity, cosine, words = curves.intra_sentence(run, 40, 0)
    assert words.to_dict() == {"s1": 4, "s2": 9}
    for layer in range(LAYERS):
        parts = [run.vectors(layer)[run.table["group"] == s] for s in ("s1", "s2")]
        assert similarity.values[layer] == pytest.approx(
            np.mean([contextuality.intra_sentence_similarity(p) for p in parts]))
        assert cosine.values[layer] == pytest.approx(np.mean([contextuality.mean_pairwise_cosine(p) for p in parts]))
    null = curves.intra_sentence_null(words, Curve(np.full(LAYERS, 0.25)), 40, 0)
    assert null.values == pytest.approx(np.mean([(1 / n + (1 - 1 / n) * 0.25) ** 0.5 for n in (4, 9)]))


@pytest.mark.parametrize("estimator", contextuality.ESTIMATORS)
def test_explained_variance_is_the_mean_over_words_that_vary(estimator):
    run = static_at_layer_0(extraction({"a": 4, "b": 7, "same": 3}))
    for layer in range(LAYERS):
        run.vectors(layer)[run.table["group"] == "same"] = 1.0
    curve = curves.explained_variance(run, estimator, 40, 0)
    kept = ["a", "b", "same"] if estimator == "definition" else ["a", "b"]
    assert list(curve.items.index) == kept
    expected = [contextuality.maximum_explainable_variance(run.vectors(1)[run.table["group"] == w], estimator)
                for w in kept]
    assert curve.values[1] == pytest.approx(np.mean(expected))
    assert np.isnan(curve.values[0]) and np.isfinite(curve.replicates[:, 1:]).all()


def test_curves_over_the_same_items_share_their_draws():
    items = pd.DataFrame(rng.normal(size=(20, LAYERS)), index=[f"w{i}" for i in range(20)])
    one, two = curves.over_items(items, 50, 0), curves.over_items(items + 1, 50, 0)
    assert (two - one).replicates == pytest.approx(1)
    assert curves.over_items(items.rename(index=str.upper), 50, 0).replicates != pytest.approx(one.replicates)


def test_a_curve_without_replicates_is_subtracted_as_a_constant():
    drawn, fixed = Curve(np.ones(2), np.full((5, 2), 1.5)), Curve(np.array([0.5, 0.25]))
    assert (drawn - fixed).replicates[0] == pytest.approx([1, 1.25])
    assert (fixed - drawn).replicates is None
