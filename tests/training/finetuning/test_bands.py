"""Banded attention, by gradients: what a word depends on, and on nothing else."""

import numpy as np
import pytest
import torch

from cwr import corpora, encoders
from cwr.errors import UserError
from cwr.training.finetuning import bands

WORDS = "the unbelievably old bank of a river lay there for nineteen long years .".split()
SENTENCE = corpora.joined(WORDS)


@pytest.fixture(scope="module")
def bert(device):
    return encoders.load("cwr-bert", device=device)


def reading_of(encoder, sentences):
    (reading,) = encoder.batches(sentences, max_tokens=10**6)
    return encoder.input(reading), [sentences[number] for number in reading.sentences]


def last_layer(encoder, inputs, mask):
    output = encoder.model(
        input_ids=inputs.ids, attention_mask=mask, position_ids=inputs.positions
    )
    return output.last_hidden_state


def influence(encoder, k, **options) -> np.ndarray:
    """How far each word's output depends on each word's input: (words, words), gradient lengths."""
    inputs, sentences = reading_of(encoder, [SENTENCE])
    words = bands.word_numbers(inputs, sentences)[0]
    mask = bands.attention_mask(inputs, sentences, k, **options)
    entered = []

    def enter(module, args, output):
        output = output.detach().requires_grad_(True)
        entered.append(output)
        return output

    hook = encoder.model.embeddings.register_forward_hook(enter)
    try:
        output = last_layer(encoder, inputs, mask)[0]  # (length, dim)
    finally:
        hook.remove()
    generator = torch.Generator().manual_seed(0)
    direction = torch.randn(output.shape[1], generator=generator).to(output.device)
    lengths = np.zeros((len(WORDS), len(WORDS)))
    for column, word in enumerate(words):
        if 0 <= word < len(WORDS):
            value = output[column] @ direction
            (gradient,) = torch.autograd.grad(value, entered, retain_graph=True)
            norms = gradient[0].norm(dim=1).cpu().numpy()
            for other in range(len(WORDS)):
                lengths[word, other] = max(
                    lengths[word, other], norms[words == other].max()
                )
    return lengths


def test_the_words_of_the_columns_go_on_beyond_the_text(bert):
    sentences = [SENTENCE, corpora.joined(["unbelievably", "steep"])]
    inputs, read = reading_of(bert, sentences)
    numbers = bands.word_numbers(inputs, read)
    for row, sentence in enumerate(read):
        pieces = bert.tokenise([sentence]).span
        expected = [-1]
        for start, _ in pieces:
            holding = [a <= start < b for a, b in sentence.spans]
            expected.append(holding.index(True))
        expected.append(len(sentence.spans))
        assert numbers[row, : len(expected)].tolist() == expected
    assert len(bert.tokenise([sentences[1]]).span) > 2  # a word of several pieces


def test_a_band_as_wide_as_the_sentence_is_no_band(bert):
    inputs, sentences = reading_of(bert, [SENTENCE, corpora.joined(WORDS[:3])])
    with torch.no_grad():
        whole = last_layer(bert, inputs, inputs.mask)
        banded = last_layer(
            bert, inputs, bands.attention_mask(inputs, sentences, len(WORDS) + 1)
        )
        narrower = last_layer(bert, inputs, bands.attention_mask(inputs, sentences, 3))
    is_piece = inputs.mask.bool()
    assert (whole - banded)[is_piece].abs().max() < 1e-5
    assert (whole - narrower)[is_piece].abs().max() > 1e-2


def test_without_words_a_side_no_word_depends_on_another(bert):
    lengths = influence(bert, 0)
    diagonal = np.eye(len(WORDS), dtype=bool)
    assert (lengths[~diagonal] == 0).all() and (lengths[diagonal] > 0).all()


@pytest.mark.parametrize("k", [1, 2])
def test_a_word_depends_on_blocks_times_k_words_a_side_and_on_no_more(bert, k):
    lengths = influence(bert, k)
    rows, columns = np.indices(lengths.shape)
    reach = bert.n_layers * k
    assert reach < len(WORDS) - 1
    assert ((lengths > 0) == (np.abs(rows - columns) <= reach)).all()


def test_special_pieces_that_all_see_carry_anything_anywhere(bert):
    assert (influence(bert, 0, free_specials=True) > 0).all()


def test_a_band_below_no_words_is_refused(bert):
    inputs, sentences = reading_of(bert, [SENTENCE])
    with pytest.raises(UserError, match="at least 0 words on each side, got -1"):
        bands.attention_mask(inputs, sentences, -1)
