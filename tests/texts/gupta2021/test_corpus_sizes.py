"""Beginnings of a text: where they end, and that a pass over the longest serves all of them."""

import numpy as np
import pytest

from cwr import corpora, encoders
from cwr.errors import UserError
from cwr.estimates import contexts
from cwr.estimates.distilled import LAYER, MEAN, PAIRS, SPEARMAN
from cwr.texts.gupta2021 import corpus_sizes


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee")


def words(corpus) -> int:
    return sum(len(sentence.spans) for sentence in corpus.sentences)


def test_a_beginning_ends_with_the_paragraph_in_which_its_size_is_reached(text):
    short, long = corpus_sizes.beginnings(text, [300, 700])
    assert short.sentences == long.sentences[: len(short.sentences)]
    for size, beginning in ((300, short), (700, long)):
        last = beginning.sentences[-1]
        following = text.sentences[len(beginning.sentences)]
        assert (last.document, last.paragraph) != (following.document, following.paragraph)
        inside = [
            s
            for s in beginning.sentences
            if (s.document, s.paragraph) != (last.document, last.paragraph)
        ]
        assert sum(len(s.spans) for s in inside) < size <= words(beginning)
    (whole,) = corpus_sizes.beginnings(text, [words(text)])
    assert whole.sentences == text.sentences


@pytest.mark.parametrize("sizes", [[700, 300], [300, 300], [300, 10**7]])
def test_sizes_that_are_no_beginnings_are_refused(text, sizes):
    with pytest.raises(
        UserError, match=r"are no beginnings of lee, which has [\d,]+ words"
    ):
        corpus_sizes.beginnings(text, sizes)


@pytest.mark.parametrize("unit", ["sentence", "paragraph"])
def test_each_beginning_has_what_a_pass_over_it_alone_gives(text, unit):
    encoder = encoders.load("cwr-bert", device="cpu")
    texts = corpus_sizes.beginnings(text, [400, 900])
    ours = corpus_sizes.read(encoder, texts, unit, least=3)
    for corpus, beginning in zip(texts, ours, strict=True):
        vocabulary = contexts.vocabulary(corpus, 3)
        alone = contexts.read(
            encoder, corpus, vocabulary, unit, averages=unit == "sentence"
        )
        assert beginning.vocabulary.words == vocabulary.words
        assert beginning.words == words(corpus)
        np.testing.assert_allclose(beginning.matrix, alone.matrix, atol=1e-5)
        if unit == "sentence":  # averages are always of sentences
            for layer in beginning.layers:
                np.testing.assert_allclose(
                    beginning.average_of(layer), alone.average_of(layer), atol=1e-5
                )


def test_rows_of_a_beginning_carry_its_words_under_the_names_of_figure_1():
    rows = [
        {"measure": measure, "value": 1.0} for measure in (SPEARMAN, MEAN, PAIRS, LAYER)
    ]
    growth = corpus_sizes.as_growth(rows, 500, corpus_sizes.OWN_PAIRS)
    assert [row["measure"] for row in growth] == [
        "word_similarity_by_corpus_size_own_pairs",
        "word_similarity_pairs_own_pairs",
        "word_similarity_layer_own_pairs",
    ]
    assert {row["k"] for row in growth} == {500}


def test_what_a_curve_gains_at_last_is_paired_and_between_its_two_largest_sizes():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=100)  # shared by all sizes, so it cancels
    values = {1000: 0.5, 250: 0.1, 500: 0.3}
    curve = {"model": "a", "estimator": "ase_best_layer", "dataset": "MEN"}
    rows = [
        {
            **curve,
            "measure": corpus_sizes.GROWTH,
            "k": k,
            "value": v,
            "replicates": v + noise,
        }
        for k, v in values.items()
    ]
    rows.append({"measure": PAIRS, "value": 3.0})
    (gain,) = corpus_sizes.gains(rows).itertuples()
    assert gain.Index == ("MEN", "a", "ASE")
    assert (gain.difference, gain.low, gain.high) == pytest.approx((0.2, 0.2, 0.2))


def growth(model, estimator, k, dataset, value, replicates=None):
    """A row under GROWTH."""
    keys = {"model": model, "estimator": estimator, "k": k, "dataset": dataset}
    drawn = np.full(2, value) if replicates is None else replicates
    return {**keys, "measure": corpus_sizes.GROWTH, "value": value, "replicates": drawn}


def test_a_lead_is_paired_over_the_sets_on_which_nothing_is_chosen():
    drawn = np.random.default_rng(0).normal(size=200)  # of the pairs, so all rows have it
    rows = []
    for k, ahead in ((100, 0.2), (200, -0.1)):
        for dataset, base in (("SL-999", 0.3), ("WS-353", 0.5)):
            rows.append(growth("SKIPGRAM", "static", k, dataset, base, base + drawn))
            above = base + (
                2 * ahead if dataset == "SL-999" else 0.0
            )  # in the mean: ahead
            rows.append(
                growth("bert", "x2static_sentence", k, dataset, above, above + drawn)
            )
        rows.append(
            growth("SKIPGRAM", "static", k, "MEN", 0.9, 0.9 + drawn)
        )  # it chose on that
        rows.append(growth("bert", "x2static_sentence", k, "MEN", 0.1, 0.1 + drawn))
    leads = corpus_sizes.leads([*rows, {"measure": PAIRS, "value": 3.0}])
    assert leads.index.tolist() == [(100, "bert", "X2Static"), (200, "bert", "X2Static")]
    assert leads["difference"].tolist() == pytest.approx([0.2, -0.1])
    assert leads["low"].tolist() == pytest.approx([0.2, -0.1])
    assert leads["is_decided"].all()


def test_a_lead_without_other_sets_is_over_all():
    rows = [
        growth("SKIPGRAM", "static", 1, "MEN", 0.5),
        growth("b", "ase_best_layer", 1, "MEN", 0.4),
    ]
    (lead,) = corpus_sizes.leads(rows).itertuples()
    assert lead.Index == (1, "b", "ASE") and lead.difference == pytest.approx(-0.1)


def test_sizes_that_end_with_one_paragraph_are_refused_before_a_pass(text):
    texts = corpus_sizes.beginnings(text, [400, 401, 900])
    with pytest.raises(UserError, match=r"two sizes mean the same [\d,]+ words of lee"):
        corpus_sizes.read(None, texts, least=3)
