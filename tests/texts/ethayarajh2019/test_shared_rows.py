"""The row of the segment, which all words share: layer 0 without it, by hand from the embeddings."""

import numpy as np
import pytest
import torch

from cwr import corpora, encoders
from cwr.extraction import targets
from cwr.measures import contextuality
from cwr.texts.ethayarajh2019 import shared_rows


@pytest.fixture(scope="module")
def lee():
    return corpora.load("lee").sample(30, 0)


def by_hand(encoder, corpus, words) -> np.ndarray:
    """Layer 0 of these words with no segment: token and position, through the norm; (n, dim)."""
    parts = encoder.model.embeddings
    vectors = []
    for sentence, first in words[["sentence", "first"]].to_numpy():
        start, end = corpus.sentences[sentence].spans[first]
        pieces = encoder.tokenizer(
            corpus.sentences[sentence].text, return_offsets_mapping=True
        )
        ids = torch.tensor(pieces["input_ids"])
        with torch.no_grad():
            rows = (
                parts.word_embeddings(ids) + parts.position_embeddings.weight[: len(ids)]
            )
            hidden = parts.LayerNorm(rows).numpy()
        offsets = pieces["offset_mapping"]
        overlap = [low < end and high > start for low, high in offsets]
        vectors.append(hidden[overlap].mean(axis=0))
    return np.array(vectors)


def test_layer_0_without_the_shared_row_is_that_of_token_and_position_alone(lee):
    encoder = encoders.load("cwr-bert", random_init=True, seed=0)
    before = encoder.model.embeddings.token_type_embeddings.weight.detach().clone()
    words = targets.random_tokens(lee, 1000, 0, "sentence")
    value = shared_rows.baseline_without(encoder, lee, words)
    expected = contextuality.anisotropy_baseline(by_hand(encoder, lee, words))
    assert value == pytest.approx(expected, abs=1e-5)  # fp32
    assert abs(value) < 0.1, "with it, it is about 0.4"
    assert torch.equal(encoder.model.embeddings.token_type_embeddings.weight, before)


def test_a_model_without_segments_shares_no_such_row(lee):
    encoder = encoders.load("cwr-gpt", random_init=True, seed=0)
    words = targets.random_tokens(lee, 1000, 0, "sentence")
    assert shared_rows.baseline_without(encoder, lee, words) is None
