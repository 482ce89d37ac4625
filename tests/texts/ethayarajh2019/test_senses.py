"""Senses and contexts: planted clusters and planted causes are found, and stopwords have peers."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from cwr import corpora, encoders, extraction
from cwr.errors import UserError
from cwr.extraction import targets
from cwr.measures.partial_correlation import partial_correlation
from cwr.texts.ethayarajh2019 import senses

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(60, 0)


@pytest.fixture(scope="module", params=["cwr-elmo", "cwr-gpt"])
def words(request, text):
    reducers = [extraction.vectors(10), extraction.sums()]
    encoder = encoders.load(request.param)
    return extraction.run(encoder, text, targets.frequent(text, 8), reducers=reducers)


def test_each_word_has_as_many_of_its_occurrences_in_every_layer(words):
    vectors = senses.occurrences(words, 8, 6)
    counts = dict(zip(words.groups(), words.sums(0).count, strict=True))
    assert 1 < len(vectors) <= 6
    most_frequent = sorted(counts.values())[-6:]
    assert (
        min(counts[word] for word in vectors) >= min(most_frequent) > 10
    )  # beyond the cap
    for word, stack in vectors.items():
        rows = np.flatnonzero(words.table["group"] == word)
        for layer in range(words.n_layers + 1):
            pool = {row.tobytes() for row in words.vectors(layer)[rows]}
            assert stack[layer].shape[0] == 8
            assert {row.tobytes() for row in stack[layer]} <= pool


def test_the_input_counts_only_where_words_vary_there(words):
    curve = senses.explained_by_centroids(senses.occurrences(words, 8, 3), 2, 4)
    static = np.ptp(words.vectors(0)[words.table["group"] == "the"], axis=0).max() == 0
    for one in curve.values():
        assert np.isnan(one.values).tolist() == [static] + [False] * words.n_layers
        assert senses.first_layer(one) == static
    beyond = curve["explained_beyond_gaussian"].values[1:]
    own, twin = curve["explained_by_centroids"], curve["explained_by_centroids_gaussian"]
    assert beyond == pytest.approx(own.values[1:] - twin.values[1:])


def test_planted_words_of_static_vectors_have_no_share_at_the_input(words):
    planted = senses.pseudo_words(senses.occurrences(words, 8, 4))
    curve = senses.explained_by_centroids(planted, 2, 4)["explained_by_centroids"]
    static = np.ptp(words.vectors(0)[words.table["group"] == "the"], axis=0).max() == 0
    assert np.isnan(curve.values).tolist() == [static] + [False] * words.n_layers


def test_more_occurrences_than_any_word_has_are_refused(words):
    with pytest.raises(UserError, match="no word has 5000 occurrences that vary"):
        senses.occurrences(words, 5000, 3)


def test_planted_senses_are_found_and_words_without_any_are_not():
    stacks = {name: RNG.normal(size=(2, 40, 8)) for name in "abcd"}
    stacks["a"] += 9
    stacks["c"] -= 9
    planted = senses.pseudo_words(stacks)
    assert list(planted) == ["a/b", "c/d"] and planted["a/b"].shape == (2, 40, 8)
    assert np.array_equal(planted["a/b"][:, 20:], stacks["b"][:, 20:])
    beyond = {
        name: senses.explained_by_centroids(vectors, 2, 10)[
            "explained_beyond_gaussian"
        ].values
        for name, vectors in {"planted": planted, "plain": stacks}.items()
    }
    assert (beyond["planted"] > 0.2).all() and (np.abs(beyond["plain"]) < 0.1).all()


def test_sentences_with_the_same_words_are_one_context(text):
    doubled = corpora.Corpus("twice", text.sentences[:9] * 2, "0" * 64, "none")
    once, twice = (
        senses.usage(corpus, targets.occurrences(corpus))
        for corpus in (
            corpora.Corpus("once", text.sentences[:9], "0" * 64, "none"),
            doubled,
        )
    )
    assert (twice["occurrences"] == 2 * once["occurrences"]).all()
    assert (twice["contexts"] == once["contexts"]).all()
    the = sum("the" in sentence.words for sentence in text.sentences[:9])
    assert once.loc["the", "contexts"] == the


def test_a_stopword_is_ranked_among_other_words_of_its_frequency():
    peers = {
        f"word{number}": (0.1 * number, 9) for number in range(5)
    }  # 8 to 15 occurrences
    rare = {f"rare{number}": (0.9, 5) for number in range(6)}
    stopwords = {
        "the": (0.15, 8),
        "of": (0.2, 15),
        "to": (0.0, 16),
    }  # "to" is alone in its bin
    table = pd.DataFrame({**peers, **rare, **stopwords}, index=["similarity", "count"]).T
    ranks = senses.stopword_percentiles_within_frequency(
        table["similarity"], table["count"]
    )
    assert ranks.to_dict() == {"the": pytest.approx(0.4), "of": pytest.approx(0.5)}
    with pytest.raises(UserError, match="no stopword has 5 other words"):
        senses.stopword_percentiles_within_frequency(
            table["similarity"][5:], table["count"][5:]
        )


def test_a_planted_cause_is_told_from_what_goes_with_it():
    contexts = RNG.permutation(300) + 1.0
    number = np.round(contexts / 60 + RNG.normal(0, 0.7, 300)).clip(1)
    usage = pd.DataFrame(
        {"occurrences": 2 * contexts, "contexts": contexts, "senses": number}
    )
    usage.index = [f"word{row}" for row in range(300)]
    similarity = -np.log(contexts) + RNG.normal(0, 0.3, 300)
    items = pd.DataFrame({0: 1 + 1e-9 * similarity, 1: similarity}, index=usage.index)
    correlations = senses.correlations(items, usage, 200)
    plain, partial = correlations.values()
    assert plain["senses"].values[1] < -0.5 < -0.15 < partial["senses"].values[1]
    assert partial["contexts"].values[1] < -0.6
    low, high = np.quantile(partial["senses"].replicates[:, 1], [0.025, 0.975])
    assert low < partial["senses"].values[1] < high < low + 0.4
    expected = partial_correlation(*map(rankdata, (similarity, usage["senses"], contexts)))
    assert partial["senses"].values[1] == pytest.approx(
        expected, abs=1e-3
    )  # of 4 decimals
    assert np.isnan(
        [curve.values[0] for curve in plain.values()]
    ).all()  # rounding is no order
    assert senses.first_layer(plain["contexts"]) == 1


def test_words_that_are_all_used_alike_are_refused_in_a_sentence():
    words = ["one", "two", "three"]
    usage = pd.DataFrame(
        {"occurrences": [5, 6, 7], "contexts": [5, 5, 7], "senses": 1}, words
    )
    items = pd.DataFrame({0: [0.1, 0.2, 0.3]}, words)
    with pytest.raises(
        UserError, match="the 3 words .* all have the same number of senses: take"
    ):
        senses.correlations(items, usage, 4)


def test_more_centroids_than_half_the_occurrences_are_refused(words):
    vectors = senses.occurrences(words, 4, 2, 0)
    with pytest.raises(UserError, match="3 centroids need 6 occurrences of a word, not 4"):
        senses.explained_by_centroids(vectors, 3, draws=4)
