"""Operations of a transformer, against the matrices it multiplies and against printed counts."""
import pytest

from cwr.estimates import operations


def test_a_piece_costs_twice_the_weights_that_it_meets_and_two_passes_over_its_text():
    dim, pieces, layers = 8, 5, 3
    weights = 4 * dim * dim + 2 * dim * (4 * dim)           # four matrices, two matrices
    attention = 2 * (pieces * dim) + 2 * (pieces * dim)     # scores of all pieces, then their mean
    assert operations.per_piece(pieces, layers, dim) == layers * (2 * weights + attention)


def test_a_call_of_bert_base_costs_what_the_script_of_clark_et_al_counts():
    """Their 2.86e10 for 128 pieces charges a matrix product for the embedding; else 2.26e10."""
    assert operations.per_call(128, 12, 768, vocabulary=30522) == pytest.approx(2.862e10, rel=0.02)
    assert operations.per_call(128, 12, 768) == pytest.approx(2.262e10, rel=0.02)


def test_longer_texts_cost_more_a_word_and_share_the_special_pieces():
    def cost(words: float, special: int) -> float:
        return operations.per_word(words, 12, 768, pieces_per_word=1.2, special=special)

    assert cost(100, 0) > cost(20, 0)                       # attention grows with the text
    assert cost(100, 2) < cost(20, 2)                       # two pieces are shared by more words
    assert cost(20, 0) == pytest.approx(1.2 * operations.per_piece(24, 12, 768))
