"""Words read alone: each as a text of its own, with or without the special pieces in the mean."""

import numpy as np
import pytest

from cwr import encoders
from cwr.corpora.sentences import joined
from cwr.estimates import words_alone
from cwr.measures import static_vectors

WORDS = ["the", "unbelievably", "harbour", "of"]


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("cwr-bert", device="cpu")


def test_a_word_alone_is_the_mean_of_its_pieces_as_the_only_word_of_a_text(encoder):
    tables = words_alone.decontextualised(
        encoder, [*WORDS, "the"]
    )  # named twice, it is one word
    assert list(tables) == list(range(encoder.n_layers + 1))
    for word in WORDS:
        (batch,) = encoder.encode([joined([word])])
        for layer, vectors in tables.items():
            assert set(vectors) == set(WORDS)
            np.testing.assert_allclose(vectors[word], batch.hidden[layer, 0], atol=1e-5)


def test_model2vec_reads_the_special_pieces_too_and_then_treats_the_whole_table(encoder):
    means = []
    for word in WORDS:
        (batch,) = encoder.encode([joined([word])], unit="piece")
        assert len(batch.hidden[-1]) == len(encoder.tokenise([joined([word])]).ids) + 2
        means.append(batch.hidden[-1].mean(axis=0))
    vectors = words_alone.model2vec(encoder, WORDS)
    assert vectors.words == tuple(WORDS) and vectors.family == "static"
    expected = static_vectors.model2vec(np.stack(means))
    np.testing.assert_allclose(
        np.abs(vectors.vectors), np.abs(expected), rtol=1e-3, atol=1e-6
    )


def test_the_input_row_of_a_word_is_the_mean_of_its_pieces_rows(encoder):
    rows = words_alone.input_matrix(encoder, WORDS)
    W, vocabulary = encoder.embedding_matrix(), list(encoder.vocabulary)
    for word in WORDS:
        pieces = encoder.tokenizer.tokenize(word)
        expected = np.mean([W[vocabulary.index(piece)] for piece in pieces], axis=0)
        np.testing.assert_allclose(rows[word], expected, atol=1e-6)
    assert len(encoder.tokenizer.tokenize("unbelievably")) > 1
