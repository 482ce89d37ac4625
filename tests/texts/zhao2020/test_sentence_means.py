"""Means of static vectors over a sentence: against a loop over its words or pieces."""

import numpy as np
import pandas as pd
import pytest

from cwr import encoders
from cwr.corpora import Corpus, fingerprint, joined
from cwr.corpora.word_vectors import WordVectors
from cwr.texts.zhao2020 import sentence_means as means

LINES = ["The river Unbelievably rose", "she sat on The bank", "zzz"]
ROWS = [(1, 4, 4), (0, 1, 2), (0, 3, 3), (2, 0, 0)]
TABLE = pd.DataFrame(ROWS, columns=["sentence", "first", "last"])
VECTORS = WordVectors(
    "toy",
    ("the", "The", "river", "sat"),
    np.array([[1, 0], [3, 4], [5, 9], [7, 1]], np.float32),
)


@pytest.fixture(scope="module")
def text():
    sentences = tuple(joined(line.split()) for line in LINES)
    return Corpus("toy", sentences, fingerprint(sentences), "ours")


def test_a_mean_of_pieces_is_that_of_a_loop_over_the_sentence_target_included(text):
    encoder = encoders.load("cwr-bert")
    matrix = encoder.embedding_matrix()
    result = means.of_pieces(encoder, text, TABLE)
    for row, (sentence, _, _) in zip(result, ROWS, strict=True):
        ids = encoder.tokenizer(LINES[sentence], add_special_tokens=False)["input_ids"]
        assert row == pytest.approx(
            np.mean([matrix[piece] for piece in ids], axis=0), abs=1e-6
        )
    alone = means.of_pieces(encoder, text, TABLE, k=0)
    ids = encoder.tokenizer("river Unbelievably", add_special_tokens=False)["input_ids"]
    assert alone[1] == pytest.approx(matrix[ids].mean(axis=0), abs=1e-6)


def test_a_mean_of_words_takes_the_spelling_then_the_lower_case_and_leaves_out_the_rest(
    text,
):
    result = means.of_words(VECTORS, text, TABLE)
    assert result[0] == pytest.approx([(7 + 3) / 2, (1 + 4) / 2])  # sat, The
    assert result[1] == pytest.approx([(3 + 5) / 2, (4 + 9) / 2])  # The, river
    assert result[2] == pytest.approx(result[1]) and result[3].tolist() == [0, 0]
    assert means.of_words(VECTORS, text, TABLE, k=1)[1] == pytest.approx([4, 6.5])
    assert means.rows_of(VECTORS, ["The", "THE", "no"]).tolist() == [1, 0, -1]


def test_random_vectors_are_one_a_lower_cased_word_and_normal():
    drawn = means.random_vectors(["b", "a", "B"] + [str(number) for number in range(200)])
    assert drawn.words[-2:] == ("a", "b") and drawn.vectors.shape == (202, 300)
    assert drawn.vectors.mean() == pytest.approx(
        0, abs=0.02
    )  # 60,600 numbers: five errors
    assert drawn.vectors.std() == pytest.approx(1, abs=0.02)
    assert np.array_equal(drawn.vectors, means.random_vectors(drawn.words).vectors)
