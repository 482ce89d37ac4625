"""The estimates of Figures 1 to 4 against plain loops over items; what is undefined is left out."""

import numpy as np
import pandas as pd
import pytest

from cwr.errors import UserError
from cwr.estimates import contextuality as estimates
from cwr.estimates.curves import Curve
from cwr.measures import contextuality as measures

LAYERS = range(3)
ESTIMATOR = pytest.mark.parametrize("estimator", measures.ESTIMATORS)


def of_group(run, layer: int, name: str) -> np.ndarray:
    return run.vectors(layer)[run.table["group"] == name]


def without_variation(run, name: str, layers=LAYERS):
    """The same extraction; in these layers the targets of one group all have one vector."""
    for layer in layers:
        run.vectors(layer)[run.table["group"] == name] = 1.0
    return run


# ---- Figure 1


def test_the_baseline_curve_is_the_measure_of_each_layer(extraction):
    run = extraction({"random": 30})
    curve = estimates.anisotropy_baseline(run, 40, 0)
    expected = [measures.anisotropy_baseline(run.vectors(layer)) for layer in LAYERS]
    assert curve.values == pytest.approx(expected)
    assert curve.replicates.shape == (40, 3) and curve.replicates.std(axis=0).min() > 0


def test_the_released_baseline_draws_pairs_and_has_no_replicates(extraction):
    run = extraction({"random": 30})
    curve = estimates.anisotropy_baseline_released(run, 7)
    expected = [measures.anisotropy_baseline_released(run.vectors(i), 7) for i in LAYERS]
    assert curve.values.tolist() == expected and curve.replicates is None


# ---- Figure 2


def test_self_similarity_is_the_mean_over_words_and_leaves_single_occurrences_out(
    extraction,
):
    run = extraction({"a": 4, "b": 7, "once": 1})
    curve = estimates.self_similarity(run, 40, 0)
    for layer in LAYERS:
        of_words = [
            measures.self_similarity(of_group(run, layer, word)) for word in ("a", "b")
        ]
        assert curve.values[layer] == pytest.approx(np.mean(of_words))
    assert list(curve.items.index) == ["a", "b"]


def test_the_adjusted_curve_is_the_raw_one_minus_the_baseline_draw_by_draw(extraction):
    words, random = extraction({"a": 4, "b": 7, "c": 3}), extraction({"random": 30})
    named = estimates.adjusted_self_similarity(words, random, 40, 0)
    baseline = estimates.anisotropy_baseline(random, 40, 0)
    difference = named["self_similarity"].replicates - baseline.replicates
    assert named["adjusted_self_similarity"].replicates == pytest.approx(difference)


def test_stopwords_stand_where_counting_the_lower_words_puts_them():
    words = pd.Series({"the": 0.1, "of": 0.3, "cat": 0.2, "dog": 0.4, "bird": 0.5})
    assert estimates.stopword_percentiles(words).tolist() == [0.2, 0.6]
    value, replicates = estimates.stopword_percentile(words, 100, 0)
    assert value == pytest.approx(0.4)
    assert replicates.shape == (100,) and set(replicates.round(6)) == {0.2, 0.4, 0.6}


def test_words_none_of_which_is_a_stopword_are_refused():
    with pytest.raises(ValueError, match="nothing to resample"):
        estimates.stopword_percentile(pd.Series({"cat": 0.2, "dog": 0.4}), 10, 0)


def test_words_that_differ_by_rounding_alone_stand_in_alphabetical_order():
    words = pd.Series({"c": 1 - 1e-9, "a": 1 - 2e-9, "b": 1.0, "low": 0.2, "mid": 0.5})
    least, most = estimates.extremes(words, 3)
    assert least == ["low", "mid", "a"] and most == ["a", "b", "c"]


def test_the_lowest_words_are_kept_with_the_stopwords_however_high_these_are():
    words = pd.Series(
        {"dog": 0.1, "cat": 0.2, "54": 0.3, "run": 0.4, "the": 0.9, "of": 0.15}
    )
    assert estimates.lowest_means(words, 3).to_dict() == {
        "dog": 0.1,
        "cat": 0.2,
        "the": 0.9,
        "of": 0.15,
    }


# ---- Figure 3


def test_intra_sentence_curves_equal_the_measures_sentence_by_sentence(extraction):
    run = extraction({"s1": 4, "s2": 9, "short": 1})
    similarity, cosine, lengths = estimates.intra_sentence_similarity(run, 40, 0)
    assert lengths.to_dict() == {"s1": 4, "s2": 9}
    for layer in LAYERS:
        sentences = [of_group(run, layer, name) for name in ("s1", "s2")]
        assert similarity.values[layer] == pytest.approx(
            np.mean([measures.intra_sentence_similarity(vectors) for vectors in sentences])
        )
        assert cosine.values[layer] == pytest.approx(
            np.mean([measures.mean_pairwise_cosine(vectors) for vectors in sentences])
        )


