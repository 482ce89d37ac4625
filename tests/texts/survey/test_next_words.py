"""A softmax retrained on each layer: known perplexities, and against the measure of one softmax."""

import dataclasses

import numpy as np
import pytest
import torch

from cwr import corpora
from cwr.errors import UserError
from cwr.measures import output_layer
from cwr.texts.survey import next_words
from cwr.texts.survey.next_words import (
    BACKWARDS,
    FORWARDS,
    Settings,
    Softmaxes,
    SoftmaxLearner,
)
from cwr.texts.survey.spans import Words

NAMES = np.array(["a", "b", "c", "d"])
LONG = Settings(vocabulary=5, positions=0, epochs=20, batch=32, rate=3e-2)


def text(follows: bool, sentences: int = 120):
    """Sentences of four words; each follows from the one before, or from nothing.

    Layer 0 of a biLSTM: noise; layer 1: in its first half which word stands here, in its second too.
    """
    generator = np.random.default_rng(0)
    numbers, lengths = [], generator.integers(2, 9, sentences)
    for length in lengths:
        first = generator.integers(4)
        cycle = (first + np.arange(length)) % 4
        numbers.append(cycle if follows else generator.integers(4, size=length))
    built = []
    for number, row in enumerate(numbers):
        sentence = corpora.joined(NAMES[row].tolist())
        built.append(dataclasses.replace(sentence, document=number // 4))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    onehot = np.eye(4, dtype=np.float32)[np.concatenate(numbers)]
    noise = generator.normal(size=(starts[-1], 8)).astype(np.float32)
    words = Words([noise, np.tile(onehot, 2)], starts)
    folds = np.array([sentence.document % 2 for sentence in built])
    return words, corpora.Corpus("toy", tuple(built), "toy", ""), folds


def perplexities(follows: bool, **options) -> np.ndarray:
    said = next_words.surprise(*text(follows), "bilstm", LONG, **options)
    return np.exp(said.nats.mean(axis=1))


@pytest.mark.parametrize("directions", [(FORWARDS,), (BACKWARDS,), (FORWARDS, BACKWARDS)])
def test_a_word_that_follows_costs_nothing_and_a_drawn_one_what_chance_costs(directions):
    noise, known = perplexities(True, directions=directions)
    assert known == pytest.approx(1, abs=0.1)
    assert 3.8 < noise < 5.5  # four equally frequent words, and little text
    assert 3.8 < perplexities(False, directions=directions)[1] < 5


def test_nats_are_the_measure_s_cross_entropy():
    generator = np.random.default_rng(1)
    model = Softmaxes(2, 3, torch.tensor([5, 1, 0, 2]))
    with torch.no_grad():
        model.matrix.normal_(generator=torch.manual_seed(0))
    inputs = generator.normal(size=(2, 7, 3)).astype(np.float32)
    gold = generator.integers(0, 4, 7)
    nats = model.nats(torch.from_numpy(inputs), torch.from_numpy(gold))
    for layer in range(2):
        matrix = model.matrix[layer].detach().numpy().T
        W = np.column_stack([matrix, model.bias[layer, 0].detach().numpy()])
        hidden = np.column_stack([inputs[layer], np.ones(7)])
        assert nats[layer].sum() == pytest.approx(
            output_layer.cross_entropy(W, hidden, gold)
        )


def test_before_it_learns_a_softmax_knows_how_frequent_classes_are():
    model = Softmaxes(1, 3, torch.tensor([2, 0, 1]))
    nats = model.nats(torch.zeros(1, 3, 3), torch.arange(3))
    assert np.exp(-nats[0]) == pytest.approx([3 / 6, 1 / 6, 2 / 6])


def test_layers_that_learn_together_learn_what_each_learns_alone():
    words, corpus, folds = text(follows=False, sentences=40)
    together = next_words.surprise(words, corpus, folds, "bilstm", LONG)
    for layer in range(2):
        alone = Words([words.layers[layer]], words.starts)
        said = next_words.surprise(alone, corpus, folds, "bilstm", LONG)
        assert said.nats[0] == pytest.approx(together.nats[layer], abs=1e-4)


def test_each_direction_reads_its_half_and_never_over_the_end_of_a_sentence():
    words, corpus, folds = text(follows=True, sentences=3)
    for direction, step, half in (
        (FORWARDS, 1, slice(4)),
        (BACKWARDS, -1, slice(4, None)),
    ):
        at = next_words._positions(words, corpus, folds, "bilstm", direction)
        assert (at.says - at.reads == step).all() and at.half == half
        sentence = np.searchsorted(words.starts, at.reads, side="right")
        assert (sentence == np.searchsorted(words.starts, at.says, side="right")).all()
        assert len(at.reads) == words.starts[-1] - 3
    causal = next_words._positions(words, corpus, folds, "causal", FORWARDS)
    assert causal.half == slice(None)


def test_classes_are_the_most_frequent_words_of_what_is_learned():
    said = np.array(["the", "cat", "the", "dog", "the", "cat", "owl"])
    numbers = next_words.classes(said, np.arange(6), 3)
    assert numbers.tolist() == [0, 1, 0, 2, 0, 1, 2]
    assert next_words.classes(said, np.arange(6), 9).tolist() == [
        0,
        1,
        0,
        2,
        0,
        1,
        8,
    ]  # unseen


def test_what_is_tested_is_not_learned_from(monkeypatch):
    words, corpus, folds = text(follows=True, sentences=16)
    seen = []
    original = SoftmaxLearner.__init__
    monkeypatch.setattr(
        SoftmaxLearner,
        "__init__",
        lambda self, inputs, *rest: (
            seen.append(inputs.shape[1]),
            original(self, inputs, *rest),
        )[1],
    )
    said = next_words.surprise(words, corpus, folds, "bilstm", LONG)
    tested = [
        np.isin(said.document, np.unique(said.document)[fold::2]).sum() for fold in (0, 1)
    ]
    assert seen == tested[::-1] and sum(tested) == words.starts[-1] - 16


@pytest.mark.parametrize(
    "family, directions, sentence",
    [
        ("masked", (FORWARDS,), "has already seen the word"),
        ("causal", (BACKWARDS,), "predicts words forwards, not backwards"),
        ("bilstm", (), "forwards or backwards"),
    ],
)
def test_models_that_have_seen_the_word_are_refused(family, directions, sentence):
    with pytest.raises(UserError, match=sentence):
        next_words.surprise(*text(True, 4), family, LONG, directions)


def test_vectors_of_another_corpus_are_refused():
    words, corpus, folds = text(True, 4)
    with pytest.raises(UserError, match="of 3 sentences, and toy has 4"):
        next_words.surprise(
            Words(words.layers, words.starts[:-1]), corpus, folds, "bilstm", LONG
        )
