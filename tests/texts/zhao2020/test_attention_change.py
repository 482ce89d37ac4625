"""Cosines of attention of two encoders: equal to those one sentence by itself, paired, floored."""

import copy

import numpy as np
import pytest
import torch

from cwr import corpora, encoders
from cwr.texts.zhao2020 import attention_change
from cwr.texts.zhao2020.attention import same_head

TEXTS = (
    "the bank of the river is steep",
    "unbelievably",
    "he paid at the bank , it seems",
)
SENTENCES = [corpora.joined(text.split()) for text in TEXTS]


@pytest.fixture(scope="module")
def bert(device):
    return encoders.load("cwr-bert", device=device)


@pytest.fixture(scope="module")
def changed(bert):
    """The same model with other weights in the queries of its last block."""
    other = copy.deepcopy(bert)
    query = other.model.encoder.layer[-1].attention.self.query
    with torch.no_grad():
        query.weight.mul_(-1)
    return other


def test_the_cosines_are_those_of_each_sentence_alone_in_their_order(bert, changed, near):
    together = attention_change.cosines(bert, changed, SENTENCES)  # (L, n, h, h)
    assert together.shape[:2] == (bert.n_layers, len(SENTENCES))
    for number, sentence in enumerate(SENTENCES):
        weights = []
        for encoder in (bert, changed):
            forward = encoder.forward([sentence], attentions=True)
            weights.append(forward.attentions.detach().cpu().numpy()[:, 0])  # (L, h, n, n)
        first, second = (w.reshape(*w.shape[:2], -1) for w in weights)
        for layer, head in np.ndindex(first.shape[:2]):
            a, b = first[layer, head], second[layer, head]
            cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
            assert together[layer, number, head, head] == pytest.approx(
                cosine, abs=10 * near
            )


def test_only_the_block_that_changed_has_cosines_below_one(bert, changed):
    together = attention_change.cosines(bert, changed, SENTENCES)
    diagonal = np.stack([same_head(of_layer) for of_layer in together])
    assert diagonal[:-1] == pytest.approx(1.0)
    assert (diagonal[-1] < 0.999).any()


def test_special_pieces_can_be_left_out(bert, changed):
    with_them = attention_change.cosines(bert, changed, SENTENCES)
    without = attention_change.cosines(bert, changed, SENTENCES, specials=False)
    assert np.abs(with_them - without).max() > 1e-3


def test_rows_are_means_over_sentences_with_draws_that_two_tasks_share(bert):
    values = np.random.default_rng(0).uniform(size=(2, len(SENTENCES), 3))
    rows = list(attention_change.rows_of(values, SENTENCES, draws=300, task="pos"))
    assert [(row["layer"], row["head"]) for row in rows] == [
        (layer, head) for layer in (1, 2) for head in range(3)
    ]
    for row in rows:
        expected = values[row["layer"] - 1, :, row["head"]].mean()
        assert row["value"] == pytest.approx(expected) and row["task"] == "pos"
        assert row["replicates"].mean() == pytest.approx(expected, abs=0.05)