def test_the_null_depends_on_the_lengths_alone():
    lengths = pd.Series({"s1": 4, "s2": 9})
    null = estimates.intra_sentence_null(lengths, Curve(np.full(3, 0.25)), 40, 0)
    by_hand = [(1 / n + (1 - 1 / n) * 0.25) ** 0.5 for n in (4, 9)]
    assert null.values == pytest.approx(np.mean(by_hand))


def test_all_of_figure_3_but_the_raw_curve_has_the_baseline_subtracted(extraction):
    sentences, random = extraction({"s1": 4, "s2": 9}), extraction({"random": 30})
    named = estimates.adjusted_intra_sentence_similarity(sentences, random, 40, 0)
    baseline = estimates.anisotropy_baseline(random, 40, 0)
    similarity, cosine, lengths = estimates.intra_sentence_similarity(sentences, 40, 0)
    null = estimates.intra_sentence_null(lengths, baseline, 40, 0)
    expected = {
        "intra_sentence_similarity": similarity,
        "adjusted_intra_sentence_similarity": similarity - baseline,
        "intra_sentence_null": null - baseline,
        "intra_sentence_cosine": cosine - baseline,
    }
    for measure, curve in expected.items():
        assert named[measure].values == pytest.approx(curve.values), measure
        assert named[measure].replicates == pytest.approx(curve.replicates), measure


# ---- Figure 4


@ESTIMATOR
def test_explained_variance_is_the_mean_over_words_that_vary(extraction, estimator):
    run = without_variation(extraction({"a": 4, "b": 7, "same": 3, "once": 1}), "same")
    curve = estimates.explained_variance(run, estimator, 40, 0)
    varying = ["a", "b", "same"] if estimator == "definition" else ["a", "b"]
    assert list(curve.items.index) == varying
    for layer in (1, 2):
        expected = [
            measures.maximum_explainable_variance(of_group(run, layer, word), estimator)
            for word in varying
        ]
        assert curve.values[layer] == pytest.approx(np.mean(expected))
    assert np.isnan(curve.values[0]) and np.isfinite(curve.replicates[:, 1:]).all()


def test_a_word_that_is_static_in_layer_0_alone_keeps_its_value(extraction):
    run = without_variation(extraction({"a": 4, "b": 7}), "a", layers=[0])
    assert list(estimates.explained_variance(run, "pca", 40, 0).items.index) == ["a", "b"]


def test_a_word_without_variation_in_one_later_layer_is_left_out_of_all(extraction):
    run = without_variation(extraction({"a": 4, "b": 7}), "a", layers=[2])
    assert list(estimates.explained_variance(run, "pca", 40, 0).items.index) == ["b"]


def test_an_unknown_estimator_is_refused_and_not_taken_for_a_word_without_a_value(
    extraction,
):
    with pytest.raises(ValueError, match="estimator 'svd' is none of"):
        estimates.explained_variance(extraction({"a": 4}), "svd")


@ESTIMATOR
def test_figure_4_subtracts_random_words_and_counts_the_words_below_them(
    extraction, estimator
):
    words, random = extraction({"a": 4, "b": 7, "c": 3}), extraction({"random": 30})
    named = estimates.adjusted_explained_variance(words, random, estimator, 40, 0)
    mean = named["maximum_explainable_variance"]
    for layer in (1, 2):
        baseline = measures.maximum_explainable_variance(random.vectors(layer), estimator)
        assert named["maximum_explainable_variance_baseline"].values[layer] == baseline
        assert named["adjusted_maximum_explainable_variance"].values[
            layer
        ] == pytest.approx(mean.values[layer] - baseline)
        below = np.mean([value < baseline for value in mean.items[layer]])
        assert named["share_of_words_below_baseline"].values[layer] == below


def test_a_text_in_which_no_word_varies_has_no_variance_to_explain(extraction):
    run = without_variation(without_variation(extraction({"a": 4, "b": 3}), "a"), "b")
    with pytest.raises(UserError, match="no word of the text has occurrences that vary"):
        estimates.explained_variance(run, "pca", 40, 0)


def test_so_few_random_words_that_a_draw_has_one_alone_are_refused(extraction):
    with pytest.raises(UserError, match="3 random words are too few to be drawn anew"):
        estimates.anisotropy_baseline(extraction({"random": 3}), draws=200)
