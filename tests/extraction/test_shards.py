"""The parts of a corpus, extracted one by one and merged, give what the whole gives."""
import numpy as np
import pytest

from cwr import corpora, extraction
from cwr.extraction import shards, targets


def part(corpus, table, begin, end):
    """The corpus and the targets of some of the sentences."""
    sentences = corpus.sentences[begin:end]
    rows = table[table["sentence"].between(begin, end - 1)]
    piece = corpora.Corpus("part", sentences, corpora.fingerprint(sentences), "none")
    return piece, rows.assign(sentence=rows["sentence"] - begin)


def extract(encoder, corpus, table, at, reducers):
    """The merged extraction of the parts between the cuts."""
    edges = (0, *at, len(corpus.sentences))
    parts = [part(corpus, table, *edge) for edge in zip(edges, edges[1:], strict=False)]
    return shards.merge([extraction.run(encoder, *each, reducers=reducers) for each in parts])


@pytest.mark.parametrize("at", [(1,), (5, 9), (2, 3, 11)])
@pytest.mark.parametrize("cap", [None, 3])
def test_merged_parts_equal_the_whole(encoder, corpus, at, cap):
    table = targets.numbered(corpus, targets.occurrences(corpus))
    assert table["repetition"].max() > 1                     # sentences that occur more than once
    reducers = (extraction.vectors(cap, seed=4), extraction.sums())
    whole = extraction.run(encoder, corpus, table, reducers=reducers)
    merged = extract(encoder, corpus, table, at, reducers)
    assert merged.table.equals(whole.table) and merged.groups() == whole.groups()
    for layer in range(3):
        np.testing.assert_allclose(merged.vectors(layer), whole.vectors(layer), rtol=1e-5, atol=1e-6)
        for a, b in zip(merged.sums(layer), whole.sums(layer), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_targets_without_a_vector_do_not_disturb_the_merged_sample(encoder):
    words = ["\u200d", "a", "\u200d", "the", "b", "\u200d"]    # a zero-width joiner has no piece
    sentences = tuple(corpora.joined(["bank", word]) for word in words)
    odd = corpora.Corpus("odd", sentences, corpora.fingerprint(sentences), "none")
    table = targets.numbered(odd, targets.occurrences(odd).assign(group="all"))
    missing = 0
    for seed in range(6):
        whole = extraction.run(encoder, odd, table, reducers=(extraction.vectors(5, seed),))
        merged = extract(encoder, odd, table, (2, 4), (extraction.vectors(5, seed),))
        assert merged.table.equals(whole.table) and merged.missing == whole.missing
        missing += whole.missing
        np.testing.assert_allclose(merged.vectors(2), whole.vectors(2), rtol=1e-5, atol=1e-6)
    assert missing > 5


def test_parts_that_number_the_same_repetition_are_refused(encoder, corpus):
    table = targets.occurrences(corpus, ["raised"])          # the same sentence three times
    with pytest.raises(ValueError, match="same repetition"):
        extract(encoder, corpus, table, (3,), (extraction.vectors(cap=9),))


def test_parts_extracted_in_different_ways_are_refused(encoder, corpus):
    one = extraction.run(encoder, corpus, words=["bank"])
    other = extraction.run(encoder, corpus, words=["bank"], pooling="first")
    with pytest.raises(ValueError, match="different models or reducers"):
        shards.merge([one, other])
