"""A part of one pass equals a pass of its own."""

import numpy as np
import pytest

from cwr import extraction
from cwr.corpora import is_punctuation
from cwr.errors import UserError
from cwr.extraction import targets
from cwr.extraction.answer import take


def test_a_part_equals_an_extraction_of_its_targets(encoder, corpus):
    every = targets.occurrences(corpus)
    whole = extraction.run(encoder, corpus, targets=every)
    asked = (
        every.iloc[::3]
        .assign(group=lambda t: t["sentence"].astype(str))
        .reset_index(drop=True)
    )
    part = take(whole, asked)
    own = extraction.run(
        encoder, corpus, targets=asked, reducers=[extraction.vectors(), extraction.sums()]
    )
    assert part.groups() == own.groups() and part.n_layers == own.n_layers
    assert part.table[["sentence", "first"]].equals(own.table[["sentence", "first"]])
    for layer in range(own.n_layers + 1):
        assert np.allclose(
            part.vectors(layer), own.vectors(layer), rtol=1e-4, atol=1e-5
        )  # fp32, other batches
        for mine, theirs in zip(part.sums(layer), own.sums(layer), strict=True):
            assert np.allclose(mine, theirs, rtol=1e-4, atol=1e-4)


def test_targets_without_a_vector_are_dropped(encoder, corpus):
    every = targets.occurrences(corpus)
    whole = extraction.run(encoder, corpus, targets=every.iloc[:4])
    assert len(take(whole, every.iloc[2:6]).table) == 2


def test_a_zero_vector_has_no_unit_sum(encoder, corpus):
    part = take(
        extraction.run(encoder, corpus, targets=targets.occurrences(corpus)),
        targets.occurrences(corpus).iloc[:3],
    )
    object.__setattr__(part.extraction, "arrays", {"vectors.0": np.zeros((9, 4))})
    with pytest.raises(ValueError, match="a vector of .* in layer 0 has no direction"):
        part.sums(0)


def test_frequent_words_are_counted_as_a_plain_loop_counts_them(corpus):
    words = [word for sentence in corpus.sentences for word in sentence.words]
    expected = [
        word for word in words if words.count(word) >= 3 and not is_punctuation(word)
    ]
    assert targets.frequent(corpus, 3)["group"].tolist() == expected
    with pytest.raises(UserError, match="no word occurs 9999 times"):
        targets.frequent(corpus, 9999)
