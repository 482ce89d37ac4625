"""Treatments of all vectors of a layer: the measures of the changed vectors, one by one."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.estimates import contextuality as estimates
from cwr.estimates.samples import Samples
from cwr.measures import contextuality as measures
from cwr.papers import registry
from cwr.texts.ethayarajh2019 import treatments
from cwr.texts.ethayarajh2019.claims.figure_1 import ANISOTROPIC, WITHOUT_MEAN

LAYERS = range(3)
NAMES = list(treatments.fits())


@pytest.fixture
def sample(extraction) -> Samples:
    """Random words, words and sentences; the sentences hold the random words and 300 others."""
    random = extraction({"random": 40}, dim=12)
    words = extraction({"a": 6, "b": 9, "once": 1}, dim=12)
    sentences = extraction({"s1": 100, "s2": 240}, dim=12)
    return Samples(random, words, sentences)


def of_group(run, layer: int, name: str) -> np.ndarray:
    return run.vectors(layer)[run.table["group"] == name]


@pytest.mark.parametrize("name", NAMES)
def test_curves_are_the_measures_of_the_treated_vectors(sample, name):
    fit = treatments.fits()[name]
    curves = treatments.similarities(treatments.treated(sample, fit), 40, 0)
    for layer in LAYERS:
        treatment = fit(sample, layer)
        baseline = measures.anisotropy_baseline(treatment(sample.random.vectors(layer)))
        of_words = [
            measures.self_similarity(treatment(of_group(sample.words, layer, word)))
            for word in ("a", "b")
        ]
        assert curves["anisotropy_baseline"].values[layer] == pytest.approx(baseline)
        assert curves["self_similarity"].values[layer] == pytest.approx(np.mean(of_words))


@pytest.mark.parametrize("name", NAMES)
def test_a_treated_sample_draws_the_same_items_as_the_sample(sample, name):
    plain = treatments.similarities(sample, 40, 0)
    changed = treatments.similarities(
        treatments.treated(sample, treatments.fits()[name]), 40, 0
    )
    similarity = changed["self_similarity"].items
    assert similarity.index.tolist() == plain["self_similarity"].items.index.tolist()
    difference = (
        changed["self_similarity"].replicates - changed["anisotropy_baseline"].replicates
    )
    assert changed["adjusted_self_similarity"].replicates == pytest.approx(difference)


def test_without_a_treatment_the_figures_are_those_of_the_chapter(sample):
    ours = treatments.similarities(sample, 40, 0)
    chapter = estimates.adjusted_self_similarity(sample.words, sample.random, 40, 0)
    for measure, curve in chapter.items():
        assert ours[measure].replicates == pytest.approx(curve.replicates)


def test_the_mean_of_the_other_words_leaves_the_random_ones_out(sample, extraction):
    sentences = extraction({"random": 40, "others": 300}, dim=12)
    for layer in LAYERS:
        in_random = sentences.table["group"] == "random"
        sentences.vectors(layer)[in_random] = sample.random.vectors(layer)
    joined = Samples(sample.random, sample.words, sentences)
    for layer in LAYERS:
        expected = of_group(sentences, layer, "others").mean(axis=0)
        assert treatments.mean_of_others(joined, layer) == pytest.approx(expected)


def test_a_text_of_random_words_alone_has_no_other_words(sample):
    alone = Samples(sample.random, sample.words, sample.random)
    with pytest.raises(UserError, match="none is left"):
        treatments.mean_of_others(alone, 1)


def test_one_planted_coordinate_is_the_anisotropy_and_goes_with_it(sample):
    for run in (sample.random, sample.words, sample.sentences):
        for layer in LAYERS:
            run.vectors(layer)[:, 4] = 40
    plain = treatments.similarities(sample, 40, 0)["anisotropy_baseline"].values
    without = treatments.treated(sample, treatments.fits()["without 1 coordinate"])
    left = treatments.similarities(without, 40, 0)["anisotropy_baseline"].values
    ranks = treatments.treated(sample, treatments.fits()["ranks (Spearman)"])
    ranked = treatments.similarities(ranks, 40, 0)["anisotropy_baseline"].values
    assert (plain > 0.9).all() and (left < 0.4).all() and (ranked < 0.5).all()


def test_a_claim_fails_under_a_treatment_by_arithmetic_if_words_far_from_the_origin_have_b_of_nought(
    extraction,
):
    """Those names and no others: any other treatment leaves the mean of these words in sight."""
    random, sentences = (
        extraction({"random": 400}, dim=12),
        extraction({"s": 3000}, dim=12),
    )
    for run in (random, sentences):
        for layer in LAYERS:
            run.vectors(layer)[:] += np.arange(12)  # of other sizes, so that ranks keep it
    far = Samples(random, extraction({"a": 6}, dim=12), sentences)
    is_gone = set()
    for name, fit in treatments.fits().items():
        b = [
            measures.anisotropy_baseline(fit(far, layer)(random.vectors(layer)))
            for layer in LAYERS
        ]
        is_gone |= {name} if max(b) <= ANISOTROPIC else set()
    assert is_gone == set(WITHOUT_MEAN)
    names = {
        name
        for paper in registry.PAPERS
        for each in paper.claims
        for name in each.fails_under
    }
    assert names == set(WITHOUT_MEAN)


def test_sampled_pairs_are_all_pairs_of_a_word_with_few_occurrences(sample):
    sampled = treatments.sampled_similarities(sample, 40, 0)
    exact = treatments.similarities(sample, 40, 0)
    difference = sampled["self_similarity"].items - exact["self_similarity"].items
    assert difference.abs().to_numpy().max() <= 0.0005  # three decimals
    expected = estimates.anisotropy_baseline_released(sample.random, 0).values
    assert sampled["anisotropy_baseline"].values.tolist() == expected.tolist()


def test_sampled_pairs_of_a_frequent_word_scatter_around_the_exact_value():
    vectors = np.random.default_rng(0).normal(size=(80, 6)) + 1
    error = treatments.sampling_error(vectors, 60)
    assert error["exact"] == measures.self_similarity(vectors)
    assert 0.005 < error["spread"] < 0.03  # a cosine's deviation over the root of 1,000
    assert abs(error["bias"]) < 4 * error["spread"] / 60**0.5
