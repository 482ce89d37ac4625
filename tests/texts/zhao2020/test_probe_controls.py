"""Controls of probes: the online code against a loop over its blocks, memory on planted vectors."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.measures import code_length
from cwr.texts.zhao2020 import probe_controls, probe_training
from cwr.texts.zhao2020.probe_training import Settings

CLASSES = ("art", "food", "person")
SHARES = (0.2, 0.5, 1)
SHORT = Settings(hidden=8, epochs=8, batch=16, rate=1e-2)


def drawn(planted=4.0, n_words=120, contexts=4, dim=6, seed=0, names=0.0):
    """Vectors of two layers, words and classes; only the second layer knows the class.

    planted: how far a class lies from the others. names: how much of a vector is its word's own.
    """
    generator = np.random.default_rng(seed)
    word = np.repeat(np.arange(n_words), contexts)
    gold = np.repeat(generator.integers(0, 3, n_words), contexts)
    noise, layer = generator.normal(size=(2, len(word), dim)).astype(np.float32)
    layer += names * generator.normal(size=(n_words, dim))[word].astype(np.float32)
    layer[np.arange(len(word)), gold] += planted
    return [noise, layer], word.astype(str), np.array(CLASSES)[gold]


def by_loop(vectors, words, labels, settings):
    """Bits of each context in each layer, a block, layer and class at a time."""
    block = probe_controls.blocks(words, SHARES, settings.seed)
    is_dev = probe_controls.dev_words(words, settings.seed)
    bits = np.full((len(vectors), len(words)), float(len(CLASSES)))
    for number in (1, 2):
        known, sent = block < number, block == number
        train, dev = known & ~is_dev, known & is_dev
        for layer, array in enumerate(vectors):
            bits[layer, sent] = 0
            for name in CLASSES:
                data = [array[train]], labels[train], [array[dev]], labels[dev]
                probe = probe_training.train(*data, [name], settings)
                margins = probe.margins([array[sent]])[0, :, 0]
                probability = 1 / (
                    1 + np.exp(-np.where(labels[sent] == name, margins, -margins))
                )
                bits[layer, sent] -= np.log2(probability)
    return bits


def test_the_code_is_that_of_a_loop_over_blocks_layers_and_classes():
    vectors, words, labels = drawn(planted=1.0)
    bits = probe_controls.code_bits(vectors, words, labels, CLASSES, SHORT, SHARES)
    assert bits == pytest.approx(
        by_loop(vectors, words, labels, SHORT), rel=1e-3, abs=1e-4
    )


def test_what_a_layer_tells_has_a_shorter_code_than_rates_and_noise_a_longer_one():
    vectors, words, labels = drawn()
    noise, layer = probe_controls.code_bits(
        vectors, words, labels, CLASSES, SHORT, SHARES
    ).mean(axis=1)
    rates = probe_controls.code_bits([], words, labels, CLASSES, SHORT, SHARES).mean()
    assert layer < 0.6 * rates < rates < noise


def test_the_code_of_rates_is_that_of_the_rule_of_succession():
    _, words, labels = drawn(n_words=40)
    bits = probe_controls.code_bits([], words, labels, CLASSES, SHORT, SHARES)[0]
    block = probe_controls.blocks(words, SHARES, SHORT.seed)
    assert (bits[block == 0] == 3).all()
    before = labels[block < 2]
    for context in np.flatnonzero(block == 2)[::7]:
        probability = 1.0
        for name in CLASSES:
            yes = ((before == name).sum() + 1) / (len(before) + 2)
            probability *= yes if labels[context] == name else 1 - yes
        assert bits[context] == pytest.approx(-np.log2(probability))


def test_a_class_that_no_block_before_has_is_told_by_the_rule_of_succession():
    vectors, words, labels = drawn()
    block = probe_controls.blocks(words, SHARES, SHORT.seed)
    late = np.where((block == 1) & (labels == "art"), "law", labels)
    classes = (*CLASSES, "law")
    bits = probe_controls.code_bits(vectors, words, late, classes, SHORT, SHARES)
    n = (block == 0).sum()
    is_law = late == "law"
    assert (bits[:, is_law] > np.log2(n + 2)).all() and np.isfinite(bits).all()


def test_probes_remember_words_where_vectors_are_of_a_word_and_not_where_they_are_noise():
    vectors, words, labels = drawn(names=3.0, dim=24)
    settings = Settings(hidden=32, epochs=40, batch=16, rate=1e-2)
    tested, right, control = probe_controls.memory(
        vectors, words, labels, CLASSES, settings
    )
    assert len(tested) == right.shape[1] == control.shape[1] == len(words) / 2
    noise, known = control.mean(axis=1)
    assert known > 0.6 > 0.45 > noise
    assert right[1].mean() > 0.9


def test_selectivity_is_high_where_a_class_is_told_and_nothing_else():
    vectors, words, labels = drawn()
    _, right, control = probe_controls.memory(vectors, words, labels, CLASSES, SHORT)
    noise, layer = code_length.selectivity(right, control).mean(axis=1)
    assert layer > 0.4 and abs(noise) < 0.15


def test_words_that_occur_too_seldom_leave_nothing_to_remember():
    vectors, words, labels = drawn(contexts=3)
    with pytest.raises(UserError, match="no word has 4 contexts"):
        probe_controls.memory(vectors, words, labels, CLASSES, SHORT)
