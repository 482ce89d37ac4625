"""Costs: against the numbers that the paper and its sources print, and against plain loops."""

import numpy as np
import pytest

from cwr.texts.gupta2021 import cost


def products_of_a_block(n: int, d: int) -> int:
    """Operations of a block's products, matrix by matrix: (rows, inner, columns) of each."""
    shapes = [
        *[(n, d, d)] * 4,  # query, key, value, output
        (n, d, n),  # scores
        (n, n, d),  # mean of the values
        (n, d, 4 * d),
        (n, 4 * d, d),
    ]
    return sum(2 * rows * inner * columns for rows, inner, columns in shapes)


@pytest.mark.parametrize(("n", "d", "layers"), [(1, 8, 1), (32, 768, 12), (128, 192, 4)])
def test_operations_are_those_of_all_products_of_all_blocks(n, d, layers):
    model = cost.of_bert(d, layers)
    assert cost.operations(n, model) == layers * products_of_a_block(n, d)


def test_a_call_of_bert_costs_what_the_cited_script_prints():
    """29 G operations are printed in footnote 1; the others were read off the script itself."""
    expected = {(128, True): 2.862e10, (128, False): 2.262e10}
    expected |= {(512, True): 1.22e11, (512, False): 9.83e10}
    for (pieces, one_hot), operations in expected.items():
        counted = cost.script_operations(pieces, 768, 12, one_hot=one_hot)
        assert counted == pytest.approx(operations, rel=5e-3 if pieces == 512 else 5e-4)
    assert round(cost.script_operations(128, 768, 12) / 1e9) == 29


def test_the_script_charges_the_products_and_less_than_two_percent_more():
    products = cost.operations(128, cost.BERT_BASE)
    charged = cost.script_operations(128, 768, 12, one_hot=False)
    assert 1 < charged / products < 1.02
    look_up = cost.script_operations(128, 768, 12) - charged
    assert look_up == 128 * 2 * 768 * cost.BERT_VOCABULARY
    with_look_up = cost.operations(128, cost.BERT_BASE, cost.BERT_VOCABULARY)
    assert with_look_up - products == look_up


def test_the_product_of_a_piece_depends_on_the_length_of_its_text():
    per_piece = cost.operations(np.array([32, 128]), cost.BERT_BASE) / [32, 128]
    assert per_piece / 1e6 == pytest.approx([171, 174.6], abs=0.1)
    assert cost.operations(128, cost.BERT_LARGE) == pytest.approx(78.9e9, rel=1e-3)


def test_words_of_sentences_and_paragraphs_cost_as_worked_out_by_hand():
    """Sentences of 23.7 words and 28.4 pieces, paragraphs of 4.5 of them, two special pieces."""
    sentence = cost.operations_per_word(np.full(10, 30.4), 237, cost.BERT_BASE)
    paragraph = cost.operations_per_word(
        np.full(20, 130), round(20 * 4.5 * 23.7), cost.BERT_BASE
    )
    assert [sentence / 1e6, paragraph / 1e6] == pytest.approx([219, 213], abs=0.5)


@pytest.mark.parametrize("specials", [1, 2])
def test_paragraphs_are_cheaper_up_to_the_level_length_and_dearer_beyond(specials):
    def of_a_piece(pieces):
        return cost.operations(pieces + specials, cost.BERT_BASE) / pieces

    level = cost.level_length(28.4, specials, cost.BERT_BASE)
    assert of_a_piece(level) == pytest.approx(of_a_piece(28.4), rel=1e-12)
    assert of_a_piece(level - 5) < of_a_piece(28.4) < of_a_piece(level + 5)
    assert cost.level_length(28.4, 0, cost.BERT_BASE) == 0
    assert cost.level_length(28.4, 2, cost.BERT_BASE) == pytest.approx(325, abs=1)


def test_an_update_costs_its_rows_and_moves_them_seven_times():
    assert 11 * 4 * 768 == cost.update_operations(768) - 11 * 12 * 768
    assert cost.update_operations(768) == pytest.approx(0.135e6, rel=0.01)
    assert cost.update_bytes(768) == 11 * 768 * 4 * 7 == pytest.approx(237e3, rel=0.01)
    assert cost.update_operations(10, negatives=0) == 160


def test_bytes_are_those_of_numbers_in_single_precision():
    assert cost.vector_bytes(768) == 3072
    assert cost.vector_bytes(768, 750_000) == pytest.approx(2.30e9, rel=2e-3)
    assert cost.weight_bytes(cost.BERT_BASE) == pytest.approx(340e6, rel=2e-3)
    assert cost.second_moment_bytes(768, 1) == 768 * 768 * 8


def test_texts_without_pieces_and_corpora_without_words_are_refused():
    with pytest.raises(ValueError, match="a text has at least 1 piece, got 0.0"):
        cost.operations(np.array([3, 0]), cost.BERT_BASE)
    with pytest.raises(ValueError, match="a corpus has at least 1 word, got 0"):
        cost.operations_per_word(np.array([3]), 0, cost.BERT_BASE)
    with pytest.raises(ValueError, match="a sentence has at least 1 piece, got 0.5"):
        cost.level_length(0.5, 2, cost.BERT_BASE)


def test_a_call_against_one_vector_is_tens_of_millions_and_nothing_else_is():
    one_vector, *like_for_like = cost.comparisons(cost.BERT_BASE).values()
    assert one_vector == pytest.approx(22.35e9 / 768, rel=1e-3) and 1e7 < one_vector < 1e8
    assert like_for_like == pytest.approx([2.27e5, 6.64e5, 864, 1.106e5], rel=3e-3)
